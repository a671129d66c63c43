"""Charts: what a terrain, a hexside or a road costs each movement class, cell by cell.

A cell is written as a number (``2``, ``"1/2"``), a number added to the rest (``"+1"``), half the rating plus
a number (``"1/2M+1"``), ``"prohibited"``, ``"all"`` (the whole allowance), bounds (``"1.."``, ``"1..3"``,
``{from = 1, to = 3}``) or ``"unknown"``. A row is one cell for every class, or ``class = cell``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Literal, NamedTuple

from ..cost_interval import ANYTHING, BARRED, WHOLE, CostInterval, total, union_all

Kind = Literal["number", "plus", "half", "prohibited", "whole", "between", "unknown", "none"]
_HALF = re.compile(r"1/2M([+-][0-9]+)?")
NO_CLASS = ""
"""A class that the tables do not name. Its costs are unknown, except in a row that is one cell for every
class."""
OTHERS = "others"
"""Key of a row for all classes that the row does not name."""


class Cell(NamedTuple):
    """The cost in MPs that a chart has for one class.

    ``kind``: ``plus`` is a number added to the rest; ``half`` one added to half the mover's rating; ``whole``
    takes the whole allowance; ``between`` is a number from ``amount`` to ``most`` (None: no upper bound),
    never prohibited; ``none``: the chart has no cost, and none is due."""

    kind: Kind
    amount: Fraction = Fraction(0)
    most: Fraction | None = None


NOTHING = Cell("none")
UNKNOWN_CELL = Cell("unknown")
Costs = Mapping[str, Cell]
"""A row of a chart: class → cell."""


def number(value: int | str) -> Fraction:
    """The number written in the tables, such as ``2`` or ``"1/2"``. Raises ValueError if it is not one."""
    return Fraction(value)


def is_cell(raw: Any) -> bool:
    """Whether a row is one cell for every class: not a table, or a table of bounds."""
    return not isinstance(raw, Mapping) or {*raw} <= {"from", "to"}


def read_cell(raw: int | str | Mapping[str, int | str]) -> Cell:
    """The cell written as ``raw`` in the tables (see the top of this file)."""
    if isinstance(raw, Mapping):
        most = raw.get("to")
        return Cell("between", number(raw.get("from", 0)), None if most is None else number(most))
    if raw == "prohibited":
        return Cell("prohibited")
    if raw == "all":
        return Cell("whole")
    if raw == "unknown":
        return UNKNOWN_CELL
    half = _HALF.fullmatch(str(raw))
    if half is not None:
        return Cell("half", number(half[1] or 0))
    if isinstance(raw, str) and raw.startswith("+"):
        return Cell("plus", number(raw[1:]))
    if isinstance(raw, str) and ".." in raw:
        least, _, most = raw.partition("..")
        return Cell("between", number(least), number(most) if most else None)
    return Cell("number", number(raw))


class ChartReader:
    """Reads the rows of charts for the movement classes ``names``.

    ``off``: clauses that are switched off; a cell based on one of them costs 0 MPs. ``whole_clause``: the
    clause by which a cell may take the whole allowance.
    """

    def __init__(self, names: tuple[str, ...], off: frozenset[str], whole_clause: str = "") -> None:
        self.names = names
        self._off = off
        self._whole = whole_clause
        self._denominators = {1}

    @property
    def scale(self) -> int:
        """The least scale (parts of an MP) at which all cells read so far are whole numbers."""
        return lcm(*self._denominators)

    def costs(
        self, raw: Any, cost_clause: str, bar_clause: str = "", missing: Cell = UNKNOWN_CELL
    ) -> Costs:
        """A row of a chart, by class.

        ``cost_clause`` and ``bar_clause``: the clauses for a number and for a prohibition. ``missing``: the
        cell of a class that the row does not name.
        """
        if is_cell(raw):
            cell = self._cell(raw, cost_clause, bar_clause)
            return {NO_CLASS: cell, **dict.fromkeys(self.names, cell)}
        cells = {n: self._cell(v, cost_clause, bar_clause) for n, v in raw.items()}
        rest = cells.get(OTHERS, missing)
        return {NO_CLASS: UNKNOWN_CELL, **{n: cells.get(n, rest) for n in self.names}}

    def _cell(self, raw: Any, cost_clause: str, bar_clause: str) -> Cell:
        cell = read_cell(raw)
        if cell.kind in ("number", "plus") and cost_clause in self._off:
            return Cell(cell.kind)
        if cell.kind == "prohibited" and bar_clause in self._off:
            return Cell("number")
        if cell.kind == "whole" and self._whole in self._off:
            return Cell("number")
        if cell.kind == "unknown" and {cost_clause, bar_clause} <= self._off:
            return Cell("number")
        if cell.kind == "between" and cost_clause in self._off:
            return Cell("number")
        if cell.kind in ("number", "plus", "between"):
            self._denominators |= {cell.amount.denominator, (cell.most or cell.amount).denominator}
        return cell


def cell_cost(cell: Cell, scale: int) -> CostInterval:
    """The cost of one cell, in 1/scale MP."""
    match cell.kind:
        case "prohibited":
            return BARRED
        case "whole":
            return WHOLE
        case "unknown" | "half":
            return ANYTHING
    amount = int(cell.amount * scale)
    if cell.kind == "between":
        return CostInterval(amount, None if cell.most is None else int(cell.most * scale))
    return CostInterval(amount, amount)


def class_cost(costs: Costs, classes: tuple[str, ...], scale: int, times: int = 1) -> CostInterval:
    """The cost of a row, times ``times``, in 1/scale MP, for a mover of one of ``classes`` (if there are
    several, it is not known which)."""
    intervals = (cell_cost(costs[c], scale) for c in classes)
    return union_all(
        t._replace(lo=t.lo * times, hi=None if t.hi is None else t.hi * times) for t in intervals
    )


def closes_some(rows: Iterable[Mapping[str, Any]], classes: Iterable[str]) -> bool:
    """Whether a row prohibits something to a mover of one of ``classes``. ``rows``: class → cell."""
    return any(row[name].kind == "prohibited" for row in rows for name in classes)


def road_cost(costs: Costs, classes: tuple[str, ...], scale: int) -> CostInterval:
    """The cost of a road, in 1/scale MP. A class without a cell cannot use the road."""
    return union_all(BARRED if costs[c] is NOTHING else cell_cost(costs[c], scale) for c in classes)


def dearest(costs: Iterable[CostInterval]) -> CostInterval:
    """The greatest of several costs that all apply; a prohibition or the whole allowance outranks numbers."""
    every = list(costs)
    summed = total(every)
    if summed.barred or summed.whole:
        return summed
    hi = None if any(t.hi is None for t in every) else max(t.hi or 0 for t in every)
    return CostInterval(max(t.lo for t in every), hi, summed.barred, summed.whole)


def cheapest(costs: Iterable[CostInterval]) -> CostInterval:
    """The least of several costs, if the mover chooses the one to pay."""
    every = [t for t in costs if t.barred is not True]
    if not every:
        return BARRED
    if any(t.whole is not False for t in every):
        return union_all(every)
    lo, sure = min(t.lo for t in every), [t for t in every if t.barred is False]
    if not sure:  # all but the dearest may be prohibited
        return CostInterval(lo, union_all(every).hi, None)
    return CostInterval(lo, min((t.hi for t in sure if t.hi is not None), default=None))


Mixture = Literal["dearest", "sum", "cheapest"]
"""How the costs of several terrains in one hex combine."""
_MIXED = {"dearest": dearest, "sum": total, "cheapest": cheapest}


def terrain_cost(
    charts: Mapping[str, Costs],
    mover: str,
    terrain: tuple[str, ...] | None,
    features: tuple[str, ...],
    scale: int,
    combine: Mixture | None = "dearest",
    *,
    whole: bool = True,
) -> CostInterval:
    """The cost for the class ``mover`` to enter a hex with this terrain and these features, in 1/scale MP.

    ``terrain`` None: not known; it may be any terrain of the chart. A name that is not in the chart may cost
    anything. If all names only add to others (``plus``), the rest of the hex may cost anything. ``combine``:
    how the costs combine; None: not known. ``whole``: the chart has every terrain of the game; if not, the
    lower bound of an unknown terrain is 0."""
    cells = [charts[n][mover] if n in charts else None for n in (*(terrain or ()), *features)]
    base = [cell_cost(c, scale) for c in cells if c is not None and c.kind != "plus"]
    plus = [cell_cost(c, scale) for c in cells if c is not None and c.kind == "plus"]
    if not terrain:
        chart = [cell_cost(row[mover], scale) for row in charts.values()]
        passable = [cost.lo for cost in chart if not cost.barred and not cost.whole]
        base.append(ANYTHING._replace(lo=min(passable, default=0) if whole else 0))
    elif None in cells or not base:
        base.append(ANYTHING)
    ways = _MIXED.values() if combine is None else (_MIXED[combine],)
    return total((union_all(mix(base) for mix in ways), *plus))
