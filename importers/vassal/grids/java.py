"""Java's arithmetic where it differs from Python's: rounding, truncation, hash order, polygons; and the
words that all grids share.

Pixel geometry must equal the engine's, to the pixel. Every rule in which Python differs is stated once,
here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from math import floor
from struct import Struct
from typing import TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""Raw column and row of a regular grid, independent of numbering; regions are (index, 0)."""


Point: TypeAlias = tuple[int, int]
"""A pixel, ``(x, y)``, y downwards."""

Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""

T = TypeVar("T")

_SINGLE, _SINGLES2, _SINGLES6 = Struct("f"), Struct("2f"), Struct("6f")
_MASK32 = 0xFFFFFFFF
_INT_MAX, _INT_MIN = 2**31 - 1, -(2**31)


def java_round(value: float) -> int:
    """``Math.round``: to the nearest integer, halves up (so −2.5 becomes −2)."""
    down = floor(value)
    return down + 1 if value - down >= 0.5 else down


def to_int(value: float) -> int:
    """The cast ``(int)``: toward zero, clamped to 32 bits."""
    return max(_INT_MIN, min(_INT_MAX, int(value)))


def quotient(dividend: int, divisor: int) -> int:
    """Integer division toward zero (Python's goes down)."""
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole


def parse_int(text: str) -> int | None:
    """The number that ``Integer.parseInt`` reads; None where it throws."""
    if len(text) < 10 and text.isascii() and text.isdigit():
        return int(text)
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 11:
        return None
    value = int(text)
    return value if _INT_MIN <= value <= _INT_MAX else None


def hex_offsets_in_singles(
    x: int, y: int, dx: float, dy: float
) -> tuple[float, float, float, float, float, float]:
    """Left, left shoulder, right shoulder and right x, top and bottom y of a hex round (x, y).

    The engine holds these in single precision; so do we, or a vertex could round the other way.
    """
    width, height = _SINGLES2.unpack(_SINGLES2.pack(dx, dy))
    (r,) = _SINGLE.unpack(_SINGLE.pack(2.0 * width / 3.0))
    half = 0.5 * r
    corners: tuple[float, float, float, float, float, float] = _SINGLES6.unpack(
        _SINGLES6.pack(x - r, x - half, x + half, x + r, y - 0.5 * height, y + 0.5 * height)
    )
    return corners


def hash_of_point(point: Point) -> int:
    """``java.awt.Point.hashCode`` spread as ``HashMap`` spreads it (32 bits, unsigned)."""
    bits = _double_bits(float(point[0]))
    bits ^= (_double_bits(float(point[1])) * 31) & 0xFFFFFFFFFFFFFFFF
    code = (bits ^ (bits >> 32)) & _MASK32
    return code ^ (code >> 16)


def hash_map_order(points: Iterable[Point]) -> tuple[Point, ...]:
    """The order in which a ``HashMap`` of these (distinct) keys, put in this order, is walked.

    By bucket, and within a bucket by time of insertion. A bucket of eight or more keys would become
    a tree; its order is not reproduced.
    """
    keys = list(dict.fromkeys(points))
    buckets = 16
    while len(keys) > buckets * 3 // 4:
        buckets *= 2
    return tuple(sorted(keys, key=lambda p: hash_of_point(p) & (buckets - 1)))


def _double_bits(value: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits


def polygon_contains(vertices: Sequence[Point], x: int, y: int) -> bool:
    """``java.awt.Polygon.contains``: even-odd; left and top edges are in, right and bottom out.

    The edge's x is computed in doubles, divided first, as Java does: on a slanted edge the last
    bit decides.
    """
    if len(vertices) <= 2:
        return False
    inside = False
    last_x, last_y = vertices[-1]
    for here_x, here_y in vertices:
        if here_y < last_y:
            crosses = here_y <= y < last_y and (
                x - here_x < (y - here_y) / (last_y - here_y) * (last_x - here_x)
            )
        else:
            crosses = last_y <= y < here_y and (
                x - last_x < (y - last_y) / (last_y - here_y) * (last_x - here_x)
            )
        inside ^= crosses
        last_x, last_y = here_x, here_y
    return inside


def bounding_size(vertices: Sequence[Point]) -> Size:
    """Width and height of the smallest rectangle round the vertices ((0, 0) for none)."""
    if not vertices:
        return (0, 0)
    xs, ys = [x for x, _ in vertices], [y for _, y in vertices]
    return (max(xs) - min(xs), max(ys) - min(ys))
