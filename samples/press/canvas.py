"""A drawing surface that gives the same pixels everywhere.

No font, no anti-aliasing, no floats in the way of a pixel that could round otherwise on another
machine: so a rebuilt picture can be compared with the shipped one pixel by pixel.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise

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

    def png(self) -> bytes:
        """The picture as a PNG file."""
        row = 4 * self.width
        raw = b"".join(
            b"\x00" + self.pixels[at : at + row] for at in range(0, len(self.pixels), row)
        )
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunks(chunks))


def _chunks(chunks: Iterable[tuple[bytes, bytes]]) -> Iterable[bytes]:
    for kind, body in chunks:
        yield (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )
