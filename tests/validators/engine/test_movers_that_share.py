"""Movers that share what clauses say: of a step, though other clauses are lifted for one of them, and of
the movers themselves, though other facts are told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from drawn_rules import FOLDER, NAMES, SIDES, DrawnGame, Tired, World
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.fact import UNKNOWN, Fact, between, known
from vassal_umpire.model.finding import JudgedMove
from vassal_umpire.model.game import StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.cost_interval import CostInterval
from vassal_umpire.validators.engine.allowance import Mp
from vassal_umpire.validators.engine.clauses import (
    allowance,
    choice,
    cost,
    forbid,
    forbid_move,
    ways,
)
from vassal_umpire.validators.engine.declared import Completed
from vassal_umpire.validators.engine.hex_view import HexView
from vassal_umpire.validators.engine.mover_view import MoverView
from vassal_umpire.validators.engine.ruleset import ClauseRuleset
from vassal_umpire.validators.engine.step import Step
from vassal_umpire.validators.rulesets.valor_and_victory import DECLARED


def mp(mover: MoverView) -> Mp:
    return Mp(mover.bounds("mp"), "6.31-b")


def rules(
    tired: Callable[[Any], bool] = lambda step: False,
    mps: Callable[[MoverView], Mp] = lambda mover: Mp(Amount.exactly(5), "6.31-b"),
    types: Mapping[str, Mapping[str, Fact]] = MappingProxyType({}),
) -> ClauseRuleset:
    """Every step tires; who is tired goes nowhere. The player may choose a way that lifts another clause."""
    clauses = (
        cost("6.2-a", "a step", least=1)(lambda step: 1),
        ways("drive")(lambda step: True),
        forbid("6.8-a", "is tired")(tired),
        forbid("20.3-b", "is something else")(lambda step: False),
        choice("another way", lifts=("20.3-b",))(lambda mover: True),
        allowance("6.31-b")(mps),
    )
    declared = replace(
        DECLARED,
        clauses=clauses,
        conditions={},
        completed=(Completed("class"),),
        shared=("kind", "class"),
        stacking=lambda rules: None,
        start_state=lambda facts: Tired(),
        after=lambda step: Tired(1),
        unfinished=lambda state, facts: False,
        entered=lambda rules, unit, event: None,
        order="",
        ways=lambda step: ("",),
        types=lambda rules: types,
    )
    return ClauseRuleset(FOLDER, declared)


def two_steps() -> DrawnGame:
    told: World = {("reading",): True}
    for name in NAMES:
        told |= {("terrain", name): "open", ("feature", name): False, ("level", name): 0}
    for side in SIDES:
        told |= {("side", *side): False, ("line", *side): False}
    known = {"weapon": "none", "tow": False, "class": "squad", "mp": 5, "dead": False}
    told |= {("unit", "m", about): value for about, value in {**known, "side": "Red"}.items()}
    return DrawnGame(told, {}, {"m": "0101"}, "0301")


@pytest.mark.parametrize("verdict", ["legal", "illegal"])
def test_a_step_counts_by_the_state_in_which_it_is_made_for_each_of_them(verdict: str) -> None:
    ruleset = rules(lambda step: verdict == "illegal" and step.tag.much >= 1)
    (move,) = audit(two_steps().game(), ruleset).moves
    assert move.verdict == verdict


def of_two(
    ruleset: ClauseRuleset, one: dict[str, Fact], other: dict[str, Fact]
) -> list[JudgedMove]:
    """What is judged of two units that go the same way, one after the other."""
    game = two_steps().game()
    unit, (begins, drag, *ends) = game.units["m"], game.events
    told = {"m": one, "n": other}
    units = {
        name: replace(unit, id=name, name=name, attributes={"class": known("squad"), **facts})
        for name, facts in told.items()
    }
    drags = [replace(drag, unit=name, at=StepRef(1, 2 + at)) for at, name in enumerate(told)]
    opening = dict.fromkeys(told, game.opening["m"])
    events = (begins, *drags, *ends)
    return list(audit(replace(game, units=units, opening=opening, events=events), ruleset).moves)


def test_what_would_make_an_allowance_exact_is_asked_of_its_own_unit() -> None:
    every = {"mp": between(1, 3)}
    found = of_two(rules(mps=mp), every, every)
    assert [[asked.key for asked in one.unknowns] for one in found] == [
        ["unit m mp"],
        ["unit n mp"],
    ]


def test_a_fact_of_which_nothing_is_told_is_that_of_the_type_of_its_own_unit() -> None:
    types = {"fast": {"mp": known(5)}, "slow": {"mp": known(1)}}
    fast, slow = ({"mp": UNKNOWN, "type": known(name)} for name in types)
    assert [one.verdict for one in of_two(rules(mps=mp, types=types), fast, slow)] == [
        "legal",
        "illegal",
    ]


def test_whether_anything_is_told_of_a_fact_belongs_to_its_own_unit() -> None:
    def told(mover: MoverView) -> Mp:
        return Mp(Amount.exactly(5 if mover.speaks_of("mp") else 1), "6.31-b")

    found = of_two(rules(mps=told), {"mp": UNKNOWN}, {})
    assert [one.verdict for one in found] == ["legal", "illegal"]


def test_how_far_a_mover_gets_is_that_of_the_board_when_it_moves() -> None:
    reached = []

    def entering(step: Step, hex_: HexView) -> CostInterval:
        mps = 1 if hex_.has(("woods",)) else 2
        return CostInterval(mps * step.rules.scale, mps * step.rules.scale)

    @forbid_move("14.7-a")
    def far(mover: MoverView) -> bool:
        reached.append((mover.unit.id, mover.reach(Amount.exactly(4), entering).sure))
        return False

    ruleset, game = rules(), two_steps().game()
    declared = replace(ruleset.declared, clauses=(*ruleset.declared.clauses, far))
    begins, drag, *ends = game.events
    growth = replace(game.board.hexes["0302"], terrain=("woods",))
    other = replace(game.units["m"], id="n")
    audit(
        replace(
            game,
            units={**game.units, "n": other},
            opening={**game.opening, "n": game.opening["m"]},
            events=(
                begins,
                drag,
                BoardChange(StepRef(1, 3), (growth,)),
                replace(drag, unit="n", at=StepRef(1, 4)),
                *ends,
            ),
        ),
        ClauseRuleset(FOLDER, declared),
    )
    assert set(reached) == {("m", 2), ("n", 4)}
