"""The check of continuity: does each log open with the position that the log before it ended with?"""

from __future__ import annotations

from itertools import groupby

from ..model.finding import Finding
from ..model.game import Game, Gap, Place, StepRef
from .checks import CONTINUITY


def check_continuity(game: Game) -> tuple[Finding, ...]:
    """One note for each log that does not open with the final position of the log before it. The note lists
    every piece that differs."""
    gaps = sorted(game.gaps, key=lambda gap: gap.log)
    found: list[Finding] = []
    for log, of_log in groupby(gaps, key=lambda gap: gap.log):
        found.append(_note(log, list(of_log)))
    return tuple(found)


def _note(log: int, gaps: list[Gap]) -> Finding:
    number = len(gaps)
    pieces = "1 piece differs" if number == 1 else f"{number} pieces differ"
    lines = "; ".join(_line(gap) for gap in gaps)
    places = (place for gap in gaps for place in (gap.before, gap.after) if place is not None)
    return Finding(
        code=CONTINUITY,
        clause=CONTINUITY,
        kind="note",
        verdict="unverifiable",
        units=tuple(gap.unit for gap in gaps),
        names=tuple(gap.name for gap in gaps),
        hexes=tuple(dict.fromkeys(place.name for place in places if place.kind == "hex")),
        steps=(StepRef(log, 0),),
        explanation=f"log {log} does not open with what the log before it ended with, {pieces}: {lines}",
        remedy="the log between them, or the save the second was begun from",
    )


def _line(gap: Gap) -> str:
    if gap.before == gap.after:
        return f"{gap.name}: {gap.detail or 'differs'}"
    line = f"{gap.name}: {_where(gap.before)} before, {_where(gap.after)} after"
    return f"{line} ({gap.detail})" if gap.detail else line


def _where(place: Place | None) -> str:
    return "not in the game" if place is None else str(place)
