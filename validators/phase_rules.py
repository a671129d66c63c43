"""A ruleset's rules on stacking and on the order of moves, as values. :mod:`.stacking`, :mod:`.order` and
:mod:`.ranks` check them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from ..model.fact import MissingFact
from .requirement import Requirement


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that stacking limits: the sum over the units that meet all of ``counted`` and none of
    ``exempt``.

    ``size``: the attribute that says how much a unit counts; empty: each counts 1. ``doubted``: units that
    meet all of these count only by one reading of the rules; empty: there are no such units.
    ``missing_fact``: the question which reading holds; None if there is no such question."""

    name: str = "units"
    size: str = ""
    counted: tuple[Requirement, ...] = ()
    exempt: tuple[Requirement, ...] = ()
    doubted: tuple[Requirement, ...] = ()
    missing_fact: MissingFact | None = None


@dataclass(frozen=True, slots=True)
class StackingLimit:
    """How much may be stacked in a hex that has one of ``terrains`` (terrains or features; empty: any hex).

    ``bounds``: alternatives; each has one number for each measure of the rule, None for no limit. A stack is
    within the limit if it is within one of the alternatives. ``clauses``: the clause of each alternative;
    empty: the clause of the rule for all."""

    bounds: tuple[tuple[Fraction | None, ...], ...]
    terrains: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StackingRule:
    """How many units of one side may be in a hex.

    ``limits``: the first that fits a hex applies to it; if none fits, there is no limit. ``checked``: when
    the rules check a stack. The audit checks it at the end of the phase in either case, because until then a
    player may still correct it. ``missing``: facts that must be known before anyone is accused by this rule;
    empty: none. ``sides``: the sides whose stacks it limits; empty: all. ``also``: further rules that apply
    too."""

    clause: str
    measures: tuple[Measure, ...]
    limits: tuple[StackingLimit, ...]
    checked: Literal["move-end", "phase-end"] = "move-end"
    missing: tuple[MissingFact, ...] = ()
    sides: frozenset[str] = frozenset()
    also: tuple[StackingRule, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderRule:
    """In which order the units of a side may move in a phase.

    ``resume``: a unit may move, let others move, and move again in the same phase. Then the MPs of all its
    moves are added up. If it is False, ``clause`` forbids that. ``exempt``: requirements of units that may
    perhaps do so all the same; for a unit that meets them all, the finding is unverifiable. ``apart``:
    requirements of units whose moves do not interrupt the moves of others. ``dropped``: the clause by which a
    unit that its stack has left behind may not move on; empty if it may.

    ``ranks``: form → (rank, clause), if a rule says in which order forms follow one another in a phase. Each
    move is then checked with all the forms in which it would be legal (:class:`~.legal_forms.Opened`).
    ``unranked``: phases in which forms follow one another in any order. ``perhaps_ranked``: phases in which
    that depends on a reading, with the question which one holds. ``interleaved``: the question whether a unit
    may move on after others have begun to move in a form of later rank; None if it may. ``uninterrupted``:
    the question is settled, and it may not."""

    clause: str = ""
    resume: bool = True
    exempt: tuple[Requirement, ...] = ()
    apart: tuple[Requirement, ...] = ()
    dropped: str = ""
    ranks: Mapping[str, tuple[int, str]] = field(default_factory=lambda: MappingProxyType({}))
    unranked: frozenset[str] = frozenset()
    perhaps_ranked: Mapping[str, MissingFact] = field(default_factory=lambda: MappingProxyType({}))
    interleaved: MissingFact | None = None
    uninterrupted: bool = False
