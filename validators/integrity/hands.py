"""Decks looked into, and masked or hidden counters uncovered by others than those who may know them."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.game import Game, StepRef
from ...model.integrity import Trace
from ...model.table import Concealment, Deck, Piece, Step
from ...model.viewer import Viewer
from ...model.visibility import name_of, presence_open
from .steps import trace_of


def decks(at: StepRef, step: Step, viewer: Viewer) -> Iterator[Trace]:
    """Decks that lie face down and were turned face up, or of which a card was taken that did not lie on top.
    What lies on one side's own map is told to that side."""
    if step.undoing is not None:
        return
    for change in step.stacks:
        before, after = change.before, change.after
        if not (isinstance(before, Deck) and isinstance(after, Deck)) or not before.face_down:
            continue
        if not _may_look(before, viewer) or not before.members:
            continue
        name = before.name or "a deck"
        if not after.face_down:
            number = len(before.members)
            cards = f"{number} card{'s' if number != 1 else ''}"
            yield trace_of("deck", at, f"{name} was turned face up ({cards})", step.actor)
        within = _from_within(before, after)
        if within and not before.random:
            cards = "a card that was" if within == 1 else f"{within} cards that were"
            yield trace_of("deck", at, f"{cards} not on top came from {name}", step.actor)


def _may_look(deck: Deck, viewer: Viewer) -> bool:
    return viewer.director or deck.owners is None or not deck.owners.isdisjoint(viewer.viewers)


def _from_within(before: Deck, after: Deck) -> int:
    """How many cards left a deck from under another that stayed in it."""
    stayed = set(after.members)
    gone = [id_text not in stayed for id_text in before.members]
    last = max((place for place, left in enumerate(gone) if not left), default=-1)
    return sum(gone[:last]) if last >= 0 else 0


def uncovered(at: StepRef, step: Step, game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Counters that a player who may not know them uncovered, masked, or took from where he may not look."""
    actor = step.actor
    if step.undoing is not None or actor is None:
        return
    if not actor.who.side:  # he may be of any side, the owner's too
        return
    known = {actor.who.label, actor.who.side}
    displaced = {d.piece: d for d in step.displacements if d.by == "drag"}
    closed = []
    for change in step.changes:
        before, after = change.before, change.after
        if before is None or after is None:
            continue
        concealments = _closed(before, known)
        if not concealments:
            yield from _masked(at, before, after, game, viewer)
            continue
        if not (presence_open(before, viewer) or presence_open(after, viewer)):
            continue
        owner = _owner(concealments)
        now = {c.kind for c in after.concealments}
        for concealment in concealments:
            if concealment.kind not in now:
                piece = after if presence_open(after, viewer) else before
                how = "unmasked" if concealment.kind == "masked" else "uncovered"
                said = f"{name_of(piece, viewer)}, which only {owner} could know, was {how}"
                yield trace_of("uncovered", at, said, actor)
        if change.id in displaced and any(v.kind in ("hidden", "private") for v in concealments):
            closed.append((before, owner))
    if closed and len(closed) == len(displaced) and actor.known_by == "move":
        for piece, owner in closed:
            if presence_open(piece, viewer):
                said = f"{name_of(piece, viewer)}, which only {owner} could see, was moved"
                yield trace_of("uncovered", at, said, actor)


def _closed(piece: Piece, known: set[str]) -> list[Concealment]:
    """What keeps a piece from those called ``known``, and is somebody's."""
    return [c for c in piece.concealments if c.kind != "deck" and c.owners and not c.open_to(known)]


def _masked(
    at: StepRef, before: Piece, after: Piece, game: Game, viewer: Viewer
) -> Iterator[Trace]:
    """A counter that was open and is masked or hidden now by a player of another side than its own."""
    unit = game.units.get(after.id)
    if before.concealments or not after.concealments or unit is None or unit.side is None:
        return
    if unit.side not in game.sides or not presence_open(before, viewer):
        return
    for concealment in after.concealments:
        sides = concealment.owners & set(game.sides)
        if concealment.kind in ("masked", "hidden") and sides and unit.side not in sides:
            who = " and ".join(sorted(sides))
            if all(game.relation(side, unit.side) != "friend" for side in sides):
                done = "masked" if concealment.kind == "masked" else "hidden"
                said = f"{name_of(before, viewer)} of {unit.side} was {done}: only {who} can know it now"
                yield Trace("uncovered", (at,), said, side=who)


def _owner(concealments: list[Concealment]) -> str:
    """Whose a piece is that is concealed: sides, else labels of players."""
    owners = {owner for concealment in concealments for owner in concealment.owners}
    sides = {owner for owner in owners if not owner.startswith("player ")}
    return " and ".join(sorted(sides or owners))
