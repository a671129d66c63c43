"""How reports say who went where, and tell units of one name apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...model.finding import Audit, Finding, JudgedMove


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


FEWEST = 4
"""The minimum number of digits of a counter's id that are shown."""


def told_apart(audit: Audit) -> Audit:
    """``audit`` with the end of its id behind the name of a unit that is not the only one of that name:
    ``746 (…9963)``. Sentences keep the names they were written with."""
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
