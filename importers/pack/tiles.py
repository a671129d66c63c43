"""Pieces that are terrain: hexes laid as tiles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...model.stanza import stanza
from .census import Census, CounterKind
from .new_board import literal

_TERRAIN = re.compile(r"\bterrain\b|\btiles?\b", re.IGNORECASE)


def tile_kinds(census: Census) -> tuple[CounterKind, ...]:
    """The kinds on the board that are probably terrain: by the property ``Type``, or by the palette."""
    found = [kind for kind in census.kinds if kind.on_board and kind.name and _is_tile(kind)]
    typed = [kind for kind in found if "Type" in kind.properties]
    return tuple(typed or found)


def _is_tile(kind: CounterKind) -> bool:
    if "Type" in kind.properties:
        return set(kind.properties["Type"]) == {"Terrain"}
    return any(_TERRAIN.search(text) for text in (kind.folder, *kind.prototypes))


def tile_stanza(tiles: Iterable[CounterKind]) -> str:
    """The table of ``pack.toml`` that reads the terrain of hexes from the pieces in them."""
    kinds = list(tiles)
    names = {kind.name: kind.name.lower() for kind in kinds}
    if all("Type" in kind.properties for kind in kinds):
        which: dict[str, Any] = {"property": "Type", "values": ["Terrain"]}
    else:
        which = {"name": f"^({'|'.join(literal(name) for name in names)})$"}
    return stanza("[[board.marker]]", {**which, "terrain": {"name": "^.*$", "map": names}})
