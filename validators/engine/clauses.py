"""The decorators that make a plain function a clause.

The subject of ``@cost`` (extra MPs), ``@forbid`` and ``@must_stop`` is a step; of ``@allowance`` (MPs) and
``@forbid_move`` a mover; of ``@forbid_act`` a change of a marker; of ``@check`` a unit, or all, in a phase.
``@quota``: the mover's draws on quotas that all units share (:class:`.allowance.Takes`).
``@interpretation``: what else a drag may have been. ``@choice``: another way in which the player may have
moved the unit. ``@overdraft``: the credit of the last step. ``@ways``: whether a step can be made in one of
several ways, such as along a road. ``@expense``: the MPs that a mover paid besides its steps. ``@rounds``:
whether the fraction of an MP that was spent before a step is lost.

``text`` says how the clause is broken ("the path …", "Able 1 …"); for a cost it is the reason on the bill. It
may refer to the subject (``{step.into}``), or be a function of it.
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
"""The result of a cost clause for a step that takes the whole allowance."""
CLOSED = "closed"
"""The result of a cost clause for a step that another clause forbids. It charges nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class ClauseFunction:
    """A clause. ``id``: without the ruleset's prefix; if that clause is switched off, the function does not
    apply. ``always``: it applies even then, and checks itself which clauses are in force.

    ``classes``, ``phase``: the classes of units and the kind of phase that it is about; empty: all. ``only``:
    it is only about moves whose interpretation or choice has an id that begins with this. ``least``: the
    least MPs that it adds to any step. ``late``: the text for taking the whole allowance after other hexes.
    ``lifts``: the clauses that do not apply to an interpretation; None: none applies, and the unit went where
    the log shows it. ``cites``: gives the clause to cite for a cost or a prohibition; None: its own.
    ``bars``: the clause to cite if its cost prohibits the step, and ``closed``: the text for this; without
    it such a cost charges nothing. ``about``: the attribute that an act changes.

    The clause has no effect on steps between hexes without a possible enemy in them or next to them if
    ``of_enemies``, into hexes without units if ``of_friends``, over hexsides with certainly nothing on them
    if ``of_sides``."""

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
        """The clause by which it forbids steps; empty: it does not forbid any."""
        return self.id if self.kind == "forbid" else self.bars


class Broken(NamedTuple):
    """The result of a check whose clause is broken. ``text`` continues the name of the first of ``units``.
    ``others``: further units on which the result depends."""

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
