"""The rules in force for one game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.board import Board
from ...model.fact import Fact, MissingFact, Value
from ...model.finding import Clause, Finding
from ...model.game import Game, StepRef
from ...model.stanza import BLANK, Entry, pack_stanza, stanza
from ...model.unit import Unit
from ..allowed_facts import Allowed, AllowedFacts
from ..checks import listed
from ..completed_checks import completed
from ..concepts import missing_facts
from ..concepts.charts import Cell, ChartReader, Costs, closes_some
from ..concepts.completeness import Completeness
from ..concepts.requirements import question
from ..concepts.sides import is_enemy, is_friend
from ..concepts.unclear_places import perhaps_with
from ..cost_interval import CostInterval, total
from ..moves import Track, find_moves
from ..rulebook import readings_of
from ..ruleset import Circumstances, OrderRule, Requirement, Scenario, StackingRule
from ..situation import Situation
from ..timeline import either
from .arrivals import Arrival
from .asking import Question, Run, later, outcome
from .clauses import ClauseFunction
from .contacts import Contacts
from .declared import NO_MOVEMENT, Chart, Completed, Declared, Movers
from .due import cost_of
from .edges import Edges
from .event_index import ABOARD, FACING
from .history import History
from .marks import findings_of_acts
from .mover_view import MoverFacts
from .phase_checks import accused_once, findings_of_phases
from .scenarios import scenarios
from .step import Step

if TYPE_CHECKING:
    from .ruleset import ClauseRuleset


@dataclass(frozen=True)
class Rules:
    """The rules in force for one game. See :class:`~..ruleset.RulesInForce`."""

    book: ClauseRuleset
    game: Game
    tables: Mapping[str, Any]
    history: History
    memo: dict[object, Any] = field(default_factory=dict)
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

    @cached_property
    def readings(self) -> Mapping[str, str]:
        own, told = self.declared.options, self.game.rules.options
        every = self.book.settled(self.game.rules).items()
        return readings_of(self.game.rules, {o: v for o, v in every if o not in own or o in told})

    @cached_property
    def complete(self) -> Completeness:
        return Completeness(self.game.rules.complete)

    @cached_property
    def _reader(self) -> tuple[ChartReader, dict[str, Mapping[str, Costs]]]:
        columns = tuple(dict.fromkeys(self.columns.values()))
        reader = ChartReader(columns, frozenset())
        charts: dict[str, Mapping[str, Costs]] = {
            name: {row: reader.costs(raw, "") for row, raw in chart.rows(self.tables).items()}
            for name, chart in self.all_charts.items()
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
        """Whether a clause is not switched off."""
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
    def columns(self) -> Mapping[str, str]:
        """Class of unit → column of the charts, with those that only the tables name."""
        more = self.declared.more_columns(self.tables)
        return {**self.declared.columns, **{name.lower(): name for name in more}}

    @cached_property
    def all_charts(self) -> Mapping[str, Chart]:
        """What the ruleset says of its charts, by name, with those that only the tables name."""
        return {**self.declared.charts, **self.declared.more_charts(self.tables)}

    @cached_property
    def completed(self) -> tuple[Completed, ...]:
        """The facts of a mover that are completed, one for each name where there are several."""
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
        """The completed facts by which steps differ."""
        each = {one.about.partition("{")[0] for one in self.declared.completed if one.each}
        more = (c.about for c in self.completed if any(c.about.startswith(e) for e in each))
        return frozenset((*self.declared.shared, *more))

    def question_about(self, unit: Unit, about: str) -> Question:
        """The question about a completed fact of a mover, or another attribute of it."""
        if about in self.conditions:
            return later(missing_facts.of_condition, about)
        return later(question, unit, about)

    @cached_property
    def conditions(self) -> frozenset[str]:
        """The facts of a unit that are asked for as conditions."""
        told = (one.about for one in self.completed if one.condition)
        return frozenset((*self.declared.of_game, *told))

    def chart(self, name: str) -> Chart:
        """What the ruleset says of a chart, also of one that the pack does not supply."""
        return self.all_charts.get(name) or self.declared.other_chart(name)

    def cell(self, chart: str, name: str, column: str) -> Cell | None:
        row = self.charts.get(chart, {}).get(name)
        return None if row is None else row.get(column)

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

    def grouped(self, chart: str, groups: tuple[str, ...]) -> tuple[str, ...]:
        """The names in some groups of a table, in lower case."""
        found: tuple[str, ...] | None = self.memo.get((chart, groups))
        if found is None:
            rows = self.tables[chart]
            found = tuple(name.lower() for group in groups for name in rows[group])
            self.memo[chart, groups] = found
        return found

    def class_of(self, word: str) -> str:
        """The class that a value of the attribute ``class`` stands for; one that the ruleset does not name is
        none of its own."""
        return word if word in self.columns else ""

    def who(self, cls: str) -> str:
        """A class of units, in words for a person."""
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

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return frozenset(key.partition(" ")[0] for key in self.game.condition_keys)

    def says_of_hexes(self, topic: str) -> bool:
        """Whether the facts may say something of a topic anywhere."""
        return topic.partition(" ")[0] in self._first_words

    @cached_property
    def names_on_board(self) -> tuple[frozenset[str], bool]:
        """The names of all terrains, features and lines on the board, and whether there are certainly no
        others."""
        board = self.game.board
        hexes = board.hexes.values()
        names = {name for one in hexes for name in (*(one.terrain or ()), *one.features)}
        names |= {name for features in board.sides.values() for name in features}
        whole = board.all_sides_known and board.all_lines_known
        return frozenset(names | board.line_kinds), whole and all(
            board.hex_known(name) for name in board.hexes
        )

    def perhaps_on_board(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some features that may be in a hex of the board."""
        told = tuple(names)
        found: tuple[str, ...] | None = self.memo.get(("on board", told))
        if found is None:
            board = self.game.board
            found = self.memo["on board", told] = tuple(
                name
                for name in told
                if any(board.has(here, (name,)) is not False for here in board.hexes)
            )
        return found

    def rows_of(self, chart: str) -> frozenset[str]:
        """The names that a chart has, or that in another weather."""
        found: frozenset[str] | None = self.memo.get(("rows", chart))
        if found is None:
            every = (
                rows for name, rows in self.charts.items() if name.partition(" in ")[0] == chart
            )
            found = self.memo["rows", chart] = frozenset(row for rows in every for row in rows)
        return found

    @cached_property
    def told_in_full(self) -> tuple[bool, bool]:
        """Whether something may be in some hex besides what is told, and whether terrain is not told."""
        board = self.game.board
        return any(board.maybe_in(name) is None for name in board.hexes), not all(
            board.hex_known(name) for name in board.hexes
        )

    def lines_in(self, name: str) -> frozenset[str]:
        return self._lines.get(name, frozenset())

    def may_count(self, kind: str, other: str) -> bool:
        """Whether a line of another kind, which no rule names, may count as one of a kind."""
        return other not in self.declared.lines and (
            self.complete.charts is not None or f"{other} is a {kind}" in self.game.condition_keys
        )

    @cached_property
    def known_features(self) -> frozenset[str]:
        works = self.tables.get("works", {})
        named = (name for value in works.values() if isinstance(value, list) for name in value)
        return frozenset((*self.tables["terrain"], *named))

    @cached_property
    def kinds_told(self) -> bool:
        """Whether the facts say of any hex which of its terrains counts."""
        return any(key.startswith("kind of hex ") for key in self.game.condition_keys)

    def kind_of_hex(self, name: str) -> Value | None:
        key = f"kind of hex {name}"
        return (
            self.game.condition(key, StepRef(1, 0)).value
            if key in self.game.condition_keys
            else None
        )

    def which_kind(self, name: str) -> MissingFact:
        return MissingFact(
            f"kind of hex {name}",
            f"which of the terrains in hex {name} is it a hex of, or is it a road hex?",
            "facts.toml",
            stanza("[[condition]]", {"key": f"kind of hex {name}", "value": BLANK}),
        )

    def heading(self, fact: Fact) -> int | None:
        """The hexside that a counter faces; None if not known."""
        found = self.tables["facings"].get(str(fact.value)) if fact.is_known else None
        return None if found is None else int(found)

    def allowance_questions(self, facts: MoverFacts) -> tuple[MissingFact, ...]:
        """The missing facts behind an allowance that is a range."""
        return tuple(question(facts.unit, about) for about in self.declared.allowance_facts)

    def reading_question(self, option: str) -> MissingFact:
        """The question how an open reading is settled."""
        text = next(
            r.question for c in self.clauses.values() for r in c.readings if r.option == option
        )
        written = pack_stanza("options", option, entry=BLANK)
        asked = text[:1].lower() + text[1:]
        return MissingFact(f"reading {option}", asked, "facts.toml", written)

    def entry_cost(self, cls: str, name: str, clauses: tuple[ClauseFunction, ...]) -> CostInterval:
        """What some clauses charge for entering a hex from off the map; barred if one forbids it."""
        arrival = Arrival(self, cls)
        costs = []
        for clause in clauses:
            if self.applies(clause.id):
                found = outcome(partial(_onto, clause, arrival, name))
                costs.append(cost_of(found, clause, self.scale))
        return total(costs)

    def may_be_closed(self, cls: str, name: str) -> bool:
        """Whether the terrain of a hex is closed to a class, or may be since the hex is not known."""
        key = "closed", cls, name
        found = self.memo.get(key)
        if found is None:
            forbids = tuple(c for c in self.declared.arrivals.onto if c.kind == "forbid")
            barred = self.entry_cost(cls, name, forbids).barred
            board, column = self.game.board, self.columns[cls]
            told = board.hexes[name].terrain is not None and board.hex_known(name)
            some = closes_some(self.charts["terrain"].values(), (column,))
            found = self.memo[key] = bool(barred or (barred is None and not told and some))
        return bool(found)

    def may_be(self, about: str, values: tuple[str, ...]) -> tuple[str, ...]:
        """The units of which an attribute has, or may have, one of ``values`` at any time."""
        found = self.memo.get(("may be", about, values))
        if found is None:
            units = (u for u in self.game.units.values() if u.kind == "unit")
            found = tuple(
                u.id
                for u in units
                for fact in [
                    either(
                        [
                            u.fact(about),
                            *(f for _, f in self.history.changes(u.id, about, 0, 10**9)),
                        ]
                    )
                ]
                if fact.options is None
                or any(str(o).strip().lower() in values for o in fact.options)
            )
            self.memo["may be", about, values] = found
        return found

    def contacts(self, needs: tuple[Requirement, ...], *kinds: str) -> Contacts:
        """Which units were next to enemies that meet ``needs`` when phases of these kinds began."""
        key = "contacts", needs, kinds
        found: Contacts | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = Contacts(self, needs, kinds)
        return found

    def shares_marker(self, unit: Unit, marker: str, index: int) -> bool:
        """Whether a unit may have a marker with a number, at an event with which a phase begins, and is
        stacked with a possible friend that may have one too."""
        found = self.memo.get(("markers", marker, index))
        if found is None:
            found = self.memo["markers", marker, index] = self._sharing(marker, index)
        return unit.id in found

    def _sharing(self, marker: str, index: int) -> frozenset[str]:
        history, every = self.history, self.game.units.values()
        marked = [
            u for u in every if u.kind == "unit" and _above_0(history.value(u.id, marker, index))
        ]
        if len(marked) < 2:
            return frozenset()
        table = Situation(self.game, history.timeline)
        if index:
            table.advance_before(history.timeline.step_of(index))
        names = {unit.id for unit in marked}
        return frozenset(
            unit.id
            for unit in marked
            for other in names.intersection(perhaps_with(table, unit.id))
            if self.may_be_friends(unit, other)
        )

    def may_be_one(self, unit: Unit, values: tuple[str, ...]) -> bool:
        """Whether a unit is, or may be, of one of these classes."""
        return unit.id in self.may_be("class", values)

    def may_be_friends(self, unit: Unit, other: str) -> bool:
        return is_friend(self.game, unit.side, self.game.units[other].side) is not False

    @cached_property
    def by_phase(self) -> bool:
        """Whether a clause about steps applies in one kind of phase only."""
        return any(c.phase for c in self.clauses_in_force if c.kind in ("cost", "forbid", "stop"))

    @cached_property
    def keeps_way(self) -> bool:
        """Whether the way by which a mover came to a hex matters for its next step."""
        return self.declared.keeps_way(self)

    @cached_property
    def interpretations(self) -> tuple[ClauseFunction, ...]:
        """What else a drag may have been."""
        return tuple(c for c in self.clauses_in_force if c.kind in ("drag", "choice"))

    def edges_of(self, board: Board) -> Edges:
        """The edges of a board, kept for the last one."""
        found = self.memo.get("edges")
        if found is None or found.board is not board:
            found = self.memo["edges"] = Edges(board)
        return found

    # -- movers ------------------------------------------------------------------------------------

    @cached_property
    def phase_kinds(self) -> Mapping[str, str]:
        named = {name: kind for kind, names in self.tables["phases"].items() for name in names}
        return {**named, **self.tables.get("kinds", {})}

    def kind_of_phase(self, phase: str) -> MissingFact:
        kinds = [kind for kind in self.tables["phases"] if kind != NO_MOVEMENT]
        asks = self.declared.asks_phase
        none = "" if asks else f", or of none of these ({NO_MOVEMENT})"
        return MissingFact(
            f"kind of phase {phase}",
            f"is the phase {phase or '?'} one of {listed(kinds)}{none}?",
            "facts.toml",
            pack_stanza("rules", "kinds", phase, entry=BLANK),
        )

    def on(self, game: Game) -> Rules:
        """The same rules for the same game with its board at another time."""
        return Rules(self.book, game, self.tables, self.history)

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """See :class:`~..ruleset.RulesInForce`."""
        return scenarios(self, unit, circumstances)

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
        kind = self.phase_kinds.get(phase)
        if kind is None or kind == NO_MOVEMENT:
            return None
        who = self.declared.moves(self, kind)
        return None if who == "perhaps inactive" else who

    # -- the rest of RulesInForce ------------------------------------------------------------------

    @property
    def stacking(self) -> StackingRule | None:
        return self.declared.stacking(self)

    @property
    def order(self) -> OrderRule:
        return OrderRule()

    def entered(self, unit: str, event: int) -> Amount | None:
        """See :class:`~..ruleset.Entries`."""
        return self.declared.entered(self, unit, event)

    def allowed_facts(self) -> AllowedFacts:
        """The attributes and conditions that facts may give; those whose values are names of the game, with
        these."""
        attributes, conditions = dict(self.declared.attributes), dict(self.declared.conditions)
        carriers = self.may_be("class", self.declared.carriers)
        for about, words in ((ABOARD, carriers), (FACING, self.tables.get("facings", ()))):
            if about in attributes:
                one = attributes[about]
                attributes[about] = replace(one, words=tuple(dict.fromkeys((*one.words, *words))))
        for about, chart in self.declared.listed.items():
            named = (name.lower() for names in self.tables[chart].values() for name in names)
            attributes[about] = replace(attributes[about], words=tuple(dict.fromkeys(named)))
        for about, allowed in self.declared.words(self).items():
            of = conditions if about in conditions else attributes
            of[about] = replace(allowed, question=of[about].question)
            if about in conditions and about in attributes:
                attributes[about] = replace(allowed, question=attributes[about].question)
        kinds = tuple(self.tables["terrain"])
        conditions["kind of hex *"] = Allowed("words", kinds)
        return AllowedFacts(attributes, conditions)

    def phase_checks(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """See :class:`~..ruleset.PhaseCheck`. A check that reads the history of a unit does not ask for
        all that is not known of others; so all are run again for the values of single open facts."""
        every: Iterable[Finding] = ()
        if any(clause.kind == "check" for clause in self.clauses_in_force):
            found = tuple(findings_of_phases(self, tracks))
            every = accused_once(
                completed(self.game, found, self._checks_in, self.declared.checked)
            )
        acts = findings_of_acts(self, tracks)
        return (*every, *self.declared.whole(self, tracks), *acts)

    def _checks_in(self, game: Game) -> Iterable[Finding]:
        """The findings of the checks in another completion of the game."""
        history = History(game, self.declared.markers, self.declared.apart)
        tracks = find_moves(game, history.timeline, history.witnesses)
        return findings_of_phases(Rules(self.book, game, self.tables, history), tracks)


def _above_0(fact: Fact) -> bool:
    return fact.high is None or fact.high > 0


def _onto(clause: ClauseFunction, arrival: Arrival, name: str, run: Run) -> Any:
    """What a clause says of entering a hex from off the map."""
    return clause.run(Step(run, arrival, "", name, None, None))
