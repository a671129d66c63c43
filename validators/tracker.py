"""Doubts about phases after a turn tracker was advanced too early and set back.

The phases in between may never have begun, and a phase that is set again had not ended. So nothing in them
may be used to call a move illegal, and the phase set again gives no new allowance. If nothing happened in
between, it was perhaps a slip (see :mod:`.readings`). Phases that facts declare for certain steps are not
doubted and cause no doubt: there the phase was interrupted.

Every phase begins at the start of a step: the rest of the audit asks for the phase of a whole step. But a log
can have a phase that begins in the middle of a step, after a counter was displaced in that step. Then the
phase begins, for the audit, with the next step. If counters were displaced in the step both before and after
that point, the phase of the step counts as not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from ..model.game import Displacement, Event, Game, PhaseStart, StepRef


@dataclass(frozen=True, slots=True)
class Interlude(PhaseStart):
    """The start of a cluster of steps that may belong to the phase ``within`` around them or may have been
    combat. ``last``: the last step of the cluster. ``within`` is None if the phase around them is not
    known."""

    within: PhaseStart | None = None


@dataclass(frozen=True, slots=True)
class Renewed(PhaseStart):
    """The start of a phase that counts as different from the earlier phase of its name. ``number``:
    distinguishes it from others of that name. ``passed``: it also differs from later ones."""

    number: int = 1
    passed: bool = False


class Slip(NamedTuple):
    """A slip of the turn tracker: from ``first`` on it shows another phase, or none, and from ``back`` on the
    phase before it again. ``last``: the first start after the tracker last showed that phase in between;
    ``first`` if it did not."""

    first: PhaseStart
    last: PhaseStart
    back: PhaseStart


@dataclass(frozen=True, slots=True)
class PhaseUncertainty:
    """One entry for each phase start. ``doubtful``: it is not known whether the phase began, or began again.
    ``reopened``: the same phase starts once more later, so it may not have ended. ``spell``: the number of
    the first phase that it may be the same as. ``slips``: in order."""

    doubtful: tuple[bool, ...]
    reopened: tuple[bool, ...]
    spell: tuple[int, ...]
    slips: tuple[Slip, ...] = ()


def interrupts(start: PhaseStart) -> bool:
    """Whether ``start`` is, or may be, combat within a phase that goes on afterwards."""
    return isinstance(start, Interlude) or start.combat is True


def phase_key(start: PhaseStart) -> tuple[str | None, str | None, str | None]:
    """The identity of a phase: turn, phase and active side; None for each that is not known."""
    return (start.turn, start.phase, start.active)


def may_be_same(one: PhaseStart, other: PhaseStart) -> bool:
    """Whether two starts may be of one phase: all their known values are equal."""
    pairs = zip(phase_key(one), phase_key(other), strict=True)
    return one.phase == other.phase and all(a == b or None in (a, b) for a, b in pairs)


def is_again(before: PhaseStart, start: PhaseStart) -> bool | None:
    """Whether ``start``, which follows ``before``, starts the same phase again; None: perhaps, because a turn
    or a side is not known."""
    if interrupts(before) != interrupts(start) or before.phase != start.phase:
        return False
    if isinstance(start, Renewed):
        return False
    one, other = phase_key(before), phase_key(start)
    if (
        start.phase is None
        or interrupts(start)
        or (one == other and None not in (start.turn, start.active))
    ):
        return one == other
    return None if may_be_same(before, start) else False


def second_thoughts(
    phases: Sequence[PhaseStart], numbers: Sequence[int], quiet: Sequence[bool]
) -> PhaseUncertainty:
    """The doubts about ``phases``. ``numbers``: the phase number of each. ``quiet``: for each, whether
    nothing happened in it.

    If the turn is not given, the same phase name comes back every turn. Then only a phase that comes back
    before another side was active, or did anything, counts as set back.
    """
    keys = _keys(phases)
    told = [i for i, start in enumerate(phases) if not (start.declared or interrupts(start))]
    spans = list(_slips([phases[i] for i in told], [quiet[i] for i in told]))
    whole = [
        (told[first], told[last], told[back])
        for first, last, back in spans
        if told[back] - told[first - 1] == back - first + 1
        and phases[told[first - 1]].certain is phases[told[back]].certain
    ]
    slips = {i for first, _, back in whole for i in range(first, back)}
    for (
        first,
        _,
        back,
    ) in spans:  # separated by declared phases: not all of these can be judged either way
        parts = [told[n] for n in range(first, back)]
        if all(quiet[i] and phases[i].active == phases[told[back]].active for i in parts):
            slips.update(parts)
    told = [i for i in told if i not in slips]
    doubted = _doubted([keys[i] for i in told], [numbers[i] for i in told])
    doubtful = slips | {told[n] for n in doubted}
    begins: dict[object, int] = {}
    ends: dict[object, int] = {}
    for index, key in enumerate(keys):
        if index not in slips:
            begins.setdefault(key, index)
            ends[key] = index
    every = range(len(keys))
    return PhaseUncertainty(
        tuple(i in doubtful for i in every),
        tuple(i not in slips and numbers[i] != numbers[ends[keys[i]]] for i in every),
        tuple(numbers[i] if i in slips else numbers[begins[keys[i]]] for i in every),
        tuple(Slip(*(phases[i] for i in ends)) for ends in reversed(whole)),
    )


def _doubted(keys: Sequence[object], numbers: Sequence[int]) -> set[int]:
    """Indices of the phases that were set back to, or that lie before such a phase and after its first
    start."""
    first = {key: index for index, key in reversed(list(enumerate(keys)))}
    last = {key: index for index, key in enumerate(keys)}
    found: set[int] = set()
    reach, before = -1, None
    for index, key in enumerate(keys):
        again = numbers[index] != numbers[first[key]]
        if index < reach or (again and before != key):
            found.add(index)
        later = any(keys[k] != key for k in range(index + 1, last[key]))
        reach, before = max(reach, last[key] if later else -1), key
    return found


def _keys(phases: Sequence[PhaseStart]) -> list[object]:
    """A key for each phase start, the same for all starts of one phase. An interruption has the key of the
    phase that it interrupts: the one before it, or else the one after."""
    keys: list[object] = []
    same: dict[object, object] = {}
    renewed: dict[object, int] = {}
    spell, active = 0, None
    for index, start in enumerate(phases):
        host = _host(phases, index)
        if interrupts(start) and (host is None or host < index):
            keys.append((-1, index) if host is None else keys[host])
            continue
        if not interrupts(start) and host is not None:
            keys.append(keys[host])
            continue
        own = start if host is None else phases[host]
        if own.active != active or own.active is None:
            spell, active = spell + 1, own.active
        told = phase_key(own)
        key: object = told if own.turn is not None else (spell, *told)
        if isinstance(own, Renewed) and own.passed:
            keys.append((key, -index))
            continue
        if isinstance(own, Renewed):
            renewed[key] = own.number
        key = (key, renewed[key]) if key in renewed else key
        if index and host is None and is_again(phases[index - 1], start) is None:
            same.setdefault(key, keys[-1])
        keys.append(same.get(key, key))
    return keys


def _host(phases: Sequence[PhaseStart], index: int) -> int | None:
    """For an interruption: the index of the phase that it interrupts. For a phase that continues after an
    interruption: the index at which it began. Otherwise None."""
    start, back = phases[index], index - 1
    while back >= 0 and interrupts(phases[back]):
        back -= 1
    if not interrupts(start):
        goes_on = 0 <= back < index - 1 and phase_key(phases[back]) == phase_key(start)
        return back if goes_on else None
    on = index + 1
    while on < len(phases) and interrupts(phases[on]):
        on += 1
    within = start.within if isinstance(start, Interlude) else None
    for near in (back, on):
        if not 0 <= near < len(phases):
            continue
        other = phases[near]
        if within is not None and phase_key(other) == phase_key(within):
            return near
        if within is None and (other.turn, other.active) == (start.turn, start.active):
            return near
    return None


def _slips(phases: Sequence[PhaseStart], quiet: Sequence[bool]) -> Iterator[tuple[int, int, int]]:
    """The slips, the last first: phases in which nothing happened, or that are not known, between two starts
    of one phase. Each as the indices of its :class:`Slip`."""
    back = len(phases) - 1
    while back > 1:
        same, before = [back], back - 1
        known = phases[back].phase is not None and not isinstance(phases[back], Renewed)
        while known and before >= 0:
            if may_be_same(phases[before], phases[back]):
                same.append(before)
            if not quiet[before] and phases[before].phase is not None:
                break
            before -= 1
        if len(same) > 1 and same[1] < back - 1:
            yield same[-1] + 1, same[1] + 1, back
            back = same[-1]
        else:
            back -= 1


def phases_in_order(game: Game) -> Game:
    """``game`` with every phase beginning at the start of a step; the same object if nothing changes."""
    found: list[Event] = []
    for at, group in groupby(game.events, key=lambda event: event.at):
        events = list(group)
        found += _step(at, events) if len(events) > 1 else events
    return game if found == list(game.events) else replace(game, events=tuple(found))


def _step(at: StepRef, events: Sequence[Event]) -> Iterator[Event]:
    moved = [
        number
        for number, event in enumerate(events)
        if isinstance(event, Displacement) and event.origin != event.target
    ]
    late = [
        number
        for number, event in enumerate(events)
        if isinstance(event, PhaseStart) and moved and moved[0] < number
    ]
    if not late:
        yield from events
        return
    if moved[-1] > late[0]:
        yield PhaseStart(at, None, None, None, certain=False)
        late = [n for n, event in enumerate(events) if isinstance(event, PhaseStart)]
    yield from (event for number, event in enumerate(events) if number not in late)
    for number in late:
        start = events[number]
        assert isinstance(start, PhaseStart)
        yield replace(start, at=StepRef(at.log, at.step + 1))
