"""The verdict on one move: scenarios, two worlds, a bill, and the facts that would decide it."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.bill import ZERO, Amount
from ..model.finding import Finding, JudgedMove, Move
from .ruleset import RulesInForce, Situation


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of a move, and what is found in it."""

    judged: JudgedMove
    findings: tuple[Finding, ...] = ()


def judge_move(
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    *,
    forms: tuple[str, ...] = ("",),
    spent_before: Amount = ZERO,
    declared: Amount | None = None,
) -> Judgement:
    """Judge ``move``, whose origin and target are hexes, in the ``situation`` before its first step
    (for a move of several steps: that situation ``over`` its last step).

    ``forms``: the movement forms open to it that the ruleset judges: one that works makes it legal.
    ``spent_before``: what the unit spent earlier in the phase, counted together with this move.
    ``declared``: what the player says this move cost.
    """
    raise NotImplementedError
