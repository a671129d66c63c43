"""Positions: what lies where on a table, to compare the opening of a log with the ends of others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...importers.vassal.continuity import state_of
from ...model.table import Piece, Spot, Table


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece as it lies: where, in what state (a digest of its properties), under which name everyone may
    know it (None: not everyone may know of it), and how its place is called. ``masked``: not everyone may
    know what it is."""

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
    """The ids of the pieces that are elsewhere, or otherwise, in ``opening`` than in ``end``."""
    every = sorted(end.keys() | opening.keys())
    return tuple(name for name in every if _differs(end.get(name), opening.get(name)))


def _differs(one: Lying | None, other: Lying | None) -> bool:
    if one is None or other is None:
        return True
    return (one.spot, one.state) != (other.spot, other.state)


def _lying(piece: Piece) -> Lying:
    state = json.dumps(state_of(piece), sort_keys=True)
    digest = hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    shown = piece.name if piece.presence_open_to() else None
    return Lying(piece.spot, digest, shown, piece.location, not piece.identity_open_to())


def shared(one: Position, other: Position) -> float:
    """The share of the pieces of the smaller position that are also in the other, 0 to 1."""
    least = min(len(one), len(other))
    return len(one.keys() & other.keys()) / least if least else 0.0


def moved_between(ids: Iterable[str], end: Position, opening: Position) -> tuple[list[str], int]:
    """One line for each of the pieces of which everyone may know that they differ; and how many others there
    are. What changes under a mask, nobody sees."""
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
    """Whether a mask lies where it lay: what differs is under it."""
    if before is None or after is None:
        return False
    return before.masked and after.masked and before.spot == after.spot


def _where(one: Lying | None) -> str:
    if one is None:
        return "not in the game"
    return one.location or str(one.spot)
