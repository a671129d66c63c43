"""The steps of a board by kind, and how far a unit gets by the numbers of a chart.

Costs are whole numbers, in 1/:data:`SCALE` MP. Other rules that raise costs (zones of control, levels,
surcharges, other units) are left out: no step costs more here than by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ...model.board import Board, edge

SCALE = 12
"""Parts of an MP: costs along roads are 1/4, 1/3 or 1/2 MP, or whole MPs."""
PROHIBITED, NONE = -1, -2
"""Values of a number that are not costs: prohibited; a line that changes nothing."""


class Number(NamedTuple):
    """A number of a chart: its ``table`` (``terrain``, ``hexsides``, ``roads``) and row."""

    table: str
    name: str


Chart = Mapping[Number, int]
"""Number → cost in 1/:data:`SCALE` MP, :data:`PROHIBITED`, or :data:`NONE`."""


class StepKind(NamedTuple):
    """The numbers that a step may be charged for: terrain of the hex entered, features on the hexside, lines
    across it."""

    entered: tuple[Number, ...]
    crossed: tuple[Number, ...]
    along: tuple[Number, ...]


class Reach(NamedTuple):
    """How far a unit gets from a hex. ``costs``: hex → least cost, without the origin. ``read``: a bit for
    each number (:meth:`Ground.bit`) that a step from one of these hexes may be charged for; if none of these
    numbers changes, the reach does not change."""

    costs: dict[int, int]
    read: int


@dataclass(frozen=True)
class Ground:
    """A board whose hexes are numbered.

    ``steps``: for each hex, its neighbours with the kind of the step. ``added``: terrain whose cost is added
    to that of the rest of the hex. ``free_along``: lines along which features of hexsides cost nothing.
    ``bridged``: feature of hexsides → features that make it free on the same hexside.
    """

    names: tuple[str, ...]
    kinds: tuple[StepKind, ...]
    steps: tuple[tuple[tuple[int, int], ...], ...]
    added: frozenset[str] = frozenset()
    free_along: frozenset[str] = frozenset()
    bridged: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Name of a hex → its number."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number that a step may be charged for."""
        found = dict.fromkeys(number for kind in self.kinds for part in kind for number in part)
        return tuple(sorted(found))

    @cached_property
    def _read(self) -> tuple[int, ...]:
        """For each hex, the bits of the numbers that steps from it may be charged for."""
        place = {number: 1 << bit for bit, number in enumerate(self.numbers)}
        of_kind = [sum({place[n] for part in kind for n in part}) for kind in self.kinds]
        found = []
        for steps in self.steps:
            bits = 0
            for _, kind in steps:
                bits |= of_kind[kind]
            found.append(bits)
        return tuple(found)

    def bit(self, number: Number) -> int:
        """The bit of a number in :attr:`Reach.read`."""
        return 1 << self.numbers.index(number)

    def costs(self, chart: Chart) -> list[int]:
        """The cost of each kind of step by a chart; :data:`PROHIBITED` if it is prohibited."""
        return [self._cost(kind, chart) for kind in self.kinds]

    def _cost(self, kind: StepKind, chart: Chart) -> int:
        entered = [chart[number] for number in kind.entered if number.name not in self.added]
        added = [chart[number] for number in kind.entered if number.name in self.added]
        here = {number.name for number in kind.crossed}
        crossed = [
            chart[number]
            for number in kind.crossed
            if here.isdisjoint(self.bridged.get(number.name, ()))
        ]
        blocked = PROHIBITED in crossed
        sides = sum(cost for cost in crossed if cost > 0)
        best = PROHIBITED
        if PROHIBITED not in (*entered, *added) and not blocked:
            best = max(entered, default=SCALE) + sum(added) + sides
        for number in kind.along:
            along, free = chart[number], number.name in self.free_along
            if along >= 0 and (free or not blocked):
                cost = along + (0 if free else sides)
                best = cost if best == PROHIBITED else min(best, cost)
        return best if best == PROHIBITED else max(1, best)

    def reach(self, origin: int, most: int, costs: Sequence[int]) -> Reach:
        """How far a unit gets for at most ``most``. ``costs``: of each kind of step."""
        found = {origin: 0}
        layers: list[list[int]] = [[] for _ in range(most + 1)]
        layers[0].append(origin)
        read = 0
        for spent, layer in enumerate(layers):
            for here in layer:
                if found[here] != spent or spent == most:
                    continue
                read |= self._read[here]
                for there, kind in self.steps[here]:
                    cost = costs[kind]
                    total = spent + cost
                    if cost >= 0 and total <= most and total < found.get(there, most + 1):
                        found[there] = total
                        layers[total].append(there)
        del found[origin]
        return Reach(found, read)


def ground_of(board: Board, tables: Mapping[str, Any]) -> Ground:
    """The ground of a board, as the charts in ``tables`` (``[rules]`` of a pack) name it.

    Features of hexes that the terrain chart does not name cost nothing. Unknown terrain costs 1 MP; unknown
    hexsides cost nothing.
    """
    costs = table(tables, "terrain").get("costs", {})
    roads, sides = table(tables, "roads"), table(tables, "hexsides")
    names = tuple(board.hexes)
    place = {name: number for number, name in enumerate(names)}
    kinds: dict[StepKind, int] = {}
    steps = []
    for here in names:
        found = []
        for there in board.neighbours(here):
            side, entered_hex = edge(here, there), board.hexes[there]
            lines = {line.kind for line in board.lines_by_edge.get(side, ())}
            entered = {
                *(entered_hex.terrain or ()),
                *(f for f in entered_hex.features if f in costs),
            }
            kind = StepKind(
                tuple(Number("terrain", name) for name in sorted(entered)),
                tuple(Number("hexsides", name) for name in sorted(board.sides.get(side, ()))),
                tuple(Number("roads", name) for name in sorted(lines)),
            )
            found.append((place[there], kinds.setdefault(kind, len(kinds))))
        steps.append(tuple(found))
    return Ground(
        names,
        tuple(kinds),
        tuple(steps),
        frozenset(name for name, cost in costs.items() if str(cost).startswith("+")),
        frozenset(
            kind
            for kind in board.line_kinds
            if "hexsides" in table(roads, kind).get("cancels", CANCELS)
        ),
        {
            name: frozenset(bridge["feature"] for bridge in table(sides, name).get("bridges", ()))
            for name in sides
        },
    )


CANCELS = ("terrain", "hexsides", "levels")
"""The default of ``cancels`` of a road: costs that are not paid along it."""


def table(tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A table by its name; empty if it is missing, or if the pack says that the game has none."""
    found = tables.get(name)
    return found if isinstance(found, Mapping) else {}
