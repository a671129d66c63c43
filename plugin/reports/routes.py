"""Routes in words, and distinct names for units of the same name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...model.finding import Audit, Finding, JudgedMove


def route(judged: JudgedMove, *, path: bool = True) -> str:
    """The drag from place to place; then the cheapest path, if it adds anything; then where the move began,
    if that was before the drag: a unit that moves on pays for its path in the phase as a whole. ``path``
    False: the drag only."""
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
    """The places where the counter was put down, including the first and the last."""
    move = judged.move
    return [str(move.origin), *(str(place) for place in move.waypoints[1:-1]), str(move.target)]


def off_the_drag(judged: JudgedMove) -> bool:
    """Whether the path leaves out a place where the counter was put down."""
    if not judged.path:
        return False
    ahead = iter(judged.path)
    stops = (place for place in judged.move.waypoints[1:-1] if place.kind == "hex")
    return not all(place.name in ahead for place in stops)


def routes(audit: Audit, moves: Sequence[JudgedMove]) -> list[str]:
    """The routes of a finding's moves; if there are several, each with its units."""
    if len(moves) == 1:
        return [route(moves[0])]
    return [f"{unit_names(audit, judged)} {route(judged)}" for judged in moves]


def unit_names(audit: Audit, judged: JudgedMove) -> str:
    """The public names of the units of a move."""
    return ", ".join(audit.names.get(unit) or f"piece {unit}" for unit in judged.move.units)


FEWEST = 4
"""The minimum number of digits shown of a counter's id."""


def told_apart(audit: Audit) -> Audit:
    """``audit`` in which units of the same name have the end of their id behind it: ``746 (…9963)``.
    Sentences are left as they are."""
    called = dict(_called(audit))
    alike: dict[str, list[str]] = {}
    for unit, name in called.items():
        alike.setdefault(name, []).append(unit)
    apart = {
        unit: f"{name} ({end})"
        for name, units in alike.items()
        if len(units) > 1
        for unit, end in zip(units, _ends(units), strict=True)
    }
    if not apart:
        return audit
    return replace(
        audit,
        names={**audit.names, **{u: n for u, n in apart.items() if u in audit.names}},
        findings=tuple(_renamed(finding, apart) for finding in audit.findings),
        suspicions=tuple(
            replace(one, finding=_renamed(one.finding, apart)) for one in audit.suspicions
        ),
    )


def _called(audit: Audit) -> Iterator[tuple[str, str]]:
    """Every unit that the report names, with its name."""
    yield from ((unit, name) for unit, name in audit.names.items() if name)
    for finding in (*audit.findings, *(one.finding for one in audit.suspicions)):
        if len(finding.units) == len(finding.names):
            yield from zip(finding.units, finding.names, strict=True)


def _renamed(finding: Finding, apart: dict[str, str]) -> Finding:
    if len(finding.units) != len(finding.names) or apart.keys().isdisjoint(finding.units):
        return finding
    named = zip(finding.units, finding.names, strict=True)
    return replace(finding, names=tuple(apart.get(unit, name) for unit, name in named))


def _ends(units: list[str]) -> list[str]:
    """The ends of ids, just long enough to differ."""
    for size in range(FEWEST, max(map(len, units))):
        if len({unit[-size:] for unit in units}) == len(units):
            return [f"…{unit[-size:]}" if len(unit) > size else unit for unit in units]
    return units
