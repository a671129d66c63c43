"""The declarations of a ruleset, besides its tables and texts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from ...model.bill import Amount
from ...model.fact import Fact, Value
from ...model.finding import Finding
from ...model.game import Game
from ...model.names import Words
from ...model.stanza import Entry
from ...model.unit import Unit
from ..allowed_facts import Allowed
from ..concepts.zones import ZoneRule
from ..cost_interval import CostInterval
from ..moves import Track
from ..ruleset import OrderRule, Requirement, StackingRule
from .activation import Activation
from .clauses import ClauseFunction
from .event_index import Marker
from .history import History

if TYPE_CHECKING:
    from .mover_facts import MoverFacts
    from .mover_view import MoverView
    from .other_unit import Enemy
    from .rules import Rules
    from .step import Step

Movers = Literal["active", "inactive"]
Phasing = Movers | Literal["perhaps inactive"]
NO_MOVEMENT = "other"
"""The kind of a phase without movement by these rules."""


@dataclass(frozen=True)
class Completed:
    """A fact of the mover that is completed before it is judged, with one scenario for each value.

    ``classes``: the classes that have it; empty: all. ``when``: whether a mover has it, by the facts
    completed before it. ``read``: finds it in the log; None: its value at the first drag. ``options``: the
    values that a fact may stand for; None: its own. ``open``: it is not completed; each clause that reads it
    runs once for each value. ``condition``: it is a condition of the unit or of the game, else an attribute.
    ``each``: a list of the tables (``march.zones``); there is one fact for each name in it, which replaces {}
    in ``about``. ``choice``: the values from which the player may choose."""

    about: str
    classes: tuple[str, ...] = ()
    read: Callable[[History, Unit, list[int]], Fact] | None = None
    options: Callable[[Rules, Fact], tuple[Value, ...]] | None = None
    open: bool = False
    when: Callable[[Rules, Mapping[str, Fact]], bool] | None = None
    condition: bool = False
    each: str = ""
    choice: Callable[[MoverView], tuple[Value, ...]] | None = None


def during(
    about: str,
    classes: tuple[str, ...] = (),
    options: Callable[[Rules, Fact], tuple[Value, ...]] | None = None,
    *,
    open: bool = False,  # noqa: A002 - as the field is called
) -> Completed:
    """A completed fact with all values that it has during the steps of the move."""
    read = lambda history, unit, its: history.during(unit.id, about, its)  # noqa: E731
    return Completed(about, classes, read, options, open)


@dataclass(frozen=True)
class Chart:
    """A chart of costs. ``rows``: the rows in the tables, by name. ``path``: the keys of a row in ``[rules]``
    of a pack, with {} for its name. ``said``: continues the name of a row in a question. ``asked``: for a
    chart without columns: the cost's name, the question, and the form of an answer. ``clauses``: name of a
    row → the clauses of its costs and of its prohibitions; if these are switched off, it costs nothing, or
    prohibits nothing. ``silent``: a class that a row of the whole chart leaves out cannot use it."""

    rows: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    path: tuple[str, ...]
    said: str = ""
    clauses: Callable[[str], tuple[str, str]] = lambda name: ("", "")
    silent: bool = False
    asked: tuple[str, str, Entry] | None = None


def chart(name: str, clauses: Callable[[str], tuple[str, str]] = lambda name: ("", "")) -> Chart:
    """The chart ``name`` of the tables."""
    return Chart(lambda tables: tables[name], (name, "{}"), clauses=clauses)


@dataclass(frozen=True)
class Doing:
    """One way (``acts``) to read what a unit did with its move. ``whole``: the one in which prohibitions are
    searched for; None: the same. ``topic``, ``text``: the question whether this is the right one; empty:
    there is no question."""

    acts: Activation
    topic: str = ""
    text: str = ""
    whole: Activation | None = None


@dataclass(frozen=True)
class Late:
    """Facts of the mover that a player may update only after its move. ``topic`` and ``text``: the question
    whether they already held during the move, with {unit} and {facts}."""

    facts: tuple[str, ...] = ()
    topic: str = ""
    text: str = ""


@dataclass(frozen=True)
class Arrivals:
    """The rules for units that come onto the map. ``clause``: cited if a unit cannot have come to its hex
    from the edge. ``onto``: the clauses that apply to the hex by which it enters, with the facts ``known`` of
    such a unit. ``among_enemies``: the clause that forbids entering a hex with enemies. ``overrunning``: the
    classes to which this clause does not apply."""

    clause: str = ""
    onto: tuple[ClauseFunction, ...] = ()
    known: Mapping[str, Fact] = field(default_factory=dict)
    among_enemies: str = ""
    overrunning: tuple[str, ...] = ()


@dataclass(frozen=True)
class EndedThere:
    """For a stacking rule that only units that ended their move in a hex break. ``surely``: whether the units
    of a move certainly ended it there. ``topic``, ``text``: the question whether some did, with {} for the
    hex."""

    surely: Callable[[Rules, Track], bool]
    topic: str
    text: str


@dataclass(frozen=True)
class Declared:
    """The declarations of a ruleset, besides its tables and texts.

    ``columns``: class of unit → column of the charts. ``shared``: the completed facts that affect steps;
    movers with the same values share results. ``lines``: kind of line → the question whether a line of
    another name ({}) counts as one. ``enemies``: the requirements for an enemy to bar a hex; None: no enemy
    does. ``start_state``: the state in which a mover begins; ``after``: the state after a step, if there are
    ways. ``unfinished``: whether a move cannot end in a state. ``entered``: the MPs spent on coming onto the
    map; None: not known. ``allowance_facts``: the attributes that would make an allowance exact.
    ``carriers``: the classes that carry others. ``order``: the clause by which one unit finishes before the
    next begins; units of the classes ``apart`` do not count.

    ``charts``: the charts of costs, by name; ``noun`` follows a class in a question about them. ``ways``: the
    ways in which a step may be tried; ``keeps_way``: whether the way by which a mover came to a hex matters
    for the next step. ``looks_beside``: whether a clause reads enemies beside a hex. ``late``: facts that may
    be updated after a move. ``listed``: attribute → the chart that lists its values; if that is not complete,
    an unlisted value may stand for any. ``cellwise``: the tables of which a pack may replace single cells.
    ``everywhere``: whether clauses also apply in phases without movement. ``moves``: the side that moves, or
    may move, in a phase of a kind; None: no side, or no rule names one. ``judges``: whether the rules cover a
    unit. ``zones``: the rules on zones of control, each with a test that an enemy must also pass to reach a
    hex (None: there is none). ``whole_clause``: cited for a step that takes the whole allowance, which is
    then possible wherever nothing has been spent; empty: only in the first hex. ``unlisted``: whether a hex
    of a board that is not whole may have things that its row does not list. ``of_the_log``: a move is judged
    only if the log has drags of it. ``least``: the least MPs that any step costs a class, by the shared
    facts. ``names``: further names that a game may use, by kind. ``whole``: findings about whole phases that
    are not made by a check of a unit. ``of_board``: the data that clauses about steps read from the whole
    board.

    ``types``: type of unit → the default facts of its units, by attribute. ``spelt``, ``numbered``,
    ``riders``: see :class:`.event_index.EventIndex`. ``objects``: the kinds of things that hexes may have as
    features or markers; ``no_objects``: markers that are not such things; ``cleared``: the hexes from which
    the first kind of them was cleared, by units with the attribute ``clears``. ``doings``: the ways to read
    what a unit did with its move; None: it went where it was dragged. ``far_lines``: whether a line affects
    moves far from it. ``settled``: readings that the tables settle, for reports. ``patterns``: the cells of
    the tables that are patterns. ``closing``: the clauses by which terrain closes a hex, for a ruleset by
    which some edges into the hex may still be open. ``ranks``: the order in which the movement forms are used
    in a phase. ``ended_there``: limits whose stacks break the stacking rule; None: all do. ``kind_told``: the
    condition that gives the kind of a phase, with {} for its name. ``late_for_all``: a value that is set of
    any unit just after a move, before others saw it, may have held during the move. ``whose_first``: the
    question where another unit is comes only when its side is known. ``lines_open``: terrain does not close a
    hex with a line of any kind. ``most_completions``: with more completions than this, a mover goes where the
    log shows it, if its missing facts allow this. ``reading_name``: the name in reports of the fact how an
    option is settled.

    ``pays_by``: the attribute that names a unit's column of the charts, and its class. ``more_columns``,
    ``more_charts``, ``words``: the columns and charts that only the tables name, and the facts whose values
    the tables or the game name; ``other_chart``: makes a chart that the tables do not name. ``otherwise``:
    the default fact of an attribute of a unit, or of a condition. ``form``: the movement form of a mover, by
    the player's choice; None: the pack names it. ``forms``: whether a unit may have moved in the form, and
    the kind of phase. ``options``: the options of a pack that no clause names, with their values, the default
    first. ``of_game``: the attributes that are read as conditions. ``parts``: costs may be fractions with
    this denominator, whatever the charts say. ``asks_phase``: every phase is of a kind in the tables; one
    that is not named there is of an unknown kind. ``half``: the cost of a cell for half the mover's rating
    plus a number of MPs.
    """

    clauses: tuple[ClauseFunction, ...]
    attributes: Mapping[str, Allowed]
    conditions: Mapping[str, Allowed]
    completed: tuple[Completed, ...]
    shared: tuple[str, ...]
    columns: Mapping[str, str]
    markers: Mapping[str, Marker] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)
    enemies: tuple[Requirement, ...] | None = ()
    levels: tuple[int, ...] = (0, 1, 2)
    stacking: Callable[[Rules], StackingRule | None] = lambda rules: None
    start_state: Callable[[MoverFacts], Any] = lambda facts: None
    after: Callable[[Step], Any] = lambda step: step.tag
    unfinished: Callable[[Any, MoverFacts], bool] = lambda state, facts: False
    entered: Callable[[Rules, str, int], Amount | None] = lambda rules, unit, event: None
    arrivals: Arrivals = Arrivals()
    allowance_facts: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    order: str = ""
    apart: tuple[str, ...] = ()
    charts: Mapping[str, Chart] = field(
        default_factory=lambda: {"terrain": chart("terrain"), "hexsides": chart("hexsides")}
    )
    ways: Callable[[Step], Iterable[Any]] = lambda step: ()
    keeps_way: Callable[[Rules], bool] = lambda rules: False
    looks_beside: bool = False
    late: Late = Late()
    listed: Mapping[str, str] = field(default_factory=dict)
    cellwise: tuple[str, ...] = ()
    everywhere: bool = False
    noun: str = ""
    moves: Callable[[Any, str], Phasing | None] = lambda rules, kind: None
    judges: Callable[[MoverFacts], bool] = lambda facts: True
    zones: tuple[tuple[ZoneRule, Callable[[Enemy], bool] | None], ...] = ()
    whole_clause: str = ""
    unlisted: bool = True
    of_the_log: bool = True
    least: Callable[[Rules, str, Mapping[str, Fact]], Fraction] = lambda rules, cls, known: (
        Fraction(0)
    )
    of_board: Callable[[Any], Hashable] = lambda rules: None
    names: Callable[[Mapping[str, Any]], Mapping[str, Words]] = lambda tables: {}
    whole: Callable[[Rules, Sequence[Track]], Iterable[Finding]] = lambda rules, tracks: ()
    pays_by: str = "class"
    more_columns: Callable[[Mapping[str, Any]], Iterable[str]] = lambda tables: ()
    more_charts: Callable[[Mapping[str, Any]], Mapping[str, Chart]] = lambda tables: {}
    other_chart: Callable[[str], Chart] = chart
    forms: Callable[[MoverFacts], bool] = lambda facts: True
    form: Callable[[MoverFacts], str] | None = None
    otherwise: Callable[[Rules, Unit, str, Fact], Fact] | None = None
    words: Callable[[Rules], Mapping[str, Allowed]] = lambda rules: {}
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_game: tuple[str, ...] = ()
    parts: int = 1
    asks_phase: bool = False
    half: Callable[[Step, Fraction], CostInterval] | None = None
    types: Callable[[Rules], Mapping[str, Mapping[str, Fact]]] = lambda rules: {}
    spelt: Mapping[str, Callable[[Fact], Fact]] = field(default_factory=dict)
    numbered: str = ""
    riders: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    no_objects: tuple[str, ...] = ()
    cleared: Callable[[MoverView], frozenset[str]] = lambda mover: frozenset()
    clears: str = ""
    doings: Callable[[MoverView], Iterable[Doing]] | None = None
    far_lines: bool = False
    patterns: tuple[tuple[str, str], ...] = ()
    closing: tuple[ClauseFunction, ...] = ()
    settled: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda tables: {}
    ranks: Callable[[Rules], OrderRule] = lambda rules: OrderRule()
    ended_there: EndedThere | None = None
    kind_told: str = ""
    late_for_all: bool = False
    whose_first: bool = False
    lines_open: bool = False
    most_completions: int | None = None
    reading_name: Callable[[str], str] = lambda option: f"reading {option}"

    def history(self, game: Game) -> History:
        """The history of each unit, by the logs of a game."""
        return History(game, self.markers, self.apart, self.spelt, self.numbered, self.riders)
