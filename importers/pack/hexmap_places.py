"""Hexes and hexsides as HexMap 1.0 names them, on a board of the module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from ...model.board import Board, Edge, edge
from ...model.hexgrid import from_offset, neighbours, to_offset
from .terrain_spreadsheet import COMPASS, beyond

Kind = Literal["hexes", "sides", "corners"]
SIDEWAYS = ("W", "SW", "SE", "E", "NE", "NW")
"""The sides of a hex on a grid of sideways rows, in the order of :data:`.COMPASS`, with the axes swapped."""
_CLOCKWISE = ("NE", "E", "SE", "SW", "W", "NW")
_SIDE = re.compile(r"(.+)([/@])([NESW]{1,2}|1[0-2]|[1-9])", re.IGNORECASE)
_CORNER = re.compile(r"(.+)\.([NESW]{1,2}|[1-6])", re.IGNORECASE)
_STAGGER = {
    ("flat", "low"): "flat-down", ("flat", "high"): "flat-up",
    ("pointy", "low"): "pointy-right", ("pointy", "high"): "pointy-left",
}  # fmt: skip


ALL = "@all"
WORDS = ("-", "~", "include", "exclude", "fill", "~fill", "close", "~close")
EXPECTED = (
    "expected names of one kind, separated by blanks or commas, joined by - where only one way leads from "
    "one to the other (or along a column or row), or four corners and fill"
)
MOST_DIGITS = 6
MOST_STEPS = 1000
"""Hexes that are joined by one ``-``."""


class Unread(ValueError):
    """An expression that is not read. The text says what was expected and found."""


APART = "sides that are none on the module's map, or that the file's numbering puts elsewhere"


class Apart(Unread):
    """A side where the file's numbering has another hex than the module's map."""


class HexMapPlaces:
    """The hexes of a board by the numbers in the labels of a file."""

    def __init__(self, board: Board, grid: Mapping[str, Any]) -> None:
        self.board, self.grid = board, grid
        more = grid.get("coordinates")
        self.labels = {**(more if isinstance(more, dict) else {}), **grid}
        label = self.labels.get("label", "XXYY" if "hex_top" in grid else "auto")
        self.pattern = _pattern(_first_label(grid.get("all")) if label == "auto" else label)
        turned = (str(grid.get("hex_top")), str(grid.get("stagger", "low")))
        self.turned = str(grid.get("orientation", _STAGGER.get(turned)))

    def numbers(self, name: str) -> tuple[int, int] | None:
        """The column and row in a label; None if it is not of the file's pattern."""
        found = self.pattern.fullmatch(name) if self.pattern else None
        if found is None:
            return None
        column = found["x"]
        return int(column) if column.isdecimal() else ord(column) - ord("A") + 1, int(found["y"])

    @cached_property
    def names(self) -> Mapping[tuple[int, int], str]:
        """The hexes of the board by column and row."""
        return {at: name for name in self.board.hexes if (at := self.numbers(name))}

    def every(self) -> list[str]:
        """The hexes of the file that the board has. Raises :class:`Unread` if the file does not list them."""
        if isinstance(self.grid.get("all"), str):
            return [name for part in self.chains(self.grid["all"]) for name in part]
        if isinstance(self.grid.get("boundary"), list):
            return [name for name in self.grid["boundary"] if isinstance(name, str)]
        try:
            first_x, first_y = self.labels.get("first", (1, 1))
            columns = range(first_x, first_x + self.grid["columns"])
            rows = range(first_y, first_y + self.grid["rows"])
        except (KeyError, TypeError, ValueError):
            raise Unread("expected layout.all to say which hexes there are") from None
        return [name for at, name in self.names.items() if at[0] in columns and at[1] in rows]

    # -- hexsides ----------------------------------------------------------------------------------

    def kind(self, text: str) -> Kind:
        """The kind of place that the first name in an expression names."""
        first = next((w for w in self._words(text) if w not in WORDS), "")
        if first in self.board.hexes or self.numbers(first) or first == ALL:
            return "hexes"
        side = _SIDE.fullmatch(first)
        if side and side[2] == "@" and side[3].isdecimal() and int(side[3]) % 2 == self.upright:
            return "corners"
        return "corners" if _CORNER.fullmatch(first) else "sides" if side else "hexes"

    def side_named(self, text: str) -> tuple[str, int]:
        """The hex in ``0304/NE``, ``0304/2`` or ``0304@2``, and the number of its side."""
        found = _SIDE.fullmatch(text)
        if found is None:
            raise Unread(f"expected a side such as 0304/NE; found {text}")
        name, sign, word = found.groups()
        order, clockwise = (COMPASS, COMPASS) if self.upright else (SIDEWAYS, _CLOCKWISE)
        if word.isdecimal() and (sign == "/" or int(word) % 2 != self.upright):
            number = int(word) - 1 if sign == "/" else int(word) % 12 // 2
            word = clockwise[number] if number < 6 else word
        if word.upper() not in order:
            raise Unread(f"expected sides out of {', '.join(order)}; found {text}")
        return name, order.index(word.upper())

    def side(self, name: str, number: int) -> Edge | None:
        """A side of a hex of the board; None at the edge of the board. Raises :class:`Apart` where the file's
        numbering has another hex beyond it than the module's map."""
        near, numbers = beyond(self.board, name, number), self.numbers(name)
        if self.turned not in _STAGGER.values() or numbers is None or not self._top_left:
            raise Apart(APART)
        if near != self.names.get(self._beyond(numbers, number)):
            raise Apart(APART)
        return edge(name, near) if near else None

    @property
    def upright(self) -> bool:
        return not self.turned.startswith("pointy")

    @property
    def _top_left(self) -> bool:
        return bool(self.labels.get("origin", "top-left") == "top-left")

    def _beyond(self, at: tuple[int, int], number: int) -> tuple[int, int]:
        """The column and row beyond a side by the file's numbering. On a sideways grid rows stagger."""
        x, y = at if self.upright else at[::-1]
        high = self.turned in ("flat-up", "pointy-left")
        x, y = to_offset(neighbours(from_offset(x + high, y))[number])
        return (x - high, y) if self.upright else (y, x - high)

    # -- expressions -------------------------------------------------------------------------------

    def chains(self, text: str) -> list[list[str]]:
        """The names in an expression, those that are joined in one list: names, ``-`` between those that
        adjoin or stand in one column or row, four corners and ``fill``, ``exclude``, ``include``, ``@all``.
        Raises :class:`Unread` at anything else."""
        found: list[list[str]] = []
        given: list[str] = []
        kind = self.kind(text)
        joined = out = False
        for word in self._words(text):
            if word == "-" and given and not joined:
                joined = True
                continue
            if joined and (word in WORDS or word == ALL):
                raise Unread(f"{EXPECTED}; found {text}")
            if word in ("include", "exclude"):
                out, given = word == "exclude", []
                continue
            if word == "fill":
                more, given = [[name] for name in self._rectangle(given, text)], []
            elif word == ALL and text != self.grid.get("all"):
                more, given = [[name] for name in self.every()], []
            elif self.kind(word) != kind or word in WORDS or not self._is_name(word):
                raise Unread(f"{EXPECTED}; found {text}")
            else:
                way = self._way(given[-1], word, text) if joined else [word]
                if joined and not out:
                    found[-1] += way
                more = [] if joined and not out else [way]
                given = [*given, word] if joined else [word]
            joined = False
            if out:
                gone = {name for part in more for name in part}
                found = [[name] for part in found for name in part if name not in gone]
            else:
                found += more
        if joined:
            raise Unread(f"{EXPECTED}; found {text}")
        return found

    def _words(self, text: str) -> Iterator[str]:
        for word in filter(None, re.split(r"[\s,]+", text)):
            whole = word in self.board.hexes or self.numbers(word)
            yield from [word] if whole else filter(None, re.split("(-)", word))

    def _is_name(self, word: str) -> bool:
        found = _SIDE.fullmatch(word) or _CORNER.fullmatch(word)
        names = (word, found[1]) if found else (word,)
        return any(name in self.board.hexes or self.numbers(name) for name in names)

    def _way(self, a: str, b: str, text: str) -> list[str]:
        """The names behind ``a`` up to ``b``, where there is but one way from one to the other."""
        if self.kind(a) == "sides":
            if self._meet(a, b):
                return [b]
        elif a in self.board.hexes and b in self.board.neighbours(a):
            return [b]
        elif (one := self.numbers(a)) and (other := self.numbers(b)):
            far = [other[0] - one[0], other[1] - one[1]]
            count = max(map(abs, far))
            if (
                0 in far and count <= MOST_STEPS
            ):  # along a column or row it goes from label to label
                step = [(n > 0) - (n < 0) for n in far]
                between = [(one[0] + n * step[0], one[1] + n * step[1]) for n in range(1, count)]
                return [*(self.names[at] for at in between if at in self.names), b]
        raise Unread(f"{EXPECTED}; found {text}")

    def _meet(self, a: str, b: str) -> bool:
        """Whether two sides of the board have a corner in common."""
        names = [self.side_named(text) for text in (a, b)]
        if not all(name in self.board.hexes for name, _ in names):
            return False
        sides = [self.side(*one) for one in names]
        if sides[0] is None or sides[1] is None:
            return False
        ends = set(sides[0]) ^ set(sides[1])
        return len(ends) == 2 and ends.pop() in self.board.neighbours(ends.pop())

    def _rectangle(self, corners: Sequence[str], text: str) -> list[str]:
        at = [numbers for name in corners if (numbers := self.numbers(name))]
        columns, rows = {x for x, _ in at}, {y for _, y in at}
        around = all((a[0] == b[0]) != (a[1] == b[1]) for a, b in pairwise([*at, *at[:1]]))
        if len(at) != 4 or len(corners) != 4 or len(columns) != 2 or len(rows) != 2 or not around:
            raise Unread(f"{EXPECTED}; found {text}")
        within = range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)
        return [n for (x, y), n in self.names.items() if x in within[0] and y in within[1]]


