"""What an edit is about, and edits as JSON: made by this program, and read from a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from ....model.board import Edge, edge
from ....model.provenance import Key, Record, in_order
from ....model.vouching import side_of
from ..provenance import COLUMNS, record_cells, record_of_cells
from .hexes import OF_HEX, OfHex
from .lines import Step
from .table import EditRefused

FileOf = Literal["pack", "facts"]
TOLD_LAYERS: tuple[Literal["hexsides", "lines"], ...] = ("hexsides", "lines")


class HexCell(NamedTuple):
    """The terrain, level or features of a hex. Value: the text of the cell in ``hexes.csv``."""

    hex: str
    layer: OfHex


class SidesComplete(NamedTuple):
    """Which layers the pack gives in full for all sides of a hex. Value: a frozenset of layers."""

    hex: str


class RecordOf(NamedTuple):
    """The record of a fact. Value: a :class:`Record`; None if there is none."""

    key: Key


class UnitCell(NamedTuple):
    """A cell of ``units.csv``. Value: its text. If ``column`` is empty: the row itself; value "yes" if it
    exists, "" if not."""

    row: tuple[tuple[str, str], ...]
    column: str


class TomlValue(NamedTuple):
    """A value in ``pack.toml`` or the facts file. Value: as parsed; None if the key is missing."""

    file: FileOf
    path: tuple[str | int, ...]


class Stanza(NamedTuple):
    """One table of a list of tables. Value: its content; None if it is missing."""

    file: FileOf
    table: str


What = HexCell | SidesComplete | Step | RecordOf | UnitCell | TomlValue | Stanza
"""What a change is about. The value of a :class:`Step` is written as in ``lines.csv``: yes, ? or ""."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that an edit changed, from what to what."""

    what: What
    before: Any
    after: Any

    @property
    def back(self) -> Change:
        """The change that takes it back."""
        return Change(self.what, self.after, self.before)


def shown(what: What) -> str:
    """What a change is about, in words."""
    if isinstance(what, HexCell):
        return f"{what.layer} of {what.hex}"
    if isinstance(what, SidesComplete):
        return f"whether the sides of {what.hex} are told"
    if isinstance(what, Step):
        return f"{what.kind} at {'/'.join(what.side)}"
    if isinstance(what, RecordOf):
        return f"who vouches for {' '.join(part for part in what.key if part)}"
    if isinstance(what, UnitCell):
        return f"{what.column or 'the row'} of {', '.join(text for _, text in what.row)}"
    if isinstance(what, Stanza):
        return f"a [[{what.table}]] of the {what.file}"
    return f"{'.'.join(map(str, what.path))} of the {what.file}"


def text_of(edit: Mapping[str, Any], key: str) -> str:
    """A text that an edit must have."""
    value = edit.get(key)
    if not isinstance(value, str):
        raise EditRefused(f"expected text for {key}; found {value!r}")
    return value


def what_of(edit: Mapping[str, Any], hexes: Mapping[str, object]) -> What:
    """What an edit is about. Raises :class:`EditRefused` if the edit does not say so clearly."""
    kind = edit.get("kind")
    if kind == "hex":
        layer = text_of(edit, "layer")
        if layer not in OF_HEX:
            raise EditRefused(f"expected one of {', '.join(OF_HEX)}; found {layer}")
        return HexCell(text_of(edit, "hex"), layer)
    if kind == "told":
        return SidesComplete(text_of(edit, "hex"))
    if kind in ("hexside", "line"):
        layer_of: Literal["hexsides", "lines"] = "hexsides" if kind == "hexside" else "lines"
        return Step(layer_of, text_of(edit, "name"), _side(text_of(edit, "side"), hexes))
    if kind == "record":
        layer, name = text_of(edit, "layer"), edit.get("name") or ""
        cell = in_order(text_of(edit, "cell"), layer)
        return RecordOf(Key(cell, layer, str(name)))  # type: ignore[arg-type]
    if kind == "unit":
        row = edit.get("row")
        if not isinstance(row, Mapping):
            raise EditRefused("expected a row with the columns that select pieces")
        return UnitCell(tuple((str(k), str(v)) for k, v in row.items()), text_of(edit, "column"))
    if kind not in ("toml", "stanza"):
        raise EditRefused(f"there is no kind of edit {kind!r}")
    file = edit.get("file", "facts")
    if file not in get_args(FileOf):
        raise EditRefused(f"expected pack or facts; found {file!r}")
    if kind == "stanza":
        return Stanza(file, text_of(edit, "table"))
    path = edit.get("path")
    if not isinstance(path, list | tuple) or not all(isinstance(p, str | int) for p in path):
        raise EditRefused("expected the path of a key")
    return TomlValue(file, tuple(path))


def _side(text: str, hexes: Mapping[str, object]) -> Edge:
    found = side_of(text, hexes)
    if found is None:
        raise EditRefused(f"expected a hexside such as 0304/0305; found {text}")
    return edge(*found)


def record_of(key: Key, told: Any) -> Record | None:
    """The record that an edit gives a fact; None: none."""
    if told is None:
        return None
    if not isinstance(told, Mapping):
        raise EditRefused("expected a record")
    who = told.get("who", "")
    more = {column: told.get(column, "") for column in COLUMNS[3:]}
    more["who"] = " + ".join(map(str, who)) if isinstance(who, list | tuple) else who
    cells = {**dict(zip(COLUMNS[:3], key, strict=True)), **more}
    plain = {
        column: _decimal(value) if isinstance(value, float) else str(value)
        for column, value in cells.items()
        if value not in ("", None)
    }
    record, fault = record_of_cells(plain)
    if fault or record is None:
        raise EditRefused(f"the record of {' '.join(part for part in key if part)}: {fault}")
    return record


def _decimal(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".") or "0"


def toml_edit(path: Sequence[str | int], was: Any, now: Any) -> dict[str, Any]:
    """The edit of a value in ``pack.toml``, as JSON; None: there is none."""
    return {"kind": "toml", "file": "pack", "path": list(path), "was": was, "now": now}


def record_edit(key: Key, was: Record | None, now: Record | None) -> dict[str, Any]:
    """The edit of a record, as JSON: its columns in ``provenance.csv``; None: there is none."""

    def plain(record: Record | None) -> dict[str, str] | None:
        if record is None:
            return None
        return dict(zip(COLUMNS[3:], record_cells(record)[3:], strict=True))

    return {"kind": "record", **key._asdict(), "was": plain(was), "now": plain(now)}
