"""Edits of ``lines.csv``: features on a hexside, and roads and other lines that lead across it.

A chain is split only where a step is removed. New consecutive steps become one chain, and extend a chain that
ends where they begin if its row has no other content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from ....model.board import Board, Edge, edge
from ..hexnames import PARTS, NotOnBoard, chain_of, hexsides_of
from ..terrain import NOT_KNOWN
from .table import EditRefused, Entry, Table, natural

FILE = "lines.csv"
COLUMNS = ("kind", "path", "name")
Layer = Literal["hexsides", "lines"]
Said = Literal["yes", "?", ""]
"""Whether something is on a hexside; ``?``: a row says that it is not known, "": no row says anything."""


class Step(NamedTuple):
    """Something on a hexside, or a line across it, by its kind."""

    layer: Layer
    kind: str
    side: Edge


class LineTable:
    """The content of ``lines.csv`` for each hexside of ``board``. ``data``: the bytes of the file; empty if
    there is none."""

    def __init__(self, data: bytes, board: Board) -> None:
        self._board = board
        self._table = Table(FILE, data, COLUMNS)
        self._rows: dict[Step, list[Entry]] = {}
        self._new: dict[Step, Said] = {}
        self._kinds: dict[tuple[Layer, Edge], dict[str, None]] = {}
        """All entries about a hexside."""
        for entry in self._table.rows:
            self._note(entry)

    def value(self, step: Step) -> Said:
        """The value in the file for a hexside. If several rows are about it, the last one counts."""
        if step in self._new:
            return self._new[step]
        rows = self._rows.get(step)
        return self._said(rows[-1]) if rows else ""

    def kinds(self, layer: Layer, side: Edge) -> frozenset[str]:
        """The kinds of features and lines that the file has on or across a hexside."""
        return frozenset(k for k, said in self.said(layer, side).items() if said == "yes")

    def said(self, layer: Layer, side: Edge) -> dict[str, Said]:
        """The values in the file for a hexside, by kind."""
        kinds = self._kinds.get((layer, side), ())
        return {kind: said for kind in kinds if (said := self.value(Step(layer, kind, side)))}

    def set(self, step: Step, now: Said) -> None:
        """Set the value of a hexside to ``now``; "": no entry."""
        a, b = step.side
        if a not in self._board.hexes or b not in self._board.neighbours(a):
            raise EditRefused(
                f"expected two hexes next to each other; found {a} and {b}", where=FILE
            )
        if not step.kind.strip() or step.kind != step.kind.strip():
            raise EditRefused(f"expected a name; found {step.kind!r}", where=FILE)
        if self.value(step) == now:
            return
        self._new.pop(step, None)
        for entry in tuple(self._rows.get(step, ())):
            if self._said(entry) != now:
                self._take_out(entry, step)
        if now and self.value(step) != now:
            self._new[step] = now
            self._kinds.setdefault((step.layer, step.side), {})[step.kind] = None

    def data(self) -> bytes:
        """The current content of the file."""
        if self._new:
            self._write_new()
        return self._table.data()

    # -- reading ---------------------------------------------------------------------------------

    def _said(self, entry: Entry) -> Said:
        return "?" if self._table.get(entry, "there") == NOT_KNOWN else "yes"

    def _path(self, entry: Entry) -> tuple[Layer, list[Edge]]:
        """The hexsides that a row is about; none where it has a fault."""
        path, names = self._table.get(entry, "path"), self._board.hexes
        try:
            if "/" in path and path not in names:
                return "hexsides", hexsides_of(path, names, self._adjacent)
            chain = chain_of(path, names, self._adjacent)
            return "lines", [edge(a, b) for a, b in pairwise(chain)]
        except NotOnBoard:
            return "lines", []

    def _adjacent(self, a: str, b: str) -> bool:
        return b in self._board.neighbours(a)

    def _note(self, entry: Entry) -> None:
        """Record what a row is about: the key of its entry is the steps of its path."""
        kind = self._table.get(entry, "kind")
        layer, sides = self._path(entry)
        entry.key = tuple(Step(layer, kind, side) for side in dict.fromkeys(sides)) if kind else ()
        for step in entry.key:
            self._rows.setdefault(step, []).append(entry)
            self._kinds.setdefault((step.layer, step.side), {})[step.kind] = None

    # -- taking out ------------------------------------------------------------------------------

    def _take_out(self, entry: Entry, step: Step) -> None:
        path = self._table.get(entry, "path")
        on_side = step.layer == "hexsides"
        left = [self._without(path, step.side)] if on_side else self._runs(path, step.side)
        self._rewrite(entry, [text for text in left if text])

    def _rewrite(self, entry: Entry, paths: Sequence[str]) -> None:
        """Give a row another path. If there are several paths, it becomes as many rows."""
        places = {step: self._rows[step].index(entry) for step in entry.key}
        for step in entry.key:
            self._rows[step].remove(entry)
        if not paths:
            self._table.remove(entry)
            return
        copies = [self._table.copy_below(entry) for _ in paths[1:]]
        for row, path in zip((entry, *reversed(copies)), paths, strict=True):
            self._table.set(row, "path", path)
            self._note(row)
            for step in row.key:  # rows about one step stay in their order
                rows = self._rows[step]
                rows.insert(min(places.get(step, len(rows)), len(rows) - 1), rows.pop())

    def _without(self, path: str, side: Edge) -> str:
        """A list of hexsides without one of them; the separators of the others are kept."""
        kept, names = "", self._board.hexes
        parting = ""
        for text, sign in _tokens(path):
            if hexsides_of(text, names, self._adjacent) == [side]:
                parting = parting or sign
                continue
            kept += (parting if kept else "") + text
            parting = sign
        return kept

    def _runs(self, path: str, side: Edge) -> list[str]:
        """The chains that remain after a step is removed."""
        chain = chain_of(path, self._board.hexes, self._adjacent)
        runs, run = [], chain[:1]
        for a, b in pairwise(chain):
            if edge(a, b) == side:
                runs.append(run)
                run = []
            run = [*run, b] if run else [b]
        runs.append(run)
        sign = _sign(path, chain)
        return [self._chain_text(run, sign) for run in runs if len(run) > 1]

    def _chain_text(self, run: Sequence[str], sign: str = " ") -> str:
        for parting in (sign, " ", " > "):
            text = parting.join(run)
            if self._read(text) == tuple(run):
                return text
        raise EditRefused(f"cannot be written as a chain: {', '.join(run)}", where=FILE)

    # -- new rows --------------------------------------------------------------------------------

    def _write_new(self) -> None:
        groups: dict[tuple[Layer, str, Said], list[Edge]] = {}
        for step, said in self._new.items():
            groups.setdefault((step.layer, step.kind, said), []).append(step.side)
        self._new = {}
        for (layer, kind, said), sides in sorted(groups.items()):
            if layer == "hexsides":
                paths = ["/".join(side) for side in sides]
            else:
                runs = self._going_on(kind, said, trails(sides))
                paths = [self._chain_text(run) for run in runs]
            there = {"there": NOT_KNOWN} if said == NOT_KNOWN else {}
            entries = [self._table.new({"kind": kind, "path": p, **there}) for p in paths]
            for entry in entries:
                self._note(entry)
                if not entry.key or any(step[:2] != (layer, kind) for step in entry.key):
                    path = self._table.get(entry, "path")
                    raise EditRefused(f"cannot be written as one of {layer}: {path}", where=FILE)
            self._insert(entries, layer, kind)

    def _insert(self, new: Iterable[Entry], layer: Layer, kind: str) -> None:
        """Put rows among those of their kind."""

        def alike(entry: Entry) -> bool:
            return bool(entry.key) and entry.key[0][:2] == (layer, kind)

        def place(entry: Entry) -> object:
            return natural(self._table.get(entry, "path")) if self._is_plain(entry) else None

        there = [i for i, entry in enumerate(self._table.entries) if alike(entry)]
        start, stop = (there[0], there[-1] + 1) if there else (len(self._table.entries), -1)
        self._table.insert(new, lambda e: place(e) if alike(e) else None, start, stop)

    def _is_plain(self, entry: Entry) -> bool:
        """Whether a row has no content except its path."""
        return not self._table.says_more(entry, ("kind", "path", "there"))

    def _going_on(
        self, kind: str, said: Said, runs: Iterable[tuple[str, ...]]
    ) -> list[tuple[str, ...]]:
        """The chains that go on no other: what goes on one is written behind or before it."""
        ends: dict[str, Entry] = {}
        for entry in self._table.rows:
            if entry.key and entry.key[0][:2] == ("lines", kind) and self._said(entry) == said:
                chain = self._chain(entry)
                if self._is_plain(entry) and chain[0] != chain[-1]:
                    ends.update(dict.fromkeys((chain[0], chain[-1]), entry))
        left: list[tuple[str, ...]] = []
        for run in runs:
            end = next((end for end in (run[0], run[-1]) if end in ends), None)
            if end is None:
                left.append(run)
                continue
            entry = ends[end]
            chain, path = self._chain(entry), self._table.get(entry, "path")
            for name in (chain[0], chain[-1]):
                ends.pop(name, None)
            run = run if run[0] == end else run[::-1]
            sign = _sign(path, chain)
            if chain[-1] == end:
                whole, text = (*chain, *run[1:]), sign.join((path, *run[1:]))
            else:
                whole, text = (*run[:0:-1], *chain), sign.join((*run[:0:-1], path))
            if self._read(text) != whole:
                text = self._chain_text(whole)
            self._rewrite(entry, [text])
        return left

    def _chain(self, entry: Entry) -> tuple[str, ...]:
        return self._read(self._table.get(entry, "path"))

    def _read(self, path: str) -> tuple[str, ...]:
        try:
            return tuple(chain_of(path, self._board.hexes, self._adjacent))
        except NotOnBoard:
            return ()


def _tokens(path: str) -> list[tuple[str, str]]:
    """The parts of a path, each with its separator from the next."""
    parts = PARTS.split(path)
    signs = [found[0] for found in PARTS.finditer(path)]
    return [(p, s) for p, s in zip(parts, [*signs, ""], strict=True) if p]


def _sign(path: str, chain: Sequence[str]) -> str:
    """The separator of the names in a written chain."""
    first, second = chain[:2]
    at = path.find(second, len(first))
    return path[len(first) : at] if path.startswith(first) and at > 0 else " "


def trails(sides: Iterable[Edge]) -> list[tuple[str, ...]]:
    """Chains of hexes that cross each of ``sides`` once. They begin where lines end, and are the same for the
    same hexsides."""
    near: dict[str, list[str]] = {}
    for a, b in sides:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    for others in near.values():
        others.sort(key=natural)
    order = sorted(near, key=natural)
    found: list[tuple[str, ...]] = []
    for start in (*(name for name in order if len(near[name]) % 2), *order):
        while near[start]:
            chain = [start]
            while near[chain[-1]]:
                here = chain[-1]
                there = near[here].pop(0)
                near[there].remove(here)
                chain.append(there)
            found.append(tuple(chain))
    return found
