"""The cells of a drawn board that are known otherwise than the rest of their layer: ``told``, ``perhaps``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...model.board import NONE, Board, Edge, Exceptions, Names, edge
from .words import Blame, Faults

Plain = Mapping[str, Any]
ANY = "?"


def exceptions_in(
    board: Board, parts: Sequence[tuple[Plain, tuple[str | int, ...]]], faults: Faults
) -> Exceptions:
    """What the lists ``told`` and ``perhaps`` of a case say of ``board``.

    ``"bridge: 0101/0201"`` may be on a hexside, ``"road: 0101 0201"`` may lead from hex to hex, ``"fort:
    0101"`` may be in a hex, ``"?"`` before the colon: anything; ``"level: 0101"``: its level is not known. Of
    what is ``told`` nothing else is there: ``"hexsides: 0101"`` and ``"lines: 0101"``, all six sides of it.
    """
    hexes: dict[str, Names] = {}
    sides: dict[Edge, Names] = {}
    lines: dict[Edge, Names] = {}
    levels: set[str] = set()
    for plain, at in parts:
        for index, row in enumerate(plain.get("told", ())):
            blame = faults.at(*at, "told", index)
            layer, _, names = row.partition(":")
            if layer.strip() not in ("hexsides", "lines"):
                blame("hexsides: or lines:, and hexes", f'"{row}"')
                continue
            into = sides if layer.strip() == "hexsides" else lines
            for name in _hexes(names.split(), board, blame):
                into.update((edge(name, near), NONE) for near in board.neighbours(name))
        for index, row in enumerate(plain.get("perhaps", ())):
            blame = faults.at(*at, "perhaps", index)
            kind, _, path = (part.strip() for part in row.partition(":"))
            words = path.split()
            found: list[str] = list(
                _hexes([w for word in words for w in word.split("/")], board, blame)
            )
            if kind == "level":
                levels.update(found)
            elif any("/" in word for word in words):
                for a, b in zip(found[::2], found[1::2], strict=False):
                    _may(sides, edge(a, b), kind)
            elif len(words) > 1:
                for a, b in pairwise(found):
                    _may(lines, edge(a, b), kind)
            else:
                for name in found:
                    _may(hexes, name, kind)
    return Exceptions(hexes, sides, lines, frozenset(levels))


def _hexes(names: list[str], board: Board, blame: Blame) -> Iterator[str]:
    for name in names:
        if name in board.hexes:
            yield name
        else:
            blame("hexes of the board", name)


def _may(into: dict[Any, Names], at: str | Edge, kind: str) -> None:
    before = into.get(at, NONE)
    into[at] = None if kind == ANY or before is None else before | {kind}
