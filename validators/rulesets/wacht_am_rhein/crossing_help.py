"""Help at water (5.4.3): engineers, Bridge Columns and markers for bridges near a hexside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...concepts import logic
from ...situation import Situation as GameSituation
from .units import says_bridge

if TYPE_CHECKING:
    from .neighbourhood import Neighbourhood


class CrossingHelp:
    """The units near a moving unit that may help it across water."""

    def __init__(self, neighbourhood: Neighbourhood) -> None:
        self._near = neighbourhood
        self._has_bridges = bool(neighbourhood.unit_index.perhaps_bridges)
        self._has_engineers: bool | None = None
        self._engineers: dict[str, bool | None] = {}
        self._columns: dict[str, bool] = {}

    def engineer_at(self, *hexes: str) -> bool | None:
        """Whether a friendly engineer unit is in one of the hexes; None if one may be."""
        return logic.some(self._engineer_in(name) for name in hexes)

    def _engineer_in(self, hex_name: str) -> bool | None:
        if hex_name not in self._engineers:
            answers = (
                logic.both(sure, self._near.units.is_a(u, "engineer"))
                for u, sure in self._near.friends(hex_name)
            )
            self._engineers[hex_name] = logic.some(answers)
        return self._engineers[hex_name]

    def engineer_along(self, own: str, *hexes: str) -> bool | None:
        """Whether an engineer unit that moves with ``own`` begins in one of the hexes; None if one may."""
        others = sorted(self._near.moving - {own}) if len(self._near.moving) > 1 else ()
        places = ((unit, self._near.situation.where(unit)) for unit in others)
        return logic.some(
            self._near.units.is_a(unit, "engineer")
            for unit, place in places
            if place.kind == "hex" and place.name in hexes
        )

    def engineer_about(self, one: str, other: str) -> bool:
        """Whether a friendly engineer unit may be in or next to one of two hexes."""
        if not self._engineers_anywhere():
            return False
        near = (one, other, *self._near.board.neighbours(one), *self._near.board.neighbours(other))
        return self.engineer_at(*dict.fromkeys(near)) is not False

    def _engineers_anywhere(self) -> bool:
        if self._has_engineers is None:
            engineers = self._near.unit_index.engineers.get(self._near.side)
            if engineers is None:
                engineers = self._near.unit_index.engineers[self._near.side] = tuple(
                    unit
                    for unit in self._near.unit_index.perhaps_engineers
                    if self._near.may_be_on_its_side(unit)
                )
            self._has_engineers = not self._near.moving.issuperset(engineers)
        return self._has_engineers

    def helps_anybody(self) -> bool:
        """Whether any unit of the game may help another across water."""
        return self._has_bridges or len(self._near.moving) > 1 or self._engineers_anywhere()

    def bridged_by_column(self, one: str, other: str) -> bool:
        """Whether a deployed Bridge Column, or a marker for a bridge, may lie in one of two hexes."""
        return self._has_bridges and (self._column_in(one) or self._column_in(other))

    def _column_in(self, hex_name: str) -> bool:
        found = self._columns.get(hex_name)
        if found is None:
            there = self._near.situation.possibly_in(hex_name)
            found = any(self._near.is_bridge(u) is not False for u in there)
            found = self._columns[hex_name] = found or self._marked_as_bridged(hex_name)
        return found

    def _marked_as_bridged(self, hex_name: str) -> bool:
        """Whether a marker named after a bridge lies in a hex. Bridges built by engineers are not part of
        the board."""
        if not isinstance(self._near.situation, GameSituation):
            return False
        units = self._near.situation.game.units
        markers = (units.get(unit) for unit in self._near.situation.units_in(hex_name))
        return any(
            marker is not None and marker.kind == "marker" and says_bridge(marker.name)
            for marker in markers
        )
