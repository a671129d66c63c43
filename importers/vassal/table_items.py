"""Pieces, stacks, decks and maps of a table that changes in place. See ``table_state``."""

from __future__ import annotations

from collections import defaultdict

from .table_forms import Form

Pixel = tuple[int, int]
NO_LAYER = -1
"""A stack that never held a piece knows no game-piece layer [Stack.LAYER_NOT_SET]."""


class LivePiece:
    """A piece: its type is taken apart, the two parts of its state are text.

    ``traits`` is the part of its state that belongs to the traits, ``base`` the BasicPiece's as last
    set: its map and pixels are stale as soon as the piece moves. ``map``, ``x``, ``y`` are the piece's
    own, overruled by ``parent``.
    """

    __slots__ = ("base", "form", "id", "listed", "map", "parent", "traits", "x", "y")

    def __init__(self, id_text: str, form: Form) -> None:
        self.id = id_text
        self.form = form
        self.traits = self.base = ""
        self.map: LiveMap | None = None
        self.x = self.y = 0
        self.parent: LiveStack | None = None
        self.listed: Listing = ()

    @property
    def on(self) -> LiveMap | None:
        """The map it lies on: its stack's while it is in one [BasicPiece.getMap]."""
        return self.map if self.parent is None else self.parent.map

    @property
    def at(self) -> Pixel:
        """Where it lies: its stack's position while it is in one [BasicPiece.getPosition]."""
        holder = self.parent
        return (self.x, self.y) if holder is None else (holder.x, holder.y)


class LiveStack:
    """A stack or (``deck_type`` not None) a deck; ``members`` from the bottom up."""

    __slots__ = ("deck_type", "face_down", "id", "layer", "listed", "map", "members", "x", "y")

    def __init__(self, id_text: str, deck_type: str | None = None) -> None:
        self.id = id_text
        self.deck_type = deck_type
        self.face_down = False
        self.map: LiveMap | None = None
        self.x = 0
        self.y = 0
        self.members: list[LivePiece] = []
        self.layer = NO_LAYER
        self.listed: Listing = ()

    @property
    def on(self) -> LiveMap | None:
        return self.map

    @property
    def at(self) -> Pixel:
        return (self.x, self.y)


Item = LivePiece | LiveStack
Listing = tuple[tuple["LiveMap", int, int], ...]
"""The places of an item in the collections of maps: map, layer, number in drawing order. Usually one; the
engine does not remove an item that has changed its layer."""


class LiveMap:
    """A map window with its piece collection, indexed by pixel.

    ``cells`` holds, per pixel, what a drop there could meet: pieces, decks, stacks that are not empty.
    """

    __slots__ = ("cells", "layer_property", "layers", "name", "stacking")

    def __init__(
        self,
        name: str,
        *,
        stacking: bool = True,
        layer_property: str = "",
        layers: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.stacking = stacking
        self.layer_property = layer_property
        self.layers = layers
        self.cells: defaultdict[Pixel, list[Item]] = defaultdict(list)

    def drawn_at(self, at: Pixel) -> list[Item]:
        """The items at this pixel, in drawing order."""
        cell = self.cells.get(at, ())
        return list(cell) if len(cell) < 2 else sorted(cell, key=self._order)

    def _order(self, item: Item) -> tuple[int, int]:
        """Layer, and place in it."""
        return next((entry[1], entry[2]) for entry in item.listed if entry[0] is self)
