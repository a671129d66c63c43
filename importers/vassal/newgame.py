"""Where pieces stand when a new game begins: the set-up stacks and decks of the module.

``SETUP_STACK`` in a save says that its game is not new [NewGameIndicator]. Saves written by hand or by other
programs may lack it. Then, at ``end_save``, the engine adds all set-up stacks and decks of the module whose
boards are in use [SetupStack.setup, DrawPile]. Their ids are ours: the engine uses a clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...model.problem import Problem
from . import sequence
from .grids import Point, RegionGrid, ZonedGrid
from .layout import MapLayout, PlacedBoard, lay_out
from .module import DrawPile, Module, SetupStack
from .places import Gazetteer
from .prototypes import Expansion, take_apart

_FACE_UP = ("Never", "MenuDefaultUp")


@dataclass(frozen=True, slots=True)
class InitialPiece:
    """A piece as it enters play: prototypes expanded, gpid of its slot."""

    type: str
    state: str


@dataclass(frozen=True, slots=True)
class InitialPlacement:
    """A stack, a deck, or a piece that does not stack, at a map pixel.

    ``map`` is the map's name in saves. ``pieces``: first at the bottom. ``name`` is that of the
    set-up stack or deck. ``face_down`` and ``deck_type`` (the relevant part of what the engine would save)
    apply to decks only.
    """

    kind: Literal["stack", "deck", "piece"]
    map: str
    x: int
    y: int
    name: str
    pieces: tuple[InitialPiece, ...]
    face_down: bool = False
    deck_type: str = ""


@dataclass(frozen=True, slots=True)
class InitialTable:
    """All placements of a new game, map by map, and problems with them."""

    placements: tuple[InitialPlacement, ...]
    problems: tuple[Problem, ...] = field(default=())


def initial_placements(
    module: Module, layouts: Mapping[str, MapLayout] | None = None
) -> InitialTable:
    """Where the pieces of a new game stand (SetupStack.setup).

    ``layouts`` by internal map id, by default the maps' own boards. Stacks of a board that is not
    in use stay away. Nothing is snapped, and reversed boards do not turn the position.
    """
    layouts = lay_out(module.maps) if layouts is None else layouts
    expansion = Expansion(module.prototypes)
    problems: list[Problem] = []
    placements: list[InitialPlacement] = []
    for definition in module.maps:
        layout = layouts[definition.id]
        positions = _Positions(layout, problems)
        for stack in definition.setup_stacks:
            point = positions.of(stack)
            if point is not None:
                pieces = tuple(InitialPiece(*expansion.expand(slot)) for slot in stack.slots)
                placements += _stack(definition.identifier, point, stack.name, pieces)
        for pile in definition.draw_piles:
            point = positions.of(pile)
            if point is not None:
                pieces = tuple(InitialPiece(*expansion.expand(slot)) for slot in pile.slots)
                face_down = pile.attributes.get("faceDown", "Always") not in _FACE_UP
                placements.append(
                    InitialPlacement(
                        "deck",
                        definition.identifier,
                        *point,
                        pile.name,
                        pieces,
                        face_down,
                        _deck_type(pile),
                    )
                )
    return InitialTable(tuple(placements), (*problems, *expansion.problems))


def _deck_type(pile: DrawPile) -> str:
    """Its name, and the expressions it counts its cards by [Deck.getType]."""
    counted = pile.attributes.get("countExpressions", "")
    return sequence.join(["deck", *[""] * 12, pile.name, *[""] * 8, counted, ""], ";")


def _stack(
    map_name: str, point: Point, name: str, pieces: tuple[InitialPiece, ...]
) -> Iterator[InitialPlacement]:
    """Pieces that do not stack stand by themselves, the others in one stack."""
    stacked = tuple(piece for piece in pieces if not does_not_stack(piece.type))
    for piece in pieces:
        if does_not_stack(piece.type):
            yield InitialPlacement("piece", map_name, *point, name, (piece,))
    if stacked:
        yield InitialPlacement("stack", map_name, *point, name, stacked)


def does_not_stack(kind: str) -> bool:
    """Whether a piece of this (expanded) type is NoStack: mats, and Does-not-stack without ``L``."""
    for own, _ in take_apart(kind, ""):
        if own.startswith("mat;"):
            return True
        if own.startswith("immob;"):
            fields = sequence.split(own, ";")
            return not (len(fields) > 3 and fields[3].startswith("L"))
    return False


class _Positions:
    """Positions of set-up stacks and decks on one map."""

    def __init__(self, layout: MapLayout, problems: list[Problem]) -> None:
        self.layout, self.problems = layout, problems
        self._gazetteer: Gazetteer | None = None

    def of(self, stack: SetupStack) -> Point | None:
        """Map pixel; None if the stack's own board is not in use."""
        board = None
        if stack.owning_board is not None:
            board = self.layout.board_named(stack.owning_board)
            if board is None:
                return None
        x, y = self._local(stack, board or next(iter(self.layout.boards), None))
        origin = self.layout.edge if board is None else (board.x, board.y)
        return x + origin[0], y + origin[1]

    def _local(self, stack: SetupStack, board: PlacedBoard | None) -> Point:
        if not stack.use_grid_location or not stack.location or board is None:
            return stack.x, stack.y
        if board.grid is None:
            return stack.x, stack.y
        found = self._by_name(stack.location, board) or _region(stack.location, board)
        if found is None:
            self.problems.append(
                Problem(
                    "setup-location-unknown",
                    f"{stack.name!r} is to stand at {stack.location!r}, which is not a place of "
                    f"board {board.name!r}; it stands at {stack.x},{stack.y} instead",
                    self.layout.definition.identifier,
                )
            )
            return stack.x, stack.y
        return found

    def _by_name(self, name: str, board: PlacedBoard) -> Point | None:
        if self._gazetteer is None:
            self._gazetteer = Gazetteer(self.layout)
        number = self.layout.boards.index(board)
        for place in self._gazetteer.places(name):
            if place.board == number:
                return board.local(*place.point)
        return None


def _region(name: str, board: PlacedBoard) -> Point | None:
    """A region's own name, even where its zone does not show it."""
    if isinstance(board.grid, ZonedGrid):
        for zone in board.grid.zones:
            grid = board.grid.grid_of(zone)
            region = grid.region(name) if isinstance(grid, RegionGrid) else None
            if region is not None and zone.contains(region.x, region.y):
                return region.x, region.y
    return None


_MARK, _END = "SETUP_STACK\t", "end_save"


def is_new_game(texts: Sequence[str]) -> bool:
    """Whether the engine treats a game with this opening as new."""
    return _END in texts and not any(text.startswith(_MARK) for text in texts)


def at_start(module: Module, layouts: Mapping[str, MapLayout], where: str) -> InitialTable:
    """What the module sets up, with a note if it sets up anything. ``layouts`` by internal map id."""
    found = initial_placements(module, layouts)
    if not found.placements:
        return InitialTable((), found.problems)
    pieces = sum(len(placement.pieces) for placement in found.placements)
    note = Problem(
        "set-up-at-start",
        f"the save does not say that its game had begun (SETUP_STACK): as in VASSAL, the module's stacks"
        f" and decks at start are set up besides what it holds ({pieces} pieces)",
        where,
        "note",
    )
    return InitialTable(found.placements, (*found.problems, note))
