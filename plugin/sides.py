"""The sides of a game, by the module and by who took a seat in its logs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..importers.vassal.commands import Player, decode_command
from ..importers.vassal.limits import Limits
from ..importers.vassal.module import Module
from ..importers.vassal.roster import OBSERVER
from ..importers.vassal.savefile import SaveFile, read_save


def sides_in(logs: Iterable[Path], module: Module | None, limits: Limits) -> set[str]:
    """Every side the module names or somebody plays in one of the logs."""
    sides = set(module.sides) if module is not None else set()
    for path in logs:
        sides |= sides_of(read_save(path, limits))
    return sides


def sides_of(save: SaveFile) -> set[str]:
    """The sides somebody plays in a save or log."""
    texts = [*save.opening, *(leaf for step in save.steps for leaf in step.leaves)]
    players = (decode_command(text) for text in texts if text.startswith("PLAYER\t"))
    return {p.side for p in players if isinstance(p, Player)} - {OBSERVER, ""}
