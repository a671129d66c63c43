"""Java's arithmetic where it differs from Python's: rounding, truncation, hash order, polygons.

Pixel geometry must come out as the engine computes it, to the pixel. Every rule that Python would
do otherwise is stated once, here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from math import floor
from typing import TypeAlias, TypeVar

Point: TypeAlias = tuple[int, int]
"""A pixel, ``(x, y)``, y downwards."""

Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""

T = TypeVar("T")

_MASK32 = 0xFFFFFFFF
_INT_MAX, _INT_MIN = 2**31 - 1, -(2**31)


def java_round(value: float) -> int:
    """``Math.round``: floor of value + ½ (so −2.5 becomes −2)."""
    return floor(value + 0.5)


def to_int(value: float) -> int:
    """The cast ``(int)``: toward zero, clamped to 32 bits."""
    return max(_INT_MIN, min(_INT_MAX, int(value)))


def quotient(dividend: int, divisor: int) -> int:
    """Integer division toward zero (Python's goes down)."""
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole


def float32(value: float) -> float:
    """The value rounded to single precision, as Java's ``float`` holds it."""
    single: float = struct.unpack("f", struct.pack("f", value))[0]
    return single


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
    """``java.awt.Polygon.contains``: even-odd; left and top edges are in, right and bottom out."""
    if len(vertices) <= 2:
        return False
    inside = False
    last_x, last_y = vertices[-1]
    for here_x, here_y in vertices:
        if here_y != last_y and min(here_y, last_y) <= y < max(here_y, last_y):
            # x of the edge at this y, compared without dividing; exact in integers
            span = here_y - last_y
            cross = (x - last_x) * span - (y - last_y) * (here_x - last_x)
            if (cross < 0) if span > 0 else (cross > 0):
                inside = not inside
        last_x, last_y = here_x, here_y
    return inside


def bounding_size(vertices: Sequence[Point]) -> Size:
    """Width and height of the smallest rectangle round the vertices ((0, 0) for none)."""
    if not vertices:
        return (0, 0)
    xs, ys = [x for x, _ in vertices], [y for _, y in vertices]
    return (max(xs) - min(xs), max(ys) - min(ys))
