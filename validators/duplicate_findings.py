"""Removes duplicate findings about stacks that are too big by several rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model.finding import Finding


def without_duplicates(found: Iterable[Finding]) -> Iterator[Finding]:
    """``found`` without duplicates: of the certain findings on one stack the first; of those about stacks
    that may be too big only those with a hex where no other rule finds a stack certainly too big."""
    findings = list(found)
    sure = {_stack_of(f): f for f in reversed(findings) if f.verdict == "illegal"}
    for finding in findings:
        if finding.verdict == "illegal":
            if sure[_stack_of(finding)] is finding:
                yield finding
        elif not all(_is_told(finding, name, sure.values()) for name in finding.hexes):
            yield finding


def _stack_of(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.side, finding.hexes, finding.steps, finding.units


def _is_told(missing_fact: Finding, name: str, sure: Iterable[Finding]) -> bool:
    """Whether another rule holds for certain what may be too much in a hex at the end of a phase."""
    return any(
        name in found.hexes
        and (found.code, found.side, found.phase)
        == (missing_fact.code, missing_fact.side, missing_fact.phase)
        and set(found.units) <= set(missing_fact.units)
        for found in sure
    )
