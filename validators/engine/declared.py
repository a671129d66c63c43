"""What a ruleset declares besides its tables and texts."""

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
"""The kind of a phase in which these rules let nobody move."""


@dataclass(frozen=True)
class Completed:
    """A fact of the mover that is completed before it is judged, one scenario for each value. ``classes``: of
    whom; empty: of all; ``when``: of those whose facts before it are such. ``read``: how the log tells it;
    None: its value at the first drag. ``options``: the values that a fact stands for; None: its own.
    ``open``: what is not known of it stays open, and whoever asks for it finds out. ``condition``: it is a
    condition of the unit or of the game, else an attribute. ``each``: a list of the tables (``march.zones``);
    there is one such fact for each name in it, which stands for {} in ``about``. ``choice``: the values from
    which the player may choose."""

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
    """A fact of the mover, with all values that it has in the steps of the move."""
    read = lambda history, unit, its: history.during(unit.id, about, its)  # noqa: E731
    return Completed(about, classes, read, options, open)


@dataclass(frozen=True)
class Chart:
    """A chart of costs. ``rows``: the rows of the tables, by name. ``path``: where ``[rules]`` of a pack has
    a row, with {} for its name. ``said``: continues the name of a row in a question. ``asked``: what is asked
    for where it has no columns: what it is the cost of, the question, and what an answer looks like.
    ``clauses``: by the name of a row, the clause that its costs rest on and the one that its prohibitions do:
    where these are switched off, it costs nothing, or is open. ``silent``: a class that a row of the whole
    chart leaves out cannot use it."""

    rows: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    path: tuple[str, ...]
    said: str = ""
    clauses: Callable[[str], tuple[str, str]] = lambda name: ("", "")
    silent: bool = False
    asked: tuple[str, str, Entry] | None = None


def chart(name: str, clauses: Callable[[str], tuple[str, str]] = lambda name: ("", "")) -> Chart:
    """The chart that the tables have under a name."""
    return Chart(lambda tables: tables[name], (name, "{}"), clauses=clauses)


@dataclass(frozen=True)
class Doing:
    """One way to read what a unit did with its move: ``acts``; ``whole``: where prohibitions are looked for,
    if that is not the same. ``topic``, ``text``: the question whether it is the right one; empty: none."""

    acts: Activation
    topic: str = ""
    text: str = ""
    whole: Activation | None = None


@dataclass(frozen=True)
class Late:
    """Facts of the mover that a player may bring up to date only after its move. ``topic`` and ``text``: the
    question whether it moved so already, with {unit} and {facts}."""

    facts: tuple[str, ...] = ()
    topic: str = ""
    text: str = ""


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
class EndedThere:
    """Whose stacks break the stacking rule, if only units that ended their move in a hex break it.
    ``surely``: whether the units of a move certainly did. ``topic``, ``text``: the question whether some did,
    with {} for the hex."""

    surely: Callable[[Rules, Track], bool]
    topic: str
    text: str


