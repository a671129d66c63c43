"""Motor Unit markers: which units may bear one, and the truck points they use (5.7.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ....model.fact import Fact
from ...answers import answer
from ...concepts import logic, missing_facts
from .neighbourhood import Neighbourhood
from .player_questions import by_its_marker, no_point
from .prohibitions import Prohibition, prohibitions_if
from .tables import LEG, Tables
from .unit_kind import Kind
from .units import fits


@dataclass(frozen=True, slots=True)
class MotorUnitMarker:
    """Checks the Motor Unit marker of one unit."""

    kind: Kind
    neighbourhood: Neighbourhood

    @property
    def tables(self) -> Tables:
        return self.neighbourhood.tables

    def _fact(self, attribute: str) -> Fact:
        return self.neighbourhood.units.fact(self.kind.unit.id, attribute)

    def prohibitions(self) -> Iterator[Prohibition]:
        """Breaches by the unit's Motor Unit marker, and missing facts that decide them; none if it bears
        no such marker."""
        if not self.kind.motor:
            return
        tables, kind = self.tables, self.kind
        on_foot = kind.mover == LEG
        infantry = kind.is_a(tables, "infantry") and on_foot
        if kind.nation == "us" and not infantry:
            # A unit that is Mech without the marker gains nothing from it.
            own = kind.mover != LEG or kind.is_a(tables, "at", "engineer")
            text = "bears a Motor Unit marker, and is no US Leg infantry"
            yield from self._by_its_marker(True, "5.7.2-b", text, own=own)
        if kind.nation == "german":
            asset = fits(self._fact("echelon"), ("corps", "army"))
            guns = kind.is_a(tables, "artillery")
            fit: bool | None = infantry or (kind.is_a(tables, "at") and on_foot)
            if guns:
                fit = asset
            text = "bears a Motor Unit marker that its kind may not have"
            if guns:
                asked = missing_facts.of_unit(self.kind.unit, "echelon")
                yield from prohibitions_if(self.tables, logic.negation(fit), "5.7.2-c", text, asked)
            else:
                yield from self._by_its_marker(not fit, "5.7.2-c", text, own=not on_foot)
        yield from self._truck_points()

    def _by_its_marker(
        self, holds: bool, clause: str, text: str, *, own: bool
    ) -> Iterator[Prohibition]:
        """A breach if the unit's kind may not have its Motor Unit marker. ``own``: the unit moves as Mech
        without the marker, so it is asked whether the marker was used at all."""
        if not holds:
            return
        asking = by_its_marker(self.kind.unit)
        said = answer(self.neighbourhood.situation.game, asking) if own else True
        yield from prohibitions_if(
            self.tables, said, clause, text, asking.unknown(f"unit {self.kind.unit.id} motor")
        )

    def _truck_points(self) -> Iterator[Prohibition]:
        """A breach if its army uses more truck points than it has (5.7.2a-a); a missing fact if it may.
        Nothing if the unit's army or the army's truck points are not declared."""
        army = self._fact("army")
        if not army.is_known or not self.tables.applies("5.7.2a-a"):
            return
        said = self.neighbourhood.condition(f"trucks-{army.value}")
        if said.low is None and said.high is None:
            return
        least, most = self._points_of(str(army.value))
        over: bool | None = None
        asked = missing_facts.of_condition(f"trucks-{army.value}")
        if said.low is not None and most <= said.low:
            over = False
        elif said.high is not None and least > said.high:
            # There is one marker too many. It is this unit's if the units that have moved exceed the limit.
            used, _ = self._points_of(
                str(army.value), {*self.neighbourhood.unit_history.began, self.kind.unit.id}
            )
            over = (
                True
                if used > said.high and not self.neighbourhood.may_ride(self.kind.unit.id)
                else None
            )
            if over is None:
                asking = no_point(self.kind.unit, str(army.value))
                over = answer(self.neighbourhood.situation.game, asking)
                asked = asking.unknown(asked.key)
        text = f"goes on trucks, of which {army.value} uses {least} points and has {said.high}"
        yield from prohibitions_if(self.tables, over, "5.7.2a-a", text, asked)

    def _points_of(
        self, army: str, among: Collection[str] | None = None
    ) -> tuple[Fraction, Fraction]:
        """The least and the most truck points that an army's markers use. ``among``: count these units
        only; None counts all."""
        units = self.neighbourhood.units
        least = most = Fraction(0)
        for unit, counter in self.neighbourhood.situation.game.units.items():
            if counter.kind != "unit" or (among is not None and unit not in among):
                continue
            there = logic.both(units.has(unit, "motor"), units.has(unit, "army", army))
            alive = self.neighbourhood.situation.in_play(unit)
            there = logic.both(there, True if alive.must_be(True) else alive.may_be(True) and None)
            if there is False:
                continue
            low, high = self._points(unit)
            # The marker of a unit that may use its division's trucks may take no point.
            least += low if there and not self.neighbourhood.may_ride(unit) else 0
            most += high
        return least, most

    def _points(self, unit: str) -> tuple[Fraction, Fraction]:
        """The least and the most truck points that the marker of one unit uses (5.7.2-e)."""
        units, tables = self.neighbourhood.units, self.tables
        leg = Fraction(1) if tables.applies("5.7.2-e1") else Fraction(0)
        gun = Fraction(1, 2) if tables.applies("5.7.2-e2") else Fraction(0)
        light = Fraction(1, 4) if tables.applies("5.7.2-e3") else Fraction(0)
        rocket = logic.both(
            units.has(unit, "calibre", "light-nebelwerfer"), units.has(unit, "breakdown")
        )
        guns = units.is_a(unit, "artillery")
        if guns is False:
            return leg, leg
        among = [light] if rocket else [gun] if rocket is False else [light, gun]
        among += [] if guns else [leg]
        return min(among), max(among)
