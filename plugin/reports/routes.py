"""How reports say who went where."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.finding import Audit, JudgedMove


def route(judged: JudgedMove) -> str:
    """From where to where, and over which hexes, as far as known; where the path began, if that was
    before: a unit that goes on pays for its way in the phase as a whole."""
    move = judged.move
    between = [str(place) for place in move.waypoints[1:-1]]
    text = f"{move.origin} → " + "".join(f"{place} → " for place in between) + str(move.target)
    path = judged.path
    begun = path.index(str(move.origin)) if str(move.origin) in path else 0
    notes = [f"begun in {path[0]}"] if begun else []
    if path[begun + 1 : -1] and not between:
        notes.insert(0, f"by {', '.join(path[begun + 1 : -1])}")
    return f"{text} ({'; '.join(notes)})" if notes else text


def routes(audit: Audit, moves: Sequence[JudgedMove]) -> list[str]:
    """The ways of the moves a finding is about; of several, each with the units that went it."""
    if len(moves) == 1:
        return [route(moves[0])]
    return [f"{unit_names(audit, judged)} {route(judged)}" for judged in moves]


def unit_names(audit: Audit, judged: JudgedMove) -> str:
    """What everyone may call the units of a move."""
    return ", ".join(audit.names.get(unit) or f"piece {unit}" for unit in judged.move.units)
