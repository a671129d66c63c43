"""The calls of the Board view: where hexes lie on the map pictures, and what the pack says about them."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

from ...importers.pack.board import Places, bind_board
from ...importers.pack.edit.draft import Draft
from ...importers.pack.files import FILES
from ...importers.pack.imported_table import Reading
from ...importers.pack.pack import Pack
from ...model.board import Board
from ...model.finding import Audit
from ...model.names import HEXSIDE, LINE, PLACEHOLDER, TERRAIN, Words
from ...model.problem import UmpireError
from ..board_geometry import MapShape, shapes_of
from ..board_import import FILES as PARTS
from ..board_import import imported
from ..ruleset_needs import words_for
from .board_cells import NO_SIDE, Cells, Plain, bytes_of, cells_of, tables_in
from .calls import DATA, Call, whole
from .cells_wanted import accusing_cells, asked_for
from .core_calls import maps_of
from .session import Studio, stamp_of
from .units_view import pack_as_typed

MOST_LINES = 20
"""Maximum number of lines shown about rejected entries."""
_KINDS = {"terrain": TERRAIN, "hexsides": HEXSIDE, "lines": LINE}


class Desk:
    """What the Board view of one studio has last sent, by revision."""

    def __init__(self, studio: Studio) -> None:
        self.lock = threading.Lock()
        self._studio = studio
        self._stamp: object = None
        self._shape = ""
        self._audit: Audit | None = None
        self._looked = self._asked_since = 0
        self._since: dict[str, int] = {}
        self._first: dict[str, Plain] = {}
        self._told: dict[str, Plain] = {}
        self.pack = studio.pack
        self.bare: Board
        self.places: Places
        self.shapes: tuple[MapShape, ...] = ()
        self.cells = Cells()
        self.rested: dict[str, int] = {}
        self.asked: list[Plain] = []
        self.brushes: Plain = {}
        self.board = ""
        """Changes whenever the geometry or the brushes do."""

    def look(self) -> int:
        """Update to the current files and verdicts; returns the revision."""
        revision = self._studio.revision
        stamp = (_stamps(self._studio.folder), id(self._studio.pack))
        audit = self._studio.audit
        is_news = stamp != self._stamp or audit is not self._audit
        if is_news and revision == self._looked:  # a page knows this revision, but not the news
            self._studio.changed()
            revision = self._studio.revision
        self._looked = revision
        if stamp != self._stamp:
            self._read(revision)
            self._stamp = stamp
        if audit is not self._audit:
            self._audit = audit
            self._asked_since = revision
            reads = self._studio.judged.reads
            self.rested = (
                {} if audit is None else dict(accusing_cells(audit, self.bare, reads).rest)
            )
            self.asked = [] if audit is None else asked_for(audit, self.bare)
        return revision

    def _read(self, revision: int) -> None:
        evidence = self._studio.evidence
        self.pack = pack_as_typed(self._studio)  # what is wrong with the files, the state tells
        shape = _hash([self.pack.values.get("board"), self.pack.values.get("box")])
        if shape != self._shape:
            self.bare, self.places, _ = bind_board(self.pack, evidence.layouts)
            self.shapes = shapes_of(self.bare, self.places, evidence.layouts)
            self._shape = shape
        words = words_for(self._studio.pack)
        tables = tables_in(self._studio.folder, self.bare)
        self.cells = cells_of(
            self.pack, self.bare, self.places, evidence.layouts, evidence.module, words, *tables
        )
        self.brushes = _brushes(self._studio.pack, words, self.cells)
        charts = {k: v for k, v in self.brushes.items() if k == "charts"}
        self.board = _hash([shape, charts])
        self._stamp_cells(revision)

    def _stamp_cells(self, revision: int) -> None:
        now = {**self.cells.hexes, **self.cells.sides}
        first = not self._first
        if first:
            self._first = now
        for cell, told in now.items():
            if told != self._told.get(cell):
                self._since[cell] = revision
        self._told = now

    def plain(self, cell: str) -> Plain:
        """A cell's entry, and whether it changed since the studio was opened."""
        told = self._told[cell]
        return told if told == self._first.get(cell) else {**told, "changed": True}

    def changed(self, cells: Iterable[str], after: int | None) -> dict[str, Plain]:
        """Those of the cells whose entry changed since a revision; None: all cells with an entry."""
        if after is None:
            return {c: p for c in cells if (p := self.plain(c)) != NO_SIDE}
        return {c: self.plain(c) for c in cells if self._since[c] > after}

    def asked_since(self, after: int | None) -> bool:
        """Whether the questions or the accusing cells changed since a revision."""
        return after is None or self._asked_since > after


def desk_of(studio: Studio) -> Desk:
    """The desk of this studio."""
    return studio.kept("board", lambda: Desk(studio))


