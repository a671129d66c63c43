"""What was typed blind of suggestions, and what a person left out: kept from one run to the next, so that a
check that failed is not drawn again until one passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, field
from typing import Any

from ..looking.blind import Blind

MOST = 1_000_000
"""Cells or counters that one check is of."""
Suggestion = tuple[str, str]
"""What it is about (the kind of a counter, a cell of the board), and the value."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was typed blind. ``suggested``: all suggestions there were then; ``differ``: those of which
    something else was typed, each with what was typed and what was suggested."""

    blind: Blind
    suggested: frozenset[Suggestion]
    differ: tuple[tuple[str, str, str], ...] = ()

    def plain(self) -> dict[str, Any]:
        """As JSON: what was suggested by value."""
        of: dict[str, list[str]] = {}
        for what, value in sorted(self.suggested):
            of.setdefault(value, []).append(what)
        return {"blind": list(astuple(self.blind)), "suggested": of, "differ": list(self.differ)}


@dataclass(slots=True)
class Checks:
    """Those of one view. ``checked``: by what is filled in (a column, a layer); ``passed``: what a person
    left out, or said that he cannot tell."""

    checked: dict[str, Checked] = field(default_factory=dict)
    passed: set[tuple[str, ...]] = field(default_factory=set)

    def of(self, name: str, now: Iterable[Suggestion]) -> Checked | None:
        """What was typed blind of the suggestions there are ``now``; None: they have to be typed first."""
        held = self.checked.get(name)
        return held if held is not None and held.suggested.issuperset(now) else None

    def plain(self) -> dict[str, Any]:
        """As JSON; empty: there is nothing to keep."""
        checked = {name: one.plain() for name, one in [*self.checked.items()]}
        passed = sorted([*self.passed])
        return {"checked": checked, "passed": passed} if checked or passed else {}

    def recall(self, told: Any) -> None:
        """Take up what :meth:`plain` told, or nothing where it is something else: then it raises as indexing
        and conversion do."""
        passed = {tuple(map(str, one)) for one in told.get("passed", ())}
        checked = {str(name): _read(one) for name, one in told.get("checked", {}).items()}
        self.passed, self.checked = passed, checked


def _read(told: Any) -> Checked:
    typed, wrong, unclear = map(int, told["blind"])
    if not 0 <= wrong <= typed <= MOST or not 0 <= unclear <= MOST:
        raise ValueError
    every = ((str(what), value) for value, of in told["suggested"].items() for what in of)
    differ = tuple((str(a), str(b), str(c)) for a, b, c in told["differ"])
    return Checked(Blind(typed, wrong, unclear), frozenset(every), differ)
