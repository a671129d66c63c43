"""Razor wire, tank traps and mines in hexes: features of the board, or markers that players put down and take
off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....model.board import Board
from ....model.fact import UNKNOWN, Fact
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic
from ...ruleset import Step
from .ruleset_facts import obstacle
from .unit_history import UnitHistory

WIRE, TRAP, MINES = "razor wire", "tank trap", "minefield"
KINDS = (WIRE, TRAP, MINES)
_OTHERS = ("bridge", "snow bridge", "entrenchment", "two entrenchments", "pillbox")
"""Names of markers that are none of :data:`KINDS`."""


TYPE = "type"
Found = dict[str, dict[str, bool | None]]
"""Hex → kind → whether such an obstacle is there; None: not known."""


Kinds = dict[str, bool | None]
"""Kind → whether a marker is such an obstacle; None: not known. The kinds that it is not are left out."""


class Obstacles:
    """The obstacles of a game. A marker is an obstacle if its attribute ``type`` says so, or, where it has
    none, its name. If its type is not known and its name does not say what it is, it may be any of
    :data:`KINDS`."""

    def __init__(self, board: Board, units: Mapping[str, Unit]) -> None:
        self._units = [unit for unit in units.values() if unit.kind == "marker"]
        self._read: tuple[UnitHistory, list[tuple[Unit, Kinds | None]]] | None = None
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
        if not self._markers(unit_history) and cleared.isdisjoint(self._drawn):
            return self._always
        found: Found = {}
        for name, kinds in self._places(unit_history, start, end):
            here = found.setdefault(name, {})
            for kind, there in kinds.items():
                here[kind] = logic.some((here.get(kind, False), there))
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

    def _markers(self, unit_history: UnitHistory) -> list[tuple[Unit, Kinds | None]]:
        """The markers that ever are or may be obstacles, each with the kinds it is of throughout; None: its
        type changes."""
        if self._read is None or self._read[0] is not unit_history:
            found: list[tuple[Unit, Kinds | None]] = []
            for unit in self._units:
                changes = unit_history.changes(unit.id, TYPE, 0, len(unit_history.game.events))
                kinds = None if changes else _kinds([_words(unit, unit.fact(TYPE))])
                if kinds is None or kinds:
                    found.append((unit, kinds))
            self._read = unit_history, found
        return self._read[1]

    def _places(
        self, unit_history: UnitHistory, start: int, end: int
    ) -> Iterator[tuple[str, Kinds]]:
        """(hex, kinds) for each place of each marker. A kind is certain only if the marker lies there and is
        of that kind from ``start`` to ``end``."""
        for unit, always in self._markers(unit_history):
            kinds = _kinds_during(unit, unit_history, start, end) if always is None else always
            if not kinds:
                continue
            moved = unit_history.targets(unit.id, start, end)
            # a marker that is soon taken off may have been forgotten there
            open_place = moved or unit_history.taken_off(unit.id, end)
            for place in (unit_history.place(unit.id, start), *moved):
                if place.kind == "hex":
                    yield place.name, dict.fromkeys(kinds) if open_place else kinds


def _words(unit: Unit, told: Fact) -> frozenset[str]:
    """The kinds of obstacle that a marker may be, with its type ``told``; an empty word: it may be none."""
    if told.options is not None:
        words = {str(option).lower() for option in told.options}
    elif unit.name.lower() in (*KINDS, *_OTHERS) or (
        told == UNKNOWN and TYPE not in unit.attributes
    ):
        words = {unit.name.lower()}
    else:
        words = {*KINDS, ""}
    return frozenset(word if word in KINDS else "" for word in words)


def _kinds(several: Sequence[frozenset[str]], sure: bool = True) -> Kinds:
    """The kinds of a marker that has had these words one after the other. ``sure``: that is all it was."""
    every = frozenset[str]().union(*several)
    return {kind: True if sure and len(every) == 1 else None for kind in KINDS if kind in every}


def _kinds_during(unit: Unit, unit_history: UnitHistory, start: int, end: int) -> Kinds:
    """The kinds of a marker whose type changes, from event ``start`` to event ``end`` (exclusive).

    If it is changed soon after that, it may have been forgotten. If it is changed back before anybody saw it,
    it may have been an oversight."""
    several = [_words(unit, fact) for _, fact in unit_history.series(unit.id, TYPE, start, end)]
    soon = unit_history.changed_soon(unit.id, TYPE, end)
    if soon is None:
        return _kinds(several)
    index, later = soon
    if not unit_history.witnesses.too_late(max(0, end - 1), index, None):
        before = [_words(unit, fact) for _, fact in unit_history.series(unit.id, TYPE, 0, start)]
        several.append(_words(unit, later).intersection(frozenset[str]().union(*before)))
    return _kinds(several, sure=False)


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
