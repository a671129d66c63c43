"""The rules in force for one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from ...model.bill import Amount
from ...model.board import Board
from ...model.fact import Fact, MissingFact, Value, either
from ...model.finding import Finding
from ...model.game import Game, StepRef
from ...model.names import LINE
from ...model.stanza import BLANK, pack_stanza, stanza
from ...model.unit import Unit
from ..allowed_facts import Allowed, AllowedFacts
from ..concepts.charts import closes_some
from ..concepts.sides import is_friend, perhaps_with
from ..cost_interval import CostInterval, total
from ..moves import Track
from ..on_boards import unlike
from ..ruleset import Circumstances, OrderRule, Requirement, RulesInForce, Scenario, StackingRule
from ..situation import Situation
from .arrivals import Arrival
from .clauses import ClauseFunction
from .due import NOBODY, charge_of
from .edges import Edges
from .event_index import ABOARD, FACING
from .in_force import InForce, as_listed, remembered
from .mover_facts import MoverFacts
from .objects import Objects
from .phase_checks import accused_once, findings_of_acts, findings_of_phases, stacks_of_movers
from .reach import may_be_closed
from .scenarios import Completion, completions, scenarios
from .step import Step
from .unit_at_event import Contacts

if TYPE_CHECKING:
    from .mover import ClauseMover
    from .other_unit import Enemy

OF_EDGES = ("edges", "numbers")
"""The keys of ``common`` for the edges of boards, which do not depend on the tables."""
MOST_BASES = 4
"""The most boards whose edges other boards may reuse."""


@dataclass(frozen=True)
class Rules(InForce):
    """The rules in force for one game. See :class:`~..ruleset.RulesInForce`."""

    @property
    def step(self) -> type[Step]:
        """The view of a step that its clauses get."""
        return Step

    def judges(self, cls: str) -> bool:
        """Whether units of a class are judged at all."""
        return cls in self.columns

    def completions(self, facts: MoverFacts, phase: str, own: Any) -> Sequence[Completion]:
        """The completions of a mover's missing facts. ``own``: its move, as a key."""
        return completions(self, facts, phase, own)

    def in_place_of(self, enemy: Enemy) -> Any:
        """The stand-in for an enemy on its own step."""
        return Arrival(self, self.class_of(enemy.word(self.declared.pays_by)))

    @cached_property
    def line_names(self) -> frozenset[str]:
        """The kinds of lines that the rules name."""
        words = self.declared.names(self.tables).get(LINE)
        return frozenset() if words is None else frozenset(words.names)

    @property
    def far_lines(self) -> bool:
        """See :class:`~..ruleset.FarLines`."""
        return self.declared.far_lines

    @cached_property
    def types(self) -> Mapping[str, Mapping[str, Fact]]:
        """Type of unit → attribute → default fact, by the tables."""
        return self.declared.types(self)

    def by_type(self, unit: Unit, told: Fact, about: str, kind: Callable[[], Fact]) -> Fact:
        """``told`` if it has a value; else the default of the ruleset, or of the unit's type ``kind``."""
        if told.options is not None or told.lo is not None or told.hi is not None:
            return told
        if self.declared.otherwise is not None:
            return self.declared.otherwise(self, unit, about, told)
        if not self.types:
            return told
        named = kind()
        row = self.types.get(str(named.value).lower()) if named.is_known else None
        return told if row is None else row.get(about, told)

    @cached_property
    def objects(self) -> Objects:
        """The things in hexes."""
        told = self.declared
        return Objects(self.game.board, self.history, told.objects, told.no_objects)

    @cached_property
    def clearers(self) -> tuple[Unit, ...]:
        """The units that, by the game, ever clear something."""
        about, tells = self.declared.clears, self.history.timeline.tells_of
        units = self.game.units.values() if about else ()
        return tuple(u for u in units if about in u.attributes or tells(u.id, about))

    def lines_in(self, name: str) -> frozenset[str]:
        return self._lines.get(name, frozenset())

    def may_count(self, kind: str, other: str) -> bool:
        """Whether a line of kind ``other``, which no rule names, may count as one of ``kind``."""
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
        """Whether the facts say for any hex which of its terrains counts."""
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

    def reading_question(self, option: str) -> MissingFact:
        """The question how an open reading is settled."""
        text = next(
            r.question for c in self.clauses.values() for r in c.readings if r.option == option
        )
        written = pack_stanza("options", option, entry=BLANK)
        asked = text[:1].lower() + text[1:]
        return MissingFact(self.declared.reading_name(option), asked, "facts.toml", written)

    def clause_question(self, clause: str) -> MissingFact:
        """The question whether a clause bars a move, if no particular fact would decide it."""
        name = self.full(clause)
        known = self.clauses.get(name)
        text = name if known is None else f"does {name} ({known.title}) bar the move?"
        return MissingFact(f"clause {name}", text, "facts.toml", "")

    def table_question(self, path: tuple[str, ...], name: str, text: str) -> MissingFact:
        """The question ``text`` for an entry of the tables, which a report calls ``name``."""
        return MissingFact(name, text, "facts.toml", pack_stanza("rules", *path, entry=BLANK))

    def entry_cost(self, cls: str, name: str, clauses: tuple[ClauseFunction, ...]) -> CostInterval:
        """The total that ``clauses`` charge for entering a hex from off the map; barred if one forbids it."""
        step = Step(NOBODY, Arrival(self, cls), "", name, None, None)
        return total(charge_of(clause, step) for clause in clauses if self.applies(clause.id))

    def closed(self, mover: ClauseMover, name: str) -> bool:
        """Whether a hex is, or may be, closed to a mover."""
        if self.declared.closing:
            return may_be_closed(mover, name)
        return self.may_be_closed(mover.cls, name)

    @remembered
    def may_be_closed(self, cls: str, name: str) -> bool:
        """Whether the terrain of a hex is closed to a class, or may be because it is not known."""
        forbids = tuple(c for c in self.declared.arrivals.onto if c.forbids)
        barred = self.entry_cost(cls, name, forbids).barred
        board, column = self.game.board, self.columns[cls]
        told = board.hexes[name].terrain is not None and board.hex_known(name)
        some = closes_some(self.charts["terrain"].values(), (column,))
        return bool(barred or (barred is None and not told and some))

    @remembered
    def may_be(self, about: str, values: tuple[str, ...]) -> tuple[str, ...]:
        """The units whose attribute has, or may have, one of ``values`` at any time."""
        units = (u for u in self.game.units.values() if u.kind == "unit")
        return tuple(u.id for u in units if self._may_be(u, about, values))

    def _may_be(self, unit: Unit, about: str, values: tuple[str, ...]) -> bool:
        changes = self.history.changes(unit.id, about, 0, len(self.game.events))
        fact = either([unit.fact(about), *(fact for _, fact in changes)])
        return fact.options is None or any(str(o).strip().lower() in values for o in fact.options)

    @remembered
    def contacts(self, needs: tuple[Requirement, ...], *kinds: str) -> Contacts:
        """The units that were next to enemies that meet ``needs`` when phases of ``kinds`` began."""
        return Contacts(self, needs, kinds)

    @remembered
    def table_at(self, index: int) -> Situation:
        """The table just before the step of an event."""
        found = Situation(self.game, self.history.timeline)
        if index:
            found.advance_before(self.history.timeline.step_of(index))
        return found

    @remembered
    def sharing(self, marker: str, index: int) -> frozenset[str]:
        """The units that may have a marker with a number, at an event that begins a phase, and are stacked
        with a possible friend that may also have one."""
        units = (unit for unit in self.game.units.values() if unit.kind == "unit")
        tops = ((unit, self.history.value(unit.id, marker, index).high) for unit in units)
        marked = [unit for unit, most in tops if most is None or most > 0]
        if len(marked) < 2:
            return frozenset()
        table, names = self.table_at(index), {unit.id for unit in marked}
        return frozenset(
            unit.id
            for unit in marked
            for other in names.intersection(perhaps_with(table, unit.id))
            if self.may_be_friends(unit, other)
        )

    def may_be_one(self, unit: Unit, values: tuple[str, ...]) -> bool:
        """Whether a unit is, or may be, of one of the classes ``values``."""
        return unit.id in self.may_be("class", values)

    def may_be_friends(self, unit: Unit, other: str) -> bool:
        return is_friend(self.game, unit.side, self.game.units[other].side) is not False

    @cached_property
    def keeps_way(self) -> bool:
        """Whether the way by which a mover came to a hex matters for its next step."""
        return self.declared.keeps_way(self)

    @cached_property
    def interpretations(self) -> tuple[ClauseFunction, ...]:
        """The clauses for what else a drag may have been."""
        return tuple(c for c in self.clauses_in_force if c.kind in ("drag", "choice"))

    def edges_of(self, board: Board) -> Edges:
        """The edges of a board; those of the last board are cached."""
        found = self.memo.get("edges")
        if found is None or found.board is not board:
            found = self.memo["edges"] = self._edges_of(board)
        return found

    def _edges_of(self, board: Board) -> Edges:
        bases: list[Edges] = self.common.setdefault("edges", [])
        numbers = self.common.setdefault("numbers", {})
        for base in bases:
            differing = unlike(base.board, board)
            if differing is not None and len(differing) * 2 < len(board.hexes):
                return Edges(board, numbers, base, differing)
        found = Edges(board, numbers, None, frozenset(board.hexes if bases else ()))
        if len(bases) < MOST_BASES:
            bases.append(found)
        return found

    # -- movers ------------------------------------------------------------------------------------

    def again(self, game: Game, made: Callable[[Game], RulesInForce]) -> RulesInForce:
        """The rules for another game. They share all results that depend only on places if rules and
        conditions are the same, else the edges of the board. See :class:`~..on_boards.Reusable`."""
        moved = self.far_lines and game.board is not self.game.board
        if _alike(game, self.game) and not moved:
            read = as_listed(game, self.tables, self.declared)
            same = replace(self, game=read, history=self.declared.history(read), memo={})
            if same.lying == self.lying:
                return same
        other = made(game)
        if not moved and isinstance(other, Rules):
            other.common.update((key, self.common[key]) for key in OF_EDGES if key in self.common)
        return other

    @cached_property
    def lying(self) -> tuple[bool, bool, bool]:
        """The data about things in hexes that every clause about steps reads."""
        return self.objects.any, self.objects.drawn_alone, bool(self.clearers)

    def on(self, game: Game) -> Self:
        """The same rules for the same game with its board at another time. They share ``common``, the results
        that depend only on places; there are none if lines affect moves far from them."""
        common = {} if self.far_lines else self.common
        return replace(self, game=game, memo={}, common=common)

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """See :class:`~..ruleset.RulesInForce`."""
        return scenarios(self, unit, circumstances)

    # -- the rest of RulesInForce ------------------------------------------------------------------

    @property
    def stacking(self) -> StackingRule | None:
        """The limit that the audit checks; None if only units that ended their move in a hex count."""
        return None if self.declared.ended_there is not None else self.limit

    @property
    def limit(self) -> StackingRule | None:
        """The limit of what a hex may hold."""
        return self.declared.stacking(self)

    @cached_property
    def order(self) -> OrderRule:
        return self.declared.ranks(self)

    def entered(self, unit: str, event: int) -> Amount | None:
        """See :class:`~..ruleset.Entries`."""
        return self.declared.entered(self, unit, event)

    def allowed_facts(self) -> AllowedFacts:
        """The attributes and conditions that facts may set, with their values, including names of the
        game."""
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
        """See :class:`~..ruleset.PhaseCheck`."""
        every = (*findings_of_phases(self, tracks), *self.declared.whole(self, tracks))
        stacks = stacks_of_movers(self, tracks)
        return (*accused_once(every), *stacks, *findings_of_acts(self, tracks))


def _alike(one: Game, other: Game) -> bool:
    """Whether two games have the same rules, sides and conditions."""
    return (one.rules, one.sides, one.relations, one.conditions) == (
        other.rules,
        other.sides,
        other.relations,
        other.conditions,
    )
