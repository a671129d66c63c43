"""Enemies as the tables ask for them."""

from __future__ import annotations

from ...concepts.logic import some
from ...concepts.zones import Zones


class TableZones(Zones):
    """See :class:`~...concepts.zones.Zones`. The first of ``Presence.more``: whether any enemy at all is
    in a hex, such as bar it or not."""

    def look_further(self, name: str) -> tuple[bool | None, ...]:
        """What the tables ask for besides who bars a hex and whose zone of control lies over it."""
        return (some(sure for _, sure in self.enemies(name)),)
