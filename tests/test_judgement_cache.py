"""What is judged again after some cells were changed is what a whole audit says of the changed game."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from cases import RULESETS, cases, draw
from tiers import SEED, by_tier
from vassal_umpire.model.board import Axial, Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.fact import UNKNOWN
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import Game
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine.rules import Rules
from vassal_umpire.validators.engine.ruleset import ClauseRuleset
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.judgement_cache import JudgementCache, near_cells
from vassal_umpire.validators.on_boards import KnownGround, differing_cells, unlike

SHARE = by_tier(3, ci=2, proof=10_000)


@pytest.mark.ci
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_judging_again_what_read_a_cell_is_judging_all_of_it(ruleset: str) -> None:
    rng = Random(SEED)
    wrong = []
    for case in draw(ruleset, rng, SHARE):
        name, game = case.id, case.game
        kept = JudgementCache()
        before = audit(game, RULESETS[ruleset], judge=kept)
        assert before == audit(game, RULESETS[ruleset]), name
        told = [(cell, changed, {cell}) for cell, changed in changes(game, rng)]
        for what, changed in changes_of_lines(game, rng):
            told.append((what, changed, set(differing_cells(game.board, changed.board) or ())))
        for cell, changed, cells in told:
            again = kept.after(changed.board, cells)
            found = audit(changed, RULESETS[ruleset], judge=again)
            if found != audit(changed, RULESETS[ruleset]):
                wrong.append(f"{name}: {cell}")
    assert wrong == []


@pytest.mark.ci
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_rules_that_go_on_from_a_known_board_say_what_new_ones_say(ruleset: str) -> None:
    """What was worked out of the terrain is taken over but near a cell that differs; two edits on end, both
    from the first board."""
    rng, rules = Random(SEED), RULESETS[ruleset]
    wrong = []
    for case in draw(ruleset, rng, SHARE):
        name, game = case.id, case.game
        first = KnownGround(rules)
        audit(game, first)
        for cell, changed in [*changes(game, rng), *changes_of_lines(game, rng)]:
            for twice, again in [(cell, changed), *changes(changed, rng)[:1]]:
                if audit(again, KnownGround(rules, first.made)) != audit(again, rules):
                    wrong.append(f"{name}: {cell} {twice}")
    assert wrong == []


@pytest.mark.ci
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_rules_used_again_for_other_facts_of_units_say_what_new_ones_say(ruleset: str) -> None:
    """What was worked out of the ground for a game is used where facts of a unit are not known."""
    rng, rules = Random(SEED), RULESETS[ruleset]
    wrong, again = [], 0
    for case in draw(ruleset, rng, SHARE):
        first = KnownGround(rules)
        audit(case.game, first)
        for what, changed in changes_of_units(case.game, rng):
            [(_, made)] = first.made[:1]
            if isinstance(made, Rules):
                same = made.again(changed, rules.in_force)
                again += isinstance(same, Rules) and same.common is made.common
            if audit(changed, KnownGround(rules, first.made)) != audit(changed, rules):
                wrong.append(f"{case.id}: {what}")
    assert wrong == []
    assert again or not isinstance(rules, ClauseRuleset)


def changes_of_units(game: Game, rng: Random) -> list[tuple[str, Game]]:
    """The game with another fact of a unit: two attributes as they are of another unit, or that are not
    known, and a side that is not."""
    told = [(unit, about) for unit in game.units.values() for about in sorted(unit.attributes)]
    found = []
    for unit, about in rng.sample(told, min(2, len(told))):
        facts = dict.fromkeys(other.attributes[about] for other, name in told if name == about)
        for fact in (UNKNOWN, *[one for one in facts if one != unit.attributes[about]][:1]):
            other = replace(unit, attributes={**unit.attributes, about: fact})
            found.append((f"{unit.id} {about}={fact.options}", other))
    unit = rng.choice(sorted(game.units.values(), key=lambda one: one.id))
    found.append((f"{unit.id} side", replace(unit, side=None)))
    return [(what, replace(game, units={**game.units, other.id: other})) for what, other in found]


@pytest.mark.ci
def test_cells_that_change_in_play_do_not_cost_what_is_kept_of_others() -> None:
    """Where the board changes in play (markers, facts), what is judged again is what a whole audit says."""
    rng, wrong = Random(SEED), []
    changing = {
        (ruleset, name): case.game
        for ruleset in sorted(RULESETS)
        for name, case in cases(ruleset).items()
        if any(isinstance(event, BoardChange) for event in case.game.events)
    }
    for ruleset, name in sorted(rng.sample(sorted(changing), min(SHARE, len(changing)))):
        game, rules = changing[ruleset, name], RULESETS[ruleset]
        kept = JudgementCache()
        audit(game, rules, judge=kept)
        for cell, changed in changes(game, rng):
            again = kept.after(changed.board, [cell])
            if audit(changed, rules, judge=again) != audit(changed, rules):
                wrong.append(f"{ruleset} {name}: {cell}")
    assert wrong == []


@pytest.mark.ci
@pytest.mark.parametrize("ruleset", ["generic", "wacht-am-rhein"])
def test_moves_far_from_a_change_are_not_judged_again(ruleset: str) -> None:
    rng, rules = Random(1), RULESETS[ruleset]

    def keeps(game: Game) -> bool:
        kept = JudgementCache()
        audit(game, rules, judge=kept)
        theirs = {id(one) for one in kept.all}
        for cell, changed in changes(game, rng):
            again = kept.after(changed.board, [cell])
            audit(changed, rules, judge=again)
            if any(id(one) in theirs for one in again.all):
                return True
        return False

    assert any(keeps(case.game) for case in cases(ruleset).values())


def changes(game: Game, rng: Random) -> list[tuple[str, Game]]:
    """Some of what one other cell makes of the game: a terrain, a feature, something on a side, a line."""
    board, found = game.board, list[tuple[str, Game]]()
    hexes = sorted(board.hexes)
    for name in rng.sample(hexes, min(3, len(hexes))):
        here, other = board.hexes[name], board.hexes[rng.choice(hexes)]
        made = replace(here, terrain=other.terrain, features=other.features, level=other.level)
        found.append((name, with_board(game, replace(board, hexes={**board.hexes, name: made}))))
        unknown = {**board.hexes, name: replace(here, terrain=None)}
        found.append((name, with_board(game, replace(board, hexes=unknown))))
        near = board.neighbours(name)
        if near:
            side = edge(name, rng.choice(near))
            kinds = [*{kind for has in board.sides.values() for kind in has}, "river"]
            has = () if side in board.sides else (rng.choice(kinds),)
            sides = {**board.sides, side: has}
            found.append(("/".join(side), with_board(game, replace(board, sides=sides))))
            road = Line(rng.choice(sorted(board.line_kinds) or ["road"]), side)
            lines = replace(board, lines=(*board.lines, road))
            found.append(("/".join(side), with_board(game, lines)))
    return rng.sample(found, min(by_tier(5, ci=5, proof=100), len(found)))


def changes_of_lines(game: Game, rng: Random) -> list[tuple[str, Game]]:
    """The game with a line other than it was: one more that meets others or not, first or last of all, one
    parted, cut in a hex, longer or away, one that may be there, all in another order."""
    board, found = game.board, list[tuple[str, Board]]()
    side = rng.choice(board.every_side) if board.every_side else None
    if side is not None:
        kind = rng.choice(sorted(board.line_kinds) or ["road"])
        for junctions in (True, False):
            line = Line(kind, side, junctions=junctions)
            found.append((f"{line} first", replace(board, lines=(line, *board.lines))))
            found.append((f"{line} last", replace(board, lines=(*board.lines, line))))
        may = replace(board.exceptions, lines={**board.exceptions.lines, side: frozenset((kind,))})
        found.append((f"perhaps {kind} {side}", replace(board, exceptions=may)))
    if board.lines:
        number = rng.randrange(len(board.lines))
        line = board.lines[number]
        before, behind = board.lines[:number], board.lines[number + 1 :]
        found.append((f"{line} away", replace(board, lines=(*before, *behind))))
        half = len(line.hexes) // 2
        parted = [replace(line, hexes=run) for run in (line.hexes[:half], line.hexes[half:])]
        left = [part for part in parted if len(part.hexes) > 1]
        found.append((f"{line} parted", replace(board, lines=(*before, *left, *behind))))
        runs = [line.hexes[: half + 1], line.hexes[half:]]
        cut = [replace(line, hexes=run) for run in runs if len(run) > 1]
        found.append((f"{line} cut in a hex", replace(board, lines=(*before, *cut, *behind))))
        found.append(("lines in another order", replace(board, lines=(*behind, line, *before))))
        end = line.hexes[-1]
        for near in rng.sample(board.neighbours(end), min(1, len(board.neighbours(end)))):
            longer = replace(line, hexes=(*line.hexes, near))
            found.append((f"{line} to {near}", replace(board, lines=(*before, longer, *behind))))
    drawn = rng.sample(found, min(by_tier(1, ci=1, proof=1_000), len(found)))
    return [(what, with_board(game, changed)) for what, changed in drawn]


def with_board(game: Game, board: Board) -> Game:
    return replace(game, board=board)


def test_roads_that_meet_far_away_bear_on_a_move_between_them() -> None:
    """By the rules of tide-of-iron two roads that meet anywhere may be one winding road."""
    game, rules = cases("tide-of-iron")["TI-E5"].game, RULESETS["tide-of-iron"]

    def at(column: int, row: int) -> str:
        return f"{column:02}{row:02}"

    hexes = {
        at(c, r): Hex(at(c, r), Axial(c, r), terrain=("clear",))
        for c in range(1, 14)
        for r in range(1, 31)
    }
    left = tuple(at(c, 1) for c in range(6, 0, -1)) + tuple(at(1, r) for r in range(2, 31))
    right = tuple(at(c, 1) for c in range(7, 14)) + tuple(at(13, r) for r in range(2, 31))
    link = tuple(at(c, 30) for c in range(1, 14))
    roads = tuple(Line("road", one) for one in (left, right, link[:7], link[7:]))
    parted = replace(game.board, hexes=hexes, lines=roads)
    joined = replace(parted, lines=(*roads, Line("road", link[6:8])))
    kept = JudgementCache()
    before = audit(with_board(game, parted), rules, judge=kept)
    found = audit(with_board(game, joined), rules)
    assert found.moves != before.moves
    cells = differing_cells(parted, joined)
    assert cells == {*link[6:8]}
    assert audit(with_board(game, joined), rules, judge=kept.after(joined, cells)) == found


def test_boards_that_share_what_is_the_same_of_them_say_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The land of a class on another board of a game takes over what no changed cell touches."""
    changing = [
        (case.game, ruleset)
        for name, ruleset in RULESETS.items()
        if isinstance(ruleset, ClauseRuleset)
        for case in cases(name).values()
        if any(isinstance(event, BoardChange) for event in case.game.events)
    ]
    assert {ruleset.name for _, ruleset in changing} >= {"generic", "valor-and-victory"}
    shared = [audit(game, ruleset) for game, ruleset in changing]
    monkeypatch.setattr("vassal_umpire.validators.engine.rules.unlike", lambda *_: None)
    assert shared == [audit(game, ruleset) for game, ruleset in changing]


