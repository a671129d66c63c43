"""Signs of phases in the steps of a log: marks of moved counters taken off, counters set up, a change of
mover, runs of dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .timeline import Tick

OTHERS = 8
"""This many pieces in a row moved by another side are no longer a foreign step within a phase."""
ROLLS = 4
"""This many rolls, each less than ``_CLOSE`` steps after the one before, may be combat."""
_CLOSE = 40
BURST = 5
"""A phase ends if at least this many counters, and half of all marked ones, lose their marks while nothing
moves."""
PLACED = 5
"""At least this many counters that come onto the maps in a row are being set up."""
_STRAYS = 3
"""Steps with other moves allowed among those in which counters are set up."""


def bursts(log: Sequence[Tick]) -> Iterator[tuple[int, int]]:
    """Where players take the marks of having moved off many counters without moves between: the index of the
    last step, and the number of counters."""
    last, number, standing = -1, 0, 0
    for index, tick in enumerate(log):
        if tick.moved and number:
            if number >= max(BURST, standing):
                yield last, number
            number = 0
        standing = max(0, standing + tick.marked - tick.cleared)
        if tick.cleared:
            last, number = index, number + tick.cleared
    if number >= max(BURST, standing):
        yield last, number


def set_up(log: Sequence[Tick]) -> tuple[int, int] | None:
    """The last of the first steps of a game in which counters come onto the maps, and their number; None if
    too few do."""
    last, number, strays = -1, 0, 0
    for index, tick in enumerate(log):
        if tick.placed:
            last, number, strays = index, number + tick.placed, 0
        elif tick.moved:
            strays += 1
        if strays > _STRAYS or tick.dice:
            break
    return (last, number) if number >= PLACED else None


def new_movers(log: Sequence[Tick]) -> Iterator[tuple[int, str]]:
    """Where another side begins to move for good: the index of the first step, and the side."""
    current = next((tick.side for tick in log if tick.sure and tick.moved), "")
    since, moved, who = -1, 0, ""
    for index, tick in enumerate(log):
        if not (tick.sure and tick.moved and tick.side):
            continue
        if tick.side == current:
            since, moved, who = -1, 0, ""
            continue
        if who != tick.side:
            since, moved, who = index, 0, tick.side
        moved += tick.moved
        if moved >= OTHERS:
            yield since, who
            current, since, moved, who = who, -1, 0, ""


def dice_runs(log: Sequence[Tick], begin: int, end: int) -> Iterator[int]:
    """The first step of each run of rolls among steps ``begin`` to ``end`` (not included), and the step
    after."""
    run: list[int] = []
    rolls = [index for index in range(begin, end) if log[index].dice]
    for index in [*rolls, None]:
        if index is not None and (not run or index - run[-1] <= _CLOSE):
            run.append(index)
            continue
        if len(run) >= ROLLS:
            if run[0] > begin:
                yield run[0]
            if run[-1] + 1 < end:
                yield run[-1] + 1
        run = [] if index is None else [index]
