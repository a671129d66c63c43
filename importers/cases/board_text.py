"""Boards drawn as text, staggered like the hexes on the map.

Each line holds every second column: the first line has the first hexes of columns 01, 03, 05 …, the second,
indented, those of columns 02, 04 …, which are half a hex lower::

        01  02  03  04  05
     01  .       f       .
             .       #
     02  .       .       .
             ~       .

Hex ``0202`` is the ``~``. A hex is a letter of the legend, followed by its level if that is not 0 (``f2``;
``f?``: level not known); ``?`` is a hex of unknown terrain, ``-`` no hex. Numbers at the beginning of a line
and lines of numbers only help the reader; they are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model.board import LAYERS, Board, Edge, Hex, Line, edge
from ...model.hexgrid import from_offset
from .change_text import exceptions_in
from .words import Blame, Faults, pairs_in, words_in

NO_HEX = "-"
UNKNOWN = "?"
LARGEST = 99
"""The most columns and rows that a drawn board may have."""

_CELL = re.compile(r"([^\s0-9])([0-9]{1,2}|\?)?")
_SIDE = re.compile(r"([^\s/]+)/([^\s/]+)")
Ground = tuple[tuple[str, ...] | None, tuple[str, ...], int | None]
Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board. ``cells``: hex → the letters it was drawn with. ``lines``: its lines, as written."""

    board: Board
    cells: Mapping[str, str]
    lines: tuple[str, ...]


def hex_name(column: int, row: int) -> str:
    """``0203`` for the third hex of the second column (both counted from 0 here)."""
    return f"{column + 1:02}{row + 1:02}"


def legend_of(plain: Plain) -> dict[str, Ground]:
    """Letter → terrain, features, level (None: 0)."""
    found: dict[str, Ground] = {}
    for letter, ground in plain.items():
        if isinstance(ground, str):
            found[letter] = ((ground,), (), None)
        elif isinstance(ground, list):
            found[letter] = (tuple(ground), (), None)
        else:
            terrain, level = ground.get("terrain"), ground.get("level")
            features = tuple(ground.get("features", ()))
            found[letter] = (None if terrain is None else tuple(terrain), features, level)
    return found


def legend_faults(plain: Plain, faults: Faults) -> None:
    """Note letters of a legend that have another meaning in a drawing."""
    for letter in plain:
        if len(letter) != 1 or letter.isspace() or letter.isdigit() or letter in "-?":
            faults.at("legend", letter)("a single sign, no digit, - or ?", f'"{letter}"')


def drawn_board(
    name: str,
    text: str,
    parts: Sequence[tuple[Plain, tuple[str | int, ...]]],
    legend: Mapping[str, Ground],
    faults: Faults,
    path: tuple[str | int, ...],
) -> Drawn:
    """The board drawn as ``text``, with lines, hexes, links and barriers from ``parts`` (tables, and the path
    of each)."""
    complete = next((p["complete"] for p, _ in reversed(parts) if "complete" in p), LAYERS)
    whole = "levels" in complete
    hexes, cells = _hexes(text, legend, whole, faults.at(*path))
    chains: list[Line] = []
    sides: dict[Edge, tuple[str, ...]] = {}
    written: list[str] = []
    links, barriers = set[Edge](), set[Edge]()
    for plain, at in parts:
        for index, row in enumerate(plain.get("hexes", ())):
            _change(row, hexes, faults.at(*at, "hexes", index))
        for index, row in enumerate(plain.get("lines", ())):
            written.append(row)
            _line(row, hexes, chains, sides, faults.at(*at, "lines", index))
        for key, into in (("links", links), ("barriers", barriers)):
            for index, pair in enumerate(plain.get(key, ())):
                if _known(names := pair.split("/"), hexes, faults.at(*at, key, index)):
                    into.add(edge(*names))
    board = Board(
        name,
        hexes,
        sides,
        tuple(chains),
        frozenset(links),
        frozenset(barriers),
        frozenset(complete),
    )
    exceptions = exceptions_in(board, parts, faults)
    asked = {name for name, cell in cells.items() if cell[1:] == UNKNOWN} if whole else set()
    asked = {name for name in asked if hexes[name].level is None}
    exceptions = replace(exceptions, levels=exceptions.levels | asked)
    unlevelled = {name: replace(hexes[name], level=None) for name in exceptions.levels}
    board = replace(board, hexes={**hexes, **unlevelled}, exceptions=exceptions)
    blame = faults.at(*(parts[-1][1] if parts else path), "lines")
    for line in chains:
        _check_next(line.kind, zip(line.hexes, line.hexes[1:], strict=False), board, blame)
    for pair, kinds in sides.items():
        _check_next(kinds[0], (pair,), board, blame)
    return Drawn(board, cells, tuple(written))