def test_what_was_on_the_board_is_not_forgotten_by_asking_what_was_said() -> None:
    """Who asks in another game what was said, as a trial of a fact does, changes nothing of what is kept."""
    game = cases("zoc-classes")["REDUCED-OPEN"].game
    board, far, rules = game.board, "1001", RULESETS["zoc-classes"]
    other = {**board.hexes, far: replace(board.hexes[far], features=("found nowhere else",))}
    changed = with_board(game, replace(board, hexes=other))
    judged: list[Move] = []

    def judge(move: Move, *told: Any, **given: Any) -> Judgement:
        judged.append(move)
        return judge_move(move, *told, **given)

    kept = JudgementCache(judge)
    audit(game, rules, judge=kept)
    every = list(judged)
    audit(changed, rules, judge=kept.but(lambda _: False))
    judged.clear()
    audit(changed, rules, judge=kept.after(changed.board, [far]))
    assert judged == every


def test_hexes_may_be_named_with_a_stroke() -> None:
    """A hexside ``A/1/A/2`` is told by the hexes it lies between."""
    hexes = {f"A/{at}": Hex(f"A/{at}", Axial(at, 0), terrain=("clear",)) for at in range(1, 9)}
    board = Board("stroke", hexes)
    assert near_cells(board, ["A/1/A/2"]) == {f"A/{at}" for at in range(1, 5)}
    river = replace(board, sides={edge("A/1", "A/2"): ("river",)})
    assert unlike(board, river) == {"A/1", "A/2", "A/3"}


