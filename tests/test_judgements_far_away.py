"""What differs far from every move bears on it where rules ask of the whole board, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from cases import RULESETS, cases, draw
from test_judgement_cache import SHARE, with_board
from tiers import SEED
from vassal_umpire.model.board import Axial, Board, Hex, Line, edge
from vassal_umpire.model.game import Displacement, Game, Place, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judgement_cache import JudgementCache

FAR = ("Far 1", "Far 2")
FAR_SIDE = "/".join(FAR)


def test_what_is_nowhere_on_a_board_is_asked_of_all_of_it() -> None:
    """Whether a cost can be a fraction depends on what terrain there is, however far from the move."""
    game = cases("zoc-classes")["REDUCED-OPEN"].game
    board, far = game.board, "1001"
    unknown = {**board.hexes, far: replace(board.hexes[far], terrain=None)}
    changed = with_board(game, replace(board, hexes=unknown))
    kept = JudgementCache()
    rules = RULESETS["zoc-classes"]
    before = audit(game, rules, judge=kept)
    after = audit(changed, rules)
    assert before.moves[0].unknowns != after.moves[0].unknowns
    assert audit(changed, rules, judge=kept.after(changed.board, [far])) == after


@pytest.mark.parametrize(
    ("ruleset", "name", "layer"),
    [
        ("generic", "ROAD-PATH-4", "lines"),
        ("zoc-classes", "MARCH-EARLY", "lines"),
        ("zoc-classes", "MARCH-EARLY", "sides"),
        ("zoc-classes", "MARCH-EARLY", "terrain"),
    ],
)
def test_the_last_cell_told_bears_on_moves_far_from_it(ruleset: str, name: str, layer: str) -> None:
    """Some rules ask whether a layer is known whole; a cell may tell that which no search came near."""
    whole = with_far_hexes(cases(ruleset)[name].game)
    side, may = edge(*FAR), whole.board.exceptions
    if layer == "terrain":
        bare = replace(whole.board.hexes[FAR[0]], terrain=None)
        open_ = replace(whole.board, hexes={**whole.board.hexes, FAR[0]: bare})
    elif layer == "lines":
        open_ = replace(whole.board, exceptions=replace(may, lines={**may.lines, side: None}))
    else:
        open_ = replace(whole.board, exceptions=replace(may, sides={**may.sides, side: None}))
    kept = JudgementCache()
    before = audit(with_board(whole, open_), RULESETS[ruleset], judge=kept)
    again = audit(whole, RULESETS[ruleset], judge=kept.after(whole.board, ["/".join(side), *FAR]))
    assert again == audit(whole, RULESETS[ruleset])
    assert [m.verdict for m in again.moves] != [m.verdict for m in before.moves]


@pytest.mark.parametrize("layer", ["terrain", "sides", "lines"])
def test_what_occurs_far_away_alone_bears_on_moves_that_never_come_near(layer: str) -> None:
    """Whether a march is possible depends on the cheapest step of the board, and on what no chart has."""
    game, rules = with_far_hexes(cases("zoc-classes")["MARCH-EARLY"].game), RULESETS["zoc-classes"]
    kept = JudgementCache()
    before = audit(game, rules, judge=kept)
    changed = with_board(game, dict(far_away(game.board, "no such"))[layer])
    after = audit(changed, rules)
    assert [m.verdict for m in after.moves] != [m.verdict for m in before.moves]
    assert audit(changed, rules, judge=kept.after(changed.board, [FAR_SIDE, *FAR])) == after


def test_a_dear_step_that_a_unit_may_have_come_to_bears_on_its_march() -> None:
    """What a march may have spent no more on lies on no way of the move (ZC-6.F-d)."""
    game, rules = cases("zoc-classes")["MARCH-TWO-LEFT-FAR"].game, RULESETS["zoc-classes"]
    (drag,) = (one for one in game.events if isinstance(one, Displacement))
    short = replace(drag, target=replace(drag.target, name="0201"))
    events = tuple(short if one is drag else one for one in game.events)
    game, river = replace(game, events=events), edge("0501", "0601")
    sides = {**game.board.sides, river: ("minor river",)}
    changed, kept = with_board(game, replace(game.board, sides=sides)), JudgementCache()
    before, after = audit(game, rules, judge=kept), audit(changed, rules)
    assert [m.verdict for m in (*before.moves, *after.moves)] == ["illegal", "unverifiable"]
    assert audit(changed, rules, judge=kept.after(changed.board, ["/".join(river)])) == after


def test_the_weather_zone_out_of_which_a_unit_set_out_bears_on_all_its_moves_of_the_phase() -> None:
    """The hex may lie on no way of a move: here the counter was laid in a box in between (ZC-6.A.4-i)."""
    case, rules = cases("zoc-classes")["ZONE-OUT-BEGINS"], RULESETS["zoc-classes"]
    game, (begin, drag) = case.game, case.game.events[:2]
    assert isinstance(drag, Displacement)
    zone, box = drag.origin, Place("box", "Beside")
    row = {f"{at:02}01": Hex(f"{at:02}01", Axial(at, 0), terrain=("clear",)) for at in range(1, 30)}
    cold = {name: replace(row[name], features=("arctic",)) for name in (zone.name, "2901")}
    stops = zone, box, Place("hex", "1701"), Place("hex", "2101")
    drags = [
        replace(drag, at=StepRef(1, at), origin=origin, target=target)
        for at, (origin, target) in enumerate(pairwise(stops), drag.at.step)
    ]
    game = replace(game, events=(begin, *drags))
    game = with_board(game, replace(game.board, hexes={**row, **cold}))
    changed = with_board(game, replace(game.board, hexes={**row, "2901": cold["2901"]}))
    kept = JudgementCache()
    before, after = audit(game, rules, judge=kept), audit(changed, rules)
    assert before.moves[-1].verdict != after.moves[-1].verdict
    assert audit(changed, rules, judge=kept.after(changed.board, [zone.name])) == after


@pytest.mark.ci
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_judging_again_for_what_occurs_far_away_is_judging_all_of_it(ruleset: str) -> None:
    rng, wrong = Random(SEED), []
    for case in draw(ruleset, rng, SHARE):
        game, kept = with_far_hexes(case.game), JudgementCache()
        audit(game, RULESETS[ruleset], judge=kept)
        for name in (rng.choice(sorted(names_of(game.board))), "no such"):
            for what, board in far_away(game.board, name):
                changed, again = with_board(game, board), kept.after(board, [FAR_SIDE, *FAR])
                if audit(changed, RULESETS[ruleset], judge=again) != audit(
                    changed, RULESETS[ruleset]
                ):
                    wrong.append(f"{case.id}: {name} in {what}")
    assert wrong == []


def test_what_no_rule_asks_of_the_whole_board_has_nothing_judged_again() -> None:
    """A level, two things on one hexside that are on others, and the terrain of a hex that may hold anything
    still: each is alone of its kind, far from every move."""
    game, rules = with_far_hexes(cases("generic")["ROAD-PATH-4"].game), RULESETS["generic"]
    board, names = game.board, [f"Far {at}" for at in range(1, 5)]
    more = {n: Hex(n, Axial(at, 0), sheet="far") for at, n in enumerate(names)}
    first, *others = map(edge, names, names[1:])
    may = replace(board.exceptions, hexes=dict.fromkeys(names))
    apart = {**board.sides, others[0]: ("river",), others[1]: ("dam",)}
    board = replace(board, hexes={**board.hexes, **more}, sides=apart, exceptions=may)
    kept = JudgementCache()
    audit(with_board(game, board), rules, judge=kept)
    told = replace(more[FAR[0]], terrain=("clear",)), replace(more[FAR[1]], level=3)
    hexes = {**board.hexes, **{one.name: one for one in told}}
    changed = replace(board, hexes=hexes, sides={**apart, first: ("river", "dam")})
    again = kept.after(changed, [FAR_SIDE, *FAR])
    assert audit(with_board(game, changed), rules, judge=again) == audit(
        with_board(game, changed), rules
    )
    assert {id(one) for one in again.all} <= {id(one) for one in kept.all}


def names_of(board: Board) -> set[str]:
    """What lies in the hexes and on the hexsides of a board."""
    hexes = board.hexes.values()
    found = {name for one in hexes for name in (*(one.terrain or ()), *one.features)}
    return found.union(*board.sides.values(), board.line_kinds)


def far_away(board: Board, name: str) -> list[tuple[str, Board]]:
    """A board with :data:`FAR` hexes that has ``name`` there: by the layer in which it is, or may be."""
    here, side, may = board.hexes[FAR[0]], edge(*FAR), board.exceptions
    within = replace(here, terrain=(name,)), replace(here, features=(name,))
    perhaps = {**may.hexes, FAR[0]: frozenset((name,))}
    return [
        *(
            (layer, replace(board, hexes={**board.hexes, FAR[0]: one}))
            for layer, one in zip(("terrain", "features"), within, strict=True)
        ),
        ("sides", replace(board, sides={**board.sides, side: (name,)})),
        ("lines", replace(board, lines=(*board.lines, Line(name, side)))),
        ("perhaps", replace(board, exceptions=replace(may, hexes=perhaps))),
    ]


def with_far_hexes(game: Game) -> Game:
    """The game with two hexes of clear ground on a sheet of their own."""
    far = {
        name: Hex(name, Axial(at, 0), terrain=("clear",), sheet="far")
        for at, name in enumerate(FAR)
    }
    return with_board(game, replace(game.board, hexes={**game.board.hexes, **far}))
