"""What a pack tells of every cell of its board, as the Board view shows it: what stands in its files, who
vouches for it, and how much of it counts as known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ...importers.pack.board import Places
from ...importers.pack.hexnames import NotOnBoard, chain_of, hexes_of, hexsides_of
from ...importers.pack.pack import Pack
from ...importers.pack.recorded import records_with, with_recorded
from ...importers.pack.terrain import with_terrain, words
from ...importers.vassal.layout import MapLayout
from ...importers.vassal.module import Module
from ...model.board import Board, Edge, edge
from ...model.names import Words
from ...model.provenance import Key, Layer, Record, Records, current
from ...model.vouching import cell_of, every_side, values_of, vouched

OF_HEX: tuple[Layer, ...] = ("terrain", "level", "features")
OF_SIDE: tuple[Layer, ...] = ("hexsides", "lines")
NOT_KNOWN, NOTHING, YES = "?", "none", "yes"
UNKNOWN = "unknown"
"""The status of what nobody has told."""
Plain = dict[str, Any]
NO_SIDE: Plain = {"status": UNKNOWN, "unknown": list(OF_SIDE)}
"""What is said of a hexside of which nothing is told."""


@dataclass(frozen=True)
class Cells:
    """By name what is told of the hexes, and by ``a/b`` what is of the hexsides, as JSON; ``levels``: those
    that there are."""

    hexes: Mapping[str, Plain] = field(default_factory=dict)
    sides: Mapping[str, Plain] = field(default_factory=dict)
    levels: tuple[int, ...] = ()


def cells_of(
    pack: Pack,
    bare: Board,
    places: Places,
    layouts: Mapping[str, MapLayout],
    module: Module,
    known: Mapping[str, Words] | None,
) -> Cells:
    """The cells of a board; ``bare`` without terrain. ``known``: the names that the ruleset knows."""
    told, _ = with_terrain(bare, pack)
    imported = with_recorded(told, pack, module.terrain, places, layouts, known)
    board = imported.board
    records, sure = records_with(imported, pack.records), board
    if records or pack.provenance_required:
        records = current(records, values_of(board))
        sure, _ = vouched(board, records, required=pack.provenance_required)
    written, stepped = dict(_hex_rows(pack, bare)), dict(_line_rows(pack, bare))
    hexes = {
        name: _hex(name, board, sure, records, written.get(name, {}), pack.provenance_required)
        for name in board.hexes
    }
    sides = {
        cell_of(side): _side(side, board, sure, records, stepped.get(side, {}))
        for side in every_side(board)
    }
    levels = {here.level for here in board.hexes.values() if here.level is not None}
    return Cells(hexes, sides, tuple(sorted(levels)))


def _hex(
    name: str,
    board: Board,
    sure: Board,
    records: Records,
    written: Mapping[str, str],
    required: bool,
) -> Plain:
    here = board.hexes[name]
    shown = {
        "terrain": "+".join(here.terrain) if here.terrain else written.get("terrain", ""),
        "level": str(here.level) if here.level is not None else written.get("level", ""),
        "features": "+".join(here.features) or written.get("features", ""),
    }
    record = records.get(Key(name, "terrain"))
    status = UNKNOWN
    if record is not None:
        status = record.status
    elif here.terrain is not None and not required:
        status = "typed"
    found: Plain = {**shown, "status": status, **_by(record)}
    differs = {k: written.get(k, "") for k in OF_HEX if written.get(k, "") != shown[k]}
    if differs:
        found["written"] = differs
    if written.get("told"):
        found["told"] = written["told"]
    open_ = [
        layer
        for layer, is_known in (
            ("terrain", sure.hexes[name].terrain is not None),
            ("level", sure.level_of(name) is not None),
            ("features", sure.hex_known(name)),
        )
        if not is_known
    ]
    if open_:
        found["unknown"] = open_
    return found


def _side(
    side: Edge,
    board: Board,
    sure: Board,
    records: Records,
    stepped: Mapping[tuple[Layer, str], str],
) -> Plain:
    cell = cell_of(side)
    names = {
        "hexsides": board.sides.get(side, ()),
        "lines": tuple(dict.fromkeys(ln.kind for ln in board.lines_by_edge.get(side, ()))),
    }
    told: list[Record] = []
    if records:
        mine = (records.get(Key(cell, of, n)) for of in OF_SIDE for n in (*names[of], ""))
        told = [record for record in mine if record is not None]
    unknown = [
        layer
        for layer, is_known in (
            ("hexsides", sure.sides_known(side)),
            ("lines", sure.lines_known(side)),
        )
        if not is_known
    ]
    record = next((r for r in told if not r.is_known), told[0] if told else None)
    status = record.status if record is not None else UNKNOWN
    if record is None and (len(unknown) < 2 or any(names.values())):
        status = "typed"
    found: Plain = {"status": status, "unknown": unknown, **_by(record)}
    keys: tuple[tuple[Layer, str], ...] = (("hexsides", "has"), ("lines", "lines"))
    for layer, key in keys:
        if names[layer]:
            found[key] = list(names[layer])
        maybe = [kind for (of, kind), said in stepped.items() if (of, said) == (layer, NOT_KNOWN)]
        if maybe:
            found[f"{key}_open"] = maybe
        only_read = [n for n in names[layer] if stepped.get((layer, n)) != YES]
        if only_read:
            found[f"{key}_read"] = only_read
    doubt = [r.key.name for r in told if not r.is_known and r.key.name]
    if doubt:
        found["doubt"] = doubt
    return found


def _by(record: Record | None) -> Plain:
    if record is None:
        return {}
    found: Plain = {"who": " and ".join(record.who)}
    if record.confidence is not None:
        found["confidence"] = float(record.confidence)
    return found


def _hex_rows(pack: Pack, board: Board) -> Iterator[tuple[str, dict[str, str]]]:
    """What stands in ``hexes.csv`` of each hex, in the words that edits compare."""
    found: dict[str, dict[str, str]] = {}
    for row in pack.hexes.rows if pack.hexes is not None else ():
        sheet = row.get("sheet")
        names = board.hexes
        among = names if not sheet else {n: h for n, h in names.items() if h.sheet == sheet}
        try:
            hexes = hexes_of(row.get("hex"), among)
        except NotOnBoard:
            continue
        said = {
            layer: _plain(layer, text) for layer in (*OF_HEX, "told") if (text := row.get(layer))
        }
        for name in hexes:
            found.setdefault(name, {}).update(said)
    return iter(found.items())


def _plain(layer: str, text: str) -> str:
    if text == NOT_KNOWN:
        return text
    if layer in ("level", "features") and text == NOTHING:
        return ""
    if layer == "level":
        return str(int(text)) if text.lstrip("+-").isdecimal() else text
    if layer == "told":
        return "+".join(sorted(words(text.replace(",", "+").replace(" ", "+"))))
    return "+".join(words(text))


def _line_rows(pack: Pack, board: Board) -> Iterator[tuple[Edge, dict[tuple[Layer, str], str]]]:
    """What stands in ``lines.csv`` of each hexside: by layer and kind whether it is there, or perhaps."""
    found: dict[Edge, dict[tuple[Layer, str], str]] = {}

    def adjacent(a: str, b: str) -> bool:
        return b in board.neighbours(a)

    for row in pack.lines.rows if pack.lines is not None else ():
        kind, path = row.get("kind"), row.get("path")
        said = NOT_KNOWN if row.get("there") == NOT_KNOWN else YES
        try:
            if "/" in path and path not in board.hexes:
                layer: Layer = "hexsides"
                sides = hexsides_of(path, board.hexes, adjacent)
            else:
                layer = "lines"
                sides = [edge(a, b) for a, b in pairwise(chain_of(path, board.hexes, adjacent))]
        except NotOnBoard:
            continue
        for side in sides:
            found.setdefault(side, {})[layer, kind] = said
    return iter(found.items())
