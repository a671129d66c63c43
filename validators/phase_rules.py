"""What a ruleset says of stacks and of the order of moves: values that :mod:`.stacking`, :mod:`.order` and
:mod:`.ranks` check."""

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
    """Something stacking counts: units that meet all of ``counted`` and none of ``exempt``, each as
    much as its attribute ``size`` says (empty: 1). ``doubted``: units that meet all of it count only by one
    reading of the rules; ``missing_fact`` asks which holds."""

    name: str = "units"
    size: str = ""
    counted: tuple[Requirement, ...] = ()
    exempt: tuple[Requirement, ...] = ()
    doubted: tuple[Requirement, ...] = ()
    missing_fact: MissingFact | None = None


@dataclass(frozen=True, slots=True)
class StackingLimit:
    """How much may be stacked in a hex with any of ``terrains`` (terrain or feature; empty: any hex).

    ``bounds``: alternatives; each has one number per measure, None for no limit. A stack is within the
    limit if it is within any alternative. ``clauses``: the clause of each, empty: that of the rule."""

    bounds: tuple[tuple[Fraction | None, ...], ...]
    terrains: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StackingRule:
    """How many of one side's units may be in a hex. Of ``limits`` the first that fits the hex counts;
    none fits: no limit. ``checked`` is what the rules say of when; nobody is accused before the phase is
    over either way, since what stands too high in it may still be put right. ``missing``: what must be known
    before the rule may be held against anyone; empty: nothing. ``sides``: whose stacks it is about, empty:
    everybody's. ``also``: other rules, each of which must be kept."""

    clause: str
    measures: tuple[Measure, ...]
    limits: tuple[StackingLimit, ...]
    checked: Literal["move-end", "phase-end"] = "move-end"
    missing: tuple[MissingFact, ...] = ()
    sides: frozenset[str] = frozenset()
    also: tuple[StackingRule, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderRule:
    """``resume``: may a unit move again in a phase after another has moved (``clause``: forbids it)?
    Its MPs of all parts count together. ``exempt``: who may perhaps do so all the same (it is not
    verifiable then). ``apart``: whose moves interrupt nobody's. ``dropped``: clause by which a unit that
    its stack has left behind may not move on, '' if it may. ``ranks``: form → (rank, clause) where forms
    follow on one another in a phase: moves then come with the forms open to them
    (:class:`~.legal_forms.Opened`). ``unranked``: phases in which they follow in any order;
    ``perhaps_ranked``: phases in which a reading decides that; ``interleaved``: the question whether a
    unit may be moved on after others have begun by a later form, None if it may; ``uninterrupted``: it may
    not."""

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
