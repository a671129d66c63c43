"""The table as one viewer sees it, step by step; his game is made from it.

A piece is on it while he may know that it is there. A mask is a separate piece: nothing connects it with the
piece under it, or with another mask. A piece that is hidden or shown again leaves or enters the table, which
is not a move. Names of logs, digests, numbers of steps, dice, chat and turn trackers are the same for
everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ...model.stanza import MASK
from ...model.table import (
    Deck,
    Displaced,
    LogHistory,
    Piece,
    PieceChange,
    PieceGap,
    Stack,
    StackChange,
    StatedFacts,
    Step,
    Table,
    TableHistory,
)
from ...model.viewer import Viewer
from ...model.visibility import identity_open, look, name_seen
from ..vassal.actors import name_actors, naming

_ID = re.compile(r"[0-9]{6,}")
_BEFORE_LIGHT = frozenset(("deck", "private"))
_Holder = TypeVar("_Holder", bound=Stack | Deck)


@dataclass(frozen=True, slots=True)
class Mask(StatedFacts):
    """Facts about a masked piece that everybody may know. ``owners``: the sides and players who may know what
    it is."""

    owners: frozenset[str] = frozenset()


def seen_history(history: TableHistory, viewer: Viewer) -> TableHistory:
    """``history`` as ``viewer`` sees it; the same object if he may know all of it."""
    if viewer.director:
        return history
    closed, opened = _by_light(history, viewer)
    if not closed - opened:
        return history
    return _Seen(viewer, opened).of(history)


def _by_light(history: TableHistory, viewer: Viewer) -> tuple[set[str], set[str]]:
    """Ids of the pieces that are concealed from ``viewer`` at some time, and of those among them that were
    only in a deck or on a private map before he saw them: he then knows where they came from."""
    closed: set[str] = set()
    waiting: set[str] = set()
    lit: set[str] = set()
    again: set[str] = set()
    for piece in history.appearances():
        name = piece.id
        if identity_open(piece, viewer):
            if name in waiting:
                waiting.discard(name)
                lit.add(name)
            elif name not in lit:
                again.add(name)  # it was open before it was ever closed
        elif name not in closed:
            closed.add(name)
            kinds = {c.kind for c in piece.concealments if not c.open_to(viewer.viewers)}
            if kinds <= _BEFORE_LIGHT and name not in again:
                waiting.add(name)
        elif name in lit:
            again.add(name)
        elif name in waiting:
            kinds = {c.kind for c in piece.concealments if not c.open_to(viewer.viewers)}
            if not kinds <= _BEFORE_LIGHT:
                waiting.discard(name)
                again.add(name)
    return closed, lit - again


class _Seen:
    """Makes the tables that one viewer sees. ``lit``: ids of pieces of which he knows everything by now."""

    def __init__(self, viewer: Viewer, lit: set[str]) -> None:
        self._viewer, self._lit = viewer, lit
        self._as: dict[str, str | None] = {}
        """The pieces that he does not see as they are, each with the id of its mask; None: he does not see
        it."""
        self._masks = 0

    def of(self, history: TableHistory) -> TableHistory:
        logs: list[LogHistory] = []
        gaps: list[tuple[PieceGap, ...]] = []
        for number, log in enumerate(history.logs):
            before = self._as
            self._open(log.opening.pieces)
            if number:
                between = history.gaps[number - 1] if number <= len(history.gaps) else ()
                gaps.append(tuple(self._gaps(between, before)))
            logs.append(self._log(log))
        return replace(history, logs=tuple(logs), gaps=tuple(gaps))

    def _open(self, pieces: Mapping[str, Piece]) -> None:
        found: dict[str, str | None] = {}
        for piece in pieces.values():
            name = self._name(piece)
            if name != piece.id:
                found[piece.id] = name
        self._as = found

    def _name(self, piece: Piece) -> str | None:
        """The id under which the viewer sees ``piece`` as it is now; None: he does not see it."""
        visibility = look(piece, self._viewer)
        if visibility.known or piece.id in self._lit:
            return piece.id
        if not visibility.present:
            return None
        worn = self._as.get(piece.id)
        if worn is None:
            self._masks += 1
            worn = f"{MASK}{self._masks}"
        return worn

    def _piece(self, piece: Piece | None, name: str | None) -> Piece | None:
        """``piece`` as the viewer sees it under the id ``name``."""
        if piece is None or name is None or name == piece.id:
            return None if name is None else piece
        told = name_seen(piece, self._viewer, look(piece, self._viewer))
        owners = (c.owners for c in piece.concealments if c.kind == "masked")
        facts = Mask(told, told, location=piece.location, owners=frozenset().union(*owners))
        return Piece(name, piece.spot, piece.holder, facts)

    def _log(self, log: LogHistory) -> LogHistory:
        opening = self._table(log.opening)
        steps = [self._step(step) for step in log.steps]
        if any(new is not old for new, old in zip(steps, log.steps, strict=True)):
            steps = list(name_actors([naming(step, ()) for step in steps]))
        end = self._table(log.end)
        return replace(log, opening=opening, steps=tuple(steps), end=end)

    def _table(self, table: Table) -> Table:
        if not self._as:
            return table
        pieces: dict[str, Piece] = {}
        for piece in table.pieces.values():
            seen = self._piece(piece, self._as.get(piece.id, piece.id))
            if seen is not None:
                pieces[seen.id] = seen
        stacks = {name: self._held(stack) for name, stack in table.stacks.items()}
        decks = {name: self._held(deck) for name, deck in table.decks.items()}
        return replace(
            table,
            pieces=pieces,
            stacks={name: stack for name, stack in stacks.items() if stack.members},
            decks=decks,
        )

    def _held(self, holder: _Holder) -> _Holder:
        """A stack or deck with the members that the viewer sees."""
        if self._as.keys().isdisjoint(holder.members):
            return holder
        seen = (self._as.get(member, member) for member in holder.members)
        return replace(holder, members=tuple(member for member in seen if member is not None))

    def _step(self, step: Step) -> Step:
        before = dict(self._as)
        hidden: set[str] = set()
        changes: list[PieceChange] = []
        veils: list[Displaced] = []
        for change in step.changes:
            was = before.get(change.id, change.id)
            now = change.id if change.after is None else self._name(change.after)
            if now == change.id:
                self._as.pop(change.id, None)
            else:
                self._as[change.id] = now
            if was == now == change.id:
                changes.append(change)
                continue
            hidden.add(change.id)
            old = self._piece(change.before, was)
            new = self._piece(change.after, now)
            changes.extend(_changes(old, new))
            if change.before is not None and change.after is not None and was != now:
                veils.extend(_veils(old, new))
        stacks = tuple(self._stacks(step.stacks, before))
        closed = hidden | before.keys() | self._as.keys()
        problems = tuple(p for p in step.problems if closed.isdisjoint(_ID.findall(p.message)))
        ends = {change.id: change for change in step.changes}
        missed = {i for i, _ in step.named if i and self._moved(i, before, ends.get(i)) is None}
        if not (hidden or missed) and stacks == tuple(step.stacks) and problems == step.problems:
            return step
        displaced = tuple(self._displaced(step.displacements, before, ends))
        return replace(
            naming(step, missed),
            changes=tuple(changes),
            displacements=(*displaced, *veils),
            stacks=stacks,
            problems=problems,
        )

    def _displaced(
        self,
        found: Iterable[Displaced],
        before: Mapping[str, str | None],
        changes: Mapping[str, PieceChange],
    ) -> Iterator[Displaced]:
        """The displacements that the viewer saw, under the ids he knows."""
        for one in found:
            name = self._moved(one.piece, before, changes.get(one.piece))
            if name is not None:
                yield one if name == one.piece else replace(one, piece=name)

    def _moved(
        self, piece: str, before: Mapping[str, str | None], change: PieceChange | None
    ) -> str | None:
        """The id under which the viewer saw a piece before and after a step; None: he did not."""
        was, now = before.get(piece, piece), self._as.get(piece, piece)
        if change is not None and change.before is None:
            was = now
        elif change is not None and change.after is None:
            now = was
        return was if was == now else None

    def _stacks(
        self, found: Iterable[StackChange], before: Mapping[str, str | None]
    ) -> Iterator[StackChange]:
        then = _Seen(self._viewer, self._lit)
        then._as = dict(before)
        for change in found:
            old = None if change.before is None else then._held(change.before)
            new = None if change.after is None else self._held(change.after)
            if old is change.before and new is change.after:
                yield change
                continue
            old, new = _if_any(old), _if_any(new)
            if old is not None or new is not None:
                yield StackChange(change.id, old, new)

    def _gaps(
        self, found: Iterable[PieceGap], before: Mapping[str, str | None]
    ) -> Iterator[PieceGap]:
        for gap in found:
            was, now = before.get(gap.id, gap.id), self._as.get(gap.id, gap.id)
            if was == now == gap.id:
                yield gap
                continue
            old, new = self._piece(gap.before, was), self._piece(gap.after, now)
            for one in _changes(old, new):
                if one.before is None or one.after is None or gap.place_differs:
                    yield PieceGap(one.id, one.before, one.after, True, state_differs=False)


def _changes(old: Piece | None, new: Piece | None) -> Iterator[PieceChange]:
    if old is not None and new is not None and old.id == new.id:
        yield PieceChange(old.id, old, new)
        return
    if old is not None:
        yield PieceChange(old.id, old, None)
    if new is not None:
        yield PieceChange(new.id, None, new)


def _veils(old: Piece | None, new: Piece | None) -> Iterator[Displaced]:
    """The pieces that the viewer ceases or begins to see."""
    if old is not None:
        yield Displaced(old.id, old.spot, None, old.location, "", "veil")
    if new is not None:
        yield Displaced(new.id, None, new.spot, "", new.location, "veil")


def _if_any(holder: Stack | Deck | None) -> Stack | Deck | None:
    return None if isinstance(holder, Stack) and not holder.members else holder