def _first_label(text: Any) -> str:
    """The pattern of the first label in a text; empty where it can be split in several ways."""
    first = re.match(r"[A-Z]?\d+", text) if isinstance(text, str) else None
    if first is None:
        return ""
    if first[0][0].isalpha():
        return "A" + "Y" * (len(first[0]) - 1)
    half, odd = divmod(len(first[0]), 2)
    return "" if odd else "X" * half + "Y" * half


def _pattern(label: Any) -> re.Pattern[str] | None:
    """The pattern for labels such as ``XXYY`` or ``A.Y``; None: the text does not define it."""
    parts = re.findall(r"X+|Y+|A+|.", label) if isinstance(label, str) else []
    kinds = sorted(part[0] for part in parts if part[0] in "AXY")
    if max(map(len, parts), default=0) > MOST_DIGITS or kinds not in (["A", "Y"], ["X", "Y"]):
        return None
    shapes = {"X": "(?P<x>{})", "A": "(?P<x>[A-Z])", "Y": "(?P<y>{})"}
    read = ""
    for part in parts:
        digits = f"[0-9]{{{len(part)}}}" if len(part) > 1 else f"[0-9]{{1,{MOST_DIGITS}}}"
        read += shapes[part[0]].format(digits) if part[0] in shapes else re.escape(part)
    return re.compile(read)
