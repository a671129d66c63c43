"""Second thoughts about phases: a turn tracker clicked too early and set back.

What lay between may never have begun, and a phase taken up again had not ended: nothing of it may be
held against anyone, and no fresh allowance comes of it. Where nothing happened in between, it was a
slip, and the phase goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.game import PhaseStart


@dataclass(frozen=True, slots=True)
class Doubts:
    """One entry for each phase told. ``doubtful``: whether it began, or began anew, is not known.
    ``reopened``: it is told once more later, so that it may not have ended. ``spell``: the number of
    the phase it may all be one with."""

    doubtful: tuple[bool, ...]
    reopened: tuple[bool, ...]
    spell: tuple[int, ...]


def second_thoughts(
    phases: Sequence[PhaseStart], numbers: Sequence[int], quiet: Sequence[bool]
) -> Doubts:
    """The doubts about ``phases``. ``numbers``: how they are counted; ``quiet``: nothing happened in it.

    Where no turn is told, phases come round as a matter of course; only one that comes back before
    another side was active was set back.
    """
    keys = _keys(phases)
    slips = _slips(phases, keys, quiet)
    first: dict[object, int] = {}
    last: dict[object, int] = {}
    for index, key in enumerate(keys):
        if index not in slips:
            first.setdefault(key, index)
            last[key] = index
    doubtful, reopened, spell = [], [], []
    reach, before = -1, None
    for index, key in enumerate(keys):
        if index in slips:
            doubtful.append(True)
            reopened.append(False)
            spell.append(numbers[index])
            continue
        again = numbers[index] != numbers[first[key]]
        doubtful.append(index < reach or (again and before != key))
        reopened.append(numbers[index] != numbers[last[key]])
        spell.append(numbers[first[key]])
        later = any(keys[k] != key for k in range(index + 1, last[key]) if k not in slips)
        reach, before = max(reach, last[key] if later else -1), key
    return Doubts(tuple(doubtful), tuple(reopened), tuple(spell))


def _keys(phases: Sequence[PhaseStart]) -> list[object]:
    keys: list[object] = []
    spell, active = 0, None
    for start in phases:
        if start.active != active or start.active is None:
            spell, active = spell + 1, start.active
        key = (start.turn, start.phase, start.active)
        keys.append(key if start.turn is not None else (spell, *key))
    return keys


def _slips(phases: Sequence[PhaseStart], keys: Sequence[object], quiet: Sequence[bool]) -> set[int]:
    """The phases of one side in which nothing happened before the one they followed was told again."""
    slips: set[int] = set()
    for index in range(2, len(keys)):
        back = index - 1
        while back > 0 and quiet[back] and phases[back].active == phases[index].active:
            if keys[back] == keys[index]:
                break
            back -= 1
        if keys[back] == keys[index]:
            slips.update(range(back + 1, index))
    return slips
