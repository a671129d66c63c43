"""Razor wire, tank traps and mines in hexes: features of the board, or markers that players put down and take
off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....model.board import Board
from ....model.game import Place
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic
from ...ruleset import Step
from .ruleset_facts import obstacle
from .unit_history import UnitHistory

WIRE, TRAP, MINES = "razor wire", "tank trap", "minefield"
KINDS = (WIRE, TRAP, MINES)


Found = dict[str, dict[str, bool | None]]
"""Hex → kind → whether such an obstacle is there; None: not known."""


class Obstacles:
    """The obstacles of a game. A marker is an obstacle if its attribute ``type``, or else its name, is one of
    :data:`KINDS`."""

    def __init__(self, board: Board, units: Mapping[str, Unit]) -> None:
        kinds = {name: _kind(unit) for name, unit in units.items() if unit.kind == "marker"}
        self._markers = {name: kind for name, kind in kinds.items() if kind != ""}
        self._drawn: Found = {}
        self._always = ObstaclesNow(self._drawn)
        for name in board.hexes:
            for kind in KINDS:
                there = board.has(name, (kind,))
                if there is not False:
                    self._drawn.setdefault(name, {})[kind] = there

    def during(
        self, unit_history: UnitHistory, start: int, end: int, cleared: frozenset[str] = frozenset()
    ) -> ObstaclesNow:
        """The obstacles from event ``start`` to event ``end`` (exclusive). ``cleared``: hexes from which
        units are said to have cleared wire at a time that is not known; so it is not known whether wire is
        there."""
        if not self._markers and cleared.isdisjoint(self._drawn):
            return self._always
        found: Found = {}
        for name, kind, sure in self._places(unit_history, start, end):
            here = found.setdefault(name, {})
            for one in KINDS if kind is None else (kind,):
                there = True if sure and kind is not None else None
                here[one] = logic.some((here.get(one, False), there))
        for name, drawn in self._drawn.items():
            here = found.setdefault(name, {})
            for kind, lies in drawn.items():
                here[kind] = logic.some((here.get(kind, False), lies))
        for name in cleared & found.keys():
            if found[name].get(WIRE):
                found[name][WIRE] = None
        for name, here in found.items():
            for kind, there in here.items():
                if there is None:
                    here[kind] = answer(unit_history.game, obstacle(kind, name))
        return ObstaclesNow(found)

    def _places(
        self, unit_history: UnitHistory, start: int, end: int
    ) -> Iterator[tuple[str, str | None, bool]]:
        """(hex, kind, certain) for each place of each marker. ``kind`` None: not known. ``certain``: the
        marker lies there from ``start`` to ``end``."""
        for marker, kind in self._markers.items():
            moved = unit_history.targets(marker, start, end)
            places: list[Place] = [unit_history.place(marker, start), *moved]
            for place in places:
                if place.kind == "hex":
                    # a marker that is soon taken off may have been forgotten there
                    yield place.name, kind, not moved and not unit_history.taken_off(marker, end)


def _kind(unit: Unit) -> str | None:
    """The kind of obstacle that a marker is; empty: it is no obstacle; None: not known."""
    fact = unit.fact("type")
    if fact.is_known:
        return str(fact.value) if fact.value in KINDS else ""
    if unit.name.lower() in KINDS:
        return unit.name.lower()
    return None if fact.options and any(kind in fact.options for kind in KINDS) else ""


class ObstaclesNow:
    """The obstacles during one move."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self.hexes = found.keys()
        """The hexes in which there is or may be an obstacle."""
        self.steps: dict[object, tuple[Step, ...]] = {}
        """Memo of steps into these hexes, shared by movement graphs (see ``TideMovementGraph._into``)."""

    def free(self, hex_name: str) -> bool:
        """Whether there is certainly no obstacle in a hex."""
        return hex_name not in self._found

    def at(self, hex_name: str, kind: str) -> bool | None:
        """Whether there is an obstacle of ``kind`` in a hex; None: not known."""
        here = self._found.get(hex_name)
        return False if here is None else here.get(kind, False)
