"""How the game was played, in short: for a letter."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit
from ..reports.integrity import dice_lines, groups

FEW_TRACES = 3


def played(audited: Audit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the logs tell of it, kind by kind with the first steps, and the dice of each player; nothing where
    nobody asked for the integrity of the game."""
    found = audited.integrity
    if found is None:
        return
    for title, lines, left in groups(audited, many_logs=True, verbose=False):
        shown = [f"{where}: {text}" if text else where for where, text in lines[:FEW_TRACES]]
        more = len(lines) - len(shown) + left
        yield title, (*shown, *([f"and {more:,} more"] if more else []))
    dice = tuple(dice_lines(found))
    if dice:
        yield f"Dice ({len(found.rolls):,})", dice
