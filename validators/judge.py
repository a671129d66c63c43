"""The verdict on one move: scenarios, two worlds, a bill, and the facts that would decide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model.bill import ZERO, Amount
from ..model.finding import Finding, JudgedMove, Move
from .ruleset import NOBODY, RulesInForce, Situation


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
    unsettled: Mapping[str, tuple[str, ...]] = NOBODY,
) -> Judgement:
    """Judge ``move``, whose origin and target are hexes, in the ``situation`` before its first step.

    ``forms``: the movement forms open to it that the ruleset judges: one that works makes it legal.
    ``spent_before``: what the unit spent earlier in the phase, counted together with this move.
    ``declared``: what the player says this move cost. ``unsettled``: by hex, units other than the
    moving ones that lay there for a part of the move only; their influence is taken as not known.
    """
    raise NotImplementedError
