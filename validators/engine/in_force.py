"""The tables, options and clauses in force for one game, the kinds of its phases, and names on its board."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ...model.fact import UNKNOWN, Fact, MissingFact
from ...model.finding import Clause
from ...model.game import Game, StateChange
from ...model.stanza import BLANK, Entry, pack_stanza
from ...model.unit import Unit
from ..checks import listed
from ..concepts import missing_facts
from ..concepts.charts import NOTHING, UNKNOWN_CELL, Cell, ChartReader, Costs
from ..concepts.completeness import Completeness
from ..concepts.requirements import question
from ..concepts.sides import is_enemy, is_friend
from ..rulebook import readings_of
from .asking import Question, later
from .clauses import ClauseFunction
from .declared import NO_MOVEMENT, Chart, Completed, Declared, Movers
from .history import History
from .memo import once

if TYPE_CHECKING:
    from .ruleset import ClauseRuleset


UNSETTLED = ("open", "any", "undecided")
"""The default choices of readings that are not settled."""


P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound="InForce")


def remembered(work: Callable[Concatenate[R, P], T]) -> Callable[Concatenate[R, P], T]:
    """A method whose results are cached in ``InForce.memo``. They must not be None."""

    @wraps(work)
    def answer_of(self: R, /, *args: P.args, **named: P.kwargs) -> T:
        return once(self.memo, (work, *args, *named.items()), partial(work, self, *args, **named))

    return answer_of


@dataclass(frozen=True)
class InForce:
    """The tables, options and clauses in force for one game. ``memo``: cached results for this board;
    ``common``: for all boards of the game. See :class:`.rules.Rules`."""

    book: ClauseRuleset
    game: Game
    tables: Mapping[str, Any]
    history: History
    memo: dict[object, Any] = field(default_factory=dict)
    common: dict[object, Any] = field(default_factory=dict)
    declared_clause: str = ""

    @property
    def declared(self) -> Declared:
        return self.book.declared

    @property
    def clauses(self) -> Mapping[str, Clause]:
        return self.book.clauses()

    @cached_property
    def options(self) -> Mapping[str, str]:
        return self.book.settled(self.game.rules)

    def is_open(self, option: str) -> bool:
        """Whether a reading is not settled."""
        said = self.options[option]
        return said in UNSETTLED and said == self.book.choices[option][0]

    @cached_property
    def readings(self) -> Mapping[str, str]:
        own, told = self.declared.options, self.game.rules.options
        every = {**self.book.settled(self.game.rules), **self.declared.settled(self.tables)}
        said = {o: v for o, v in every.items() if o not in own or o in told}
        return readings_of(self.game.rules, said)

    @cached_property
    def complete(self) -> Completeness:
        return Completeness(self.game.rules.complete)

    @cached_property
    def _reader(self) -> tuple[ChartReader, dict[str, Mapping[str, Costs]]]:
        columns = tuple(dict.fromkeys(self.columns.values()))
        reader = ChartReader(columns, self._off)
        charts: dict[str, Mapping[str, Costs]] = {
            name: {
                row: reader.costs(raw, *chart.clauses(row), missing=left_out)
                for row, raw in chart.rows(self.tables).items()
            }
            for name, chart in self.all_charts.items()
            for left_out in [self.complete.cell(name, NOTHING) if chart.silent else UNKNOWN_CELL]
        }
        return reader, charts

    @property
    def charts(self) -> Mapping[str, Mapping[str, Costs]]:
        return self._reader[1]

    @cached_property
    def scale(self) -> int:
        return self._reader[0].scale * self.declared.parts

    def full(self, clause: str) -> str:
        """The id of a clause with the ruleset's prefix."""
        return self.book.manifest.prefix + clause if clause else ""

    @cached_property
    def _off(self) -> frozenset[str]:
        prefix = self.book.manifest.prefix
        return frozenset(name.removeprefix(prefix) for name in self.game.rules.off)

    def applies(self, clause: str) -> bool:
        """Whether a clause is in force (not switched off)."""
        return clause not in self._off

    @cached_property
    def clauses_in_force(self) -> tuple[ClauseFunction, ...]:
        return tuple(
            c
            for c in self.declared.clauses
            if self.applies(c.id)
            or c.always
            or c.kind in ("allowance", "overdraft", "actions", "drag", "choice", "ways")
        )

    @cached_property
    def of_board(self) -> Hashable:
        """The data that clauses about steps read from the whole board."""
        return self.declared.of_board(self)

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """Class of unit → column of the charts, including those that only the tables name."""
        more = self.declared.more_columns(self.tables)
        return {**self.declared.columns, **{name.lower(): name for name in more}}

    @cached_property
    def all_charts(self) -> Mapping[str, Chart]:
        """The charts by name, including those that only the tables name."""
        return {**self.declared.charts, **self.declared.more_charts(self.tables)}

    @cached_property
    def completed(self) -> tuple[Completed, ...]:
        """The completed facts of a mover, one for each name of those with ``each``."""
        found: list[Completed] = []
        for one in self.declared.completed:
            named: Any = self.tables
            for key in one.each.split(".") if one.each else ():
                named = named[key]
            names = sorted(named) if one.each else ("",)
            found += (replace(one, about=one.about.format(name)) for name in names)
        return tuple(found)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The completed facts that affect steps."""
        each = {one.about.partition("{")[0] for one in self.declared.completed if one.each}
        more = (c.about for c in self.completed if any(c.about.startswith(e) for e in each))
        return frozenset((*self.declared.shared, *more))

    def question_about(self, unit: Unit, about: str) -> Question:
        """The question about a completed fact or another attribute of a mover."""
        if about in self.conditions:
            return later(missing_facts.of_condition, about)
        return later(question, unit, about)

    @cached_property
    def conditions(self) -> frozenset[str]:
        """The facts of a unit that are read as conditions."""
        told = (one.about for one in self.completed if one.condition)
        return frozenset((*self.declared.of_game, *told))

    def chart(self, name: str) -> Chart:
        """A chart by its name, also one that the pack does not supply."""
        return self.all_charts.get(name) or self.declared.other_chart(name)

    def charted(self, chart: str) -> Container[str]:
        """The names that a chart has."""
        return self.charts[chart]

    def cell(self, chart: str, name: str, column: str) -> Cell | None:
        row = self.charts.get(chart, {}).get(name)
        return None if row is None else row.get(column)

    def charts_question(self, path: tuple[str, ...], name: str) -> MissingFact:
        """The question whether the charts apply to a state of the board. ``path``: the key in the tables for
        the answer."""
        return MissingFact(
            f"charts on {name}",
            f"are the charts of the pack those for {name}? Say so if they are",
            "facts.toml",
            pack_stanza("rules", *path, entry=True),
        )

    def cost_question(self, chart: str, name: str, column: str) -> MissingFact:
        who, one = self.book.words_for(column), self.chart(chart)
        path = tuple(part.format(name) for part in one.path)
        if one.asked is not None:
            what, text, entry = one.asked
            stanza_ = pack_stanza("rules", *path, entry=entry)
            return MissingFact(f"cost of {what}", text, "facts.toml", stanza_)
        blank: Entry = {column: BLANK} if column else dict.fromkeys(self.columns, BLANK)
        for key in reversed(path[1:]):
            blank = {key: blank}
        return MissingFact(
            f"cost of {name}{one.said} for {who}",
            f"what does {name}{one.said} cost {who}{self.declared.noun}?",
            "facts.toml",
            pack_stanza("rules", path[0], entry=blank),
        )

    @remembered
    def grouped(self, chart: str, groups: tuple[str, ...]) -> tuple[str, ...]:
        """The names in ``groups`` of a table, in lower case."""
        rows = self.tables[chart]
        return tuple(name.lower() for group in groups for name in rows[group])

    def class_of(self, word: str) -> str:
        """The class for a value of the attribute ``class``; empty if the ruleset does not name it."""
        return word if word in self.columns else ""

    def who(self, cls: str) -> str:
        """A class of units, as text for a person."""
        column = self.columns.get(cls, cls)
        return self.book.words_for(column)

    def words(self, about: str) -> tuple[str, ...]:
        """All values that an attribute may have; empty if they cannot be listed."""
        allowed = self.declared.attributes.get(about)
        if allowed is None or allowed.kind == "number":
            return ()
        return ("False", "True") if allowed.kind == "yes-no" else allowed.words

    # -- the board ---------------------------------------------------------------------------------

    @cached_property
    def _lines(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for line in self.game.board.lines:
            for name in line.hexes:
                found.setdefault(name, set()).add(line.kind)
        return {name: frozenset(kinds) for name, kinds in found.items()}

    @remembered
    def hexes_told(self, topic: str) -> frozenset[str]:
        """The hexes with a fact under a topic, in which {} stands for their names."""
        head, _, tail = topic.partition("{}")
        keys = (k for k in self.game.condition_keys if k.startswith(head) and k.endswith(tail))
        return frozenset(key[len(head) : len(key) - len(tail)] for key in keys)

    @cached_property
    def names_on_board(self) -> tuple[frozenset[str], bool]:
        """(the names of all terrains, features and lines on the board; whether there are certainly no
        others)."""
        board = self.game.board
        hexes = board.hexes.values()
        names = {name for one in hexes for name in (*(one.terrain or ()), *one.features)}
        names |= {name for features in board.sides.values() for name in features}
        whole = board.all_sides_known and board.all_lines_known
        return frozenset(names | board.line_kinds), whole and all(
            board.hex_known(name) for name in board.hexes
        )

    def perhaps_on_board(self, names: Iterable[str]) -> tuple[str, ...]:
        """The features of ``names`` that may be in a hex of the board."""
        return tuple(name for name in names if self._perhaps_on_board(name))

    @remembered
    def _perhaps_on_board(self, name: str) -> bool:
        board = self.game.board
        return any(board.has(here, (name,)) is not False for here in board.hexes)

    @remembered
    def rows_of(self, chart: str) -> frozenset[str]:
        """The names in a chart, and in its variants for other weather."""
        every = (rows for name, rows in self.charts.items() if name.partition(" in ")[0] == chart)
        return frozenset(row for rows in every for row in rows)

    @cached_property
    def told_in_full(self) -> tuple[bool, bool]:
        """(whether a hex may have anything besides what is known; whether a hex is not fully known)."""
        board = self.game.board
        return any(board.maybe_in(name) is None for name in board.hexes), not all(
            board.hex_known(name) for name in board.hexes
        )

    # -- the phases ----------------------------------------------------------------------------------

    @cached_property
    def phase_kinds(self) -> Mapping[str, str]:
        phases = self.tables.get("phases", {})
        named = {name: kind for kind, names in phases.items() for name in names}
        head, _, tail = self.declared.kind_told.partition("{}")
        keys = [k for k in self.game.condition_keys if head and k.startswith(head)]
        said = {k.removeprefix(head).removesuffix(tail): self._said_of_kind(k) for k in keys}
        told = {name: kind for name, kind in said.items() if kind}
        return {**told, **named, **self.tables.get("kinds", {})}

    def _said_of_kind(self, key: str) -> str:
        """The kind of a phase by the facts; empty if they do not decide it."""
        facts = [c.fact for c in self.game.conditions if c.key == key]
        kinds = {str(fact.value) for fact in facts if fact.is_known}
        return kinds.pop() if len(kinds) == 1 == len(facts) else ""

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of phases in which units move; one empty name if the ruleset has no kinds."""
        return tuple(k for k in self.tables.get("phases", {"": ()}) if k != NO_MOVEMENT)

    def kind_of(self, phase: str) -> str | None:
        """The kind of a phase; None if it is not known."""
        return self.phase_kinds.get(phase) if "phases" in self.tables else ""

    def moving_kind(self, phase: str) -> str | None:
        """The kind of a phase; None if it is not one of movement, or not known to be."""
        kind = self.phase_kinds.get(phase)
        return None if kind == NO_MOVEMENT else kind

    def kind_of_phase(self, phase: str) -> MissingFact:
        if self.declared.kind_told:
            key = self.declared.kind_told.format(phase)
            asked = missing_facts.of_condition(key)
            named = f"is the phase {phase} one of {listed([*self.kinds, NO_MOVEMENT])}?"
            return replace(asked, key=f"kind of phase {phase}", question=named)
        asks = self.declared.asks_phase
        none = "" if asks else f", or of none of these ({NO_MOVEMENT})"
        return MissingFact(
            f"kind of phase {phase}",
            f"is the phase {phase or '?'} one of {listed(list(self.kinds))}{none}?",
            "facts.toml",
            pack_stanza("rules", "kinds", phase, entry=BLANK),
        )

    def is_phasing(self, active: str | None, side: str | None, kind: str) -> bool | None:
        """Whether units of ``side`` may move in a phase of a kind; None: not known."""
        if active not in self.game.sides:
            return None
        who = self.declared.moves(self, kind)
        if who is None:
            return False
        if who == "active":
            return is_friend(self.game, active, side)
        return is_enemy(self.game, active, side)

    def movers(self, phase: str) -> Movers | None:
        """See :class:`~..ruleset.Phasing`."""
        kind = self.moving_kind(phase)
        if kind is None:
            return None
        who = self.declared.moves(self, kind)
        return None if who == "perhaps inactive" else who


def as_listed(game: Game, tables: Mapping[str, Any], declared: Declared) -> Game:
    """A copy of ``game`` in which values of attributes are known only if the charts list them; attributes
    whose chart is complete do not change."""
    for attribute, chart in declared.listed.items():
        if not Completeness(game.rules.complete).has(chart):
            game = _with_listed_values(game, attribute, tables[chart])
    return game


def _with_listed_values(game: Game, attribute: str, lists: Mapping[str, Iterable[str]]) -> Game:
    """A copy of ``game`` in which every value of an attribute that is not in ``lists`` is unknown."""
    listed = {name.lower() for names in lists.values() for name in names}

    def read(fact: Fact) -> Fact:
        options = {str(option).lower() for option in fact.options or ()}
        return fact if listed.issuperset(options) else UNKNOWN

    units = {
        name: replace(unit, attributes={**unit.attributes, attribute: read(unit.fact(attribute))})
        for name, unit in game.units.items()
    }
    events = tuple(
        replace(event, before=read(event.before), after=read(event.after))
        if isinstance(event, StateChange) and event.attribute == attribute
        else event
        for event in game.events
    )
    return replace(game, units=units, events=events)
