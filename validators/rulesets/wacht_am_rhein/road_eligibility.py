"""What forbids road movement, and the truck quotas of divisions (5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ....model.bill import Amount
from ....model.fact import MissingFact, Value
from ....model.stanza import BLANK, pack_stanza
from ....model.unit import Unit
from ...answers import answer
from ...concepts import missing_facts
from ...concepts.hex_entries import about_lines_in
from ...ruleset import Breach, Circumstances, Draw, Quota, WeightedFact
from .eligibility import EligibilityCheck
from .neighbourhood import Neighbourhood
from .open_readings import of_reading
from .player_questions import overstacked_in_passing, started_on_road
from .prohibitions import Prohibition
from .tables import EXPLOITATION, Tables
from .terrain_graph import WarTerrainGraph
from .unit_kind import Kind

TRUCKS = 3
"""How many Leg units of a US Infantry Division may use its own trucks in a phase (5.6.4)."""


@dataclass(frozen=True, slots=True)
class RoadEligibility:
    """Checks whether one unit may move by road."""

    kind: Kind
    neighbourhood: Neighbourhood
    circumstances: Circumstances
    eligibility: EligibilityCheck

    @property
    def tables(self) -> Tables:
        return self.neighbourhood.tables

    def prohibitions(
        self, terrain_graph: WarTerrainGraph, *, rides: bool | None, on_foot: bool
    ) -> Iterator[Prohibition]:
        """Breaches that forbid road movement, and missing facts that may forbid it. ``rides``: the unit uses
        the trucks of its division; None: it is not known whether it may. ``on_foot``: it goes by road on
        foot although 5.6.0-a forbids that."""
        yield from self._at_start(terrain_graph)
        yield from self._on_trucks(rides, on_foot)

    def draws(self, strategic: bool) -> Iterator[Draw]:
        """What it takes from the truck quotas of its division (5.6.4). If its division is not known, one
        draw for each possible division, each with the question."""
        unit = self.kind.unit
        said = self.neighbourhood.units.fact(unit.id, "formation")
        clause = "5.6.4-h" if strategic else "5.6.4-a"
        if not self.tables.applies(clause):
            return
        perhaps = None if said.is_known else missing_facts.of_unit(unit, "formation")
        three = Fraction(TRUCKS)
        what = "Strategic Modes without a marker" if strategic else "intrinsic trucks"
        same = self.tables.says("same_three")
        most = Amount.exactly(three) if same else Amount(three, 2 * three)
        missing = () if same else (WeightedFact(of_reading("5.6.4-h")),)
        for name in said.options or (*self._formations(), "one division"):
            quota = Quota(f"{what} in {name}", Amount.exactly(three), f"WAR-{clause}")
            yield Draw(quota, perhaps=perhaps)
            if same is not False:
                all_of = f"intrinsic trucks in {name}, Strategic Mode included,"
                yield Draw(Quota(all_of, most, "WAR-5.6.4-h", missing), perhaps=perhaps)

    def _formations(self) -> Iterator[Value]:
        """All values of the attribute ``formation`` that occur in the game."""
        units = self.neighbourhood.situation.game.units.values()
        yield from dict.fromkeys(o for u in units for o in u.fact("formation").options or ())

    def _at_start(self, terrain_graph: WarTerrainGraph) -> Iterator[Prohibition]:
        """What forbids, or may forbid, road movement from the hex where the unit begins (5.6.0, 5.6.3,
        5.8.1)."""
        tables, unit = self.tables, self.kind.unit
        artillery = self.kind.is_a(tables, "artillery")
        if artillery and self.kind.battery == "in" and not tables.applies("5.8.1-a"):
            yield Breach("WAR-5.8.1-a", "goes by road with artillery In Battery", "")
        place = self.neighbourhood.situation.where(unit.id)
        # A unit that came onto the map in this phase began it elsewhere, on a road or not.
        if place.kind != "hex" or self.neighbourhood.began_phase_at(unit.id) != place:
            started = answer(self.neighbourhood.situation.game, started_on_road(unit))
            if started is None:
                yield WeightedFact(start_unknown(unit))
            elif not started and tables.applies("5.6.0-b"):
                yield Breach("WAR-5.6.0-b", "goes by road, and began where no road is", "")
            return
        start = place.name
        on_road = terrain_graph.has_road(start)
        if on_road is not True and tables.applies("5.6.0-b"):
            if on_road is False:
                yield Breach("WAR-5.6.0-b", f"goes by road from {start}, where no road is", "")
            else:
                yield WeightedFact(
                    missing_facts.of_board(about_lines_in(terrain_graph.board, start), "")
                )
        if tables.applies("5.6.3-e"):
            count = self.neighbourhood.mech_in(start)
            if count.least >= 2:
                text = f"goes by road out of {start}, where two other Mech units are"
                yield Breach("WAR-5.6.3-e", text, "")
            elif count.most >= 2:
                for other, _ in self.neighbourhood.friends(start):
                    yield WeightedFact(
                        missing_facts.of_unit(
                            self.neighbourhood.situation.game.units[other], "class"
                        )
                    )
        yield from self._overstacked(start)

    def _overstacked(self, start: str) -> Iterator[Prohibition]:
        """A breach if the unit starts in an overstacked hex (5.6.0-c), the missing facts if it may."""
        if not self.tables.applies("5.6.0-c"):
            return
        friends = self.neighbourhood.friendly_units(start)
        moving = [(u, True) for u in self.circumstances.moving if self._is_at(u, start)]
        if len(friends) + len(moving) < 2:
            return
        limit = self.tables.stacking_limit
        if limit is None:
            yield WeightedFact(stacking_unknown())
            return
        low, high, came = Fraction(0), Fraction(0), Fraction(0)
        asked: list[MissingFact] = []
        for unit, sure in (*friends, *moving):
            size = self.neighbourhood.units.fact(unit, "stacking")
            least = max(Fraction(0), size.low or Fraction(0)) if sure else Fraction(0)
            low += least
            came += least if self.neighbourhood.displaced_in_phase(unit) else 0
            high += limit + 1 if size.high is None else size.high
            if not size.is_known:
                asked.append(
                    missing_facts.of_unit(self.neighbourhood.situation.game.units[unit], "stacking")
                )
        if low > limit >= low - came:  # a stack may exceed the limit while units move (5.3.0)
            asking = overstacked_in_passing(start, self.neighbourhood.situation.at)
            said = answer(self.neighbourhood.situation.game, asking)
            if said is None:
                yield WeightedFact(asking.unknown(f"stack in {start}"))
            elif not said:
                yield Breach(
                    "WAR-5.6.0-c", f"goes by road out of {start}, which is overstacked", ""
                )
        elif low > limit:
            text = f"goes by road out of {start}, which is overstacked"
            yield Breach("WAR-5.6.0-c", text, "")
        elif high > limit:
            yield from (WeightedFact(u) for u in asked or [stacking_unknown()])

    def _is_at(self, unit: str, hex_name: str) -> bool:
        place = self.neighbourhood.situation.where(unit)
        return place.kind == "hex" and place.name == hex_name

    def _on_trucks(self, rides: bool | None, on_foot: bool) -> Iterator[Prohibition]:
        """What forbids, or may forbid, the use of trucks, or road movement without them (5.6.0-a, 5.6.4)."""
        unit = self.kind.unit
        if on_foot:
            yield Breach("WAR-5.6.0-a", "goes by road on foot", "")
        if rides is None:
            said = self.neighbourhood.units.fact(unit.id, "infantry-division")
            by_reading = said.must_be(False)
            yield WeightedFact(
                of_reading("strategic_in_any_division")
                if by_reading
                else missing_facts.of_unit(unit, "infantry-division")
            )
        late = self.eligibility.phase == EXPLOITATION
        if rides is not False and late and self.tables.applies("5.6.4-i"):
            text = "goes by the trucks of its division in an exploitation phase"
            yield Breach("WAR-5.6.4-i", text, "")


def start_unknown(unit: Unit) -> MissingFact:
    """The question whether a unit that came onto the map began the phase on a road, as a missing fact."""
    return started_on_road(unit).unknown(f"start of {unit.id}")


def stacking_unknown() -> MissingFact:
    """The question for the stacking limit of a hex."""
    return MissingFact(
        "stacking limit",
        "how many stacking points may be in a hex?",
        "facts.toml",
        pack_stanza("rules", "stacking", "limit", entry=BLANK),
    )
