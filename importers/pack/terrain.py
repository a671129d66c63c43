"""The facts in ``hexes.csv`` and ``lines.csv``, added to a board."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ...model.board import NONE, Board, Edge, Hex, Line, Names, edge
from ...model.boards import parts
from ...model.problem import Problem
from ...model.provenance import Layer
from .hexnames import NotOnBoard, chain_of, hexes_of, hexsides_of
from .pack import Pack
from .spreadsheet import Row
from .spreadsheet import Sheet as Spreadsheet

NOT_KNOWN = "?"
"""A cell's value that overrides earlier rows: not known."""
NOTHING = "none"
"""A value in the columns level and features that overrides earlier rows: there is none."""
_WORDS = re.compile(r"\s*[+/|]\s*")
TOLD = ("hexsides", "lines")
"""Values of the column ``told`` of a hex: the layers that the spreadsheets give in full on its sides."""
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
    """Hexes whose level the pack gives as not known."""
    featured: dict[str, Names] = field(default_factory=dict)
    """Hexes whose features the pack gives as not known."""
    maybe: dict[tuple[Layer, Edge], dict[str, None]] = field(default_factory=dict)
    """What may be on a hexside, or lead across it, by the pack's rows, in their order."""
    problems: list[Problem] = field(default_factory=list)

    def fault(self, where: str, message: str) -> None:
        self.problems.append(Problem("pack", message, where, "error"))

    def adjacent(self, a: str, b: str) -> bool:
        return b in self.board.neighbours(a)

    def put(self, side: Edge, kind: str, there: bool) -> None:
        """Put something on a hexside, or take it off."""
        held = dict.fromkeys(self.sides.pop(side, ()))
        if there:
            held[kind] = None
        else:
            held.pop(kind, None)
        if held:
            self.sides[side] = tuple(held)

    def with_maybe(self, layer: Layer, told: dict[Edge, Names]) -> dict[Edge, Names]:
        """What may be on hexsides besides their features, with the additions of the rows."""
        whole = NONE if layer in self.board.complete else None
        for (of, side), names in self.maybe.items():
            known = told.get(side, whole)
            if of == layer and names and known is not None:
                told[side] = known.union(names)
        return told


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
        hexes={**may.hexes, **draft.featured},
        sides=draft.with_maybe("hexsides", {**may.sides, **draft.told_sides}),
        lines=draft.with_maybe("lines", {**may.lines, **draft.told_lines}),
        levels=may.levels | draft.unlevelled,
    )
    board = bare.with_cells(draft.hexes, draft.sides, tuple(draft.lines), exceptions)
    return board, (*draft.problems, *_incomplete(board, pack))


def held_open(bare: Board, pack: Pack) -> Mapping[tuple[Layer, Edge], tuple[str, ...]]:
    """What, by the pack's rows with ``?``, may be on a hexside (``hexsides``) or lead across it
    (``lines``)."""
    draft = _Draft(bare, dict(bare.hexes))
    if pack.lines is not None:
        _each(draft, pack.lines, _line_row)
    return {cell: tuple(names) for cell, names in draft.maybe.items() if names}


def hexes_held_open(bare: Board, pack: Pack) -> frozenset[str]:
    """The hexes whose terrain is ``?`` in a row about them alone, and not given by a later row."""
    rows = [row for row in (pack.hexes.rows if pack.hexes else ()) if row.get("terrain")]
    found: set[str] = set()
    if not any(row.get("terrain") == NOT_KNOWN for row in rows):
        return frozenset()
    for row in rows:
        try:
            names = set(_hexes_named(bare, row))
        except NotOnBoard:
            continue
        alone = row.get("terrain") == NOT_KNOWN and len(names) == 1
        found = found | names if alone else found - names
    return frozenset(found)


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
    if not row.get("hex"):
        draft.fault(where, "expected the name of a hex in the column hex; found nothing")
        return
    for name in _hexes_named(draft.board, row):
        held = draft.hexes[name]
        terrain, level, features = row.get("terrain"), row.get("level"), row.get("features")
        if terrain:
            held = replace(held, terrain=None if terrain == NOT_KNOWN else words(terrain))
        if level:
            held = replace(held, level=_level(draft, level, where))
            draft.unlevelled.discard(name)
            if level == NOT_KNOWN:
                draft.unlevelled.add(name)
        if features:
            unsaid = features in (NOT_KNOWN, NOTHING)
            held = replace(held, features=() if unsaid else words(features))
            draft.featured.pop(name, None)
            if features == NOT_KNOWN:
                draft.featured[name] = None
        draft.hexes[name] = held
        _tell(draft, name, row.get("told"), where)