def test_a_road_changes_only_the_steps_near_it() -> None:
    hexes = {f"{at:02}": Hex(f"{at:02}", Axial(at, 0), terrain=("clear",)) for at in range(1, 13)}
    rail, road = Line("rail", ("01", "02", "03")), Line("road", ("08", "09"))
    board = Board("lines", hexes, lines=(rail,))
    near = {"07", "08", "09", "10"}
    assert unlike(board, replace(board, lines=(rail, road))) == near
    assert unlike(board, replace(board, lines=(road, rail))) == near
    assert unlike(replace(board, lines=(rail, road)), board) == near
    perhaps = Exceptions(lines={edge("08", "09"): frozenset(("road",))})
    assert unlike(replace(board, exceptions=perhaps), replace(board, lines=(rail,))) is None
    unsure = replace(board, complete=board.complete - {"lines"})
    assert unlike(unsure, replace(unsure, exceptions=perhaps)) == near


def test_where_lines_are_told_apart_by_their_numbers_no_step_is_known_to_be_the_same() -> None:
    """A line that meets no others goes by its number; so does what a road beside it is called first."""
    hexes = {f"{at:02}": Hex(f"{at:02}", Axial(at, 0), terrain=("clear",)) for at in range(1, 13)}
    path = Line("path", ("01", "02", "03"), junctions=False)
    road, track = Line("road", ("08", "09")), Line("track", ("02", "03"))
    board = Board("lines", hexes, lines=(path, road))
    assert unlike(board, replace(board, lines=(path,))) == {"07", "08", "09", "10"}
    assert unlike(board, replace(board, lines=(road, path))) is None
    assert unlike(board, replace(board, lines=(track, path, road))) is None
    other = replace(path, hexes=("01", "02"))
    assert unlike(board, replace(board, lines=(other, road))) is None
    both = replace(board, lines=(track, road))
    assert unlike(both, replace(board, lines=(road, track))) is None
    assert unlike(both, replace(board, lines=(track, track, road))) is None
