"""The power of a pack: how many moves that go too far an audit with it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..validators.planting import FARTHEST, Planted, counts
from .looking.blind import bound
from .reports.phrases import counted

_EACH_SIDE = Fraction(975, 1000)
NOT_SHOWN = (
    "A wrong chart or map does not show in this: moves are made too long by the pack's own charts."
)


@dataclass(frozen=True)
class Power:
    """What became of moves that were made too long. ``unseen``: how many facts of the map no person has
    looked at, None: the pack keeps no records; the moves were audited as if somebody had."""

    planted: Sequence[Planted]
    seed: int
    unseen: int | None = None

    def rows(self) -> Iterator[tuple[str, int, int, int, int]]:
        """Each side, and in the end all ("all"): planted, found, left open, called legal."""
        of = counts(self.planted)
        for side in sorted(of):
            yield side or "side not known", *_row(of[side])
        if len(of) != 1:
            yield "all", *_row(_verdicts(self.planted))

    @property
    def said(self) -> str:
        """In a sentence, for the pack and its reports."""
        made, found, left, legal = _row(_verdicts(self.planted))
        low, high = bounds(found, made)
        return (
            f"of {counted(made, 'legal move')} made 1 to {FARTHEST} hexes too long, drawn at random (seed"
            f" {self.seed}), {found} were found (95 % bounds of all such: {low:.0%} to {high:.0%}),"
            f" {left} left open, {legal or 'none'} called legal"
        )

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "seed": self.seed,
            "facts_no_person_looked_at": self.unseen,
            "sides": [
                {
                    "side": side,
                    "planted": made,
                    "found": found,
                    "open": left,
                    "legal": legal,
                    "found_from": round(bounds(found, made)[0], 4),
                    "found_to": round(bounds(found, made)[1], 4),
                }
                for side, made, found, left, legal in self.rows()
            ],
        }


def bounds(found: int, of: int) -> tuple[float, float]:
    """The exact binomial bounds (Clopper and Pearson, 95 %) of a share of which ``found`` of ``of`` were
    seen; 0 and 1 where ``of`` is 0."""
    if not of:
        return 0.0, 1.0
    return 1 - bound(of - found, of, _EACH_SIDE), bound(found, of, _EACH_SIDE)


def _verdicts(planted: Sequence[Planted]) -> Counter[str]:
    return Counter(one.verdict for one in planted)


def _row(told: Mapping[str, int]) -> tuple[int, int, int, int]:
    found, left, legal = (told.get(one, 0) for one in ("illegal", "unverifiable", "legal"))
    return found + left + legal, found, left, legal