@dataclass(frozen=True)
class Declared:
    """What a ruleset declares.

    ``columns``: class of unit → column of the charts. ``shared``: the completed facts by which steps
    differ; movers with the same share results. ``lines``: kind of line → the question whether a line of
    another name ({}) counts as one. ``enemies``: what a unit must be to bar a hex; None: nobody bars one.
    ``start_state``: the state in which a mover begins; ``after``: the one after a step, where ways are tried.
    ``unfinished``: whether a move cannot end in a state. ``entered``: the MPs spent on coming onto the map;
    None: not known. ``allowance_facts``: the attributes that would make an allowance exact. ``carriers``: the
    classes that carry others. ``order``: the clause by which one unit is finished before the next begins;
    units of the classes ``apart`` do not count.

    ``charts``: the charts of costs, by name; ``noun`` follows a class in a question about them. ``ways``: the
    ways in which a step may be tried; ``keeps_way``: whether the way by which a mover came to a hex matters
    for the next step. ``looks_beside``: whether a clause asks for enemies beside a hex. ``late``: facts that
    may be brought up to date after a move. ``listed``: attribute → the chart whose values it has; while that
    is not complete, a value it does not list may stand for any. ``cellwise``: the tables of which a pack may
    replace single cells. ``everywhere``: whether clauses apply in phases without movement, too. ``moves``:
    which side moves in a phase of a kind, or perhaps; None: nobody moves, or no rule says who. ``judges``:
    whether the rules are about a unit at all. ``zones``: the rules on zones of control, each with what an
    enemy must meet besides to reach a hex (None: nothing). ``whole_clause``: cited where a step takes the
    whole allowance, which is then possible wherever nothing has been spent; empty: in the first hex alone.
    ``unlisted``: whether a hex of a board that is not whole may have what its row does not list.
    ``of_the_log``: a move is judged only if the log has drags of it. ``least``: what any step costs a class
    at least, in MPs, by the facts that steps share. ``names``: the names that a game may use, by kind,
    besides the usual ones. ``whole``: findings about whole phases that no check of a unit makes.
    ``of_board``: what clauses about steps read of the whole board at once.

    ``types``: type of unit → what its own attributes may leave out. ``spelt``, ``numbered``, ``riders``:
    see :class:`.event_index.EventIndex`. ``objects``: the kinds of things that may lie in hexes as
    features or markers; ``no_objects``: markers that are none of them; ``cleared``: the hexes from which
    the first kind of them is said to have been cleared, by units that tell of an attribute, ``clears``.
    ``doings``: the ways to read what a unit did with its move; None: it went where it was dragged.
    ``far_lines``: whether a line bears on moves far from it. ``settled``: readings that the tables
    settle, for reports. ``patterns``: the cells of the tables that are patterns. ``closing``: the clauses
    by which terrain closes a hex, of a ruleset by which some ways into it may be open all the same.
    ``ranks``: in which order the movement forms are used in a phase. ``ended_there``: whose stacks break the
    stacking rule; None: all. ``kind_told``: the condition by which the facts tell of which kind a phase is,
    with {} for its name.
    ``late_for_all``: what is set of any unit just after a move, before others saw that, may have been so.
    ``whose_first``: where another unit is, is asked only when it is known whose it is.
    ``lines_open``: terrain closes no hex through which a line of any kind leads.
    ``most_completions``: if more completions of a mover than so many are possible, it goes where the log
    shows it, if what is not known of it lets it.
    ``reading_name``: what a report calls the fact how an option is settled.

    ``pays_by``: the attribute that names the column of the charts by which a unit pays, and its class.
    ``more_columns``, ``more_charts``, ``words``: the columns and charts that only the tables name, and
    the facts whose values the tables or the game name; ``other_chart``: a chart that not even they name.
    ``otherwise``: what is known of an attribute of a unit, or of a condition, of which nothing is told.
    ``form``: the movement form of a mover, by what the player chose; None: the pack names it.
    ``forms``: whether a unit may have moved in the form, and the kind of phase, as it seems. ``options``:
    the options of a pack that no clause speaks of, with their values, the default first. ``of_game``: the
    attributes that are asked for as conditions. ``parts``: a cost may be a fraction of so many parts,
    whatever the charts say. ``asks_phase``: every phase is of a kind that the tables have; one that is
    not named is of one that is not known. ``half``: what a cell comes to that is half the mover's rating
    and so many MPs more.
    """

    clauses: tuple[ClauseFunction, ...]
    attributes: Mapping[str, Allowed]
    conditions: Mapping[str, Allowed]
    markers: Mapping[str, Marker]
    completed: tuple[Completed, ...]
    shared: tuple[str, ...]
    columns: Mapping[str, str]
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
        """What the log of a game tells of each unit."""
        return History(game, self.markers, self.apart, self.spelt, self.numbered, self.riders)
