"""Metamorphic tests: no case of any ruleset changes its verdict if it is drawn differently."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from play.kit import FULL
from play.turned import renamed, split, turned, with_a_far_unit
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model.game import Game
from vassal_umpire.plugin.conformance import Outcome, run_case
from vassal_umpire.plugin.registry import rulesets

FOLDER = Path(__file__).parent.parent / "conformance"
CASES = [case for case in read_cases([FOLDER]) if not case.ignore]
PARTS = rulesets().parts
NUMBER = {id(case): number for number, case in enumerate(CASES)}
TURNS = [(sixths, mirrored) for sixths in range(6) for mirrored in (False, True)][1:]

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.ruleset}/{case.id}")


@cache
def as_it_is(number: int) -> Outcome:
    case = CASES[number]
    return run_case(case, PARTS[case.ruleset])


def told(case: Case, game: Game | None = None) -> tuple[object, ...]:
    """What the audit says about a case, without names of hexes and numbers of steps."""
    found = (
        as_it_is(NUMBER[id(case)])
        if game is None
        else run_case(replace(case, game=game), PARTS[case.ruleset])
    )
    return (
        found.verdict, found.verdicts, found.codes, found.notes, found.cost, found.allowance,
        found.short, found.form, found.failures,
    )  # fmt: skip


@each_case
def test_turning_and_mirroring_the_board_changes_nothing(case: Case) -> None:
    turns = TURNS if FULL else [Random(case.id).choice(TURNS)]
    for sixths, mirrored in turns:
        assert told(case, turned(case.game, sixths, mirrored=mirrored)) == told(case)


@each_case
def test_other_names_of_hexes_change_nothing(case: Case) -> None:
    assert told(case, renamed(case.game)) == told(case)


@each_case
def test_a_unit_far_away_changes_nothing(case: Case) -> None:
    assert told(case, with_a_far_unit(case.game)) == told(case)


@each_case
def test_a_drag_split_into_its_steps_changes_nothing(case: Case) -> None:
    game, drags = split(case.game, as_it_is(NUMBER[id(case)]).audit.moves)
    if drags:
        assert told(case, game)[:2] == told(case)[:2]
