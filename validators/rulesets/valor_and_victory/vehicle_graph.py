"""The movement graph of AFVs and vehicles. They move ahead or in reverse, may turn once in each hex that they
enter, and AFVs may overrun.

The tag of a vehicle is a :class:`Drive`: the facing, whether the turn in this hex is used up, and how many of
the sightings have been reached. A sighting is reached only when the vehicle has had all the facings seen
there; until then its steps are ``passing``. A plain int stands for a Drive of which only the facing matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from ....model.bill import Amount, Charge
from ....model.hexgrid import direction
from ...answers import answer
from ...concepts import logic, missing_facts
from ...concepts.hex_entries import CostItem
from ...concepts.zones import Zones
from ...cost_interval import BARRED, CostInterval, adverse_steps, favourable_steps, total
from ...ruleset import START, Breach, CostBreakdown, Requirement, Step, Tag, WeightedFact, World
from . import ruleset_facts
from .carrying import Tow
from .foot_graph import enemy_cost_item
from .lanes import HEXSIDES, TURNING, Lanes, Part, reverse, sides_between, turning
from .sightings import Course
from .tables import AFV
from .terrain_graph import VvTerrainGraph

Stage = Literal["", "overrun", "backing", "through"]
"""Where the vehicle is in an overrun: "overrun": in the hex that it overruns; "backing": the same, entered in
reverse (the rules do not say whether it may); "through": in the exit hex; '': in none."""


class Drive(NamedTuple):
    """The state of a vehicle on its way. ``turned``: the turn in this hex is used up. ``started``: it has
    left its first hex; before that it may not turn. ``met``: the number of sightings
    reached. ``facings``: the number of facings reached of the next sighting."""

    facing: int
    turned: bool
    met: int
    facings: int
    stage: Stage = ""
    started: bool = True


@dataclass(frozen=True, slots=True)
class VehicleState:
    """Everything about a vehicle that its steps depend on. ``advance``: it advances (5.35). ``goes_on``: it
    need not end in the hex where it is seen last."""

    column: str
    course: Course
    towing: Tow
    advance: bool
    goes_on: bool


@dataclass(eq=False)
class VehicleMovementGraph:
    """See :class:`~...ruleset.MovementGraph`."""

    terrain_graph: VvTerrainGraph
    zones: Zones
    world: World
    vehicle: VehicleState
    lanes: Lanes
    _steps: dict[tuple[str, Tag], tuple[Step, ...]] = field(default_factory=dict)

    @property
    def least(self) -> int:
        return self.terrain_graph.least

    def may_be_closed(self, hex_name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`."""
        return self.terrain_graph.may_be_closed(hex_name)

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The legal steps from a hex in this world."""
        found = self._steps.get((hex_name, tag))
        if found is None:
            found = self._quick(hex_name, tag, self.lanes.out_of) or tuple(
                self._legal(hex_name, tag)
            )
            self._steps[hex_name, tag] = found
        return found

    def _quick(
        self, here: str, tag: Tag, out_of: Callable[[str, int], tuple[Step, ...]]
    ) -> tuple[Step, ...] | None:
        """The steps of ``out_of``, if only terrain matters here: no enemies are near, the turn is not used
        up, and the next sighting is not in this hex. Else None."""
        if tag is START or not self._plain:
            return None
        drive = self._drives(here, tag)[0]
        sightings = self.vehicle.course.sightings
        awaited = sightings[drive.met].hex if drive.met < len(sightings) else ""
        if drive.turned or drive.stage or here == awaited:
            return None
        known, look, near = self.zones.known, self.zones.at, False
        for to in self.terrain_graph.board.neighbours(here):
            if (known.get(to) or look(to)).enemy is not False:
                return None
            near = near or to == awaited
        base = out_of(here, drive.facing)
        if isinstance(tag, int) and not near:
            return base
        return tuple(self._aware(step, drive) for step in base)

    def _aware(self, step: Step, drive: Drive) -> Step:
        """``step`` with the tag and ``passing`` that record the sightings reached."""
        assert isinstance(step.tag, int)
        after = drive._replace(facing=step.tag)
        arrived = self._arrive(step.to, after, ())
        return step._replace(tag=self._short(arrived.tag), passing=arrived.passing)

    @property
    def _plain(self) -> bool:
        """Whether turns follow 6.5 and 7.2: the vehicle does not advance, and no clause about them is
        switched off."""
        applies = self.terrain_graph.tables.applies
        return not self.vehicle.advance and applies("6.5-a") and applies("7.2-b")

    def _legal(self, here: str, tag: Tag) -> Iterator[Step]:
        """The legal steps, computed in full."""
        opened = favourable_steps if self.world == "favourable" else adverse_steps
        for drive in self._drives(here, tag):
            for plain in self._every(here, drive, tag, legal=True):
                if plain.breaks:
                    continue
                part: Part = plain.entry
                cost = total(cost_item.cost for cost_item in part.cost_items)
                for step in opened(plain.to, cost, self._short(plain.tag), part, plain.stops):
                    yield step._replace(passing=plain.passing)

    def _short(self, tag: Tag) -> Tag:
        """``tag``, or the facing alone if nothing else in it matters. It keeps the number of labels small."""
        if self._plain and isinstance(tag, Drive):
            rest = tag.turned or tag.met or tag.facings or tag.stage or not tag.started
            return tag if rest else tag.facing
        return tag

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """All steps, legal or not, each with the prohibitions that it breaks. Costs are those of the
        favourable world."""
        quick = self._quick(hex_name, tag, self.lanes.edges_with_violations)
        if quick is not None:
            return quick
        found: list[Step] = []
        for drive in self._drives(hex_name, tag):
            for plain in self._every(hex_name, drive, tag):
                part: Part = plain.entry
                breaks = [*plain.breaks]
                for cost_item in part.cost_items:
                    if cost_item.cost.barred is True:
                        breaks.append(
                            Breach(cost_item.bar_clause, cost_item.text, plain.to, hex_name)
                        )
                cost = total(t.cost for t in part.cost_items if t.cost.barred is not True)
                after = self._short(plain.tag)
                for step in favourable_steps(plain.to, cost, after, part, plain.stops):
                    found.append(step._replace(breaks=tuple(breaks), passing=plain.passing))
        return found

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """The charges of a step, and the facts missing to make them exact. A turn is charged in the hex where
        the step begins."""
        part: Part = step.entry
        charges: list[Charge] = []
        missing: list[WeightedFact] = []
        for cost_item in part.cost_items:
            cost = cost_item.cost
            if cost.barred is not True and (cost.lo or cost.hi != 0):
                hi = None if cost.hi is None else self._mp(cost.hi)
                amount = Amount(self._mp(cost.lo), hi)
                place = hex_name if cost_item.clause == TURNING else step.to
                charges.append(Charge(place, amount, cost_item.clause, cost_item.reason, hex_name))
            if not cost.is_exact:
                open_end = cost.barred is None or cost.hi is None
                weight = None if open_end else self._mp((cost.hi or 0) - cost.lo)
                missing += self._missing(cost_item, weight, step.to)
        return CostBreakdown(tuple(charges), tuple(missing))

    def _missing(
        self, cost_item: CostItem, weight: Fraction | None, to: str
    ) -> Iterator[WeightedFact]:
        if cost_item.about in (("enemy",), ("overrun",)):
            also = _ARMORED if cost_item.about == ("overrun",) else ()
            yield from (
                WeightedFact(unknown, weight) for unknown in self.zones.missing_in(to, also)
            )
            if cost_item.about == ("overrun",):
                yield from (
                    WeightedFact(unknown, weight) for unknown in self.vehicle.towing.missing
                )
            if (
                cost_item.about == ("overrun",)
                and self.terrain_graph.has(self.terrain_graph.board.hexes[to], self._shut) is None
            ):
                yield WeightedFact(
                    missing_facts.of_board(
                        self.terrain_graph.asked_of(self.terrain_graph.board.hexes[to]),
                        self.terrain_graph.who,
                    ),
                    weight,
                )
        else:
            yield WeightedFact(
                ruleset_facts.of(
                    cost_item.about, self.terrain_graph.who, self.terrain_graph.column
                ),
                weight,
            )

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self.terrain_graph.scale)

    def _drives(self, hex_name: str, tag: Tag) -> tuple[Drive, ...]:
        """The states that a tag stands for. At the start there is one for each possible facing."""
        if isinstance(tag, Drive):
            return (tag,)
        if isinstance(tag, int):
            return (Drive(tag, False, 0, 0),)
        assert tag is START
        known = self.vehicle.course.facing
        facings = HEXSIDES if known is None else (known,)
        return tuple(self._seen(hex_name, Drive(f, True, 0, 0, "", False)) for f in facings)

    def _seen(self, name: str, drive: Drive) -> Drive:
        """``drive`` after the vehicle is in a hex with its facing: if the next sighting is in that hex, its
        facings reached are counted, and the sighting itself once all are."""
        sightings = self.vehicle.course.sightings
        if drive.met >= len(sightings) or sightings[drive.met].hex != name:
            return drive
        facings, count = sightings[drive.met].facings, drive.facings
        if count < len(facings) and facings[count] == drive.facing:
            count += 1
        if count < len(facings):
            return drive._replace(facings=count)
        return drive._replace(met=drive.met + 1, facings=0)

    def _arrive(
        self, to: str, drive: Drive, cost_items: tuple[CostItem, ...], **more: object
    ) -> Step:
        """A step into ``to`` after which the vehicle is in ``drive``."""
        after = self._seen(to, drive)
        last = len(self.vehicle.course.sightings)
        passing = after.met == drive.met
        if drive.stage in _OVERRUNNING and after.met >= last and not self.vehicle.goes_on:
            after, passing = drive, True  # it may not end in the hex that it overruns
        return Step(to, 0, after, entry=Part(cost_items), passing=passing, **more)  # type: ignore[arg-type]

    def _every(self, here: str, drive: Drive, tag: Tag, *, legal: bool = False) -> Iterator[Step]:
        """Every step, legal or not, each with the prohibitions of movement that it breaks. The costs are in
        the cost items of its :class:`.Part`. ``legal``: leave out steps to the side, which are never
        legal."""
        if drive.stage in _OVERRUNNING:
            yield from self._out_of_overrun(here, drive)
            return
        yield from self._turns(here, drive)
        every = not legal or not self.terrain_graph.tables.applies("7.2-b")
        for to in self.terrain_graph.board.neighbours(here):
            way = self._towards(here, to)
            if every or way is None or (way - drive.facing) % 3 == 0:
                yield from self._ahead_or_back(here, to, drive, tag)

    def _towards(self, here: str, to: str) -> int | None:
        hexes = self.terrain_graph.board.hexes
        return direction(hexes[here].at, hexes[to].at)

    def _ahead_or_back(self, here: str, to: str, drive: Drive, tag: Tag) -> Iterator[Step]:
        way = self._towards(here, to)
        ahead, back = way == drive.facing, way == (drive.facing + 3) % 6
        if way is None:  # a link of the board: which hexside it crosses is not known
            ahead = back = True
        breaks: tuple[Breach, ...] = ()
        if not ahead and not back and self.terrain_graph.tables.applies("7.2-b"):
            if tag is START and self.vehicle.course.shown is not None:
                return  # the log shows that it turned first; that breach explains the move
            text = "leaves a hex neither ahead nor in reverse"
            breaks = (Breach("VV-7.2-b", text, to, here),)
        after = drive._replace(facing=drive.facing, turned=False, stage="", started=True)
        cost_items = (*self.terrain_graph.between(here, to).cost_items, *self._enemies(to))
        if back and not ahead:
            cost_items = (*cost_items, *reverse(cost_items, self.terrain_graph))
        if not self._is_run_over(to):
            yield self._arrive(to, after, cost_items, breaks=breaks)
        if tag is START and not breaks and self.terrain_graph.tables.applies("6.5-b"):
            entered = self._seen(to, after)
            for side in (1, 5):  # a minimum move is one step with its free turn
                if entered.met == after.met:
                    facing = (drive.facing + side) % 6
                    yield self._arrive(to, entered._replace(facing=facing, turned=True), cost_items)
        if ahead or (back and self.world == "favourable"):
            yield from self._into_overrun(
                here, to, drive, cost_items, "overrun" if ahead else "backing"
            )
        elif breaks:
            for step in self._into_overrun(here, to, drive, cost_items, "overrun"):
                yield step._replace(breaks=(*breaks, *step.breaks))

    def _is_run_over(self, to: str) -> bool:
        """Whether a hex certainly has enemies and the move does not end there, so that the vehicle can only
        have overrun it."""
        tables = self.terrain_graph.tables
        sightings = self.vehicle.course.sightings
        if self.vehicle.advance or not sightings or sightings[-1].hex == to:
            return False
        prohibitions = tables.applies("6.8-a") and tables.applies("20.3-b")
        return prohibitions and self.zones.at(to).enemy is True

    def _enemies(self, to: str) -> Iterator[CostItem]:
        there = self.zones.at(to)
        if there.enemy is not False:
            text = "enters a hex with enemy units without an overrun"
            cost_item = enemy_cost_item(self.terrain_graph, there, to, text)
            if cost_item is not None:
                yield cost_item

    def _turns(self, here: str, drive: Drive) -> Iterator[Step]:
        """The steps that turn in a hex: one turn in each hex entered, none before the first step."""
        tables = self.terrain_graph.tables
        shown = self.vehicle.course.shown
        for facing in HEXSIDES:
            sides = sides_between(facing, drive.facing)
            if not sides:
                continue
            breaks: tuple[Breach, ...] = ()
            if not drive.started:
                if self._on_the_spot():
                    if facing != shown:
                        continue
                    breaks = (self._first_turned(here),)
            elif drive.turned and drive.stage != "through" and tables.applies("6.5-a"):
                text = f"turns more than once in {here}"
                breaks = (Breach("VV-6.5-a", text, here, here),)
            if self.vehicle.advance and sides > 1 and tables.applies("7.3-b") and not breaks:
                text = "turns by more than one hexside in its advance"
                breaks = (Breach("VV-7.3-b", text, here, here),)
            cost_items = () if self.vehicle.advance else turning(sides, self.terrain_graph)
            after = drive._replace(facing=facing, turned=True)
            yield self._arrive(here, after, cost_items, breaks=breaks)

    def _on_the_spot(self) -> bool:
        """Whether a turn before the first step is prohibited."""
        return self.terrain_graph.tables.applies("7.3-b" if self.vehicle.advance else "7.3-a")

    def _first_turned(self, here: str) -> Breach:
        clause = "VV-7.3-b" if self.vehicle.advance else "VV-7.3-a"
        return Breach(clause, "turns in its hex and moves all the same", here, here)

    def _into_overrun(
        self, here: str, to: str, drive: Drive, cost_items: tuple[CostItem, ...], stage: Stage
    ) -> Iterator[Step]:
        """The step into a hex with enemies that the vehicle overruns (19.1); nothing if it has none, or if
        the vehicle advances or is in an overrun already."""
        there = self.zones.at(to)
        if self.vehicle.advance or there.enemy is False or drive.stage:
            return
        entering = tuple(t for t in cost_items if t.about != ("enemy",))
        parts = self.terrain_graph.tables.overrun * self.terrain_graph.scale
        due = parts if self.terrain_graph.tables.applies("19.3-b") else 0
        cost = CostInterval(due, due)
        surcharge = CostItem(cost, "VV-19.3-b", "overrun", about=("overrun",))
        may = self._may_overrun(to)
        if there.enemy is None:
            may = logic.both(may, None)
        text = "overruns where it may not"
        bar = BARRED if may is False else CostInterval(0, 0, False if may else None)
        barred = CostItem(bar, "VV-19.1-a", text, "VV-19.1-a", text, ("overrun",))
        after = drive._replace(turned=True, stage=stage, started=True)
        found = self._arrive(to, after, (*entering, surcharge, barred))
        if not found.passing and self.vehicle.goes_on:
            text = "stays in the hex it overruns"
            told = answer(self.terrain_graph.game, ruleset_facts.stays(to))
            cost = BARRED if told else CostInterval(0, 0, None if told is None else False)
            stays = CostItem(cost, "VV-19.3-a", text, "VV-19.3-a", text, ("overrun on", to))
            found = found._replace(entry=Part((*entering, surcharge, barred, stays)))
        yield found

    def _may_overrun(self, to: str) -> bool | None:
        """Whether the vehicle may overrun the enemies in a hex; None if not known."""
        terrain_graph, vehicle = self.terrain_graph, self.vehicle
        if not terrain_graph.tables.applies("19.1-a"):
            return True
        if vehicle.column != AFV:
            return False
        target = terrain_graph.board.hexes[to]
        armored = self.zones.enemy_who(to, _ARMORED)
        return logic.every(
            (
                logic.negation(vehicle.towing.gun),
                logic.negation(terrain_graph.has(target, self._shut)),
                logic.negation(armored),
            )
        )

    @property
    def _shut(self) -> frozenset[str]:
        """The terrains and features of hexes that are never overrun."""
        return frozenset(("building", *self.terrain_graph.tables.works.bunkers))

    def _out_of_overrun(self, here: str, drive: Drive) -> Iterator[Step]:
        """The steps out of a hex that was overrun, into the hex opposite, where the vehicle stops."""
        tables = self.terrain_graph.tables
        for to in self.terrain_graph.board.neighbours(here):
            way = self._towards(here, to)
            breaks: tuple[Breach, ...] = ()
            backing = drive.stage == "backing"
            straight = way == (drive.facing + 3 * backing) % 6 or way is None
            if not straight and tables.applies("19.3-a"):
                text = "leaves the hex it overran otherwise than straight ahead"
                breaks = (Breach("VV-19.3-a", text, to, here),)
            cost_items = (*self.terrain_graph.between(here, to).cost_items, *self._enemies(to))
            if backing and straight:
                cost_items = (*cost_items, *reverse(cost_items, self.terrain_graph))
            held = tables.applies("19.4-a")
            after = drive._replace(turned=held, stage="through" if held else "")
            stops = _after_overrun(to, here) if held else None
            yield self._arrive(to, after, cost_items, breaks=breaks, stops=stops)
        if tables.applies("19.3-a"):
            text = "turns in the hex it overruns"
            for facing in HEXSIDES:
                if facing != drive.facing:
                    breaks = (Breach("VV-19.3-a", text, here, here),)
                    yield self._arrive(here, drive._replace(facing=facing), (), breaks=breaks)


_OVERRUNNING = ("overrun", "backing")
_ARMORED = (Requirement("class", (AFV,)),)


def _after_overrun(to: str, here: str) -> Breach:
    return Breach("VV-19.4-a", "goes on or turns after an overrun", to, here)
