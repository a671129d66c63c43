"""The sides of a game, by the module and by who took a seat in its logs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..importers.vassal.limits import Limits
from ..importers.vassal.module import Module
from ..importers.vassal.roster import OBSERVER, players_in
from ..importers.vassal.savefile import SaveFile, read_save


def sides_in(logs: Iterable[Path], module: Module | None, limits: Limits) -> set[str]:
    """Every side the module names or somebody plays in one of the logs."""
    sides = set(module.sides) if module is not None else set()
    for path in logs:
        sides |= sides_of(read_save(path, limits))
    return sides


def sides_of(save: SaveFile) -> set[str]:
    """The sides somebody plays in a save or log."""
    return {player.side for player in players_in(save)} - {OBSERVER, ""}
