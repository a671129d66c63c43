"""Who did a step, where the step itself does not say.

Only move commands name a player. Other steps are attributed, in this order, to a player who typed a
line in the same step, to the player of the moves before and after if they are the same (or only one
of them is there), else to the player who made most moves of the log – and it is said how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...model.table import Actor, Participant, Step


@dataclass(frozen=True, slots=True)
class StepDraft:
    """A step, the players its move commands name, and those who typed lines in it."""

    step: Step
    movers: tuple[Participant, ...]
    speakers: tuple[Participant, ...]


def name_actors(drafts: Sequence[StepDraft]) -> tuple[Step, ...]:
    """The steps with their actors."""
    sure = [_said(draft) for draft in drafts]
    counted = Counter(actor.who.label for actor in sure if actor and actor.known_by == "move")
    latest = {actor.who.label: actor.who for actor in sure if actor}
    usual = None
    if counted:
        label = counted.most_common(1)[0][0]
        usual = Actor(latest[label], "log")
    before = _nearest(sure)
    after = list(reversed(_nearest(list(reversed(sure)))))
    return tuple(
        replace(draft.step, actor=said or _between(before[i], after[i]) or usual)
        for i, (draft, said) in enumerate(zip(drafts, sure, strict=True))
    )


def _said(draft: StepDraft) -> Actor | None:
    if draft.movers:
        return Actor(draft.movers[0], "move")
    if draft.speakers:
        return Actor(draft.speakers[0], "chat")
    return None


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
