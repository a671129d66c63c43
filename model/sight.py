"""What a pair of eyes may know of a piece: the one place where fog of war is decided.

A piece's id is given away only while its identity is open: else it would tie a masked piece to what it
was before.
"""

from __future__ import annotations

from collections.abc import Iterable

from .eyes import Eyes
from .table import Piece

UNSEEN = "?"
"""The name of what these eyes see no name of."""


def presence_open(piece: Piece | None, eyes: Eyes) -> bool:
    """Whether these eyes may know that the piece is where it is."""
    return piece is not None and (eyes.director or piece.presence_open_to(eyes.viewers))


def identity_open(piece: Piece | None, eyes: Eyes) -> bool:
    """Whether these eyes may know what it is."""
    return piece is not None and (eyes.director or piece.identity_open_to(eyes.viewers))


def name_of(piece: Piece, eyes: Eyes) -> str:
    """The name these eyes see; :data:`UNSEEN` where they see none."""
    if not presence_open(piece, eyes):
        return UNSEEN
    viewers: Iterable[str] = eyes.viewers
    if eyes.director:
        viewers = {owner for concealment in piece.concealments for owner in concealment.owners}
        return piece.facts.name_for(viewers) or piece.basic_name or UNSEEN
    known = piece.basic_name if identity_open(piece, eyes) else ""
    return piece.facts.name_for(viewers) or known or UNSEEN
