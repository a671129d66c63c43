"""The roads of a board: which hexes they join, and along which roads one may move between two hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ....model.board import Board, Edge, may_be
from ....model.game import Game
from ...answers import answer
from ...concepts.hex_entries import about_lines, roads_over
from .ruleset_facts import contiguous
from .tables import RAILWAY

BRIDGE, SNOW_BRIDGE = "bridge", "snow bridge"


@dataclass(frozen=True, eq=False)
class RoadNetworks:
    """The roads on the board of a game. ``kinds``: the kinds of line that the chart calls roads.
    ``complete``: the chart has every kind of road. ``whole_lines``: no line of the board is missing."""

    game: Game
    kinds: Collection[str]
    complete: bool
    whole_lines: bool
    _through: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        return self.game.board

    @cached_property
    def certain(self) -> dict[str, set[int]]:
        """Hex → its road network, as a set with one number. Roads drawn through a common hex are one
        network."""
        return self._joined(())

    @cached_property
    def possible(self) -> dict[str, set[int]]:
        """As :attr:`certain`, with every road that may be there counted as one."""
        kinds = frozenset(self.roads_of_cars)
        if self.whole_lines:
            return self.certain
        cells = self.board.exceptions.lines.items()
        return self._joined(side for side, may in cells if may is None or not kinds.isdisjoint(may))

    @cached_property
    def unknown_lines(self) -> dict[str, str]:
        """Hex → a kind of line that runs, or may run, through it, is in no chart, and may be a road because
        the chart of roads is not complete."""
        if self.complete:
            return {}
        cells = self.board.exceptions.lines.items()
        perhaps = ((kind, side) for side, may in cells for kind in sorted(may or ()))
        drawn = ((line.kind, line.hexes) for line in self.board.lines)
        every = ((k, hexes) for k, hexes in (*perhaps, *drawn) if k not in self.kinds)
        return {name: kind for kind, hexes in every for name in hexes}

    def _lines_of_cars(self) -> Iterator[tuple[str, ...]]:
        return (line.hexes for line in self.board.lines if line.kind in self.roads_of_cars)

    def _joined(self, more: Iterable[Edge]) -> dict[str, set[int]]:
        """As :attr:`certain`, for the roads drawn and, as further roads, the hexsides ``more``."""
        first: dict[int, int] = {}

        def root(number: int) -> int:
            while first.setdefault(number, number) != number:
                number = first[number]
            return number

        through: dict[str, int] = {}
        for number, hexes in enumerate((*self._lines_of_cars(), *more)):
            for name in hexes:
                first[root(number)] = root(through.setdefault(name, number))
        return {name: {root(number)} for name, number in through.items()}

    @property
    def roads_of_cars(self) -> Iterable[str]:
        """The kinds of road that vehicles use; not railways."""
        return [kind for kind in self.kinds if kind != RAILWAY]

    def roads_across(
        self, here: str, to: str, side: Edge
    ) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
        """The roads along which one may move between two neighbouring hexes, as (kind, certain, ``about`` of
        :class:`.CostItem` if not certain).

        A road need not cross the hexside if it goes through both hexes: they may be contiguous hexes of a
        winding road. Facts may say whether they are."""
        found = set[str]()
        for kind, sure, _ in roads_over(self.board, side, self.kinds, False):
            found.add(kind)
            yield kind, sure, () if sure else about_lines(here, to)
        networks = self.possible
        one_road = networks.get(here, set()) & networks.get(to, set())
        told = answer(self.game, contiguous(here, to))
        if told is False:
            return
        about = () if told else ("contiguous", here, to)
        if one_road or self._meets_bridge(here, to) or self._meets_bridge(to, here):
            for kind in self.roads_of_cars:
                if kind not in found:
                    yield kind, told is True, about
        if RAILWAY in self.kinds and RAILWAY not in found and self._is_one_railway(here, to):
            yield RAILWAY, told is True, about

    def _is_one_railway(self, here: str, to: str) -> bool:
        """Whether railways, perhaps the same one, go through both hexes, or a railway through ``to`` and a
        road through ``here``."""
        rails = self._lines_of(RAILWAY)
        roads = {n for kind in self.roads_of_cars for n in self._lines_of(kind)}
        return to in rails and (here in rails or here in roads)

    def _lines_of(self, kind: str) -> frozenset[str]:
        """The hexes through which lines of ``kind`` go or may go."""
        found = self._through.get(kind)
        if found is None:
            hexes = [ln.hexes for ln in self.board.lines if ln.kind == kind]
            cells = self.board.exceptions.lines.items()
            hexes += [side for side, may in cells if may_be(kind, may)]
            found = self._through[kind] = frozenset(name for run in hexes for name in run)
        return found

    def _meets_bridge(self, road: str, bridge: str) -> bool:
        """Whether a road through hex ``road`` may continue over a bridge in the neighbouring hex
        ``bridge``, although it is not drawn there."""
        bridged = self.board.has(bridge, (BRIDGE, SNOW_BRIDGE))
        told = bridge in self.board.exceptions.hexes or self.board.hexes[bridge].features
        return road in self.possible and bridged is not False and bool(told)
