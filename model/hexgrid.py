"""Hex geometry on axial coordinates: exact, without pixels or names.

``Axial(q, r)``: q counts columns, r runs down a column. Neighbours are numbered 0…5 clockwise from
"up" on a grid of upright columns. :func:`from_offset` converts VASSAL's raw column and row (``nx``, ``ny``:
odd columns are half a hex lower, ``VASSAL.build.module.map.boardPicker.board.HexGrid``).
"""

from __future__ import annotations

from typing import NamedTuple


class Axial(NamedTuple):
    """A hex by its axial coordinates, in hexes."""

    q: int
    r: int


DIRECTIONS: tuple[Axial, ...] = (
    Axial(0, -1),
    Axial(1, -1),
    Axial(1, 0),
    Axial(0, 1),
    Axial(-1, 1),
    Axial(-1, 0),
)


def from_offset(nx: int, ny: int) -> Axial:
    """The axial coordinates of VASSAL's raw column ``nx`` and row ``ny``."""
    return Axial(nx, ny - (nx - (nx & 1)) // 2)


def to_offset(at: Axial) -> tuple[int, int]:
    """The raw (column, row) of ``at``; the inverse of :func:`from_offset`."""
    return at.q, at.r + (at.q - (at.q & 1)) // 2


def neighbours(at: Axial) -> tuple[Axial, ...]:
    """The six hexes next to ``at``, in the order of :data:`DIRECTIONS`."""
    q, r = at
    return tuple(Axial(q + dq, r + dr) for dq, dr in DIRECTIONS)


def direction(a: Axial, b: Axial) -> int | None:
    """The index in :data:`DIRECTIONS` that leads from ``a`` to ``b``; None if not adjacent."""
    step = Axial(b.q - a.q, b.r - a.r)
    return DIRECTIONS.index(step) if step in DIRECTIONS else None


def distance(a: Axial, b: Axial) -> int:
    """The distance from ``a`` to ``b`` in hexes."""
    dq, dr = a.q - b.q, a.r - b.r
    return max(abs(dq), abs(dr), abs(dq + dr))
