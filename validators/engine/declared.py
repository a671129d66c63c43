"""What a ruleset declares besides its tables and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import Fact, Value
from ...model.unit import Unit
from ..allowed_facts import Allowed
from ..ruleset import Requirement, StackingRule
from .clauses import ClauseFunction
from .event_index import Marker
from .history import History

if TYPE_CHECKING:
    from .mover_view import MoverFacts
    from .rules import Rules

NO_MOVEMENT = "other"
"""The kind of a phase in which these rules let nobody move."""


@dataclass(frozen=True)
class Completed:
    """A fact of the mover that is completed before it is judged, one scenario for each value. ``classes``:
    of whom; empty: of all. ``read``: how the log tells it; None: its value at the first drag.
    ``options``: the values that a fact stands for; None: its own."""

    about: str
    classes: tuple[str, ...] = ()
    read: Callable[[History, Unit, list[int]], Fact] | None = None
    options: Callable[[Rules, Fact], tuple[Value, ...]] | None = None


@dataclass(frozen=True)
class Arrivals:
    """What the rules say of units that come onto the map. ``clause``: cited if no way from the edge leads
    to where one is. ``onto``: the clauses that apply to the hex by which it enters, with the facts
    ``known`` of a unit that does so. ``among_enemies``: forbids it where enemies are. ``overrunning``:
    the classes to which that does not apply."""

    clause: str = ""
    onto: tuple[ClauseFunction, ...] = ()
    known: Mapping[str, Fact] = field(default_factory=dict)
    among_enemies: str = ""
    overrunning: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declared:
    """What a ruleset declares.

    ``columns``: class of unit → column of the charts. ``shared``: the completed facts by which steps
    differ; movers with the same share results. ``lines``: kind of line → the question whether a line of
    another name ({}) counts as one. ``enemies``: what a unit must be to bar a hex. ``start_state``: the
    state in which a mover begins. ``unfinished``: whether a move cannot end in a state. ``entered``:
    the MPs spent on coming onto the map; None: not known. ``allowance_facts``: the attributes that
    would make an allowance exact. ``carriers``: the classes that carry others. ``checked``: the
    attributes that checks of phases depend on. ``order``: the clause by which one unit is finished
    before the next begins; units of the classes ``apart`` do not count.
    """

    clauses: tuple[ClauseFunction, ...]
    attributes: Mapping[str, Allowed]
    conditions: Mapping[str, Allowed]
    markers: Mapping[str, Marker]
    completed: tuple[Completed, ...]
    shared: tuple[str, ...]
    columns: Mapping[str, str]
    lines: Mapping[str, str] = field(default_factory=dict)
    enemies: tuple[Requirement, ...] = ()
    levels: tuple[int, ...] = (0, 1, 2)
    stacking: Callable[[Rules], StackingRule | None] = lambda rules: None
    start_state: Callable[[MoverFacts], Any] = lambda facts: None
    unfinished: Callable[[Any, MoverFacts], bool] = lambda state, facts: False
    entered: Callable[[Rules, str, int], Amount | None] = lambda rules, unit, event: None
    arrivals: Arrivals = Arrivals()
    allowance_facts: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()
    order: str = ""
    apart: tuple[str, ...] = ()
