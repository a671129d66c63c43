"""What a pair of eyes may know of a piece: the one place where fog of war is decided.

A piece's id is given away only while its identity is open: else it would tie a masked piece to what it
was before.
"""

from __future__ import annotations

from typing import NamedTuple

from .eyes import Eyes
from .table import Concealment, Piece

UNSEEN = "?"
"""The name of what these eyes see no name of."""


class Sight(NamedTuple):
    """``present``: whether these eyes may know that the piece is where it is; ``known``: whether they
    may know what it is."""

    present: bool
    known: bool


_OPEN, _NOTHING = Sight(True, True), Sight(False, False)


def look(piece: Piece | None, eyes: Eyes) -> Sight:
    """What these eyes may know of a piece; nothing of one that is not in the game."""
    if piece is None:
        return _NOTHING
    concealments = () if eyes.director else piece.concealments
    return _look(concealments, eyes) if concealments else _OPEN


def _look(concealments: tuple[Concealment, ...], eyes: Eyes) -> Sight:
    closed = {c.kind for c in concealments if not c.open_to(eyes.viewers)}
    return Sight(present=closed <= {"masked"}, known=not closed)


def presence_open(piece: Piece | None, eyes: Eyes) -> bool:
    """Whether these eyes may know that the piece is where it is."""
    return look(piece, eyes).present


def identity_open(piece: Piece | None, eyes: Eyes) -> bool:
    """Whether these eyes may know what it is."""
    return look(piece, eyes).known


def name_of(piece: Piece, eyes: Eyes) -> str:
    """The name these eyes see; :data:`UNSEEN` where they see none."""
    return name_seen(piece, eyes, look(piece, eyes))


def name_seen(piece: Piece, eyes: Eyes, sight: Sight) -> str:
    """As :func:`name_of`, for one who has looked already."""
    if not sight.present:
        return UNSEEN
    if eyes.director:
        viewers = {owner for concealment in piece.concealments for owner in concealment.owners}
        return piece.facts.name_for(viewers) or piece.basic_name or UNSEEN
    name = piece.facts.name_for(eyes.viewers)
    return name or (piece.basic_name if sight.known else "") or UNSEEN


def knows_name(piece: Piece, eyes: Eyes, sight: Sight) -> bool:
    """Whether the name these eyes see is known; else :func:`name_seen` is what it was when stored."""
    if not sight.present:
        return True
    owners = {o for c in piece.concealments for o in c.owners} if eyes.director else eyes.viewers
    return piece.facts.knows_name(owners)
