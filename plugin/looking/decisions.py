"""Turns what somebody decided about cells into edits of the pack's files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...importers.pack.edit.change import record_edit
from ...importers.pack.edit.hexes import HexTable
from ...importers.pack.terrain import NOT_KNOWN
from ...model.provenance import KNOWN, Key, Method, Record, Status
from ...model.vouching import NOTHING, YES
from .pack_board import PackBoard, SideLayer, side_layer

Edit = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about one cell. ``value``: as in a record of its layer, for a hexside all that is there;
    None if the cell is declared not known. ``picture``: the SHA-256 of the picture it was looked at on.
    ``chance``: the probability of being right that a program gave; None for a person."""

    key: Key
    value: str | None
    picture: str
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Vouching:
    """What the new records say about their origin. ``who``: several names for the status ``double``."""

    status: Status
    who: tuple[str, ...]
    when: str
    method: Method


def edits_for(
    pack_board: PackBoard, table: HexTable, decisions: Iterable[Decision], by: Vouching
) -> Iterator[Edit]:
    """The edits that write ``decisions`` and a record for each. ``table``: hexes.csv as it stands.

    A terrain also says that the hex has no features, unless some are drawn or held open with ``?``. A value
    of None removes the records of the cell, and is written as ``?``: it is open from then on. On a hexside
    all that is drawn may be there then, or where nothing is all kinds that the board has.
    """
    for one in decisions:
        layer = side_layer(one.key.layer)
        if layer is None:
            yield from _of_hex(pack_board, table, one, by)
        else:
            yield from _of_side(pack_board, one, layer, by)


def _of_hex(pack_board: PackBoard, table: HexTable, one: Decision, by: Vouching) -> Iterator[Edit]:
    cell = one.key.cell
    was, now = table.value(cell, "terrain"), one.value or NOT_KNOWN
    if now != was:
        yield {"kind": "hex", "hex": cell, "layer": "terrain", "was": was, "now": now}
    yield from _record(pack_board, one.key, one.value, one, by)
    rest = Key(cell, "features")
    held = pack_board.records.get(rest)
    if pack_board.may_be_bare(cell) and not (held is not None and held.status in KNOWN):
        yield from _record(pack_board, rest, None if one.value is None else NOTHING, one, by)


def _of_side(
    pack_board: PackBoard, one: Decision, layer: SideLayer, by: Vouching
) -> Iterator[Edit]:
    cell = one.key.cell
    drawn = pack_board.drawn_names(pack_board.edge(cell), layer)
    names = [] if one.value in (None, NOTHING) else str(one.value).split("+")
    kind = "hexside" if layer == "hexsides" else "line"
    looked = one.value is not None and by.status != "suggested"
    asked = pack_board.held_open(one.key) if looked else ()  # a suggestion takes no "?" away
    if one.value is None:
        asked = pack_board.held_open(one.key)
    unclear = (drawn or (() if asked else pack_board.kinds(layer))) if one.value is None else ()
    for name in sorted({*drawn, *names, *asked, *unclear}):
        before, after = name in drawn, name in names
        if one.value is None and name in asked:
            continue
        if before != after or name in asked or name in unclear:
            yield {
                "kind": kind,
                "side": cell,
                "name": name,
                "was": "yes" if before else NOT_KNOWN if name in asked else "no",
                "now": "yes" if after else NOT_KNOWN if one.value is None else "no",
                "held": one.value is None,
            }
        yield from _record(pack_board, Key(cell, layer, name), YES if after else None, one, by)
    yield from _record(pack_board, one.key, one.value, one, by)


def _record(
    pack_board: PackBoard, key: Key, value: str | None, one: Decision, by: Vouching
) -> Iterator[Edit]:
    old = pack_board.own_records.get(key)
    now = None
    if value is not None:
        chance = None if one.chance is None else Fraction(round(one.chance * 1000), 1000)
        now = Record(key, value, by.status, by.who, by.when, by.method, chance, one.picture)
    if old is not None or now is not None:
        yield record_edit(key, old, now)
