"""What differs between the end of one log and the opening of the next, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...model.table import LogHistory, Piece, PieceGap, Table

_KEPT_BY_ENGINE = frozenset(
    {"ClickedX", "ClickedY", "CloneID", "Moved", "ParentID", "UniqueID"}
    | {f"Old{what}" for what in ("Board", "DeckName", "LocationName", "Map", "X", "Y", "Zone")}
    | {f"OldMat{what}" for what in ("", "ID", "PieceName", "BasicName", "OffsetX", "OffsetY")}
)
"""Properties that the engine keeps for itself, or that a player clears before he begins. The engine does not
log most of their changes, so a reopened log differs in them though nobody did anything."""


def gaps_between(logs: Sequence[LogHistory]) -> tuple[tuple[PieceGap, ...], ...]:
    """For each log but the first: its :func:`gaps` to the log before."""
    return tuple(tuple(gaps(one.end, other.opening)) for one, other in pairwise(logs))


def gaps(end: Table, opening: Table) -> Iterator[PieceGap]:
    """The pieces, by id, whose place or state differs between ``end`` and ``opening``.

    It compares map, pixels, properties, name in the module, and who may know the piece. It ignores stacks,
    which the engine rebuilds, and the wording of types and states, which differs between engines.
    """
    for piece_id in sorted(end.pieces.keys() | opening.pieces.keys()):
        before, after = end.pieces.get(piece_id), opening.pieces.get(piece_id)
        place = before is None or after is None or before.spot != after.spot
        state = before is not None and after is not None and not _same_state(before, after)
        if place or state:
            yield PieceGap(piece_id, before, after, place_differs=place, state_differs=state)


def _same_state(before: Piece, after: Piece) -> bool:
    told = ("gpid", "basic_name", "concealments")
    if any(getattr(before.facts, what) != getattr(after.facts, what) for what in told):
        return False
    was, now = before.properties, after.properties
    return was is now or was == now or state_of(before) == state_of(after)


def state_of(piece: Piece) -> dict[str, str]:
    """The properties of a piece that differ only if somebody changed it."""
    return {k: v for k, v in piece.properties.items() if k not in _KEPT_BY_ENGINE}
