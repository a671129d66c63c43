"""How the game was played, in short: for a letter."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit
from ..reports.integrity import dice_lines, groups
from ..reports.sections import as_sentence

FEW_TRACES = 3


def played(audited: Audit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the logs tell of it, kind by kind with the first steps, and the dice of each player; nothing where
    nobody asked for the integrity of the game."""
    found = audited.integrity
    if found is None:
        return
    for group in groups(audited, many_logs=True, verbose=False):
        shown = [as_sentence(line) for line in group.lines[:FEW_TRACES]]
        more = len(group.lines) - len(shown) + group.more
        yield group.title, (*shown, *([f"and {more:,} more"] if more else []))
    dice = tuple(dice_lines(found))
    if dice:
        yield f"Dice ({len(found.rolls):,})", dice
