"""The weather zones of a move, whose weather may change its allowance (6.A.4-i)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from ....model.board import Board
from ....model.fact import Fact
from ...search import watch
from .tables import Tables

Ends = tuple[str | None, str | None]


class ZonesOfMove(NamedTuple):
    """The weather zones of a move, each with its weather. ``begins``: those in which it begins or may begin;
    ``ends``: likewise. ``outside``: whether it may begin outside of all zones. ``passed``: the zones that it
    may pass on its way and that may give a greater allowance."""

    begins: Mapping[str, Fact]
    ends: Mapping[str, Fact]
    outside: bool = True
    passed: Mapping[str, Fact] = MappingProxyType({})

    def weathers(self, weather: Fact, reading: str) -> dict[str, Fact]:
        """Key of a condition → value, for each weather that may count by ``reading`` where the move begins or
        ends. ``weather``: the general one."""
        if reading == "general":
            return {"weather": weather}
        zones = self.begins if reading == "zone" else {**self.begins, **self.ends}
        own = {f"weather {zone}": zones[zone] for zone in sorted(zones)}
        return own if reading == "zone" and not self.outside else {"weather": weather, **own}


class WeatherZones:
    """The weather zones of a board."""

    def __init__(self, board: Board, tables: Tables) -> None:
        self._board = board
        self._tables = tables

    def of_move(
        self,
        start: str | None,
        ends: Ends,
        weather: Fact,
        own: Mapping[str, Fact],
        reach: Fraction | None,
    ) -> ZonesOfMove:
        """The zones of a move between ``ends`` of at most ``reach`` steps (None: no bound). ``start``: the
        hex where its unit began the phase; ``weather``: the general one; ``own``: zone → its weather. A move
        to a hex of unknown terrain is open without the zones there."""
        target = self._board.hexes.get(ends[1] or "")
        known = target is not None and target.terrain is not None
        watch([name for name in (start, ends[1]) if name is not None])
        begins, stops = self._at(start), self._at(ends[1] if known else None)
        found = ZonesOfMove(
            {zone: own[zone] for zone in begins},
            {zone: own[zone] for zone in stops},
            not any(begins.values()),
        )
        reading = self._tables.reading("zone_allowance")
        counted = found.weathers(weather, reading).values()
        most = max(map(self._greatest_factor, counted))
        others = own if reading == "any" and None not in ends else {}
        better = {z: fact for z, fact in others.items() if self._greatest_factor(fact) > most}
        if not better:
            return found
        watch(self._board.hexes)  # any of them may be made one of the zone
        passed = {z: fact for z, fact in better.items() if self._may_pass(z, ends, reach)}
        return found._replace(passed=passed)

    def _at(self, name: str | None) -> dict[str, bool]:
        """The weather zones to which a hex certainly (True) or perhaps (False) belongs; empty without a
        hex."""
        if name is None:
            return {}
        zones = sorted(zone for zone, hexes in self._hexes.items() if name in hexes)
        return {zone: self._board.has(name, (zone,)) is True for zone in zones}

    @cached_property
    def _hexes(self) -> dict[str, frozenset[str]]:
        """By weather zone, the hexes that belong or may belong to it."""
        board = self._board
        return {
            zone: frozenset(name for name in board.hexes if board.has(name, (zone,)) is not False)
            for zone in self._tables.march_zones
        }

    def _may_pass(self, zone: str, ends: Ends, reach: Fraction | None) -> bool:
        """Whether a move between ``ends`` of at most ``reach`` steps may pass a hex of a zone."""
        named = [end for end in ends if end is not None]
        for name in self._hexes[zone]:
            legs = [self._board.distance(end, name) for end in named]
            if reach is None or None in legs or sum(filter(None, legs)) <= reach + 1:
                return True  # the last step may be on credit
        return False

    def _greatest_factor(self, weather: Fact) -> Fraction:
        """The most by which a weather multiplies allowances; at least 1 if its chart, or it, is not known."""
        charts = [self._tables.charts.get(str(option)) for option in weather.options or ("",)]
        factors = [None if chart is None else chart.factor for chart in charts]
        return max(Fraction(1) if factor is None else factor for factor in factors)
