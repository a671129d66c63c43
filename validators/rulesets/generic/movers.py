"""The movers of ``generic``: scenarios of a unit, its class, its budget, prohibitions to move at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from ....model.bill import Amount
from ....model.fact import UNKNOWN, Fact, MissingFact, known
from ....model.game import Game
from ....model.unit import Unit
from ... import changed_cells
from ...allowance import hull, run
from ...allowed_facts import number_in
from ...answers import answer
from ...concepts.charts import class_cost
from ...concepts.completions import Facts, completions, gather
from ...concepts.logic import both, negation
from ...concepts.requirements import FORM, question, unmet
from ...concepts.zones import Zones
from ...cost_interval import optional
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    Mover,
    Policy,
    Scenario,
    Situation,
    WeightedFact,
    World,
    all_met,
)
from ...situation import Situation as GameSituation
from ...timeline import Timeline, either
from .arrival import Arrival, coming, ever, hex_of, spent_entering
from .entering import CLAUSE as ENTERING
from .lacks import with_lacks
from .movement_graph import SUBJECT_TO_ZOC, Asked, TableMovementGraph
from .reach import ByClass, classes_of
from .step_rules import Applied
from .tables import Tables
from .terrain_graph import Extra, TableTerrainGraph
from .zones import AHEAD, TableZones, went_ahead

OTHER_SURCHARGE = "a surcharge that is not told"
ANOTHER_CLASS = "another class"


@dataclass(frozen=True, slots=True, eq=False)
class GenericMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[WeightedFact, ...]
    terrain_graph: TableTerrainGraph
    zones: Zones
    subject_to_zoc: tuple[bool | None, ...]
    along: tuple[bool | None, ...]
    asked: Asked

    def graph(self, world: World) -> TableMovementGraph:
        """The movement graph of this mover in one world."""
        return TableMovementGraph(
            self.terrain_graph, self.zones, self.subject_to_zoc, self.along, self.asked, world
        )


class MoverFactory:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._game = game
        self._tables = tables
        self._terrain_graphs: dict[tuple[object, ...], TableTerrainGraph] = {}
        self._needed = tuple(dict.fromkeys(_attributes(tables)))
        self._timeline: Timeline | None = None
        self._zones: tuple[Circumstances, dict[str | None, TableZones]] | None = None
        self._like: tuple[MoverFactory, frozenset[str]] | None = None

    def on(self, game: Game) -> Self:
        """A factory with the same tables for the game on another of its boards. It shares the terrain graphs
        of this one as far as the boards are alike."""
        found = self.anew(game)
        unlike = changed_cells.unlike(self._game.board, game.board)
        if unlike is not None:
            found._like = (self, unlike)
        return found

    def anew(self, game: Game) -> Self:
        """A factory with the same tables for another game."""
        return type(self)(game, self._tables)

    def terrain_graph(
        self,
        classes: tuple[str, ...],
        extras: tuple[Extra, ...] = (),
        applied: tuple[Applied, ...] = (),
    ) -> TableTerrainGraph:
        """The terrain graph for a mover of one of ``classes`` with these surcharges and rules, built once."""
        key = (classes, extras, tuple((rule.number, holds) for rule, holds in applied))
        terrain_graph = self._terrain_graphs.get(key)
        if terrain_graph is None:
            board, tables = self._game.board, self._tables
            terrain_graph = self._terrain_graphs[key] = TableTerrainGraph(
                board, tables, classes, extras, applied
            )
            if self._like is not None:
                like, unlike = self._like
                terrain_graph.share(like.terrain_graph(classes, extras, applied), unlike)
        return terrain_graph

    def applied(self, facts: Facts) -> tuple[Applied, ...]:
        """The rules about certain steps that apply, or may apply, to a mover with these facts."""
        found = (Applied(r, all_met(r.requirements, facts)) for r in self._tables.steps)
        return tuple(one for one in found if one.holds is not False)

    def zones(self, circumstances: Circumstances, side: str | None) -> TableZones:
        """Enemies of ``side``; one value is shared by all units of a move."""
        if self._zones is None or self._zones[0] is not circumstances:
            self._zones = (circumstances, {})
        by_side = self._zones[1]
        if side not in by_side:
            by_side[side] = self._look_out(circumstances, side)
        return by_side[side]

    def _look_out(self, circumstances: Circumstances, side: str | None) -> TableZones:
        tables = self._tables
        reach = ByClass(tables, circumstances.situation, self)
        rules = [(z.zone, reach if z.not_into_prohibited else None) for z in tables.zocs]
        first, first_reach = rules[0] if rules else (None, None)
        return TableZones(
            circumstances,
            side,
            first,
            tables.enemy.barred_by if tables.enemy is not None else None,
            first_reach,
            further=tuple(
                Zones(circumstances, side, zone, None, own_reach) for zone, own_reach in rules[1:]
            ),
            friends=tables.friends,
        )

    def facts(self, unit: str, situation: Situation) -> Facts:
        """What is known of a unit that does not move: it has no movement form."""
        return {**gather(self._needed, unit, situation), FORM: known("")}

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """One scenario for each completion of those facts about the unit that the tables need."""
        whose = self._game.units[unit]
        facts = gather(self._needed, unit, circumstances.situation)
        zones = self.zones(circumstances, whose.side)
        found = []
        lacks = self._tables.lacks
        along, first = self._along(whose, zones, circumstances)
        arrival = self._arrival_in(whose, circumstances)
        for completed, assumptions in completions(whose, facts, self._options):
            by_form = [(form, {**completed, FORM: known(form)}) for form in circumstances.forms]
            movers = [
                (self._mover(whose, told, form, zones, along, first, circumstances), told)
                for form, told in by_form
            ]
            if arrival is not None:
                movers = [(arrival.moving_on(mover), told) for mover, told in movers]
            every: tuple[Mover, ...] = tuple(mover for mover, _ in movers)
            if lacks:
                every = with_lacks(movers, lacks, whose, circumstances)
            found.append(Scenario(every, assumptions))
        return tuple(found)

    def _options(self, about: str, fact: Fact) -> tuple[Fact, ...]:
        """The completions of a fact to enumerate; empty: its bounds are kept as bounds."""
        if about == self._tables.class_attribute and fact.options is None:
            other = () if self._tables.complete.has("classes") else (ANOTHER_CLASS,)
            return tuple(known(name) for name in (*self._tables.classes, *other))
        if about == self._tables.allowance_attribute or fact.options is None:
            return ()
        return tuple(known(option) for option in fact.options)

    def _along(
        self, unit: Unit, zones: TableZones, circumstances: Circumstances
    ) -> tuple[tuple[bool | None, ...], tuple[MissingFact, ...]]:
        """For each kind of friends, whether any move along with ``unit`` and enter hexes before it (None: not
        known); and the questions to ask about it."""
        along = zones.along(unit.id)
        if all(one is False for one in along):
            return along, ()
        move = circumstances.move
        asked = went_ahead(unit, move.steps[-1] if move is not None else None)
        ahead = answer(self._game, asked)
        said = tuple(both(one, negation(ahead)) for one in along)
        missing = [] if ahead is not None else [asked.unknown()]
        for kind, one in zip(self._tables.friends, along, strict=True):
            if one is None and ahead is not True:
                missing += zones.missing_of_along(unit.id, kind)
        return said, tuple(dict.fromkeys(missing))

    @property
    def _may_stop(self) -> bool:
        """Whether there are other rules than those of the tables by which units must stop."""
        return False

    def _time(self) -> Timeline:
        if self._timeline is None:
            self._timeline = Timeline(self._game)
        return self._timeline

    def _arrival(self, unit: Unit, event: int) -> Arrival | None:
        """How ``unit`` came onto the map in the phase, before the event with that index; None if it did not,
        or if that is not known."""
        if self._tables.entering is None:
            return None
        came = coming(self._game, self._time(), unit.id, event)
        if came is None:
            return None
        before = GameSituation(self._game, self._time())
        before.advance_before(self._time().step_of(came))
        circumstances = Circumstances(before, (unit.id,))
        zones = self._look_out(circumstances, unit.side)
        at = self._time().step_of(event)
        return Arrival(unit, hex_of(self._game, came), at, before, zones, self._may_stop)

    def _arrival_in(self, unit: Unit, circumstances: Circumstances) -> Arrival | None:
        """How ``unit`` came onto the map in the phase of a move; None also if the tables have no enemies and
        no stops."""
        tables, move = self._tables, circumstances.move
        stops = any(rule.stop for rule in tables.steps)
        matters = stops or self._may_stop or tables.zocs or tables.enemy is not None
        if move is None or not matters or ENTERING in tables.off:
            return None
        event = self._time().first_event(move.steps[0])
        return self._arrival(unit, event)

    def _mover(
        self,
        unit: Unit,
        facts: Facts,
        form: str,
        zones: TableZones,
        along: tuple[bool | None, ...],
        first: tuple[MissingFact, ...],
        circumstances: Circumstances,
    ) -> GenericMover:
        tables = self._tables
        classes = classes_of(tables, facts)
        complete = tables.complete
        more = complete.questions("surcharges") if "GEN-SURCHARGE" not in tables.off else ()
        extras = []
        asked: dict[str, tuple[MissingFact, ...]] = {AHEAD: first} if first else {}
        for surcharge in tables.surcharges:
            holds = complete.stated("surcharges", all_met(surcharge.requirements, facts))
            if holds is not False:
                cost = optional(class_cost(surcharge.cost, classes, tables.scale), holds)
                extras.append((cost, surcharge.on_roads, surcharge.reason))
            if holds is None:
                missing = unmet(unit, surcharge.requirements, facts)
                asked[surcharge.reason] = (
                    tuple(missing_fact.unknown for missing_fact in missing) + more
                )
        if more:
            extras.append((complete.absent("surcharges"), True, OTHER_SURCHARGE))
            asked[OTHER_SURCHARGE] = more
        applied = self.applied(facts)
        for rule, holds in applied:
            if holds is None:
                asked[rule.key] = tuple(d.unknown for d in unmet(unit, rule.requirements, facts))
        subject_to_zoc = tuple(all_met(zoc.felt_by, facts) for zoc in tables.zocs)
        for number, zoc in enumerate(tables.zocs):
            if subject_to_zoc[number] is None:
                told = tuple(d.unknown for d in unmet(unit, zoc.felt_by, facts))
                asked[f"{SUBJECT_TO_ZOC} {number}"] = told
        amount, in_doubt, stages = self._allowance(unit, facts, classes)
        barred, maybe = self._barred(unit, facts, amount, in_doubt)
        cite = tables.citations.of
        policy = Policy(cite("GEN-MINIMUM") if tables.minimum_move else "")
        limit = amount if tables.limited else None
        counted = "hexes" if tables.hexes else "MP"
        budget = Budget(
            limit, cite("GEN-ALLOWANCE"), counted, policy, stages, in_doubt, entering=cite(ENTERING)
        )
        return GenericMover(
            form,
            budget,
            barred,
            maybe,
            self.terrain_graph(classes, tuple(extras), applied),
            zones,
            subject_to_zoc,
            along,
            asked,
        )

    def entered(self, unit: str, event: int) -> Amount | None:
        """What ``unit`` had spent on coming onto the map, in MP (1 if hexes are counted), before the event
        with that index; None: not known."""
        tables, game = self._tables, self._game
        arrival = self._arrival(game.units[unit], event)
        if tables.entering is None or arrival is None:
            return None
        if tables.hexes and tables.entering.hex is not None:
            return Amount.exactly(1)
        facts = {**gather(self._needed, unit, arrival.situation), FORM: UNKNOWN}
        if tables.class_attribute:
            facts[tables.class_attribute] = either(ever(game, unit, tables.class_attribute))
        no_friends = tuple(False for _ in tables.friends)
        circumstances = Circumstances(arrival.situation, (unit,))
        mover = self._mover(arrival.unit, facts, "", arrival.zones, no_friends, (), circumstances)
        terrain_graph = self.terrain_graph(mover.terrain_graph.classes)
        enemies = arrival.cost_of_enemies(mover)
        return spent_entering(tables.entering, terrain_graph, arrival.name, enemies)

    def _allowance(
        self, unit: Unit, facts: Facts, classes: tuple[str, ...]
    ) -> tuple[Amount, tuple[WeightedFact, ...], tuple[tuple[str, str], ...]]:
        tables = self._tables
        unsaid = tuple(WeightedFact(q) for q in tables.complete.questions("allowance"))
        amount = self._printed(facts, classes)
        applied = [(stage, all_met(needs, facts)) for stage, needs in tables.stages]
        # Of a chart that is not whole the last modifier, or a condition of one, may be missing.
        result = Amount(Fraction(0), None) if unsaid else run(amount, applied)
        missing = list(unsaid)
        if not unsaid and not result.is_exact:
            if not amount.is_exact:
                about = tables.allowance_attribute or tables.class_attribute
                missing.append(WeightedFact(question(unit, about)))
            for (_, needs), (_, applies) in zip(tables.stages, applied, strict=True):
                if applies is None:
                    missing += unmet(unit, needs, facts)
        reasons = [(s.reason or f"{s.op} {s.value}", applies) for s, applies in applied]
        stages = tuple(
            (tables.citations.of("GEN-MODIFIER"), r if a else f"perhaps {r}")
            for r, a in reasons
            if a is not False
        )
        return result, tuple(missing), stages

    def _printed(self, facts: Facts, classes: tuple[str, ...]) -> Amount:
        tables = self._tables
        zero = Fraction(0)
        if tables.allowance_attribute:
            fact = facts[tables.allowance_attribute]
            if not _is_word(fact) or not tables.by_class:
                fact = _in_numbers(fact)
                high = None if fact.high is None else max(zero, fact.high)
                return Amount(max(zero, fact.low or zero), high)
        amounts = [
            Amount.exactly(tables.by_class[c]) if c in tables.by_class else Amount(zero, None)
            for c in classes
        ]
        result = amounts[0]
        for amount in amounts[1:]:
            result = hull(result, amount)
        return result

    def _barred(
        self, unit: Unit, facts: Facts, amount: Amount, missing: tuple[WeightedFact, ...]
    ) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
        tables = self._tables
        breaches, maybe = [], list[WeightedFact]()
        immobile = tables.citations.of("GEN-IMMOBILE")
        if tables.limited and tables.immobile_at_zero and amount.lo == 0:
            if amount.hi == 0:
                breaches.append(Breach(immobile, "has a movement allowance of 0", ""))
            else:
                maybe += missing
        if tables.immobile_at_zero:
            maybe += (WeightedFact(q) for q in tables.complete.questions("allowance"))
        for reason, needs in tables.immobile:
            applies = tables.complete.stated("allowance", all_met(needs, facts))
            if applies:
                breaches.append(Breach(immobile, reason, ""))
            elif applies is None:
                maybe += unmet(unit, needs, facts)
        return tuple(breaches), tuple(maybe)


def _is_word(fact: Fact) -> bool:
    """Whether an allowance is a word such as "-": then the unit's class tells it. What has digits in it is
    a number, or not known."""
    return isinstance(fact.value, str) and not any(map(str.isdigit, fact.value))


def _in_numbers(fact: Fact) -> Fact:
    """``fact`` with numbers for those of its values that are numbers written as text."""
    if fact.options is None:
        return fact
    read = ((one, number_in(one) if isinstance(one, str) else None) for one in fact.options)
    return replace(fact, options=tuple(one if number is None else number for one, number in read))


def _attributes(tables: Tables) -> Iterator[str]:
    """Every attribute and condition that the tables need to know about a mover."""
    if tables.class_attribute:
        yield tables.class_attribute
    if tables.allowance_attribute:
        yield tables.allowance_attribute
    groups = [needs for _, needs in (*tables.stages, *tables.immobile)]
    groups += [s.requirements for s in tables.surcharges]
    groups += [rule.requirements for rule in tables.steps]
    groups += [lack.requirements for lack in tables.lacks]
    groups += [zoc.felt_by for zoc in tables.zocs]
    for needs in groups:
        yield from (need.attribute for need in needs if need.attribute != FORM)
