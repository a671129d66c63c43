"""Movers of one class that share what clauses say of a step, though other clauses are lifted for one of
them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from drawn_rules import FOLDER, NAMES, SIDES, DrawnGame, Tired, World
from vassal_umpire.model.bill import Amount
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine.allowance import Mp
from vassal_umpire.validators.engine.clauses import allowance, choice, cost, forbid, ways
from vassal_umpire.validators.engine.declared import Completed
from vassal_umpire.validators.engine.ruleset import ClauseRuleset
from vassal_umpire.validators.rulesets.valor_and_victory import DECLARED


def rules(tired: Callable[[Any], bool]) -> ClauseRuleset:
    """Every step tires; who is tired goes nowhere. The player may choose a way that lifts another clause."""
    clauses = (
        cost("6.2-a", "a step", least=1)(lambda step: 1),
        ways("drive")(lambda step: True),
        forbid("6.8-a", "is tired")(tired),
        forbid("20.3-b", "is something else")(lambda step: False),
        choice("another way", lifts=("20.3-b",))(lambda mover: True),
        allowance("6.31-b")(lambda mover: Mp(Amount.exactly(5), "6.31-b")),
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
