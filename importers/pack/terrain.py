"""What ``hexes.csv`` and ``lines.csv`` say about a board, put onto its hexes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ...model.board import NONE, Board, Edge, Hex, Line, Names, edge
from ...model.problem import Problem
from .hexnames import NotOnBoard, chain_of, hexes_of, hexsides_of
from .pack import Pack
from .spreadsheet import Row
from .spreadsheet import Sheet as Spreadsheet

_WORDS = re.compile(r"\s*[+/|]\s*")
TOLD = ("hexsides", "lines")
"""What the column ``told`` of a hex can list: the layers that the spreadsheets give in full on its sides."""
_YES = frozenset({"yes", "y", "true", "1", "ja", "oui", "x"})
_NO = frozenset({"no", "n", "false", "0", "nein", "non"})


@dataclass
class _Draft:
    board: Board
    hexes: dict[str, Hex]
    sides: dict[Edge, tuple[str, ...]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    told_sides: dict[Edge, Names] = field(default_factory=dict)
    told_lines: dict[Edge, Names] = field(default_factory=dict)
    unlevelled: set[str] = field(default_factory=set)
    """Hexes of which the pack says that their level is not known."""
    problems: list[Problem] = field(default_factory=list)

    def fault(self, where: str, message: str) -> None:
        self.problems.append(Problem("pack", message, where, "error"))

    def adjacent(self, a: str, b: str) -> bool:
        return b in self.board.neighbours(a)


def with_terrain(bare: Board, pack: Pack) -> tuple[Board, tuple[Problem, ...]]:
    """``bare`` with the terrain, hexsides and lines of the pack.

    Faults (a hex that is not on the board, a chain with a gap) come as problems of severity error.
    """
    draft = _Draft(bare, dict(bare.hexes))
    if pack.hexes is not None:
        _each(draft, pack.hexes, _hex_row)
    if pack.lines is not None:
        _each(draft, pack.lines, _line_row)
    may = bare.exceptions
    exceptions = replace(
        may,
        sides={**may.sides, **draft.told_sides},
        lines={**may.lines, **draft.told_lines},
        levels=may.levels | draft.unlevelled,
    )
    board = replace(
        bare,
        hexes=draft.hexes,
        sides=draft.sides,
        lines=tuple(draft.lines),
        exceptions=exceptions,
    )
    return board, (*draft.problems, *_incomplete(board, pack))


def _each(draft: _Draft, sheet: Spreadsheet, read: Callable[[_Draft, Row, str], None]) -> None:
    for row in sheet.rows:
        where = sheet.where(row)
        try:
            read(draft, row, where)
        except NotOnBoard as error:
            draft.fault(where, str(error))


def words(text: str) -> tuple[str, ...]:
    """``woods+town`` or ``woods/town`` as two words."""
    return tuple(word for word in _WORDS.split(text.strip()) if word)


def _hex_row(draft: _Draft, row: Row, where: str) -> None:
    names = draft.board.hexes
    if not row.get("hex"):
        draft.fault(where, "expected the name of a hex in the column hex; found nothing")
        return
    surface = row.get("sheet")
    among = names if not surface else {n: h for n, h in names.items() if h.sheet == surface}
    for name in hexes_of(row.get("hex"), among):
        held = draft.hexes[name]
        terrain, level = row.get("terrain"), row.get("level")
        if terrain:
            held = replace(held, terrain=None if terrain == "?" else words(terrain))
        if level:
            held = replace(held, level=_level(draft, level, where))
            draft.unlevelled.discard(name)
            if level == "?":
                draft.unlevelled.add(name)
        if row.get("features"):
            held = replace(held, features=words(row.get("features")))
        draft.hexes[name] = held
        _tell(draft, name, row.get("told"), where)


def _tell(draft: _Draft, name: str, text: str, where: str) -> None:
    """Notes that all six sides of a hex are told."""
    for layer in _WORDS.sub(" ", text.replace(",", " ")).split():
        if layer not in TOLD:
            draft.fault(where, f"expected {' or '.join(TOLD)} in the column told; found {layer}")
            return
        into = draft.told_sides if layer == "hexsides" else draft.told_lines
        into.update((edge(name, near), NONE) for near in draft.board.neighbours(name))


def _level(draft: _Draft, text: str, where: str) -> int | None:
    if text == "?":
        return None
    if re.fullmatch(r"[+-]?\d{1,6}", text):
        return int(text)
    draft.fault(where, f"expected a whole number as level; found {text}")
    return None


def _line_row(draft: _Draft, row: Row, where: str) -> None:
    kind, path, names = row.get("kind"), row.get("path"), draft.board.hexes
    if not kind or not path:
        missing = "kind" if not kind else "path"
        draft.fault(where, f"expected something in the column {missing}; found nothing")
        return
    if "/" in path and path not in names:
        for side in hexsides_of(path, names, draft.adjacent):
            draft.sides[side] = tuple(dict.fromkeys((*draft.sides.get(side, ()), kind)))
        return
    chain = chain_of(path, names, draft.adjacent)
    if len(chain) < 2:
        draft.fault(where, f"expected a chain of two or more hexes, or hexsides; found {path}")
        return
    meets = row.get("junctions").lower()
    if meets and meets not in _YES | _NO:
        draft.fault(where, f"expected yes or no in the column junctions; found {meets}")
    draft.lines.append(Line(kind, tuple(chain), row.get("name"), meets not in _NO))


def _incomplete(board: Board, pack: Pack) -> tuple[Problem, ...]:
    """The pack says it gives all terrain, and does not: those hexes stay unknown, and it is told."""
    if "terrain" not in pack.complete:
        return ()
    bare = [name for name, hex_ in board.hexes.items() if hex_.terrain is None]
    if not bare:
        return ()
    shown = ", ".join(bare[:5]) + (" …" if len(bare) > 5 else "")
    message = (
        f"complete names terrain, but {len(bare):,} hexes have none ({shown}); it stays not known"
    )
    return (Problem("incomplete-terrain", message, "hexes.csv", "warning"),)
