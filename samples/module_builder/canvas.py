"""A drawing surface that gives the same pixels everywhere.

No font files and no floats: nothing could round otherwise on another machine, so a rebuilt picture
can be compared with the shipped one pixel by pixel. Smooth edges come from drawing twice as large and
halving (:meth:`Canvas.half`), in whole numbers too.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isqrt

from .lettering import LETTERS

Colour = tuple[int, int, int, int]
Point = tuple[int, int]

CLEAR: Colour = (0, 0, 0, 0)

# Each glyph is three pixels wide and five high; a digit is one row, its bits from left to right.
GLYPHS = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71317", "4": "55711", "5": "74717",
    "6": "74757", "7": "71244", "8": "75757", "9": "75717", "A": "25755", "B": "65656",
    "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755",
    "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555",
    "O": "25552", "P": "65644", "Q": "25563", "R": "65655", "S": "34216", "T": "72222",
    "U": "55557", "V": "55552", "W": "55775", "X": "55255", "Y": "55222", "Z": "71247",
    "-": "00700", ".": "00002", " ": "00000", "?": "71202",
}  # fmt: skip


class Canvas:
    """``width`` × ``height`` pixels of red, green, blue and opacity."""

    def __init__(self, width: int, height: int, colour: Colour = CLEAR) -> None:
        self.width, self.height = width, height
        self.pixels = bytearray(bytes(colour) * (width * height))

    def dot(self, x: int, y: int, colour: Colour) -> None:
        if 0 <= x < self.width and 0 <= y < self.height:
            at = 4 * (y * self.width + x)
            self.pixels[at : at + 4] = bytes(colour)

    def run(self, x: int, end: int, y: int, colour: Colour) -> None:
        """The pixels from ``x`` up to, not including, ``end`` in row ``y``."""
        x, end = max(x, 0), min(end, self.width)
        if x < end and 0 <= y < self.height:
            at = 4 * (y * self.width + x)
            self.pixels[at : at + 4 * (end - x)] = bytes(colour) * (end - x)

    def box(self, left: int, top: int, right: int, bottom: int, colour: Colour) -> None:
        for y in range(top, bottom):
            self.run(left, right, y, colour)

    def frame(
        self, left: int, top: int, right: int, bottom: int, thick: int, colour: Colour
    ) -> None:
        self.box(left, top, right, top + thick, colour)
        self.box(left, bottom - thick, right, bottom, colour)
        self.box(left, top, left + thick, bottom, colour)
        self.box(right - thick, top, right, bottom, colour)

    def polygon(self, corners: Sequence[Point], colour: Colour) -> None:
        """Fill a convex or concave polygon, row by row, in whole numbers."""
        for y in range(min(p[1] for p in corners), max(p[1] for p in corners)):
            cuts = []
            for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
                if (ay <= y) != (by <= y):
                    cuts.append(ax + (2 * y + 1 - 2 * ay) * (bx - ax) // (2 * (by - ay)))
            cuts.sort()
            for left, right in zip(cuts[::2], cuts[1::2], strict=False):
                self.run(left, right, y, colour)

    def line(self, a: Point, b: Point, thick: int, colour: Colour) -> None:
        """A line with round ends, ``thick`` pixels wide."""
        (ax, ay), (bx, by) = a, b
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        for y in range(min(ay, by) - thick, max(ay, by) + thick + 1):
            for x in range(min(ax, bx) - thick, max(ax, bx) + thick + 1):
                along = (x - ax) * dx + (y - ay) * dy
                along = 0 if along < 0 else min(along, length)
                away_x = (x - ax) * length - along * dx
                away_y = (y - ay) * length - along * dy
                if 4 * (away_x * away_x + away_y * away_y) <= thick * thick * length * length:
                    self.dot(x, y, colour)

    def lines(self, points: Sequence[Point], thick: int, colour: Colour) -> None:
        for a, b in pairwise(points):
            self.line(a, b, thick, colour)

    def disc(self, centre: Point, radius: int, colour: Colour, stretch: int = 1) -> None:
        """A filled circle, ``stretch`` times as wide as high."""
        for dy in range(-radius, radius + 1):
            half = 0
            while (half + 1) ** 2 + dy * dy <= radius * radius:
                half += 1
            if dy * dy <= radius * radius:
                self.run(
                    centre[0] - half * stretch,
                    centre[0] + half * stretch + 1,
                    centre[1] + dy,
                    colour,
                )

    def text(self, x: int, y: int, words: str, colour: Colour, size: int = 1) -> None:
        for letter in words.upper():
            for row, bits in enumerate(GLYPHS[letter]):
                for column in range(3):
                    if int(bits) >> (2 - column) & 1:
                        left, top = x + column * size, y + row * size
                        self.box(left, top, left + size, top + size, colour)
            x += 4 * size

    def centred(self, x: int, y: int, words: str, colour: Colour, size: int = 1) -> None:
        self.text(x - (4 * len(words) - 1) * size // 2, y, words, colour, size)

    def stroke(self, points: Sequence[Point], thick: int, colour: Colour) -> None:
        """A line through ``points`` with round ends and joints; faster than :meth:`lines`."""
        for a, b in pairwise(points):
            self.polygon(_bar(a, b, thick), colour)
        for point in points:
            self.disc(point, thick // 2, colour)

    def dashes(
        self, points: Sequence[Point], thick: int, colour: Colour, dash: int, gap: int
    ) -> None:
        """A broken line with blunt ends: ``dash`` pixels drawn, ``gap`` pixels not."""
        left, drawing = dash, True
        for a, b in pairwise(points):
            length, at = distance(a, b), 0
            while at < length:
                step = min(left, length - at)
                if drawing:
                    ends = along(a, b, at, length), along(a, b, at + step, length)
                    self.polygon(_bar(*ends, thick), colour)
                at, left = at + step, left - step
                if not left:
                    drawing = not drawing
                    left = dash if drawing else gap

    def letters(self, x: int, y: int, words: str, colour: Colour, size: int = 2) -> None:
        """Words whose middle is at ``x`` and whose top is at ``y``: five dots wide, seven high, a dot
        of ``size`` pixels."""
        x -= letters_width(words, size) // 2
        for letter in words.upper():
            for row, bits in enumerate(LETTERS[letter]):
                for column in range(5):
                    if int(bits, 32) >> (4 - column) & 1:
                        left, top = x + column * size, y + row * size
                        self.box(left, top, left + size, top + size, colour)
            x += 6 * size

    def paste(self, other: Canvas, left: int, top: int) -> None:
        """Lay another canvas over this one; a pixel is taken if it is more opaque than not."""
        for y in range(other.height):
            for x in range(other.width):
                at = 4 * (y * other.width + x)
                if other.pixels[at + 3] > 127:
                    self.dot(left + x, top + y, tuple(other.pixels[at : at + 4]))  # type: ignore[arg-type]

    def half(self) -> Canvas:
        """The same picture half as wide and high: each pixel the mean of four, clear ones left out."""
        small = Canvas(self.width // 2, self.height // 2)
        row = 4 * self.width
        for y in range(small.height):
            upper = self.pixels[2 * y * row : (2 * y + 1) * row]
            lower = self.pixels[(2 * y + 1) * row : (2 * y + 2) * row]
            small.pixels[4 * small.width * y : 4 * small.width * (y + 1)] = _mean(upper, lower)
        return small

    def png(self) -> bytes:
        """The picture as a PNG file."""
        row = 4 * self.width
        raw = b"".join(
            b"\x00" + self.pixels[at : at + row] for at in range(0, len(self.pixels), row)
        )
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunks(chunks))


def letters_width(words: str, size: int) -> int:
    """How wide :meth:`Canvas.letters` are, in pixels."""
    return (6 * len(words) - 1) * size


def distance(a: Point, b: Point) -> int:
    """Between two points, rounded down to whole pixels."""
    return isqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)


def along(a: Point, b: Point, part: int, whole: int) -> Point:
    """The point ``part`` of ``whole`` on the way from ``a`` to ``b``."""
    return (
        a[0] + ((b[0] - a[0]) * part) // max(whole, 1),
        a[1] + ((b[1] - a[1]) * part) // max(whole, 1),
    )


def beside(a: Point, b: Point, far: int) -> Point:
    """A step of ``far`` pixels to the right of the way from ``a`` to ``b``."""
    length = max(distance(a, b), 1)
    return -((b[1] - a[1]) * far) // length, ((b[0] - a[0]) * far) // length


def _bar(a: Point, b: Point, thick: int) -> list[Point]:
    """A rectangle ``thick`` pixels wide around a line."""
    near, far = beside(a, b, thick // 2), beside(a, b, -(thick - thick // 2))
    return [
        (a[0] + near[0], a[1] + near[1]),
        (b[0] + near[0], b[1] + near[1]),
        (b[0] + far[0], b[1] + far[1]),
        (a[0] + far[0], a[1] + far[1]),
    ]


def _mean(upper: bytearray, lower: bytearray) -> bytes:
    """One row out of two, half as wide."""
    opacity = [upper[3::8], upper[7::8], lower[3::8], lower[7::8]]
    opaque = all(min(part, default=255) == 255 for part in opacity)
    result = bytearray(len(upper) // 2)
    for channel in range(3):
        four = [row[at::8] for row in (upper, lower) for at in (channel, channel + 4)]
        if opaque:
            result[channel::4] = _quarter(four)
        else:
            result[channel::4] = bytes(
                map(_seen, zip(*four, strict=True), zip(*opacity, strict=True))
            )
    result[3::4] = _quarter(opacity)
    return bytes(result)


def _quarter(four: Sequence[bytearray]) -> bytes:
    """The mean of four rows of bytes, rounded. Each row is added as one large number, with two bytes to a
    pixel, so that no sum runs over."""
    size = 2 * len(four[0])
    total = int.from_bytes(b"\x02\x00" * len(four[0]), "little")
    for row in four:
        wide = bytearray(size)
        wide[::2] = row
        total += int.from_bytes(wide, "little")
    # what the shift brings in from the next pixel lies in the high byte of this one
    return (total >> 2).to_bytes(size, "little")[::2]


def _seen(values: tuple[int, ...], opacity: tuple[int, ...]) -> int:
    """The mean of one channel, each pixel counting as far as it is opaque."""
    whole = sum(opacity)
    if not whole:
        return 0
    return sum(v * o for v, o in zip(values, opacity, strict=True)) // whole


def _chunks(chunks: Iterable[tuple[bytes, bytes]]) -> Iterable[bytes]:
    for kind, body in chunks:
        yield (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )
