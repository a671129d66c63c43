"""A board that changes in play: every move is judged on the board of its time."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model.board import Board, Hex, Line, edge
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
)
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit

from .conftest import BOARD, MOVEMENT, place

FOLDER = Path(__file__).parents[1] / "conformance"
RULESETS = rulesets().parts
CASES = [case for case in read_cases([FOLDER]) if not case.ignore]
WATER = edge("0101", "0201")
BLOWN = BoardChange(StepRef(1, 2), sides={WATER: ("river",)})
TABLES = {
    "classes": {"names": ["foot"]},
    "terrain": {"costs": {"clear": 1}},
    "hexsides": {"river": {"cost": "prohibited", "bridges": [{"feature": "bridge"}]}},
    "allowance": {"by_class": {"foot": 4}},
}


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


def _said(move: JudgedMove) -> tuple[object, ...]:
    return move.verdict, move.path, move.bill, move.unknowns, move.judged


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.ruleset}/{case.id}")
def test_a_change_says_nothing_of_the_moves_that_ended_before_it(case: Case) -> None:
    rng = random.Random(case.id)
    events = case.game.events
    drags = [i for i, event in enumerate(events) if isinstance(event, Displacement)]
    if not drags:
        return
    index = rng.choice(drags) + 1
    change = replace(_changes(case, rng), at=events[index - 1].at)
    told = replace(case.game, events=(*events[:index], change, *events[index:]))
    plain, changed = (audit(g, RULESETS[case.ruleset]) for g in (case.game, told))
    assert len(plain.moves) == len(changed.moves)
    assert changed.problems == plain.problems
    for before, after in zip(plain.moves, changed.moves, strict=True):
        if before.move.steps[-1] < events[index - 1].at:
            assert _said(after) == _said(before)
    if index > drags[-1]:
        assert [_said(m) for m in changed.moves] == [_said(m) for m in plain.moves]
