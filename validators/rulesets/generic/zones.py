"""Enemies and friends as the tables ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....model.fact import Unknown
from ...concepts.logic import both, some
from ...concepts.zones import QUIET, Presence, Zones


def met(there: Presence) -> bool | None:
    """Whether any enemy at all is in a hex, such as bar it or not."""
    return there.more[0] if there.more else False


def friendly(there: Presence) -> bool | None:
    """Whether friendly units are in a hex, where the tables ask for them."""
    return there.more[1] if there.more else False


def in_zone(there: Presence, number: int) -> bool | None:
    """Whether a hex is in a zone of control by the rule of that number, from 0."""
    if number == 0:
        return there.zoc
    return there.more[1 + number] if there.more else False


class TableZones(Zones):
    """See :class:`~...concepts.zones.Zones`, which looks after the first rule on zones of control.
    ``further``: those of the others. ``friends``: whether the tables ask for friendly units."""

    def __init__(
        self, *args: Any, further: tuple[Zones, ...] = (), friends: bool = False, **more: Any
    ) -> None:
        self._friends = friends
        self._further = further
        super().__init__(*args, **more)

    def by_rule(self, number: int) -> Zones:
        """The zones of control by the rule of that number, from 0."""
        return self._further[number - 1] if number else self

    def _with_others(self) -> Mapping[str, int] | None:
        return None if self._friends else super()._with_others()

    def _look(self, name: str) -> Presence:
        found = super()._look(name)
        if self._friends and found is QUIET:  # a rule may ask for friends where nobody is
            return Presence(False, False, (False, False, *(False for _ in self._further)))
        return found

    def look_further(self, name: str) -> tuple[bool | None, ...]:
        """What the tables ask for besides who bars a hex and whose zone of control lies over it: whether
        there is any enemy, and any friend."""
        enemy = some(sure for _, sure in self.enemies(name))
        others = (zones.at(name).zoc for zones in self._further)
        return (enemy, self._friends_in(name) if self._friends else False, *others)

    def units_to(self, name: str) -> tuple[str, ...]:
        """Every unit that what :meth:`at` says of a hex rests on."""
        others = (unit for zones in self._further for unit in zones.units_to(name))
        return tuple(dict.fromkeys((*super().units_to(name), *others)))

    def _friends_in(self, name: str) -> bool | None:
        """Whether friendly units that do not move along are in a hex; None too where those that do may be
        there first."""
        sure = self._situation.surely_in(name)
        possible = self._situation.possibly_in(name)
        self._noticed.update(u for u in possible if self._unit(u).seen_by is not None)
        found = some(
            both(self._friendly(unit), True if unit in sure else None)
            for unit in possible
            if unit not in self._moving
        )
        return None if found is False and len(self._moving) > 1 else found

    def doubts_of_friends(self, name: str) -> Iterator[Unknown]:
        """What would tell whether friends are in a hex."""
        for unit in self._situation.possibly_in(name):
            if unit not in self._moving:
                yield from self._questions(unit, name, ())
