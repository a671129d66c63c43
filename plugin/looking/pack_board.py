"""The board as a pack gives it, before anything is suggested: which cells are known, and which are open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from ...importers.pack.pack import Pack
from ...importers.pack.recorded import Imported, records_with
from ...importers.pack.terrain import held_open, hexes_held_open
from ...model.board import NONE, Board, Edge, edge
from ...model.provenance import Key, Layer, Record, Status, by_key, current
from ...model.vouching import cell_of, every_side, set_text, side_of, values_of, vouched
from ..suggest.cells import Side

SideLayer = Literal["hexsides", "lines"]
SIDE_LAYERS: tuple[SideLayer, ...] = get_args(SideLayer)


def side_layer(layer: str) -> SideLayer | None:
    """The layer of hexsides called ``layer``; None if that is not one."""
    return next((one for one in SIDE_LAYERS if one == layer), None)


@dataclass(frozen=True)
class PackBoard:
    """The board as a pack gives it.

    ``drawn``: the board as the spreadsheets, and what the module records, have it. ``known``: that of it
    which counts as known. ``records``: those whose value is still the drawn one, by fact. ``own``: the
    records of the pack's file, void ones too. ``required``: whether a fact without a record is not known."""

    drawn: Board
    known: Board
    records: Mapping[Key, Record]
    own: tuple[Record, ...]
    required: bool
    open: Mapping[tuple[Layer, Edge], tuple[str, ...]] = field(default_factory=dict)
    """Names that rows of the pack give with ``?``: they may be on the hexside, or lead across it."""
    open_hexes: frozenset[str] = frozenset()
    """Hexes whose terrain is ``?`` in a row of their own: somebody looked, and could not tell."""

    def terrain(self, name: str) -> str | None:
        """The known terrain of a hex, several joined by ``+``; None if it is not known."""
        terrain = self.known.hexes[name].terrain
        return "+".join(terrain) if terrain else None

    def drawn_terrain(self, name: str) -> str | None:
        """The drawn terrain of a hex, known or not; None if none is drawn."""
        terrain = self.drawn.hexes[name].terrain
        return "+".join(terrain) if terrain else None

    def side(self, side: Side, layer: SideLayer) -> str | None:
        """What is known to lie on a hexside, or to cross it, joined by ``+``. '' if it is known that nothing
        does; None if that is not known."""
        at = edge(*side)
        names = _names(self.known, at, layer)
        known = self.known.sides_known if layer == "hexsides" else self.known.lines_known
        if names:
            return set_text(names)
        return "" if known(at) else None

    def side_status(self, side: Side, layer: SideLayer) -> Status | None:
        """The status of a hexside in a layer: that everything drawn there is there, and nothing else. Where a
        part of it has a record that does not count as known, it is that record's status. None if a part is
        not known and has no record."""
        at = edge(*side)
        cell, drawn = cell_of(at), self.drawn_names(at, layer)
        keys = [Key(cell, layer), *(Key(cell, layer, name) for name in drawn)]
        held = [self.records.get(key) for key in keys]
        open_ones = [one.status for one in held if one is not None and not one.is_known]
        if open_ones:
            return open_ones[0]
        known = self.side(at, layer)
        whole = self.known.sides_known if layer == "hexsides" else self.known.lines_known
        if known is None or not whole(at) or set(_names(self.known, at, layer)) != set(drawn):
            return None
        return held[0].status if held[0] is not None else "typed"

    def keeps_suggested(self, key: Key, value: str, by: str) -> bool:
        """Whether writing ``value`` removes nothing from a hexside but what ``by`` alone suggested."""
        layer = side_layer(key.layer)
        if layer is None:
            return True
        less = set(self.drawn_names(self.edge(key.cell), layer)) - set(value.split("+"))
        held = (self.records.get(Key(key.cell, layer, name)) for name in less)
        return all(one is not None and one.who == (by,) for one in held)

    def may_fill(self, name: str) -> bool:
        """Whether a terrain may be suggested for a hex: none is known, none drawn but a suggested one, and
        none held open."""
        return name not in self.open_hexes and self.is_unsaid(name)

    def is_unsaid(self, name: str) -> bool:
        """Whether no terrain of a hex is known, and none drawn but a suggested one."""
        if self.terrain(name) is not None:
            return False
        return self.drawn.hexes[name].terrain is None or self._suggested(Key(name, "terrain"))

    def may_be_bare(self, name: str) -> bool:
        """Whether a hex may be said to have no features: none are drawn, and none held open with ``?``."""
        held = self.drawn.exceptions.hexes.get(name, NONE) != NONE
        return not self.drawn.hexes[name].features and not held

    def may_fill_side(self, side: Side, layer: SideLayer) -> bool:
        """Whether a value may be suggested for a hexside in ``layer``: nothing is known of it, and all that
        is drawn there was suggested, and nothing is held open."""
        held = self.open.get((layer, edge(*side)))
        return not held and self.is_unsaid_side(side, layer)

    def is_unsaid_side(self, side: Side, layer: SideLayer) -> bool:
        """Whether nothing is known of a hexside in ``layer``, and all that is drawn there was suggested."""
        if self.side(side, layer) is not None:
            return False
        cell = cell_of(edge(*side))
        drawn = self.drawn_names(edge(*side), layer)
        whole = Key(cell, layer)
        named = all(self._suggested(Key(cell, layer, name)) for name in drawn)
        return named and (whole not in self.records or self._suggested(whole))

    def kinds(self, layer: SideLayer) -> tuple[str, ...]:
        """All kinds that are drawn in the layer, on any hexside, sorted."""
        if layer == "lines":
            return tuple(sorted({line.kind for line in self.drawn.lines}))
        return tuple(sorted({name for names in self.drawn.sides.values() for name in names}))

    def drawn_names(self, side: Edge, layer: SideLayer) -> tuple[str, ...]:
        """The names drawn on a hexside, or across it, known or not."""
        return _names(self.drawn, side, layer)

    def held_open(self, key: Key) -> tuple[str, ...]:
        """The names that rows give with ``?`` for a hexside in the layer of ``key``; () for a hex."""
        return self.open.get((key.layer, self.edge(key.cell)), ()) if side_layer(key.layer) else ()

    def is_held_open(self, key: Key) -> bool:
        """Whether rows say with ``?`` that somebody looked at a cell and could not tell."""
        if key.layer == "terrain":
            return key.cell in self.open_hexes
        return bool(self.held_open(key))

    def edge(self, cell: str) -> Edge:
        """The hexside called ``cell`` in records. KeyError if the board has none of that name."""
        side = side_of(cell, self.drawn.hexes)
        if side is None:
            raise KeyError(cell)
        return side

    def _suggested(self, key: Key) -> bool:
        record = self.records.get(key)
        return record is not None and record.status == "suggested"

    @cached_property
    def own_records(self) -> Mapping[Key, Record]:
        """The records of the pack's file by fact, void ones too."""
        return by_key(self.own)

    def vouched_for(self) -> Iterator[tuple[Key, str]]:
        """Every fact that is known without a record, with its value. Nothing if records are required. Once
        they are, these facts need a record to stay known."""
        if self.required:
            return
        known, values = self.known, values_of(self.known)
        for name, here in known.hexes.items():
            if here.terrain is not None:
                yield from self._unrecorded(name, "terrain", values)
            if here.level is not None or known.level_of(name) is not None:
                yield from self._unrecorded(name, "level", values)
            yield from self._set(name, "features", here.features, known.hex_known(name), values)
        for side in every_side(known):
            cell = cell_of(side)
            for layer in SIDE_LAYERS:
                whole = known.sides_known if layer == "hexsides" else known.lines_known
                yield from self._set(cell, layer, _names(known, side, layer), whole(side), values)

    def _set(
        self,
        cell: str,
        layer: Layer,
        names: tuple[str, ...],
        whole: bool,
        values: Mapping[Key, str],
    ) -> Iterator[tuple[Key, str]]:
        for name in names:
            yield from self._unrecorded(cell, layer, values, name)
        if whole:
            yield from self._unrecorded(cell, layer, values)

    def _unrecorded(
        self, cell: str, layer: Layer, values: Mapping[Key, str], name: str = ""
    ) -> Iterator[tuple[Key, str]]:
        key = Key(cell, layer, name)
        if key not in self.records and key in values:
            yield key, values[key]


def board_of_pack(pack: Pack, recorded: Imported) -> PackBoard:
    """The board as ``pack`` gives it. ``recorded``: the board made of its spreadsheets and the module's
    records."""
    drawn, required = recorded.board, pack.provenance_required
    records = records_with(recorded, pack.records)
    held = current(records, values_of(drawn))
    known, _ = vouched(drawn, held, required=required, void=False)
    open_hexes = hexes_held_open(drawn, pack)
    return PackBoard(drawn, known, held, pack.records, required, held_open(drawn, pack), open_hexes)


def _names(board: Board, side: Edge, layer: SideLayer) -> tuple[str, ...]:
    if layer == "hexsides":
        return board.sides.get(side, ())
    return tuple(dict.fromkeys(line.kind for line in board.lines_by_edge.get(side, ())))
