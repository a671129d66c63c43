"""Phases in which the side reacts that is not phasing: a pack may call either side active in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.game import PhaseStart


def may_follow_the_other_side(
    before: Sequence[PhaseStart], side: str, moves: Callable[[str], bool | None]
) -> bool:
    """Whether the last of the phases ``before``, or the last phase of movement among them, is or may be of
    another side than ``side``. If so, a reaction of ``side`` that comes next may be called after those who
    react.

    ``moves``: whether a phase of this name is one of movement; None: not known. False if there is no phase
    before.
    """
    for number, start in enumerate(reversed(before)):
        kind = moves(start.phase) if start.phase is not None and start.certain else None
        if (number == 0 or kind is not False) and not _is_surely_of(side, start):
            return True
        if kind:
            return False
    return False


def _is_surely_of(side: str, start: PhaseStart) -> bool:
    return start.certain and start.active == side
