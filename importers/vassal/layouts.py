"""How the boards lie on the maps of one saved game."""

from __future__ import annotations

from .commands import Boards, decode_command
from .layout import MapLayout
from .module import Module
from .savefile import SaveFile
from .table_maps import MapBook, board_choices


def layouts_of(module: Module, save: SaveFile | None = None) -> dict[str, MapLayout]:
    """The layout of every map by the name commands call it: with the boards ``save`` puts there, else
    with those of a new game."""
    commands = (
        decode_command(text) for text in (save.opening if save is not None else ())
        if "BoardPicker" in text
    )  # fmt: skip
    boards = [command for command in commands if isinstance(command, Boards)]
    book = MapBook(module, board_choices(module, boards))
    found = ((m.identifier, book.layout(m.identifier)) for m in module.maps)
    return {name: layout for name, layout in found if layout is not None}
