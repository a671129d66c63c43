"""Which units were next to enemies when a phase began."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..concepts.logic import both, some
from ..concepts.sides import is_enemy
from ..concepts.unclear_places import of_unclear_place
from ..concepts.zones import Zones
from ..ruleset import Circumstances, Requirement
from ..situation import Situation
from .spells import Start

if TYPE_CHECKING:
    from .rules import Rules

NO = (False, False)


class Contacts:
    """The units that were next to enemies that meet some requirements, certainly or perhaps, when phases of
    some kinds began, or phases that may be of one of them."""

    def __init__(
        self, rules: Rules, needs: tuple[Requirement, ...], kinds: tuple[str, ...]
    ) -> None:
        self._rules, self._needs = rules, needs
        table = Situation(rules.game, rules.history.timeline)
        self._found: dict[int, dict[str, tuple[bool, bool]]] = {}
        for start in rules.history.starts:
            if rules.history.perhaps(start, rules.phase_kinds, *kinds):
                table.advance_before(start.event.at)
                sure = rules.history.surely(start, rules.phase_kinds, *kinds)
                self._found[start.first] = dict(self._units(table, sure))

    def at(self, start: Start, unit: str) -> tuple[bool, bool]:
        """Whether a unit was certainly next to enemies when a phase began, and whether it may have been."""
        return self._found.get(start.first, {}).get(unit, NO)

    def _units(self, table: Situation, sure: bool) -> Iterator[tuple[str, tuple[bool, bool]]]:
        strays = [unit for unit in of_unclear_place(table) if self._meets(table, unit) is not False]
        for unit, known in self._rules.game.units.items():
            place = table.where(unit)
            if place.kind not in ("hex", "unclear") or known.kind != "unit":
                continue
            if place.hex is None:
                yield unit, (False, True)
                continue
            near = beside(table, unit, place.hex, self._needs)
            may = near is not False or any(self._enemies(unit, other) for other in strays)
            if may:
                yield unit, (sure and near is True, True)

    def _meets(self, table: Situation, unit: str) -> bool | None:
        found: bool | None = True
        for need in self._needs:
            found = both(found, need.met(table.fact(unit, need.attribute)))
        return found

    def _enemies(self, one: str, other: str) -> bool:
        game = self._rules.game
        return is_enemy(game, game.units[one].side, game.units[other].side) is not False


def beside(table: Situation, unit: str, name: str, needs: tuple[Requirement, ...]) -> bool | None:
    """Whether an enemy that meets ``needs`` is next to the hex of a unit; None: not known."""
    zones = Zones(Circumstances(table, (unit,)), table.game.units[unit].side, None)
    return some(
        both(sure, zones.meets(enemy, needs))
        for near in table.game.board.neighbours(name)
        for enemy, sure in zones.enemies(near)
    )
