"""Who did a step that does not say so itself.

Only move commands name a player. Other steps are attributed, in this order, to a player who typed a
line in the same step, to the player of the moves before and after if they are the same (or only one
exists), else to the player who made most moves of the log; ``known_by`` says which. For a viewer who does not
see every move, only the moves that he sees count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from ...model.table import Actor, LogHistory, Participant, Piece, Step
from ...model.viewer import Viewer
from ...model.visibility import presence_open

_LEFT = frozenset(("deck", "private", "masked"))
"""Kinds of concealment that still show everybody a move once the piece lies in the open elsewhere."""


def actors_seen(log: LogHistory, viewer: Viewer) -> LogHistory:
    """``log`` with the actors that ``viewer`` can know; the same object if they are equal."""
    if viewer.director:
        return log
    unseen = {p.id for p in log.opening.pieces.values() if not presence_open(p, viewer)}
    told = name_actors([_as_seen(step, viewer, unseen) for step in log.steps])
    same = all(new.actor == old.actor for new, old in zip(told, log.steps, strict=True))
    return log if same else replace(log, steps=told)


def _as_seen(step: Step, viewer: Viewer, unseen: set[str]) -> Step:
    """``step`` with the actor that it names by moves that ``viewer`` saw. ``unseen``: ids of pieces that he
    did not see before it; updated in place."""
    missed = set(unseen)
    for change in step.changes:
        shut = _shut(change.before, viewer), _shut(change.after, viewer)
        is_seen = not all(shut) if shut[0] <= _LEFT >= shut[1] else not any(shut)
        (missed.discard if is_seen else missed.add)(change.id)
        open_now = change.after is None or presence_open(change.after, viewer)
        (unseen.discard if open_now else unseen.add)(change.id)
    return naming(step, missed)


def _shut(piece: Piece | None, viewer: Viewer) -> set[str]:
    """The kinds of concealment that keep ``viewer`` from knowing that a piece is there."""
    if piece is None or presence_open(piece, viewer):
        return set()
    return {c.kind for c in piece.concealments if not c.open_to(viewer.viewers)}


def naming(step: Step, missed: Collection[str]) -> Step:
    """``step`` with the actor that it names itself, without the moves of the pieces ``missed``."""
    named = tuple(one for one in step.named if one[0] not in missed)
    actor = named[0][1] if named else None
    if actor == step.actor and named == step.named:
        return step
    return replace(step, actor=actor, named=named)


def name_actors(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, with an actor derived from the others for each that has none."""
    sure = [step.actor for step in steps]
    counted = Counter(actor.who.label for actor in sure if actor and actor.known_by == "move")
    latest = {actor.who.label: actor.who for actor in sure if actor}
    usual = None
    if counted:
        label = counted.most_common(1)[0][0]
        usual = Actor(latest[label], "log")
    before = _nearest(sure)
    after = _nearest(sure[::-1])[::-1]
    return tuple(
        step
        if step.actor is not None
        else replace(step, actor=_between(before[i], after[i]) or usual)
        for i, step in enumerate(steps)
    )


def _nearest(sure: Sequence[Actor | None]) -> list[Participant | None]:
    """For every step, who made the last move before it."""
    found: list[Participant | None] = []
    last: Participant | None = None
    for actor in sure:
        found.append(last)
        if actor is not None and actor.known_by == "move":
            last = actor.who
    return found


def _between(before: Participant | None, after: Participant | None) -> Actor | None:
    if before is not None and after is not None and before.label != after.label:
        return None
    who = before or after
    return None if who is None else Actor(who, "neighbours")