def board(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Where every hex and hexside lies on the pictures, and the names to paint with."""
    desk = desk_of(studio)
    with desk.lock:
        desk.look()
        maps = maps_of(studio)
        return {
            "board": desk.board,
            "sheets": [
                _sheet(studio, shape, maps.index(shape.map))
                for shape in desk.shapes
                if shape.map in maps
            ],
            "brushes": desk.brushes,
        }


def cells(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The entries of the cells; with ``after`` only those that changed since that revision. ``unwritten``: a
    file could not be written yet, so they lack edits that the studio keeps."""
    after = whole(body.get("after", ""), 14)
    desk = desk_of(studio)
    unwritten = bool(studio.store.waiting)
    with desk.lock:
        revision = desk.look()
        found: Plain = {
            "revision": revision,
            "board": desk.board,
            "unwritten": unwritten,
            "hexes": desk.changed(desk.cells.hexes, after),
            "sides": desk.changed(desk.cells.sides, after),
        }
        if desk.asked_since(after):
            found |= {"rested": desk.rested, "asked": desk.asked}
        return found


def take_table(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Enter the content of a table from elsewhere, to be looked at afterwards. Returns how many facts of each
    layer were ``entered``, how many the pack already had (``same``), and ``lines`` about rejected ones.
    ``name``: the file's name; the body is its bytes."""
    data, name = body.get(DATA), str(body.get("name", ""))
    if not isinstance(data, bytes) or not name:
        raise UmpireError("expected a file with a name")
    desk = desk_of(studio)
    with desk.lock:
        desk.look()
        bare, pack = desk.bare, desk.pack
    draft = Draft({name: bytes_of(studio.folder / name) for name in PARTS}, bare)
    file = Path(PurePath(name).name)
    found = imported(draft, bare, pack, words_for(pack), [(file, data)], Reading())
    edited = studio.edit(found.filling.edits, f"{file.name} filled in", vouched=False)
    lines = [f"stays as it was typed: {line}" for line in found.filling.kept]
    lines += [*map(str, found.unknown), *found.differ, *found.left_out]
    lines += [str(one["why"]) for one in edited.refused]
    layers = Counter(key.layer for key in found.filling.entered)
    return {
        "entered": dict(layers),
        "same": found.filling.same,
        "lines": lines[:MOST_LINES],
        "more": max(0, len(lines) - MOST_LINES),
    }


def _sheet(studio: Studio, shape: MapShape, number: int) -> Plain:
    url = f"/api/tile/{number}/{{z}}/{{x}}/{{y}}"
    return {
        "id": str(number),
        "map": shape.map,
        "width": shape.width,
        "height": shape.height,
        "tiles": studio.pictures.tiling(shape.map).plain(url),
        "hexes": [
            [
                one.name,
                *(round(n, 1) for n in one.centre),
                [round(n, 1) for corner in one.corners for n in corner],
            ]
            for one in shape.hexes
        ],
        "sides": [
            [*one.side, *(round(n, 1) for n in (*one.start, *one.end))] for one in shape.sides
        ],
    }


def _brushes(pack: Pack, words: Mapping[str, Words] | None, told: Cells) -> Plain:
    """The names to paint with: those of the tables in their order, then others on the board. ``charts``:
    which of them the tables know, and whether the pack calls these complete."""
    used: dict[str, set[str]] = {
        "terrain": _used(told.hexes.values(), "terrain"),
        "features": _used(told.hexes.values(), "features"),
        "hexsides": {n for cell in told.sides.values() for n in cell.get("has", ())},
        "lines": {n for cell in told.sides.values() for n in cell.get("lines", ())},
    }
    found: Plain = {"levels": list(told.levels), "charts": {}}
    for layer, names in used.items():
        known = words.get(_KINDS.get(layer, "")) if words is not None else None
        table = pack.tables.get(layer)
        order = [n for n in table if isinstance(n, str)] if isinstance(table, Mapping) else []
        there = set(names) | (set(known.names) if known is not None else set())
        there.discard(PLACEHOLDER)
        first = [name for name in order if name in there]
        found[layer] = [*first, *sorted(there - set(first))]
        if known is not None:
            whole = bool(known.chart) and known.chart in pack.charts
            found["charts"][layer] = {"known": sorted(known.names), "complete": whole}
    return found


def _used(told: Iterable[Plain], layer: str) -> set[str]:
    return {name for cell in told for name in str(cell[layer]).split("+") if name not in ("", "?")}


def _stamps(folder: Path) -> tuple[tuple[int, int] | None, ...]:
    return tuple(stamp_of(folder / name) for name in FILES)


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/board", board),
    Call("GET", "/api/cells", cells),
    Call("POST", "/api/board/import", take_table, writes=True, takes_bytes=True),
)
