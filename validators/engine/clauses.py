"""The decorators that make a plain function a clause.

``@cost`` (extra MPs), ``@forbid`` and ``@must_stop`` are asked of a step; ``@allowance`` (MPs) and
``@forbid_move`` of a mover; ``@forbid_act`` of a change of a marker; ``@check`` of a unit, or of all, in a
phase. ``@quota``: what a mover takes of a quota that all units share (:class:`.allowance.Takes`).
``@interpretation``: what else a drag may have been. ``@choice``: another way in which the player may
have moved it. ``@overdraft``: on which credit the last step may be. ``@ways``: whether a step can be made in
one of several ways, such as along a road. ``@expense``: what a mover paid for something besides its steps.
``@rounds``: whether the fraction of an MP that was spent before a step is
lost. ``text`` says what breaking the clause means ("the path …", "Able 1 …"); for a cost it is the reason
on the bill. It may refer to the subject (``{step.into}``), or be a function of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, NamedTuple

from ...model.finding import FindingKind

Kind = Literal[
    "cost",
    "forbid",
    "stop",
    "allowance",
    "overdraft",
    "forbid_move",
    "check",
    "drag",
    "choice",
    "act",
    "actions",
    "ways",
    "expense",
    "round",
    "quota",
]
Function = Callable[[Any], Any]
Text = str | Callable[[Any], str]
WHOLE = "whole"
"""What a cost clause returns if a step takes the whole allowance."""
CLOSED = "closed"
"""What a cost clause returns if another clause forbids the step. It then charges nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class ClauseFunction:
    """A clause. ``id``: without the ruleset's prefix; the function is left out where it is switched off.
    ``least``: no step costs less by this clause (MPs). ``late``: what it means to take the whole
    allowance after other hexes. ``classes``, ``phase``: whom it is about, and in which kind of phase;
    empty: all. ``lifts``: the clauses that do not apply to an interpretation; None: none applies, and the
    unit went where the log shows it. ``cites``: the clause to cite for a cost or a prohibition; None: its
    own. ``bars``: the clause to cite where a cost that it returns prohibits the step, and ``closed``: what
    that means; without it such a cost charges nothing. ``of_enemies``: it says nothing of a step between
    hexes without a unit in them or beside them that may be an enemy; ``of_friends``: nor of one into a hex
    with nobody in it; ``of_sides``: nor of one over a hexside with certainly nothing on it. ``always``: it
    looks itself which clauses are in force, and stands where its own is not. ``about``: the attribute whose
    change an act is. ``only``: it is about moves of which the interpretation, or the other way of moving,
    has an id that begins so."""

    kind: Kind
    id: str
    text: Text
    run: Function
    classes: tuple[str, ...] = ()
    least: int = 0
    phase: str = ""
    late: str = ""
    lifts: tuple[str, ...] | None = None
    cites: Callable[[Any], str] | None = None
    bars: str = ""
    closed: Text = ""
    of_enemies: bool = False
    always: bool = False
    about: str = ""
    only: str = ""
    of_friends: bool = False
    of_sides: bool = False

    @property
    def forbids(self) -> str:
        """The clause by which it forbids a step; empty: it forbids none."""
        return self.id if self.kind == "forbid" else self.bars


class Broken(NamedTuple):
    """A check's answer that its clause is broken. ``text`` continues the name of the first of ``units``.
    ``others``: units besides these on which it depends."""

    text: str
    units: tuple[str, ...]
    events: tuple[int, ...]
    clause: str = ""
    kind: FindingKind = "illegal-move"
    others: tuple[str, ...] = ()


def _clause(kind: Kind) -> Callable[..., Callable[[Function], ClauseFunction]]:
    """``more``: further fields of :class:`ClauseFunction`, by name."""

    def decorator(
        clause: str, text: Text = "", **more: Any
    ) -> Callable[[Function], ClauseFunction]:
        return lambda run: ClauseFunction(kind, clause, text, run, **more)

    return decorator


cost, forbid, must_stop = _clause("cost"), _clause("forbid"), _clause("stop")
allowance, forbid_move, check = _clause("allowance"), _clause("forbid_move"), _clause("check")
interpretation, actions = _clause("drag"), _clause("actions")
rounds = _clause("round")
ways, expense, quota = _clause("ways"), _clause("expense"), _clause("quota")
forbid_act = _clause("act")
choice, overdraft = _clause("choice"), _clause("overdraft")


def clauses_in(*modules: ModuleType) -> tuple[ClauseFunction, ...]:
    """The clauses that modules define, in their order, each once."""
    every = (value for module in modules for value in vars(module).values())
    return tuple(dict.fromkeys(one for one in every if isinstance(one, ClauseFunction)))
