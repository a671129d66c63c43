"""Numbering of regular grids: from column and row to the text players read."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..formats import Format, parse_format
from .java import quotient

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Axis:
    """How one coordinate is written.

    ``letters``: A…Z, AA, BB … instead of digits; ``leading``: digits padded to ``leading + 1``;
    ``offset``: number of the first column or row; ``descending``: counted from the far end.
    """

    letters: bool = False
    leading: int = 1
    offset: int = 1
    descending: bool = False

    def index(self, text: str) -> int | None:
        """The column or row with this text; None if none has it."""
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        if self.letters:
            last = _LETTERS.find(digits[-1:]) if digits else -1
            number = last + 26 * (len(digits) - 1)
        else:
            number = int(digits) if digits.isascii() and digits.isdecimal() else -1
        found = sign * number - self.offset
        return found if number >= 0 and self.name(found) == text else None

    def name(self, index: int) -> str:
        """The text of a column or row (RegularGridNumbering.getName)."""
        number = index + self.offset
        sign = "-" if number < 0 else ""
        number = abs(number)
        if self.letters:
            return sign + _LETTERS[number % 26] * (number // 26 + 1)
        return sign + _padding(number, self.leading) + str(number)


def _padding(number: int, leading: int) -> str:
    zeros = 0
    while leading > 0 and number < 10**leading:
        zeros += 1
        leading -= 1
    return "0" * zeros


@dataclass(frozen=True, slots=True)
class Count:
    """How columns and rows are counted, before the numbering's offsets, by the axial coordinates q, r of a
    raw cell. With ``u = a·q + b·r`` one number is u + c; the other is d·q + e·r + half·⌊(u + odd) / 2⌋ + f.
    ``rows_first``: u counts rows, else columns.
    """

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    half: int = 0
    odd: int = 0
    rows_first: bool = False

    def of(self, q: int, r: int) -> tuple[int, int]:
        """Column and row."""
        u = self.a * q + self.b * r
        one = u + self.c
        other = self.d * q + self.e * r + self.half * ((u + self.odd) // 2) + self.f
        return (other, one) if self.rows_first else (one, other)


@dataclass(frozen=True, slots=True)
class Numbering:
    """Numbering of a hex or square grid.

    ``horizontal`` numbers columns, ``vertical`` rows; on a sideways hex grid columns run downwards.
    ``stagger`` moves odd hex columns by one row; with ``oblique`` it also sets the slant.
    ``location_format`` may use gridLocation, row, column. ``drawn``: the engine draws it over the
    board's picture, which then has no printed names. ``count``: how a class of the module's own counts;
    None: by the engine's rules.
    """

    horizontal: Axis = Axis()
    vertical: Axis = Axis()
    column_first: bool = True
    separator: str = ""
    stagger: bool = True
    oblique: bool = False
    location_format: Format = field(default_factory=lambda: parse_format("$gridLocation$"))
    drawn: bool = False
    count: Count | None = None

    def text(self, column: int, row: int) -> str:
        """The location's text for numbered column and row, before offsets.

        Empty if the format is an expression we do not evaluate.
        """
        across, down = self.horizontal.name(column), self.vertical.name(row)
        joined = (
            across + self.separator + down if self.column_first else down + self.separator + across
        )
        form = self.location_format
        if form.parts == ("", "gridLocation", ""):
            return joined
        values = {"gridLocation": joined, "row": down, "column": across}
        return form.render(values, localized=True) or ""

    def slanted(self, column: int, row: int) -> int:
        """Row of an oblique numbering (ObliqueHexGridNumbering.slantRow)."""
        half = quotient(column, 2)
        return half + row if self.stagger else row - half + 1


@dataclass(frozen=True, slots=True)
class Claim:
    """A ``numbering`` as the build file defines it, though code of the module's own names the places and may
    count differently. ``cls``: the class; ``where``: its component, for messages."""

    numbering: Numbering
    cls: str
    where: str


def staggered(numbering: Numbering, raw_column: int, row: int, *, sideways: bool) -> int:
    """Row after the stagger rule, which looks at the raw column's oddness."""
    if not numbering.stagger or raw_column % 2 == 0:
        return row
    axis = numbering.horizontal if sideways else numbering.vertical
    return row - 1 if axis.descending else row + 1
