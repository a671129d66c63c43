"""Phases in which the side reacts that is not phasing: a pack may call either side active in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.game import PhaseStart


def may_follow_the_other_side(
    before: Sequence[PhaseStart], side: str, moves: Callable[[str], bool | None]
) -> bool:
    """Whether a reaction of ``side`` that comes after the phases ``before`` may be called after those who
    react: the last of them, or the last phase of movement among them, is or may be of another side, or none
    of them is one of movement.

    ``moves``: whether a phase of this name is one of movement; None: not known.
    """
    for number, start in enumerate(reversed(before)):
        kind = moves(start.phase) if start.phase is not None and start.certain else None
        if (number == 0 or kind is not False) and not _is_surely_of(side, start):
            return True
        if kind:
            return False
    return True


def _is_surely_of(side: str, start: PhaseStart) -> bool:
    return start.certain and start.active == side
