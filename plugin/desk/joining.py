"""Find the log whose final position a new log starts from, by comparing positions (what lies where on the
table); and check whether logs named in order form one line of one game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...importers.game_folder.folder import GameLog
from ...importers.vassal.continuity import gaps, state_of
from ...model.problem import Unreadable
from ...model.table import LogHistory, Piece, Spot, Table, TableHistory


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece on the table: its place, its state (a digest of its properties), its public name (None: hidden
    from somebody), and its place in words. ``masked``: somebody may not know what it is."""

    spot: Spot
    state: str
    name: str | None
    location: str
    masked: bool


Position = Mapping[str, Lying]
"""Piece id → the piece as it lies."""


def position_of(table: Table) -> Position:
    """The position on a table."""
    return {name: _lying(piece) for name, piece in table.pieces.items()}


def differing(end: Position, opening: Position) -> tuple[str, ...]:
    """The ids of the pieces whose place or state in ``opening`` is not that in ``end``."""
    every = sorted(end.keys() | opening.keys())
    return tuple(name for name in every if _differs(end.get(name), opening.get(name)))


def _differs(one: Lying | None, other: Lying | None) -> bool:
    if one is None or other is None:
        return True
    return (one.spot, one.state) != (other.spot, other.state)


def _lying(piece: Piece) -> Lying:
    state = json.dumps(state_of(piece), sort_keys=True)
    digest = hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    shown = piece.name if piece.presence_is_open else None
    return Lying(piece.spot, digest, shown, piece.location, not piece.identity_is_open)


def shared(one: Position, other: Position) -> float:
    """The share of the smaller position's pieces that are also in the other, from 0 to 1."""
    least = min(len(one), len(other))
    return len(one.keys() & other.keys()) / least if least else 0.0


def moved_between(ids: Iterable[str], end: Position, opening: Position) -> tuple[list[str], int]:
    """A line for each of these pieces whose change is public, and the number of the others. Changes under a
    mask count among the others."""
    lines: list[str] = []
    others = 0
    for name in ids:
        before, after = end.get(name), opening.get(name)
        known = [one.name for one in (before, after) if one is not None]
        if None in known or not any(known) or _under_a_mask(before, after):
            others += 1
        else:
            places = _where(before), _where(after)
            moved = f"{places[0]} before, {places[1]} after"
            same = f"in {places[0]}, otherwise than before"
            lines.append(f"{known[-1]}: {moved if places[0] != places[1] else same}")
    return lines, others


def _under_a_mask(before: Lying | None, after: Lying | None) -> bool:
    """Whether a mask lies where it lay, so that only what is under it differs."""
    if before is None or after is None:
        return False
    return before.masked and after.masked and before.spot == after.spot


def _where(one: Lying | None) -> str:
    if one is None:
        return "not in the game"
    return one.location or str(one.spot)


LEAST_SHARED = 0.5
"""A log belongs to a game if at least this share of its pieces is also in the game."""


@dataclass(frozen=True, slots=True)
class Join:
    """The log that another goes on from (``log`` None: it is the first), and the ids of the pieces that
    differ from that log's end. ``of_game``: False if the new log seems to be of another game."""

    log: GameLog | None
    differing: tuple[str, ...] = ()
    of_game: bool = True


def join(
    opening: Position,
    ends: Mapping[str, Position],
    logs: Sequence[GameLog],
    line: Sequence[GameLog],
) -> Join:
    """Join a log with this ``opening`` to the log whose end differs least; of several, the latest on the
    game's present ``line``. ``ends``: final positions by SHA-256."""
    if not logs:
        return Join(None)
    ranked = []
    for number, log in enumerate(logs):
        odd = differing(ends[log.sha256], opening)
        ranked.append((len(odd), log not in line, -number, log, odd))
    _, _, _, nearest, odd = min(ranked, key=lambda one: one[:3])
    of_game = not odd or shared(ends[nearest.sha256], opening) >= LEAST_SHARED
    return Join(nearest, odd, of_game)


def first_other_roll(one: LogHistory, other: LogHistory) -> int | None:
    """The number (from 1) of the first roll whose results differ in two logs; None if all rolls that both
    have are the same."""
    mine = [roll.results for step in one.steps for roll in step.rolls]
    theirs = [roll.results for step in other.steps for roll in step.rolls]
    pairs = zip(mine, theirs, strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), None)


IN_ORDER = "the logs in the order in which they were played"


def refuse_disorder(history: TableHistory) -> None:
    """Raise :class:`Unreadable` if a log ends exactly where an earlier one begins, or two begin with the same
    position. A log that continues the one before it exactly is never refused."""
    for number, gap in enumerate(history.gaps, 1):
        if not gap:
            continue
        later = history.logs[number]
        for earlier in history.logs[:number]:
            if not later.steps and _same(later.opening, earlier.opening):
                raise Unreadable(
                    f"is the position with which {earlier.source} begins, so it was saved before it",
                    where=later.source,
                    expected="a save from the turn that follows the logs",
                )
            if _same(later.opening, earlier.opening):
                raise Unreadable(
                    f"begins where {earlier.source} began: only one of them is part of the game",
                    where=later.source,
                    expected=IN_ORDER,
                )
        for place, earlier in enumerate(history.logs[:number]):
            begins = place == 0 or bool(history.gaps[place - 1])
            if begins and _same(later.end, earlier.opening):
                raise Unreadable(
                    f"ends where {earlier.source} begins, so it was played before it",
                    where=later.source,
                    expected=IN_ORDER,
                )


def _same(one: Table, other: Table) -> bool:
    """Whether two positions are the same piece by piece and not empty."""
    return bool(one.pieces) and next(iter(gaps(one, other)), None) is None
