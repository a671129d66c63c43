"""Names under which the units of a report can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.finding import Audit, Finding

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
