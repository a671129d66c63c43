"""How reports say who went where."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.finding import Audit, JudgedMove


def route(judged: JudgedMove, *, path: bool = True) -> str:
    """From where to where as the counter was dragged; then the cheapest way that was looked at, as far as it
    tells more; and where it began, if that was before: a unit that goes on pays for its way in the phase as a
    whole. ``path`` False: as dragged, no more."""
    text = " → ".join(dragged(judged))
    if not path:
        return text
    origin = str(judged.move.origin)
    begun = judged.path.index(origin) if origin in judged.path else 0
    notes = [f"begun in {judged.path[0]}"] if begun else []
    inner = judged.path[begun + 1 : -1]
    if inner and len(judged.move.waypoints) <= 2:
        notes.insert(0, f"by {', '.join(inner)}")
    elif off_the_drag(judged):
        notes.insert(0, f"cheapest by {', '.join(inner)}" if inner else "cheapest straight there")
    return f"{text} ({'; '.join(notes)})" if notes else text


def dragged(judged: JudgedMove) -> list[str]:
    """The places where the counter was put down, its first and its last included."""
    move = judged.move
    return [str(move.origin), *(str(place) for place in move.waypoints[1:-1]), str(move.target)]


def off_the_drag(judged: JudgedMove) -> bool:
    """Whether the path that was looked at leaves out a place where the counter was put down."""
    if not judged.path:
        return False
    ahead = iter(judged.path)
    stops = (place for place in judged.move.waypoints[1:-1] if place.kind == "hex")
    return not all(place.name in ahead for place in stops)


def routes(audit: Audit, moves: Sequence[JudgedMove]) -> list[str]:
    """The ways of the moves a finding is about; of several, each with the units that went it."""
    if len(moves) == 1:
        return [route(moves[0])]
    return [f"{unit_names(audit, judged)} {route(judged)}" for judged in moves]


def unit_names(audit: Audit, judged: JudgedMove) -> str:
    """What everyone may call the units of a move."""
    return ", ".join(audit.names.get(unit) or f"piece {unit}" for unit in judged.move.units)
