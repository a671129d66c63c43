"""A table of other people or programs during reading, and how to read it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...model.board import Board, Edge, edge
from ...model.problem import Problem
from ...model.provenance import Key
from ...model.vouching import NOTHING, YES, cell_of, set_text
from .edit.change import TOLD_LAYERS
from .edit.hexes import plain
from .terrain import NOT_KNOWN, words

SideLayer = Literal["hexsides", "lines"]
ACROSS = frozenset(["road", "rail", "railroad", "railway", "trail", "track", "path", "highway"])
"""Names that by default lead across hexsides."""
MOST_NAMED = 8
"""How many cells a line names; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How tables are to be read. ``columns``: their names for our columns; ``names``: the meaning of their
    names, "": none; ``across``: names that lead across hexsides; ``sides``: columns that list the sides of a
    hex that have something, by layer and our name; ``whole``: layers that the tables give completely."""

    columns: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    across: frozenset[str] = frozenset()
    sides: Mapping[tuple[SideLayer, str], str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    every: bool = False
    """Whether all cells that are left out are named, not only the first."""

    def meant(self, text: str) -> list[str]:
        """Our names for what a cell of theirs says."""
        whole = self.names.get(text.strip())
        if whole is not None:
            return list(words(whole))
        return [name for word in words(text) for name in words(self.names.get(word, word))]

    def layer(self, name: str) -> SideLayer:
        """Whether something on a hexside lies along it or leads across."""
        return "lines" if name in self.across else "hexsides"


@dataclass(frozen=True, slots=True)
class ImportedFact:
    """A fact that a table gives, with its place: the ``file``, and ``where`` in it (including the file)."""

    value: str
    where: str
    file: str


class ImportedTable:
    """The facts collected from one file."""

    def __init__(self, file: str, board: Board, reading: Reading) -> None:
        self.file, self.board, self.reading = file, board, reading
        self.found: dict[Key, ImportedFact] = {}
        self.faults: list[Problem] = []
        self.hexes: set[str] = set()
        """Those that have a row."""
        self.listed: dict[tuple[SideLayer, str, Edge], dict[str, str]] = {}
        """The entries of columns that list sides: the hex of the row, and the place in the file."""
        self.left_out: dict[str, list[str]] = {}
        """Content that is not used: by reason, its cells."""

    def put(self, key: Key, value: str, where: str) -> None:
        before = self.found.get(key)
        if before is not None and before.value != value:
            self.fault(
                where,
                f"expected {before.value}, as {before.where} says of {key.cell}; found {value}",
            )
        self.found.setdefault(key, ImportedFact(value, where, self.file))

    def fault(self, where: str, message: str) -> None:
        self.faults.append(Problem("import", message, where, "error"))

    def on_hex(self, name: str, layer: str, text: str, where: str) -> None:
        """Add the text of a table about a hex. A text that says "not known" is ignored."""
        if not text.strip() or text.strip() == NOT_KNOWN:
            return
        if layer == "level":
            if not re.fullmatch(r"[+-]?\d{1,6}", text.strip()):
                self.fault(where, f"expected a whole number for the level; found {text.strip()}")
                return
            self.put(Key(name, "level"), plain("level", text), where)
            return
        names = [word for word in self.reading.meant(text) if word != NOTHING]
        if layer == "terrain":
            if names:
                self.put(Key(name, "terrain"), "+".join(names), where)
            return
        for word in names:
            self.put(Key(name, "features", word), YES, where)
        self.put(Key(name, "features"), set_text(names), where)

    def on_side(self, side: Edge, layer: SideLayer, name: str, where: str) -> None:
        for word in self.reading.meant(name):
            if word != NOTHING:
                self.put(Key(cell_of(side), layer, word), YES, where)

    def side(self, a: str, b: str, where: str) -> Edge | None:
        """The hexside between two hexes; None, with a fault, where there is none."""
        for name in (a, b):
            if name not in self.board.hexes:
                self.fault(where, f"expected a hex of the board; found {name or 'nothing'}")
                return None
        if b not in self.board.neighbours(a):
            self.fault(where, f"expected hexes next to each other; found {a} and {b}")
            return None
        return edge(a, b)

    def close(self) -> dict[Key, ImportedFact]:
        """All facts of the table, including "nothing else is there". A hex with terrain but no features has
        none. For hexsides this holds only in layers that the table gives completely."""
        for key, taken in tuple(self.found.items()):
            if key.layer == "terrain":
                whole = Key(key.cell, "features")
                self.found.setdefault(whole, ImportedFact(NOTHING, taken.where, self.file))
        doubtful = self._listed_once()
        for layer in TOLD_LAYERS:
            on: dict[str, set[str]] = {}
            for key in tuple(self.found):
                if key.layer == layer and key.name:
                    on.setdefault(key.cell, set()).add(key.name)
            if layer not in self.reading.whole or not on:
                continue
            within = self.hexes or set(self.board.hexes)
            for a in sorted(within):
                for b in self.board.neighbours(a):
                    cell = cell_of((a, b))
                    if a < b and b in within and (layer, cell) not in doubtful:
                        self.put(Key(cell, layer), set_text(on.get(cell, ())), self.file)
        return self.found

    def _listed_once(self) -> set[tuple[str, str]]:
        """Add what columns list on the sides of hexes. If the table usually lists a side at both of its
        hexes, a side that is listed at only one is left out. Returns those, by layer and cell."""
        once: set[tuple[str, str]] = set()
        by_name: dict[tuple[SideLayer, str], list[Edge]] = {}
        for layer, name, side in self.listed:
            by_name.setdefault((layer, name), []).append(side)
        for (layer, name), sides in by_name.items():
            inner = [side for side in sides if set(side) <= self.hexes]
            alone = {side for side in inner if len(self.listed[layer, name, side]) == 1}
            if 2 * len(alone) >= len(inner):  # this table lists each side at one hex
                alone = set()
            for side in sides:
                by = self.listed[layer, name, side]
                if side not in alone:
                    self.on_side(side, layer, name, next(iter(by.values())))
                    continue
                (hex_,) = by
                (other,) = set(side) - {hex_}
                once.add((layer, cell_of(side)))
                why = "listed at one of their two hexes only"
                self.left_out.setdefault(why, []).append(f"{name} at {hex_}, not at {other}")
        return once

    def leave_out(self, why: str, what: str) -> None:
        self.left_out.setdefault(why, []).append(what)


def some(what: Sequence[str], most: int | None = MOST_NAMED) -> str:
    """The first ``most`` of ``what``, and how many there are; ``most`` None: all of them."""
    more = f" … ({len(what):,})" if most is not None and len(what) > most else ""
    return ", ".join(what[:most]) + more