def _hexes(
    text: str, legend: Mapping[str, Ground], levels: bool, blame: Blame
) -> tuple[dict[str, Hex], dict[str, str]]:
    hexes: dict[str, Hex] = {}
    cells: dict[str, str] = {}
    rows = _rows(text)
    if not any(found for _, found in rows):
        blame("a board drawn with letters of the legend", "no hexes")
    if not _staggered(rows, blame):
        return hexes, cells
    for number, (_, found) in enumerate(rows):
        for place, cell in enumerate(found):
            column, row = 2 * place + number % 2, number // 2
            if cell == NO_HEX:
                continue
            if column >= LARGEST or row >= LARGEST:
                blame(f"at most {LARGEST} columns and rows", "a larger board")
                return hexes, cells
            name = hex_name(column, row)
            ground = _ground(cell, legend)
            if ground is None:
                known = " ".join(legend)
                expected = f"letters of the legend ({known}), ? or -, each with a level or none"
                blame(expected, f'"{cell}" in hex {name}')
                continue
            terrain, features, level = ground
            height = level if level is not None or not levels else 0
            height = None if cell[1:] == UNKNOWN else height
            hexes[name] = Hex(name, from_offset(column, row), terrain, height, features)
            cells[name] = cell
    return hexes, cells


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """(indent of the first hex, hexes) of each line, without lines of numbers and surrounding blank lines."""
    lines = [line.expandtabs(8).rstrip() for line in text.split("\n")]
    lines = [line for line in lines if not re.fullmatch(r"[\s0-9]*[0-9][\s0-9]*", line)]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    rows = []
    for line in lines:
        margin = re.match(r"\s*(?:[0-9]+\s)?\s*", line)
        assert margin is not None
        rows.append((margin.end(), line[margin.end() :].split()))
    return rows


def _staggered(rows: list[tuple[int, list[str]]], blame: Blame) -> bool:
    """Whether every second line is indented. If not, a line is missing, and all lines below it are shifted by
    a column."""
    left = min(
        (indent for n, (indent, found) in enumerate(rows) if found and n % 2 == 0), default=0
    )
    for number, (indent, found) in enumerate(rows):
        if found and number % 2 and indent <= left:
            expected = f"line {number + 1} indented: it holds columns 02, 04 …"
            blame(expected, "one that begins where the line above does")
            return False
        if found and number % 2 == 0 and indent > left:
            expected = f"line {number + 1} not indented: it holds columns 01, 03 …"
            blame(expected, f"{indent - left} more blanks than the first")
            return False
    return True


def _ground(cell: str, legend: Mapping[str, Ground]) -> Ground | None:
    found = _CELL.fullmatch(cell)
    if found is None:
        return None
    letter, height = found[1], found[2]
    if letter == UNKNOWN:
        ground: Ground | None = (None, (), None)
    else:
        ground = legend.get(letter)
    if ground is None or height is None or height == UNKNOWN:
        return ground
    return ground[0], ground[1], int(height)


def _change(row: str, hexes: dict[str, Hex], blame: Blame) -> None:
    words = words_in(row, blame)
    if not words:
        return
    name, rest = words[0], pairs_in(words[1:], blame)
    if name not in hexes:
        blame("a hex of the board", name)
        return
    for key, value in rest.items():
        parts = tuple(value.split("+"))
        if key == "terrain":
            terrain = None if value == UNKNOWN else parts
            hexes[name] = replace(hexes[name], terrain=terrain)
        elif key == "features":
            hexes[name] = replace(hexes[name], features=parts)
        elif key == "level" and re.fullmatch(r"-?[0-9]{1,3}|\?", value):
            level = None if value == UNKNOWN else int(value)
            hexes[name] = replace(hexes[name], level=level)
        else:
            blame("terrain=…, features=… or level=…", f'"{key}={value}"')


def _line(
    row: str,
    hexes: Mapping[str, Hex],
    chains: list[Line],
    sides: dict[Edge, tuple[str, ...]],
    blame: Blame,
) -> None:
    kind, _, path = row.partition(":")
    kind, names = kind.strip(), path.split()
    junctions = not kind.endswith("(no junctions)")
    kind = kind.removesuffix("(no junctions)").strip()
    pairs = [_SIDE.fullmatch(name) for name in names]
    if all(pairs):
        for pair in pairs:
            assert pair is not None
            if _known((pair[1], pair[2]), hexes, blame):
                key = edge(pair[1], pair[2])
                sides[key] = (*sides.get(key, ()), kind)
    elif any(pairs) or len(names) < 2:
        blame("a chain of two or more hexes, or hexsides such as 0101/0201", f'"{path.strip()}"')
    elif _known(names, hexes, blame):
        chains.append(Line(kind, tuple(names), junctions=junctions))


def _known(names: Iterable[str], hexes: Mapping[str, Hex], blame: Blame) -> bool:
    strange = [name for name in names if name not in hexes]
    for name in strange[:1]:
        blame("hexes of the board", name)
    return not strange


def _check_next(kind: str, pairs: Iterable[Edge], board: Board, blame: Blame) -> None:
    for a, b in pairs:
        if b not in board.neighbours(a):
            blame(f"hexes of a {kind} next to each other", f"{a} {b}")
