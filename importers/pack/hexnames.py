"""Hexes and hexsides as wargamers write them: names, ranges, wildcards, chains."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from fnmatch import fnmatchcase
from itertools import islice, pairwise

from ...model.board import Edge, edge

PARTS = re.compile(r"\s*(?:[,;>]|->|→)\s*|\s+")
"""Separators of the names in a cell."""
FEW = 100
"""How many names are examined to find how the hexes of a board are named."""
_DIGITS = re.compile(r"[0-9]")
_TAIL = re.compile(r"(.*?)([0-9]+)$")


class NotOnBoard(ValueError):
    """A name or a chain that is not on the board. The text says what was expected and found."""


def hexes_of(text: str, names: Collection[str]) -> list[str]:
    """The hexes a cell names: one, several (``0101 0102``), a range (``0101-0110``: all hexes of the
    board whose numbers lie between), or a wildcard (``*``, ``31*``).

    Raises :class:`NotOnBoard` where one is not among ``names``.
    """
    if text in names:
        return [text]
    found: list[str] = []
    for part in (p for p in PARTS.split(text) if p):
        if part in names:
            found.append(part)
        elif "*" in part or "?" in part:
            fitting = [name for name in names if fnmatchcase(name, part)]
            if not fitting:
                raise NotOnBoard(f"expected hexes of the board; found none that fit {part}")
            found.extend(fitting)
        else:
            found.extend(_range(part, names))
    return found


def _range(part: str, names: Collection[str]) -> list[str]:
    for at, sign in enumerate(part):
        first, last = part[:at], part[at + 1 :]
        if sign == "-" and first in names and last in names:
            return _between(first, last, names)
    raise NotOnBoard(f"expected a hex of the board; found {part}{_hint(part, names)}")


def _between(first: str, last: str, names: Collection[str]) -> list[str]:
    head, tail = _TAIL.fullmatch(first), _TAIL.fullmatch(last)
    if not head or not tail or head[1] != tail[1] or len(head[2]) != len(tail[2]):
        raise NotOnBoard(f"expected a range such as 0101-0110; found {first}-{last}")
    low, high = int(head[2]), int(tail[2])
    if low > high:
        raise NotOnBoard(f"expected a range that goes up; found {first}-{last}")
    if high - low < len(names):
        numbers = (f"{head[1]}{number:0{len(head[2])}d}" for number in range(low, high + 1))
        return [name for name in numbers if name in names]
    return sorted(name for name in names if _lies_between(name, head, low, high))


def _lies_between(name: str, head: re.Match[str], low: int, high: int) -> bool:
    parts = _TAIL.fullmatch(name)
    if not parts or parts[1] != head[1] or len(parts[2]) != len(head[2]):
        return False
    return low <= int(parts[2]) <= high


def _hint(part: str, names: Collection[str]) -> str:
    """A name that may be meant: spreadsheets drop zeros in front of numbers and behind a point. If no hex
    has such a name, an example of one."""
    if part.isdecimal():
        for digits in range(len(part) + 1, len(part) + 4):
            if part.zfill(digits) in names:
                return f" (is {part.zfill(digits)} meant? spreadsheets drop leading noughts)"
    column, point, row = part.partition(".")
    for full in (f"{column.zfill(2)}.{row.zfill(2)}", f"{column.zfill(2)}.{row}0") if point else ():
        if full in names:
            return f" (is {full} meant?)"
    shape = _DIGITS.sub("0", part)
    if names and all(_DIGITS.sub("0", name) != shape for name in islice(names, FEW)):
        return f" (its hexes are called {next(iter(names))} and the like)"
    return ""


def chain_of(text: str, names: Collection[str], adjacent: Callable[[str, str], bool]) -> list[str]:
    """A chain of hexes, each next to the one before: names parted by blanks, commas, arrows or dashes.

    Raises :class:`NotOnBoard` where a name is not on the board or two do not adjoin.
    """
    chain: list[str] = []
    for part in (p for p in PARTS.split(text) if p and p != "-"):
        chain.extend(_dashed(part, names))
    for one, other in pairwise(chain):
        if not adjacent(one, other):
            raise NotOnBoard(f"expected hexes next to each other; found {one} and {other}")
    return chain


def _dashed(part: str, names: Collection[str]) -> Iterable[str]:
    """Names joined by dashes, where names may have dashes of their own."""
    if part in names:
        return [part]
    pieces = part.split("-")
    for count in range(len(pieces) - 1, 0, -1):
        first = "-".join(pieces[:count])
        if first in names:
            return [first, *_dashed("-".join(pieces[count:]), names)]
    raise NotOnBoard(f"expected a hex of the board; found {part}{_hint(part, names)}")


def hexsides_of(
    text: str, names: Collection[str], adjacent: Callable[[str, str], bool]
) -> list[Edge]:
    """Hexsides ``0304/0305 0304/0405``; raises :class:`NotOnBoard` as :func:`chain_of`."""
    found: list[Edge] = []
    for part in (p for p in PARTS.split(text) if p):
        pairs = part.split("/")
        splits = [("/".join(pairs[:i]), "/".join(pairs[i:])) for i in range(1, len(pairs))]
        known = [(a, b) for a, b in splits if a in names and b in names]
        if not known:
            lost = next((p for p in pairs if p not in names), part)
            expected = "expected a hexside such as 0304/0305"
            raise NotOnBoard(f"{expected}; found {part}{_hint(lost, names)}")
        a, b = known[0]
        if not adjacent(a, b):
            raise NotOnBoard(f"expected hexes next to each other; found {a} and {b}")
        found.append(edge(a, b))
    return found
