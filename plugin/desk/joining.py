"""Where a new log of a game goes on from: from the end of which of the logs that are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...importers.game_folder.folder import GameLog
from ...model.table import LogHistory
from .position import Position, differing, position_of, shared
from .store import KeptPositions

LEAST_SHARED = 0.5
"""A log belongs to a game if at least this share of the pieces on its table is on the game's, too."""


@dataclass(frozen=True, slots=True)
class Join:
    """The log that another goes on from (``log`` None: from none, it is the first), and the ids of the pieces
    that differ from that log's end. ``of_game``: False if it seems to be of another game."""

    log: GameLog | None
    differing: tuple[str, ...] = ()
    of_game: bool = True


def join(
    opening: Position,
    ends: Mapping[str, Position],
    logs: Sequence[GameLog],
    line: Sequence[GameLog],
) -> Join:
    """Where a log with this ``opening`` goes on from: from the log whose end differs least, the latest of
    those on the game's present ``line`` where several do. ``ends``: final positions by SHA-256."""
    if not logs:
        return Join(None)
    ranked = []
    for number, log in enumerate(logs):
        odd = differing(ends[log.sha256], opening)
        ranked.append((len(odd), log not in line, -number, log, odd))
    _, _, _, nearest, odd = min(ranked, key=lambda one: one[:3])
    of_game = not odd or shared(ends[nearest.sha256], opening) >= LEAST_SHARED
    return Join(nearest, odd, of_game)


def ends_of(
    logs: Sequence[GameLog], kept: KeptPositions, read: Callable[[GameLog], LogHistory]
) -> dict[str, Position]:
    """The final positions of ``logs`` by SHA-256: as they are kept, else read, and kept from then on."""
    found: dict[str, Position] = {}
    for log in logs:
        position = kept.get("end", log.sha256)
        if position is None:
            position = position_of(read(log).end)
            kept.put("end", log.sha256, position)
        found[log.sha256] = position
    return found


def first_other_roll(one: LogHistory, other: LogHistory) -> int | None:
    """The number of the first roll (from 1) of which two logs show other results; None: as far as both go,
    they show the same."""
    mine = [roll.results for step in one.steps for roll in step.rolls]
    theirs = [roll.results for step in other.steps for roll in step.rolls]
    pairs = zip(mine, theirs, strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), None)
