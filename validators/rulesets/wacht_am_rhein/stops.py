"""Where enemies make a unit stop (5.3.1), and what moving next to them costs (5.3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....model.board import edge
from ...concepts import logic
from ...cost_interval import FREE, CostInterval, optional, union
from .neighbourhood import Neighbourhood
from .tables import FORTIFICATION, WEST_WALL
from .terrain_graph import WarTerrainGraph
from .units import FIELDWORKS

TWO = Fraction(2)


class Contact:
    """The effects of adjacent enemies on a mover. ``allied``: whether it is American or British, None if
    not known."""

    def __init__(
        self, neighbourhood: Neighbourhood, terrain_graph: WarTerrainGraph, allied: bool | None
    ) -> None:
        self.neighbourhood, self.terrain_graph, self.allied = neighbourhood, terrain_graph, allied
        self.tables, self.units = neighbourhood.tables, neighbourhood.units
        self._guns: tuple[tuple[str, str, bool | None], ...] | None = None
        self._enemies_enough: dict[str, bool | None] = {}
        self._stops: dict[tuple[str, frozenset[str]], tuple[tuple[str, bool | None], ...]] = {}

    def stops(self, to: str, ignored: frozenset[str]) -> tuple[tuple[str, bool | None], ...]:
        """The clauses by which a mover must stop in the hex ``to`` (True) or may have to (None).
        ``ignored``: the enemy hexes that do not count, because it has overrun them."""
        found = self._stops.get((to, ignored))
        if found is None:
            found = self._stops[to, ignored] = tuple(self._find_stops(to, ignored))
        return found

    def _find_stops(self, to: str, ignored: frozenset[str]) -> Iterator[tuple[str, bool | None]]:
        """As :meth:`stops`, computed without the cache."""
        tests = (
            ("5.3.1-c", self._in_works),
            ("5.3.1-a", self._shelled),
            ("5.3.1-b", self._aimed_at),
        )
        near = [name for name in self.neighbourhood.board.neighbours(to) if name not in ignored]
        held = [name for name in near if self.neighbourhood.opponents(name)]
        strong = [(name, enough) for name in held if (enough := self._enough(name)) is not False]
        if not strong:
            return
        for clause, test in tests:
            if not self.tables.applies(clause):
                continue
            answers = [logic.both(enough, test(to, name)) for name, enough in strong]
            if (answer := logic.some(answers)) is not False:
                yield f"WAR-{clause}", answer

    def _enough(self, near: str) -> bool | None:
        """Whether a hex holds two enemy strength points; None if it may."""
        if near not in self._enemies_enough:
            self._enemies_enough[near] = self._add_up(near)
        return self._enemies_enough[near]

    def _add_up(self, near: str) -> bool | None:
        if not self.tables.applies("5.3.1-0"):
            return self.neighbourhood.occupied(near)
        low, high = self.neighbourhood.points(near)
        return True if low >= TWO else False if high is not None and high < TWO else None

    def _in_works(self, _to: str, near: str) -> bool | None:
        """Whether the enemies in ``near`` are in works, by the board or by their attribute (5.3.1-c); None if
        they may be."""
        every = self.neighbourhood.board.completions(near, (FORTIFICATION, WEST_WALL))
        if not self.neighbourhood.board.hex_known(near) and every[0].terrain is None:
            return None
        answers = {self._in_works_of(near, one.features) for one in every}
        return answers.pop() if len(answers) == 1 else None

    def _in_works_of(self, near: str, features: tuple[str, ...]) -> bool | None:
        if FORTIFICATION in features:
            return True
        # The text does not say whether the West Wall shelters units other than German ones.
        if WEST_WALL in features:
            held = (
                self.units.has(u, "nation", "german") for u, _ in self.neighbourhood.opponents(near)
            )
            return logic.every(held) or self.tables.says("west_wall_shelter")
        counted = [
            u for u, _ in self.neighbourhood.opponents(near) if self.units.strength(u)[1] != 0
        ]
        answers = {self.units.fortified(unit) for unit in counted}
        return answers.pop() if len(answers) == 1 else None

    def _open_ground(self, hex_name: str) -> bool | None:
        """Whether a hex offers no Covering Terrain; None if not known."""
        covering = self.neighbourhood.covering(hex_name)
        if covering is True:
            return False
        if not self.may_be_night_cover:
            return logic.negation(covering)
        sure = (
            self.terrain_graph.traits.night is True and self.tables.reading("night_covers") == "yes"
        )
        return False if sure else None

    @property
    def may_be_night_cover(self) -> bool:
        """Whether it is, or may be, night, and no reading rules out that all terrain is Covering Terrain
        then (5.10.1-f)."""
        settled = self.tables.reading("night_covers") == "no" or not self.tables.applies("5.10.1-f")
        return self.terrain_graph.traits.night is not False and not settled

    def _read(self, entered: bool | None, enemy: bool | None) -> bool | None:
        """``entered`` or ``enemy``, by which hex the reading takes "the hex" of 5.3.1 to be. If the reading
        is open, their common value, or None if they differ."""
        match self.tables.reading("stop_hex"):
            case "entered":
                return entered
            case "enemy":
                return enemy
        return entered if entered == enemy else None

    def _shelled(self, to: str, near: str) -> bool | None:
        """Whether artillery of the formation or command of the enemies in ``near`` stops a mover in ``to``
        (5.3.1-a); None if it may."""
        answers = []
        for gun, at, sure in self.guns():
            shared = logic.some(
                logic.every([there, self._counts(unit), self.units.same_command(gun, unit)])
                for unit, there in self.neighbourhood.opponents(near)
            )
            entered, enemys = (
                logic.both(self._open_ground(name), self._in_range(gun, at, name))
                for name in (to, near)
            )
            answers.append(logic.every([sure, shared, self._read(entered, enemys)]))
        return logic.some(answers)

    def _counts(self, unit: str) -> bool | None:
        """Whether it has strength points that count for 5.3.1; None if it may."""
        low, high = self.units.strength(unit)
        return True if low > 0 else False if high == 0 else None

    def _in_range(self, gun: str, at: str, name: str) -> bool | None:
        hexes = self.neighbourhood.board.distance(at, name)
        if hexes is None:
            return None
        reach = self.units.fact(gun, "range")
        if reach.low is not None and reach.low >= hexes:
            return True
        return False if reach.high is not None and reach.high < hexes else None

    def guns(self) -> tuple[tuple[str, str, bool | None], ...]:
        """Enemy artillery with a red hexagon that is not depleted and can fire, as (unit, hex, True if
        certain or None). The text does not say whether artillery can fire while Out of Battery; a reading
        settles it."""
        if self._guns is None:
            self._guns = tuple(self._find_guns())
        return self._guns

    def _find_guns(self) -> Iterator[tuple[str, str, bool | None]]:
        neighbourhood, units = self.neighbourhood, self.units
        for unit in units.perhaps_guns:
            if units.is_a(unit, "artillery") is False:
                continue
            fit = logic.every(
                [
                    units.is_a(unit, "artillery"),
                    units.has(unit, "red"),
                    logic.negation(units.has(unit, "depleted")),
                    self._fires(unit),
                ]
            )
            place = neighbourhood.situation.where(unit)
            if fit is False or place.kind != "hex":
                continue
            for enemy, sure in neighbourhood.opponents(place.name):
                if enemy == unit:
                    yield unit, place.name, logic.both(sure, fit)

    def _fires(self, gun: str) -> bool | None:
        """Whether artillery can fire in its present battery state; None if that state or the reading is
        open."""
        in_battery = self.units.has(gun, "battery", "in")
        reading = self.tables.says("out_of_battery_fire")
        return True if reading or in_battery else in_battery if reading is False else None

    def _aimed_at(self, to: str, near: str) -> bool | None:
        """Whether German heavy AT or Flak stops an Allied mover in ``to``, next to enemies in ``near``
        (5.3.1-b); None if it may."""
        if self.allied is False:
            return False
        here = self._guarded(to, to)
        there = self._guarded(near, to)
        if there is False and logic.some(self._heavy_in(near)) is not False:
            there = logic.both(None, self._open_ground(near))
        return logic.both(self.allied, self._read(here, there))

    def _guarded(self, hex_name: str, to: str) -> bool | None:
        """Whether ``hex_name`` has no Covering Terrain and is next to a German heavy AT or Flak unit in a
        hex other than ``to``; None if it may be so."""
        open_ground = self._open_ground(hex_name)
        if open_ground is False:
            return False
        near = [h for h in self.neighbourhood.board.neighbours(hex_name) if h != to]
        found = logic.some(answer for name in near for answer in self._heavy_in(name))
        return logic.both(open_ground, found)

    def _heavy_in(self, hex_name: str) -> Iterator[bool | None]:
        units = self.units
        for unit, sure in self.neighbourhood.opponents(hex_name):
            kind = units.is_a(unit, "heavy-at", "flak")
            german = units.has(unit, "nation", "german")
            yield logic.every([sure, kind, german, units.has(unit, "red")])

    def surcharge(self, to: str) -> CostInterval:
        """The cost of moving next to enemies (5.3.2), in 1/scale MP, as far as the readings settle it."""
        found = self.neighbourhood.memo.get((self.terrain_graph.traits, "price", to))
        if not isinstance(found, CostInterval):
            found = self._surcharge(to)
            self.neighbourhood.memo[self.terrain_graph.traits, "price", to] = found
        return found

    def _surcharge(self, to: str) -> CostInterval:
        opponents = self.neighbourhood.opponents
        by_hex = [
            [self._of_unit(unit, sure, near, to) for unit, sure in there]
            for near in self.neighbourhood.board.neighbours(to)
            if (there := opponents(near))
        ]
        every = [cost for costs in by_hex for cost in costs]
        if not every:
            return FREE
        once = _dearest(every)
        each_hex = _sum([_dearest(costs) for costs in by_hex])
        each_unit = _sum(every)
        reading = self.tables.reading("adjacency_combine")
        cost = {"once": once, "hex": each_hex, "unit": each_unit}.get(
            reading, CostInterval(once.lo, each_unit.hi)
        )
        if self.tables.reading("adjacency_list") != "complete":
            cost = cost._replace(lo=0)
        return cost

    def _of_unit(self, unit: str, sure: bool | None, near: str, to: str) -> CostInterval:
        if self.tables.applies("5.3.2-d"):
            sure = logic.both(sure, logic.negation(self._harmless(unit, near, to)))
        return optional(self._asked(unit, to), sure)

    def _harmless(self, unit: str, near: str, to: str) -> bool | None:
        """Whether an adjacent enemy costs nothing (5.3.2-d): it is Mech, the hex entered is woods, forest
        or the like, and no road crosses the hexside between them."""
        wooded = self.tables.among(self.neighbourhood.board, to, self.tables.hard, "hard")
        road = self.terrain_graph.road_over(edge(near, to))
        return logic.every([self.units.is_mech(unit), wooded, logic.negation(road)])

    def _asked(self, unit: str, to: str) -> CostInterval:
        """The cost of moving to ``to`` next to one enemy unit, by the charts and by its works."""
        tables, terrain_graph = self.tables, self.terrain_graph
        if terrain_graph.traits.charts is not True:
            return CostInterval(0, None)
        plain, dug_in = terrain_graph.next_to_enemies, terrain_graph.next_to_fieldworks
        if tables.applies("5.3.2-b"):
            cover = self._covers(to)
            if cover is not False:
                less = tables.scale
                eased = CostInterval(
                    max(0, dug_in.lo - less),
                    None if dug_in.hi is None else max(0, dug_in.hi - less),
                )
                dug_in = eased if cover else union(eased, dug_in)
        works = self.units.has(unit, "works", *FIELDWORKS)
        if works is False and self.units.has(unit, "works", FORTIFICATION, WEST_WALL) is not False:
            works = None
        return dug_in if works else plain if works is False else union(plain, dug_in)

    def _covers(self, to: str) -> bool | None:
        return logic.negation(self._open_ground(to))


def _sum(costs: list[CostInterval]) -> CostInterval:
    hi = None if any(t.hi is None for t in costs) else sum(t.hi or 0 for t in costs)
    return CostInterval(sum(t.lo for t in costs), hi)


def _dearest(costs: list[CostInterval]) -> CostInterval:
    hi = None if any(t.hi is None for t in costs) else max(t.hi or 0 for t in costs)
    return CostInterval(max(t.lo for t in costs), hi)
