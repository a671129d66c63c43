"""The cells of the terrain effects chart. A cell is a number of MPs, half the printed rating plus or minus a
number, a prohibition, or not known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal, NamedTuple

from ....model.bill import Amount
from ...concepts.charts import OTHERS
from ...cost_interval import ANYTHING, BARRED, CostInterval

Kind = Literal["number", "half", "prohibited", "unknown"]
_HALF = re.compile(r"1/2M([+-][0-9]+)?")
MORE, LESS = "ZC-6.A.2-g", "ZC-6.A.2-h"
"""The clauses of 1/2M+n and 1/2M-n."""


class Cell(NamedTuple):
    """One cell. ``amount``: the MPs of a "number"; what is added to half the rating of a "half"; else
    unused."""

    kind: Kind
    amount: Fraction = Fraction(0)

    @property
    def clause(self) -> str:
        """The clause that explains a cell of kind "half"; '' for the others."""
        if self.kind != "half":
            return ""
        return LESS if self.amount < 0 else MORE

    def __str__(self) -> str:
        """The cell as it is written in the tables."""
        if self.kind == "number":
            return str(self.amount)
        return f"1/2M{int(self.amount):+d}" if self.kind == "half" else self.kind

    def without(self, clause: str, off: frozenset[str]) -> Cell:
        """The cell if the clauses in ``off`` are switched off. ``clause``: the one by which the cost is due,
        '' if there is none."""
        free = Cell("number")
        if self.kind in ("number", "half") and off.intersection((clause, self.clause)):
            return free
        if self.kind == "prohibited" and "ZC-6.A.2-f" in off:
            return free
        unknown = self.kind == "unknown"
        return free if unknown and clause and {clause, "ZC-6.A.2-f"} <= off else self

    def cost(self, base: Amount, scale: int, reading: str) -> CostInterval:
        """The cost, in 1/scale MP. ``base``: the rating that 1/2M is half of; ``reading``: how half an odd
        rating is rounded."""
        if self.kind == "prohibited":
            return BARRED
        if self.kind == "unknown":
            return ANYTHING
        if self.kind == "number":
            due = int(self.amount * scale)
            return CostInterval(due, due)
        lo = max(Fraction(0), half(base.lo, reading)[0] + self.amount)
        hi = None if base.hi is None else max(lo, half(base.hi, reading)[1] + self.amount)
        return CostInterval(floor(lo * scale), None if hi is None else ceil(hi * scale))


UNKNOWN_CELL = Cell("unknown")


def half(number: Fraction, reading: str) -> tuple[Fraction, Fraction]:
    """The least and the greatest half of a number. ``reading``: "down" or "up" rounds it to a whole number,
    "keep" does not; "any" allows all three."""
    exact = number / 2
    lo = exact if reading in ("keep", "up") else Fraction(floor(exact))
    hi = exact if reading in ("keep", "down") else Fraction(ceil(exact))
    if reading == "up":
        return hi, hi
    return (lo, lo) if reading == "down" else (lo, hi)


def read_cell(raw: int | str) -> Cell:
    """The cell that is written ``raw`` in the tables."""
    if raw == "prohibited":
        return Cell("prohibited")
    if raw == "unknown":
        return UNKNOWN_CELL
    found = _HALF.fullmatch(str(raw))
    if found is not None:
        return Cell("half", Fraction(found[1] or 0))
    return Cell("number", Fraction(raw))


def read_row(raw: Any, columns: tuple[str, ...]) -> Mapping[str, Cell]:
    """A row of a chart, column → cell. ``raw`` is one value for all columns, or a table of them. A column
    that is missing has the value of "others", else it is unknown."""
    if not isinstance(raw, Mapping):
        return dict.fromkeys(columns, read_cell(raw))
    cells = {name: read_cell(cell) for name, cell in raw.items()}
    rest = cells.get(OTHERS, UNKNOWN_CELL)
    return {name: cells.get(name, rest) for name in columns}
