"""The text of a case about its board: changes between moves, and the cells of its drawing that are more or
less known than the rest of their layer (``told``, ``perhaps``).

::

    board 0201 terrain=breach     what is in a hex: terrain=…, features=… (- none), level=…; ? not known
    board 0101/0201 river         all that is on a hexside from here on; - nothing
    board 0101/0201 river+bridge? the river, and perhaps a bridge
    board +road: 0101 0201        a road is added; board -road: … it is removed, ?road: … it may be there
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ...model.board import NONE, Board, Edge, Exceptions, Hex, Line, Names, edge
from ...model.boards import BoardChange
from ...model.game import StepRef
from .words import Blame, Faults, pairs_in, words_in

_LINE = re.compile(r"([-+?])\s*([^:]+?)\s*:\s*(.+)")
_SIDE = re.compile(r"([^\s/]+)/([^\s/]+)\s+(\S+)")
NOTHING = "-"
PERHAPS = "?"


def change_in(
    text: str, at: StepRef, board: Board, hexes: Mapping[str, Hex], blame: Blame
) -> BoardChange | None:
    """The change that ``text`` describes; None if it is faulty. ``hexes``: the hexes before it."""
    if (line := _LINE.fullmatch(text)) is not None:
        return _line_change(line[1], line[2], line[3].split(), at, board, blame)
    if (side := _SIDE.fullmatch(text)) is not None:
        a, b, has = side.groups()
        if not _next_to(board, (a, b), blame):
            return None
        there, may = _features(has)
        known = Exceptions(sides={edge(a, b): may} if may else {})
        return BoardChange(at, sides={edge(a, b): there}, exceptions=known)
    words = words_in(text, blame) or [""]
    if words[0] not in hexes:
        blame("a hex, a hexside such as 0101/0201, or +road: 0101 0201", f'"{text}"')
        return None
    return _hex_change(hexes[words[0]], pairs_in(words[1:], blame), at, blame)


def _hex_change(
    here: Hex, told: Mapping[str, str], at: StepRef, blame: Blame
) -> BoardChange | None:
    may: Names = NONE
    levels: frozenset[str] = frozenset()
    for key, value in told.items():
        if key == "terrain":
            here = replace(here, terrain=None if value == PERHAPS else tuple(value.split("+")))
        elif key == "features":
            there, may = _features(value)
            here = replace(here, features=there)
        elif key == "level" and re.fullmatch(r"-?[0-9]{1,3}|\?", value):
            here = replace(here, level=None if value == PERHAPS else int(value))
            levels = frozenset([here.name] if value == PERHAPS else [])
        else:
            blame("terrain=…, features=… or level=…", f'"{key}={value}"')
            return None
    return BoardChange(
        at, (here,), exceptions=Exceptions({here.name: may} if may else {}, levels=levels)
    )


def _features(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The features that are there, and those that may be there (written with ``?`` after the name)."""
    words = [] if text == NOTHING else text.split("+")
    sure = tuple(word for word in words if not word.endswith(PERHAPS))
    return sure, frozenset(word.removesuffix(PERHAPS) for word in words if word.endswith(PERHAPS))


def _line_change(
    sign: str, kind: str, names: list[str], at: StepRef, board: Board, blame: Blame
) -> BoardChange | None:
    if len(names) < 2 or not all(_next_to(board, pair, blame) for pair in pairwise(names)):
        if len(names) < 2:
            blame("a chain of two or more hexes", f'"{" ".join(names)}"')
        return None
    line = (Line(kind, tuple(names)),)
    sides = [edge(a, b) for a, b in pairwise(names)]
    may = Exceptions(lines=dict.fromkeys(sides, frozenset((kind,) if sign == PERHAPS else ())))
    return BoardChange(
        at,
        lines=line if sign == "+" else (),
        gone=() if sign == "+" else line,
        exceptions=Exceptions() if sign == "+" else may,
    )


def _next_to(board: Board, names: tuple[str, str], blame: Blame) -> bool:
    strange = [name for name in names if name not in board.hexes]
    if strange or names[1] not in board.neighbours(names[0]):
        blame("hexes of the board next to each other", strange[0] if strange else " ".join(names))
        return False
    return True


Plain = Mapping[str, Any]
ANY = "?"


def exceptions_in(
    board: Board, parts: Sequence[tuple[Plain, tuple[str | int, ...]]], faults: Faults
) -> Exceptions:
    """The exceptions of ``board`` from the lists ``perhaps`` and ``told`` of a case.

    ``perhaps``: ``"bridge: 0101/0201"`` may be on a hexside, ``"road: 0101 0201"`` may lead from hex to hex,
    ``"fort: 0101"`` may be in a hex; ``"?"`` before the colon: anything may; ``"level: 0101"``: the level is
    not known. ``told``: ``"hexsides: 0101"`` and ``"lines: 0101"`` mean that the drawing shows everything on
    all six sides of the hex.
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
