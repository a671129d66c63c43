"""Who did a step, where the step itself does not say.

Only move commands name a player. Other steps are attributed, in this order, to a player who typed a
line in the same step, to the player of the moves before and after if they are the same (or only one
of them is there), else to the player who made most moves of the log – and it is said how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ...model.table import Actor, Participant, Step


def said_by(movers: Sequence[Participant], speakers: Sequence[Participant]) -> Actor | None:
    """The actor a step names itself: its mover, else who typed a line in it."""
    if movers:
        return Actor(movers[0], "move")
    return Actor(speakers[0], "chat") if speakers else None


def name_actors(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with an actor for each that has none, where the others tell."""
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
