"""Map windows of a build file: boards, layouts, stacking, layers, set-up stacks and decks."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from ...model.problem import Problem
from . import sequence
from .buildfile_grids import AttributeReader, read_board_grid, where
from .buildfile_slots import is_slot, read_slot
from .components import MAPS, Component
from .grids import Size
from .grids.java import parse_int
from .module import (
    BoardChoice,
    BoardDefinition,
    DrawPile,
    MapDefinition,
    SetupStack,
)

_DEFAULT_SIZE = 500
_ANY_BOARD = ("", "<any>")

ImageSize = Callable[[str], "Size | None"]
"""Gives the size of an image entry by the name a board uses; None: no such image."""


def is_map(component: Component) -> bool:
    """A map window: one of VASSAL's, or a class of the module's own that extends one."""
    return component.kind in MAPS


def read_map(
    component: Component, number: int, image_size: ImageSize, problems: list[Problem]
) -> MapDefinition:
    """One map window; ``number`` counts maps of all kinds in build order."""
    attributes = AttributeReader(component, problems)
    name, identifier = component.get("mapName"), f"Map{number}"
    edge = _edge(attributes)
    pickers = list(component.of("BoardPicker"))
    picker = pickers[-1] if pickers else None
    boards = _boards(picker, image_size, problems) if picker else ()
    elsewhere = picker is not None and _boards_elsewhere(picker, boards, problems)
    layers = next(component.of("LayeredPieceCollection"), None)
    return MapDefinition(
        id=identifier,
        name=name,
        kind="custom" if component.is_custom else component.short,
        component=component.cls,
        boards=boards,
        boards_elsewhere=elsewhere,
        default_layout=_default_layout(picker, boards, (name, identifier), problems),
        edge_width=edge[0],
        edge_height=edge[1],
        stacking=_stacking(component, problems),
        owners=_string_array(component.get("side")),
        visible_to_all=attributes.flag("visible", False)
        if component.kind in ("PrivateMap", "PlayerHand")
        else True,
        borrows_boards=component.get("useBoards"),
        layer_property=layers.get("property") if layers else "",
        layers=_string_array(layers.get("layerOrder")) if layers else (),
        setup_stacks=tuple(
            SetupStack(**_standing(c, problems)) for c in component.of("SetupStack")
        ),
        draw_piles=tuple(_draw_pile(c, problems) for c in component.of("DrawPile")),
    )


def parse_layout(text: str, prefixes: tuple[str, ...]) -> tuple[BoardChoice, ...] | None:
    """The boards of a BoardPicker command; None if it is none of this map's (BoardPicker.decode).

    Prefix is the map's name or id and ``BoardPicker``; then board, column, row by tabs, a board
    being ``name`` or ``name/rev``.
    """
    if not any(text.startswith(prefix + "BoardPicker\t") for prefix in prefixes):
        return None
    tokens = sequence.split(text, "\t")[1:]
    choices = []
    for i in range(0, len(tokens), 3):
        board = sequence.split(tokens[i], "/")
        column, row = ((parse_int(token) or 0) for token in (*tokens[i + 1 : i + 3], "", "")[:2])
        choices.append(BoardChoice(board[0], column, row, reversed=board[1:2] == ["rev"]))
    return tuple(choices)


def _edge(attributes: AttributeReader) -> tuple[int, int]:
    width, height = 0, 0
    old = attributes.component.get("edge").split(",")
    if len(old) == 2:
        width, height = (parse_int(old[0]) or 0), (parse_int(old[1]) or 0)
    return attributes.integer("edgeWidth", width), attributes.integer("edgeHeight", height)


def _stacking(component: Component, problems: list[Problem]) -> bool:
    disabled = False
    for metrics in component.of("StackMetrics", "HandMetrics"):
        disabled = AttributeReader(metrics, problems).flag("disabled", False)
    return not disabled


def _string_array(text: str) -> tuple[str, ...]:
    return tuple(sequence.split(text, ",")) if text else ()


# -- boards ------------------------------------------------------------------------------------


def _boards(
    picker: Component, image_size: ImageSize, problems: list[Problem]
) -> tuple[BoardDefinition, ...]:
    return tuple(_board(child, image_size, problems) for child in picker.of("Board"))


def _boards_elsewhere(
    picker: Component, boards: tuple[BoardDefinition, ...], problems: list[Problem]
) -> bool:
    """Whether a picker of the module's own finds its boards outside the build file (VASL's does)."""
    if boards or not picker.is_custom:
        return False
    problems.append(
        Problem(
            "boards-elsewhere",
            f"the boards of this map come from {picker.cls}, Java code of the module's own: which are in "
            "use, how large they are and what places on them are called is not known; moves on the map are "
            "read by their pixels",
            where(picker),
        )
    )
    return True


def _board(component: Component, image_size: ImageSize, problems: list[Problem]) -> BoardDefinition:
    attributes = AttributeReader(component, problems)
    image = component.get("image")
    width: int | None
    height: int | None
    if image.strip():
        size = image_size(image)
        if size is None:
            problems.append(
                Problem(
                    "board-image-missing",
                    f"image {image!r} is not in the archive or not readable, so the board's size "
                    "is unknown; places on its map are not known by name",
                    where(component),
                )
            )
        width, height = size or (None, None)
    else:
        width = attributes.integer("width", _DEFAULT_SIZE)
        height = attributes.integer("height", _DEFAULT_SIZE)
    return BoardDefinition(
        name=component.get("name"),
        width=width,
        height=height,
        image=image,
        reversible=attributes.flag("reversible", False),
        magnification=1.0,
        grid=read_board_grid(component, problems),
        component=component.cls if component.is_custom else component.short,
    )


def _default_layout(
    picker: Component | None,
    boards: tuple[BoardDefinition, ...],
    prefixes: tuple[str, ...],
    problems: list[Problem],
) -> tuple[BoardChoice, ...]:
    """Boards a new game starts with: those saved in the module, else a single unreversible one."""
    if picker is None:
        return ()
    setup = next((c for c in picker.elements if c.cls == "setup"), None)
    if setup is not None and setup.raw.strip():
        layout = parse_layout(setup.raw.lstrip(), prefixes)
        if layout is not None:
            known = {board.name for board in boards}
            for name in dict.fromkeys(c.name for c in layout if c.name not in known):
                problems.append(
                    Problem(
                        "unknown-board",
                        f"the default boards name {name[:40]!r}, which the map does not have; it is left out",
                        where(picker),
                    )
                )
            return tuple(choice for choice in layout if choice.name in known)
        problems.append(
            Problem(
                "layout-unreadable",
                "the default boards are stored for a map of another name; "
                "no boards are in use until a save names them",
                where(picker),
            )
        )
        return ()
    if len(boards) == 1 and not boards[0].reversible:
        return (BoardChoice(boards[0].name),)
    return ()


# -- set-up ------------------------------------------------------------------------------------


def _standing(component: Component, problems: list[Problem]) -> dict[str, Any]:
    """The fields that set-up stacks and decks share."""
    attributes, board = AttributeReader(component, problems), component.get("owningBoard")
    return {
        "name": component.get("name"),
        "owning_board": None if board in _ANY_BOARD else board,
        "use_grid_location": attributes.flag("useGridLocation", False),
        "location": component.get("location"),
        "x": attributes.integer("x", 100),
        "y": attributes.integer("y", 100),
        "slots": tuple(read_slot(slot) for slot in component.children() if is_slot(slot)),
    }


def _draw_pile(component: Component, problems: list[Problem]) -> DrawPile:
    standing = _standing(component, problems)
    return DrawPile(**standing, attributes=MappingProxyType(dict(component.attributes)))