def _hexes_named(board: Board, row: Row) -> list[str]:
    """The hexes that a row is about. Raises :class:`NotOnBoard`."""
    names, surface = board.hexes, row.get("sheet")
    among = names if not surface else {n: h for n, h in names.items() if h.sheet == surface}
    return hexes_of(row.get("hex"), among) if row.get("hex") else []


def told_layers(text: str) -> list[str]:
    """The layers that a cell of the column ``told`` lists."""
    return _WORDS.sub(" ", text.replace(",", " ")).split()


def _tell(draft: _Draft, name: str, text: str, where: str) -> None:
    """Note that all six sides of a hex are given."""
    for layer in told_layers(text):
        if layer not in TOLD:
            draft.fault(where, f"expected {' or '.join(TOLD)} in the column told; found {layer}")
            return
        into = draft.told_sides if layer == "hexsides" else draft.told_lines
        into.update((edge(name, near), NONE) for near in draft.board.neighbours(name))


def _level(draft: _Draft, text: str, where: str) -> int | None:
    if text in (NOT_KNOWN, NOTHING):
        return None
    if re.fullmatch(r"[+-]?\d{1,6}", text):
        return int(text)
    draft.fault(where, f"expected a whole number in the column level; found {text}")
    return None


def _line_row(draft: _Draft, row: Row, where: str) -> None:
    kind, path, names = row.get("kind"), row.get("path"), draft.board.hexes
    if not kind or not path:
        missing = "kind" if not kind else "path"
        draft.fault(where, f"expected something in the column {missing}; found nothing")
        return
    there = row.get("there").lower()
    if there and there != NOT_KNOWN and there not in _YES:
        draft.fault(where, f"expected yes or ? in the column there; found {there}")
    if "/" in path and path not in names:
        for side in hexsides_of(path, names, draft.adjacent):
            draft.put(side, kind, there != NOT_KNOWN)
            _perhaps(draft, ("hexsides", side), kind, there)
        return
    chain = chain_of(path, names, draft.adjacent)
    if len(chain) < 2:
        draft.fault(where, f"expected a chain of two or more hexes, or hexsides; found {path}")
        return
    meets = row.get("junctions").lower()
    if meets and meets not in _YES | _NO:
        draft.fault(where, f"expected yes or no in the column junctions; found {meets}")
    line = Line(kind, tuple(chain), row.get("name"), meets not in _NO)
    for side in line.edges():
        _perhaps(draft, ("lines", side), kind, there)
    if there != NOT_KNOWN:
        draft.lines.append(line)
    else:  # no piece of a line of this kind is left there
        gone = set(line.edges())
        draft.lines = [
            part
            for other in draft.lines
            for part in (parts(other, {*other.edges()} - gone) if other.kind == kind else (other,))
        ]


def _perhaps(draft: _Draft, cell: tuple[Layer, Edge], kind: str, there: str) -> None:
    """Note whether, by a row, something may be on a hexside or lead across it."""
    names = draft.maybe.setdefault(cell, {})
    names.pop(kind, None)
    if there == NOT_KNOWN:
        names[kind] = None


def _incomplete(board: Board, pack: Pack) -> tuple[Problem, ...]:
    """A problem for a pack that calls its terrain complete but omits hexes; these stay unknown."""
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
