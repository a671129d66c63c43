"""The maps of a table: their names, their stacking, and their names for pixels.

With a module, only its maps exist, as in the engine. Without one, every name is a map and no place has a
name. :class:`Shared` is what all logs of a game share.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from .commands import Boards
from .layout import MapLayout, lay_out
from .module import BoardChoice, MapDefinition, Module
from .table_forms import FormIndex
from .table_items import LiveMap


class MapBook:
    """The maps of one replay as they stack and merge, by the names commands give them."""

    def __init__(self, module: Module | None) -> None:
        self._module = module
        self._maps: dict[str, LiveMap | None] = {}

    def find(self, name: str) -> LiveMap | None:
        """The map a command names, by its name or internal id; the first wins."""
        if name not in self._maps:
            self._maps[name] = self._open(name)
        return self._maps[name]

    def _open(self, name: str) -> LiveMap | None:
        if self._module is None:
            return LiveMap(name)
        definition = self._module.map(name)
        if definition is None:
            return None
        if definition.identifier != name:
            return self.find(definition.identifier)
        return LiveMap(
            name,
            stacking=definition.stacking,
            layer_property=definition.layer_property,
            layers=definition.layers,
        )


Choices = Mapping[str, Sequence[BoardChoice]]
"""Boards in use, by internal id of the map."""


class Layouts:
    """The names that the boards in use give the pixels of each map (``property_source.Places``). ``before``,
    ``chosen``: see ``lay_out``."""

    def __init__(
        self,
        module: Module | None,
        choices: Choices,
        before: Mapping[str, MapLayout] | None = None,
        chosen: Container[str] = (),
    ) -> None:
        self._module = module
        self._choices = choices
        self._definitions: dict[str, MapDefinition] = {}
        self._layouts: dict[str, MapLayout] = {}
        self._names: dict[tuple[str, int, int], str] = {}
        self.by_id: Mapping[str, MapLayout] = {}
        """All layouts, by internal id of the map."""
        if module is not None:
            self.by_id = laid = lay_out(module.maps, choices, before, chosen)
            for definition in module.maps:
                self._definitions.setdefault(definition.identifier, definition)
                self._layouts.setdefault(definition.identifier, laid[definition.id])

    def changed(self, commands: Sequence[Boards]) -> Layouts:
        """The layouts after a change of boards during a game."""
        chosen = board_choices(self._module, commands)
        choices = {**self._choices, **chosen}
        return Layouts(self._module, choices, self.by_id, chosen)

    def differing(self, others: Layouts) -> frozenset[str]:
        """The maps with other boards, or boards in other places, than in ``others``."""
        mine, theirs = self._layouts, others._layouts
        return frozenset(name for name in mine if _laid(mine[name]) != _laid(theirs[name]))

    def layout(self, map_name: str) -> MapLayout | None:
        """The layout of a map's boards; None: no module defines it."""
        return self._layouts.get(map_name)

    def location(self, map_name: str, x: int, y: int) -> str:
        key = (map_name, x, y)
        name = self._names.get(key)
        if name is None:
            layout = self._layouts.get(map_name)
            known = layout is not None and layout.is_known
            self._names[key] = name = layout.location_name(x, y) if layout and known else ""
        return name

    def are_laid(self, map_name: str) -> bool:
        layout = self._layouts.get(map_name)
        return layout is not None and layout.is_known

    def zone(self, map_name: str, x: int, y: int) -> str:
        layout = self._layouts.get(map_name)
        zone = None if layout is None else layout.current_zone(x, y)
        return "" if zone is None else zone.name

    def board(self, map_name: str, x: int, y: int) -> str:
        layout = self._layouts.get(map_name)
        board = None if layout is None else layout.find_board(x, y)
        return "" if board is None else board.name

    def owners(self, map_name: str) -> frozenset[str] | None:
        definition = self._definitions.get(map_name)
        if definition is None or definition.visible_to_all:
            return None
        return frozenset(definition.owners)


def _laid(layout: MapLayout) -> list[tuple[str, int, int, bool]]:
    return [(board.name, board.x, board.y, board.reversed) for board in layout.boards]


def board_choices(
    module: Module | None, commands: Sequence[Boards]
) -> dict[str, list[BoardChoice]]:
    """The boards that commands put on each map."""
    chosen: dict[str, list[BoardChoice]] = {}
    for command in commands:
        definition = None if module is None else module.map(command.map)
        if definition is None or not command.boards:
            continue  # without boards the engine does not know the command: the default stays
        chosen[definition.id] = [
            BoardChoice(
                board.name,
                board.column if isinstance(board.column, int) else 0,
                board.row if isinstance(board.row, int) else 0,
                board.reversed,
            )
            for board in command.boards
        ]
    return chosen


class Shared:
    """Values that are computed once for all logs of a game."""

    def __init__(self, module: Module | None) -> None:
        self.module = module
        prototypes = module.prototypes if module is not None else {}
        self.forms = FormIndex(
            {name: one.definition for name, one in prototypes.items()},
            module.own_fields if module is not None else {},
        )
        self._layouts: list[tuple[Choices, Layouts]] = []

    @property
    def first(self) -> Layouts:
        """The layouts of the log that was read first."""
        return self._layouts[0][1]

    def layouts(self, choices: Choices) -> Layouts:
        """The layouts of the boards that a game's opening chose."""
        for known, layouts in self._layouts:
            if known == choices:
                return layouts
        layouts = Layouts(self.module, choices)
        self._layouts.append((choices, layouts))
        return layouts
