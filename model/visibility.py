"""What a viewer may know of a piece: the one place where fog of war is decided.

A piece's id is shown only while its identity is open: otherwise it would connect a masked piece with what
it was before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .table import Concealment, Deck, Piece
from .viewer import Viewer

UNSEEN = "?"
"""The name of a piece if the viewer sees neither a name nor a picture of it."""


class Visibility(NamedTuple):
    """What a viewer may know. ``present``: that the piece is where it is; ``known``: what it is."""

    present: bool
    known: bool


_OPEN, _NOTHING = Visibility(True, True), Visibility(False, False)


def look(piece: Piece | None, viewer: Viewer) -> Visibility:
    """What this viewer may know of a piece; nothing, if it is not in the game."""
    if piece is None:
        return _NOTHING
    concealments = () if viewer.director else piece.concealments
    return _look(concealments, viewer) if concealments else _OPEN


def _look(concealments: tuple[Concealment, ...], viewer: Viewer) -> Visibility:
    closed = {c.kind for c in concealments if not c.open_to(viewer.viewers)}
    return Visibility(present=closed <= {"masked"}, known=not closed)


def presence_open(piece: Piece | None, viewer: Viewer) -> bool:
    """Whether this viewer may know that the piece is where it is."""
    return look(piece, viewer).present


def identity_open(piece: Piece | None, viewer: Viewer) -> bool:
    """Whether this viewer may know what it is."""
    return look(piece, viewer).known


def deck_open(deck: Deck, viewer: Viewer) -> bool:
    """Whether this viewer may know how many cards a deck holds."""
    return viewer.director or deck.owners is None or not deck.owners.isdisjoint(viewer.viewers)


def name_of(piece: Piece, viewer: Viewer) -> str:
    """The name this viewer sees; :data:`UNSEEN` if none."""
    return name_seen(piece, viewer, look(piece, viewer))


def name_seen(piece: Piece, viewer: Viewer, visibility: Visibility) -> str:
    """As :func:`name_of`, for a given :class:`Visibility`."""
    if not visibility.present:
        return UNSEEN
    if viewer.director:
        viewers = {owner for concealment in piece.concealments for owner in concealment.owners}
        return _known(piece, viewers)
    if visibility.known:
        return _known(piece, viewer.viewers)
    return piece.facts.name_for(viewer.viewers) or UNSEEN


def _known(piece: Piece, viewers: Iterable[str]) -> str:
    """The name for those who may know what it is. The engine puts what it adds, as ``(Hide)``, behind a name
    that may be empty."""
    name = piece.facts.name_for(viewers)
    if not name or (not piece.basic_name and name.startswith("(")):
        name = piece.own_name + name
    return name or UNSEEN


def knows_name(piece: Piece, viewer: Viewer, visibility: Visibility) -> bool:
    """Whether the name this viewer sees is known; if not, :func:`name_seen` gives the stored name."""
    if not visibility.present:
        return True
    owners = (
        {o for c in piece.concealments for o in c.owners} if viewer.director else viewer.viewers
    )
    return piece.facts.knows_name(owners)
