"""Reads HexMap 1.0, the interchange format of the project hexerei, as facts of a board.

Two drafts call themselves 1.0. One lists hexes, sides and paths (``hexes``, ``edges``, ``path`` …) on a
``grid``; the other has one text for them (``at``) on a ``layout``, see :mod:`.hexmap_places`. Both are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any, Literal

from ...model.board import Edge, edge
from ...model.problem import Unreadable
from ...model.vouching import cell_of
from .edit.change import TOLD_LAYERS
from .hexmap_places import APART, Apart, HexMapPlaces, Kind, Unread
from .imported_table import ImportedTable, some

LISTS: Mapping[str, Kind | Literal["path"]] = {
    "hex": "hexes", "hexes": "hexes", "region": "hexes", "path": "path", "edge": "sides", "edges": "sides",
    "edge_path": "sides", "vertex": "corners", "vertices": "corners",
}  # fmt: skip
"""Keys that name the places of a feature if ``at`` does not."""
SHOWN = 60
"""How many letters of an expression are shown."""
REMARKS = ("label", "tags", "properties")


def read_hexmap_json(table: ImportedTable, told: Mapping[str, Any]) -> None:
    """Add the file's facts to ``table``. Raises :class:`Unreadable` if it is another version, or has no
    geometry or features."""
    grid, features = told.get("layout", told.get("grid")), told.get("features")
    if told.get("hexmap") != "1.0" or not isinstance(grid, dict) or not isinstance(features, list):
        raise Unreadable(
            "is not a map that can be read",
            where=table.file,
            expected="HexMap 1.0 with a layout (or grid) and features",
        )
    found = _Features(table, HexMapPlaces(table.board, grid), told)
    for of, default in _table(told.get("defaults")).items():
        found.defaults(of, _table(default))
    for number, feature in enumerate(features, 1):
        found.add(feature, f"{table.file} features {number}")
    found.close()


def _table(plain: Any) -> Mapping[str, Any]:
    return plain if isinstance(plain, dict) else {}


class _Features:
    """The features of a map; later ones lie over earlier ones."""

    def __init__(self, table: ImportedTable, places: HexMapPlaces, told: Mapping[str, Any]) -> None:
        self.table, self.places, self.kinds = table, places, _table(told.get("terrain"))
        self.on_hex: dict[tuple[str, str], tuple[str, str]] = {}
        """By hex and layer: the terrain and the level, with their places in the file."""
        self.features: dict[str, dict[str, str]] = {}
        """The place in the file of each feature of a hex; likewise for sides."""
        self.sides: dict[Edge, dict[str, str]] = {}
        self.missing: list[str] = []
        self.apart: list[str] = []

    def defaults(self, of: str, told: Mapping[str, Any]) -> None:
        where = f"{self.table.file} defaults"
        names = self._names(told, where)
        if of != "hex" and names:
            self._skip(f"defaults of {of}", ", ".join(names))
        elif names or "elevation" in told:
            try:
                self._on_hexes(self.places.every(), names, told, where)
            except Unread:
                self.table.leave_out("defaults of hexes that the file does not name", where)

    def add(self, told: Any, where: str) -> None:
        keys = [key for key in ("at", *LISTS) if key in told] if isinstance(told, dict) else []
        if len(keys) != 1:
            self.table.fault(where, f"expected one of at, {', '.join(LISTS)}")
            return
        (key,) = keys
        chosen = _table(told[key]).get("hexes") if key == "region" else told[key]
        words = [chosen] if isinstance(chosen, str) else chosen
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            self.table.fault(where, f"expected text, or a list of texts, for {key}")
            return
        for remark in REMARKS:
            if told.get(remark):
                self.table.leave_out(f"{remark} of features", where)
        names = self._names(told, where)
        kind = LISTS.get(key) or self.places.kind(" ".join(words))
        if kind != "hexes" and "elevation" in told:
            self.table.leave_out("elevation of what is not a hex", where)
        if kind == "path":
            self._across([words], names, where)
        elif kind == "corners":
            self.table.leave_out("what lies at corners of hexes", where)
        elif names or "elevation" in told:
            across = [name for name in names if kind == "hexes" and self._is_path(name)]
            areas = [name for name in names if name not in across]
            try:
                if key == "at" and kind == "hexes":
                    self._check_names(areas)
                parts = self.places.chains(" ".join(words)) if key == "at" else [[w] for w in words]
            except Unread as error:
                layers = {"terrain"} if areas else set()
                layers |= {"level"} if "elevation" in told else set()
                over = kind == "hexes" and (
                    any(layer in layers for _, layer in self.on_hex)
                    or any(self._is_added("hex", name) for name in areas)
                )
                if over or self.table.reading.whole:  # earlier facts may not hold
                    self.table.fault(where, str(error))
                else:
                    short = " ".join(words)
                    short = short if len(short) <= SHOWN else f"{short[:SHOWN]} …"
                    self.table.leave_out("expressions that are not read", short)
                return
            every = [name for part in parts for name in part]
            if kind == "sides":
                self._on_sides(every, names, told, where)
            else:
                self._on_hexes(every, areas, told, where)
                self._across(parts, across, where)

    def _skip(self, why: str, what: str) -> None:
        """Leave out something on sides. A table that claims to be complete may not do that."""
        if self.table.reading.whole:
            self.table.fault(self.table.file, f"expected no {why}; found {what}")
        else:
            self.table.leave_out(why, what)

    def _names(self, told: Mapping[str, Any], where: str) -> list[str]:
        terrain = told.get("terrain", "")
        if not isinstance(terrain, str) or type(told.get("elevation", 0)) is not int:
            self.table.fault(where, "expected text for terrain and a whole number for elevation")
            return []
        return [n for n in terrain.split() if self.table.reading.names.get(n) != ""]

    def _kind(self, of: str, name: str) -> Mapping[str, Any]:
        return _table(_table(self.kinds.get(of)).get(name))

    def _is_path(self, name: str) -> bool:
        if name in _table(self.kinds.get("hex")):
            return self._kind("hex", name).get("path") is True
        return name in _table(self.kinds.get("path"))

    def _check_names(self, areas: Iterable[str]) -> None:
        for name in areas:
            if name in _table(self.kinds.get("path")):
                raise Unread(f"expected terrain of hexes or of paths; found {name}, which is both")

    def _is_added(self, of: str, name: str) -> bool:
        """Whether a kind of terrain is there besides others."""
        kind = self._kind(of, name)
        return kind.get("modifier") is True or kind.get("type") == "modifier"

    def _on_hexes(
        self, hexes: Iterable[str], names: Sequence[str], told: Mapping[str, Any], where: str
    ) -> None:
        for hex_ in hexes:
            if hex_ not in self.table.board.hexes:
                self.missing.append(hex_)
                continue
            for name in names:
                if self._is_added("hex", name):
                    self.features.setdefault(hex_, {})[name] = where
                else:
                    self.on_hex[hex_, "terrain"] = name, where
            if "elevation" in told:
                self.on_hex[hex_, "level"] = str(told["elevation"]), where

    def _on_sides(
        self, sides: Iterable[str], names: Sequence[str], told: Mapping[str, Any], where: str
    ) -> None:
        for name in names:
            kind = self._kind("edge", name)
            if told.get("side", "both") != "both" or kind.get("directed") or kind.get("onesided"):
                self._skip(f"{name} on one side of hexsides only", where)
                return
            if name in self.table.reading.across:
                self._skip(f"{name} along hexsides, which it leads across elsewhere", where)
                return
        for text in sides:
            try:
                hex_, number = self.places.side_named(text)
                if hex_ not in self.table.board.hexes:
                    self.missing.append(hex_)
                elif side := self.places.side(hex_, number):
                    self.sides.setdefault(side, {}).update(dict.fromkeys(names, where))
            except Apart:
                self.apart.append(text)
            except Unread as error:
                self.table.fault(where, str(error))

    def _across(self, parts: Iterable[Sequence[str]], names: Sequence[str], where: str) -> None:
        for name, part in product(names, parts):
            if len(part) == 1:
                self._skip(f"{name} in a hex, which says nothing of its sides", part[0])
            for a, b in pairwise(part):
                off = [hex_ for hex_ in (a, b) if hex_ not in self.table.board.hexes]
                self.missing += off
                if not off and b not in self.table.board.neighbours(a):
                    self.apart.append(f"{a}/{b}")
                elif not off:
                    self.table.on_side(edge(a, b), "lines", name, where)

    def close(self) -> None:
        """Add the resulting facts to the table."""
        table = self.table
        for (hex_, layer), (text, where) in self.on_hex.items():
            table.hexes.add(hex_)
            table.on_hex(hex_, layer, text, where)
        for hex_, named in self.features.items():
            table.hexes.add(hex_)
            table.on_hex(hex_, "features", "+".join(named), next(iter(named.values())))
        for side, named in self.sides.items():
            if sum(not self._is_added("edge", name) for name in named) > 1:
                self._skip(f"sides with more than one terrain ({', '.join(named)})", cell_of(side))
                continue
            for name, where in named.items():
                table.on_side(side, "hexsides", name, where)
        for hex_ in dict.fromkeys(self.missing):
            table.leave_out("no hex of this board", hex_)
        if self.missing and not table.hexes and not table.found:
            found = some(tuple(dict.fromkeys(self.missing)))
            table.fault(table.file, f"expected hexes of the board; found {found}")
        across = any(key.layer in TOLD_LAYERS for key in table.found)
        if self.apart and (table.reading.whole or not across):
            table.fault(table.file, f"expected no {APART}; found {some(self.apart)}")
            return
        for text in dict.fromkeys(self.apart):
            table.leave_out(APART, text)
