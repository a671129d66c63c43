"""A board that changes in play: every move is judged on the board of its time."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from cases import RULESETS, audit_of, cases
from flat import BOARD, MOVEMENT, place
from tiers import SEED, by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.board import Board, EdgeKinds, Exceptions, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.finding import JudgedMove
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    MovementForm,
    PhaseStart,
    Rules,
    StepRef,
    Witness,
)
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.on_boards import SameGround
from vassal_umpire.validators.tracker import phases_in_order

WATER = edge("0101", "0201")
BLOWN = BoardChange(StepRef(1, 2), sides={WATER: ("river",)})
TABLES = {
    "classes": {"names": ["foot"]},
    "terrain": {"costs": {"clear": 1}},
    "hexsides": {"river": {"cost": "prohibited", "bridges": [{"feature": "bridge"}]}},
    "allowance": {"by_class": {"foot": 4}},
}


def _tells_board(case: Case) -> bool:
    return any(isinstance(event, BoardChange) for event in case.game.events)


def game(*events: Event) -> Game:
    corridor = {name: BOARD.hexes[name] for name in ("0101", "0201", "0301")}
    return Game(
        title="A bridge",
        board=Board("Corridor", corridor, {WATER: ("river", "bridge")}),
        sides=("Red", "Blue"),
        units={"a": Unit("a", "a", "Red")},
        opening={"a": place("0101")},
        events=(
            PhaseStart(StepRef(1, 1), "1", "Movement", "Red"),
            *events,
            PhaseStart(StepRef(1, 9), "1", "Combat", "Red"),
        ),
        rules=Rules("generic", TABLES),
        phases={"Movement": MOVEMENT},
        forms={"march": MovementForm("march")},
    )


def drag(origin: str, target: str, step: int = 2) -> Displacement:
    return Displacement(StepRef(1, step), "a", place(origin), place(target), 1, "drag", "Red")


def verdicts(of: Game) -> list[str]:
    return [move.verdict for move in audit(of, RULESETS[of.rules.name]).moves]


def test_in_one_step_the_board_counts_as_it_is_when_the_unit_is_dragged() -> None:
    assert verdicts(game(drag("0101", "0201"), BLOWN)) == ["legal"]
    assert verdicts(game(BLOWN, drag("0101", "0201"))) == ["illegal"]


def test_kinds_tell_apart_boards_of_which_more_and_less_is_known() -> None:
    told = replace(game().board, complete=frozenset({"terrain", "hexsides", "lines"}))
    less = replace(told, exceptions=Exceptions(lines={WATER: None}))
    numbers: dict[object, int] = {}
    kinds = {EdgeKinds(board, numbers).of_hex("0301") for board in (told, less)}  # type: ignore[arg-type]
    assert len(kinds) == 2
    assert EdgeKinds(told, numbers).of_hex("0301") in kinds  # type: ignore[arg-type]


def test_readings_of_a_game_share_what_is_kept_of_places_if_their_rules_are_the_same() -> None:
    ground, first = SameGround(RULESETS["generic"]), game()
    kept = ground.in_force(first).common  # type: ignore[attr-defined]
    again = ground.in_force(game(drag("0101", "0201")))
    other = ground.in_force(replace(first, sides=("Red",)))
    assert again.common is kept  # type: ignore[attr-defined]
    assert other.common is not kept  # type: ignore[attr-defined]


def test_a_move_before_any_change_finds_the_opening_board() -> None:
    told = game(drag("0101", "0201"), replace(BLOWN, at=StepRef(1, 3)))
    assert verdicts(told) == ["legal"]


def _changes(case: Case, rng: random.Random) -> BoardChange:
    """Some cells of the board of a case as they might become."""
    board, rules = case.game.board, case.game
    kinds = sorted({t for h in board.hexes.values() for t in h.terrain or ()}) or ["clear"]
    features = sorted({f for has in board.sides.values() for f in has}) or ["river"]
    names = sorted(board.hexes)
    told: list[Hex] = [
        replace(board.hexes[name], terrain=(rng.choice(kinds),), features=("fort",))
        for name in rng.sample(names, min(3, len(names)))
    ]
    pairs = [(a, b) for a in names for b in board.neighbours(a)]
    sides = {edge(*pair): (rng.choice(features),) for pair in rng.sample(pairs, min(3, len(pairs)))}
    gone = tuple(Line(line.kind, line.hexes[:2]) for line in board.lines)
    return BoardChange(StepRef(1, 0), tuple(told), sides, gone=gone, source=rules.title)


def _opened(game: Game, rng: random.Random) -> Game:
    """``game`` on a board of which some cells are open in some phase: what is there may be gone, what is
    not may have come, and the board as it is stays possible."""
    board = game.board
    on_sides = sorted({f for has in board.sides.values() for f in has})
    in_hexes = sorted({f for here in board.hexes.values() for f in here.features})
    kinds = sorted({line.kind for line in board.lines})
    every = sorted({edge(a, b) for a in board.hexes for b in board.neighbours(a)})
    names = rng.sample(sorted(board.hexes), min(4, len(board.hexes)))
    sides = rng.sample(every, min(5, len(every)))

    def may(there: tuple[str, ...], others: list[str]) -> frozenset[str]:
        return frozenset((*there, *rng.sample(others, min(1, len(others)))))

    hexes = tuple(replace(board.hexes[name], features=()) for name in names)
    drawn = {s: tuple(line.kind for line in board.lines_by_edge.get(s, ())) for s in sides}
    exceptions = Exceptions(
        {h.name: may(board.hexes[h.name].features, in_hexes) for h in hexes},
        {side: may(board.sides.get(side, ()), on_sides) for side in sides},
        {side: may(drawn[side], kinds) for side in sides},
        board.exceptions.levels.intersection(names),
    )
    gone = tuple(Line(kind, side) for side in sides for kind in drawn[side])
    index = rng.choice([i for i, e in enumerate(game.events) if isinstance(e, PhaseStart)] or [0])
    at = game.events[index].at if game.events else StepRef(1, 0)
    change = BoardChange(at, hexes, dict.fromkeys(sides, ()), gone=gone, exceptions=exceptions)
    return replace(game, events=(*game.events[:index], change, *game.events[index:]))


@pytest.fixture(params=sorted(RULESETS))
def ruleset(request: pytest.FixtureRequest) -> str:
    """The name of each ruleset, its cases read."""
    cases(request.param)
    return request.param


def drawn(ruleset: str, verdict: str | None = None) -> list[Case]:
    """Some cases of a ruleset; with ``verdict``, of those that expect it on a board that stays as it is."""
    rng = random.Random(f"{SEED} {ruleset}")
    named = [
        case
        for case in cases(ruleset).values()
        if verdict is None or (case.expectation.verdict == verdict and not _tells_board(case))
    ]
    return rng.sample(named, min(len(named), by_tier(4, 10, len(named))))


def test_nobody_is_accused_on_a_board_that_may_have_changed(ruleset: str) -> None:
    for case in drawn(ruleset, "legal"):
        for seed in range(by_tier(1, 1, 3)):
            game = _opened(case.game, random.Random(f"{case.id} {seed}"))
            found = audit(game, RULESETS[ruleset])
            assert [p for p in found.problems if p.severity == "error"] == [], case.id
            wrong = [f.explanation for f in found.findings if f.verdict == "illegal"]
            assert wrong == [], (case.id, seed, game.events)


def _said(move: JudgedMove) -> tuple[object, ...]:
    return move.verdict, move.path, move.bill, move.unknowns, move.judged


def test_a_change_says_nothing_of_the_moves_that_ended_before_it(ruleset: str) -> None:
    for case in drawn(ruleset):
        rng, events = random.Random(case.id), case.game.events
        drags = [i for i, event in enumerate(events) if isinstance(event, Displacement)]
        if not drags:
            continue
        index = rng.choice(drags) + 1
        change = replace(_changes(case, rng), at=events[index - 1].at)
        told = replace(case.game, events=(*events[:index], change, *events[index:]))
        plain, changed = audit_of(case), audit(told, RULESETS[ruleset])
        assert len(plain.moves) == len(changed.moves), case.id
        assert changed.problems == plain.problems, case.id
        for before, after in zip(plain.moves, changed.moves, strict=True):
            if before.move.steps[-1] < events[index - 1].at:
                assert _said(after) == _said(before), case.id
        if index > drags[-1]:
            assert [_said(m) for m in changed.moves] == [_said(m) for m in plain.moves], case.id


# -- a phase that begins in the middle of a step ---------------------------------------------------


BLUE = PhaseStart(StepRef(1, 2), "1", "Movement", "Blue")
ROLL = Witness(StepRef(1, 2), "roll")
DRAG = drag("0101", "0201")


@pytest.mark.parametrize(
    ("events", "verdict"),
    [
        ((DRAG, BLUE), "legal"),
        ((BLUE, DRAG), "illegal"),
        ((DRAG, BLUE, drag("0201", "0301")), "unverifiable"),
    ],
    ids=["a phase after the drag is not its own", "one before it is", "a drag on each side"],
)
def test_what_was_displaced_before_a_phase_began_is_of_the_phase_before(
    events: tuple[Event, ...], verdict: str
) -> None:
    assert set(verdicts(game(*events))) == {verdict}


@pytest.mark.parametrize(
    "events",
    [(BLUE, DRAG), (ROLL, BLUE, DRAG), (replace(DRAG, target=place("0101")), BLUE)],
    ids=["begins with its step", "after a roll", "put down where it was"],
)
def test_where_phases_begin_with_their_step_nothing_is_changed(events: tuple[Event, ...]) -> None:
    told = game(*events)
    assert phases_in_order(told) is told


def test_the_phase_begins_with_the_next_step_then() -> None:
    told = phases_in_order(game(DRAG, BLUE, ROLL))
    starts = [event for event in told.events if isinstance(event, PhaseStart)]
    assert [(s.at.step, s.active) for s in starts] == [(1, "Red"), (3, "Blue"), (9, "Red")]
    steps = [event.at for event in told.events]
    assert steps == sorted(steps)
