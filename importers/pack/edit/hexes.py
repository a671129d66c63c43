"""Edits of ``hexes.csv``: terrain, level, features of a hex, and whether its sides are given.

Rows for several hexes (``*``, ``31*``, ``0403-0405``) do not change. The values of one hex go into its own
row below them, as later rows take precedence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, get_args

from ....model.board import Board
from ..hexnames import NotOnBoard, hexes_of
from ..load import HEX_COLUMNS
from ..terrain import NOT_KNOWN, NOTHING, TOLD, told_layers, words
from .table import EditRefused, Entry, Table, natural

FILE = "hexes.csv"
OfHex = Literal["terrain", "level", "features"]
OF_HEX: tuple[OfHex, ...] = get_args(OfHex)
_LEVEL = re.compile(r"[+-]?\d{1,6}")
_TAKEN_BACK = {"terrain": NOT_KNOWN, "level": NOTHING, "features": NOTHING}
"""Values of a row that cancel those of rows above it."""


class HexTable:
    """The content of ``hexes.csv`` for each hex of ``board``. ``data``: the bytes of the file; empty if there
    is none."""

    def __init__(self, data: bytes, board: Board) -> None:
        self._board = board
        self._table = Table(FILE, data, [name for name in HEX_COLUMNS if name != "sheet"])
        self._new: list[Entry] = []
        self._about: dict[str, list[Entry]] = {}
        """The rows about a hex, in their order."""
        self._first = 0
        """New rows go below this many: those for several hexes are all above."""
        for number, entry in enumerate(self._table.entries):
            if entry.cells is None:
                continue
            names = self._names(entry)
            if len(names) == 1:
                entry.key = names[0]
            else:
                self._first = number + 1
            for name in names:
                self._about.setdefault(name, []).append(entry)

    def _names(self, entry: Entry) -> list[str]:
        text, sheet = self._table.get(entry, "hex"), self._table.get(entry, "sheet")
        names = self._board.hexes
        if text in names:
            return [text] if sheet in ("", names[text].sheet) else []
        among = names if not sheet else {n: h for n, h in names.items() if h.sheet == sheet}
        try:
            return list(dict.fromkeys(hexes_of(text, among))) if text else []
        except NotOnBoard:
            return []

    def value(self, name: str, layer: OfHex) -> str:
        """The value in the file: names joined by ``+``, a level, or ``?``; "" if the file gives none."""
        for entry in reversed(self._about.get(name, ())):
            text = self._table.get(entry, layer)
            if text:
                return plain(layer, text)
        return ""

    def told(self, name: str) -> frozenset[str]:
        """The layers that the rows about a hex give in full for all its sides."""
        rows = self._about.get(name, ())
        return frozenset(layer for entry in rows for layer in self._told(entry))

    def _told(self, entry: Entry) -> frozenset[str]:
        return frozenset(told_layers(self._table.get(entry, "told"))) & frozenset(TOLD)

    def set(self, name: str, layer: OfHex, now: str) -> None:
        """Write the value ``now`` for a hex; ``?``: not known; "": no value."""
        self._check(name)
        now = plain(layer, now)
        fault = _fault(layer, now)
        if fault:
            raise EditRefused(f"{layer} of {name}: {fault}", where=FILE)
        if self.value(name, layer) == now:
            return
        own = [e for e in self._about.get(name, ()) if e.key == name]
        others = [e for e in self._about.get(name, ()) if e.key != name]
        said = next((t for e in reversed(others) if (t := self._table.get(e, layer))), "")
        if plain(layer, said) == now and self._last_is_own(name, layer):
            for entry in own:
                self._table.set(entry, layer, "")
                self._drop_if_empty(name, entry)
            if self.value(name, layer) == now:
                return
        self._write(name, layer, now or (_TAKEN_BACK[layer] if said else ""))

    def _last_is_own(self, name: str, layer: str) -> bool:
        rows = self._about.get(name, ())
        last = next((e for e in reversed(rows) if self._table.get(e, layer)), None)
        return last is not None and last.key == name

    def set_told(self, name: str, layers: Iterable[str]) -> None:
        """Write which layers are given in full for all sides of a hex."""
        self._check(name)
        wanted = frozenset(layers)
        odd = wanted - frozenset(TOLD)
        if odd:
            raise EditRefused(
                f"expected {' or '.join(TOLD)} in the column told; found {', '.join(sorted(odd))}",
                where=FILE,
            )
        if self.told(name) == wanted:
            return
        others = [e for e in self._about.get(name, ()) if e.key != name]
        for entry in others:
            more = self._told(entry) - wanted
            if more:
                raise EditRefused(
                    f"a row for several hexes says that the {' and '.join(sorted(more))} of {name} are "
                    "told; change that row",
                    where=self._table.where(entry),
                )
        for entry in [e for e in self._about.get(name, ()) if e.key == name]:
            self._table.set(entry, "told", "")
            if not wanted:
                self._drop_if_empty(name, entry)
        if wanted - self.told(name):
            self._write(name, "told", "+".join(layer for layer in TOLD if layer in wanted))

    def data(self) -> bytes:
        """The current content of the file."""
        if self._new:
            self._table.insert(self._new, _place, self._first)
            self._new = []
        return self._table.data()

    def _check(self, name: str) -> None:
        if name not in self._board.hexes:
            raise EditRefused(f"expected a hex of the board; found {name}", where=FILE)

    def _write(self, name: str, column: str, text: str) -> None:
        """Write a value into the last row that is about this hex alone, unless a later row gives another
        value."""
        for entry in reversed(self._about.get(name, ())):
            if entry.key == name:
                self._table.set(entry, column, text)
                return
            if self._table.get(entry, column):
                break
        entry = self._table.new({"hex": name, column: text})
        entry.key = name
        if self._names(entry) != [name]:
            raise EditRefused(f"cannot be written into a spreadsheet: {name!r}", where=FILE)
        self._new.append(entry)
        self._about.setdefault(name, []).append(entry)

    def _drop_if_empty(self, name: str, entry: Entry) -> None:
        if self._table.says_more(entry, ("hex", "sheet")):
            return
        self._about[name].remove(entry)
        if entry in self._new:
            self._new.remove(entry)
        else:
            self._table.remove(entry)
            self._count_again()

    def _count_again(self) -> None:
        entries = self._table.entries
        last = (
            i for i in range(len(entries) - 1, -1, -1) if entries[i].cells and not entries[i].key
        )
        self._first = next(last, -1) + 1


def plain(layer: OfHex, text: str) -> str:
    """A cell in the form in which cells are compared."""
    text = text.strip()
    if text == NOT_KNOWN or not text:
        return text
    if layer == "level":
        return "" if text == NOTHING else str(int(text)) if _LEVEL.fullmatch(text) else text
    if layer == "features" and text == NOTHING:
        return ""
    return "+".join(words(text))


def _fault(layer: OfHex, text: str) -> str:
    if text in ("", NOT_KNOWN):
        return ""
    if layer == "level":
        return "" if _LEVEL.fullmatch(text) else f"expected a whole number or ?; found {text}"
    odd = next((word for word in words(text) if word in (NOT_KNOWN, NOTHING)), "")
    return f"expected names; found {odd} among them" if odd else ""


def _place(entry: Entry) -> object:
    return None if entry.key is None else natural(entry.key)
