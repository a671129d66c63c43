"""How much of each player's game could be judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ...model.finding import Audit, JudgedMove
from .report import VERDICTS

SIDE_NOT_KNOWN = "side not known"


@dataclass(frozen=True, slots=True)
class Share:
    """The number of judged moves of a side, and how many of them were decided."""

    decided: int
    judged: int

    @property
    def percent(self) -> int:
        return round(100 * self.decided / self.judged) if self.judged else 0


def shares(audited: Audit) -> dict[str, Share]:
    """The share of decided moves of each side."""
    found: dict[str, Share] = {}
    sided = [(one.move.actor or SIDE_NOT_KNOWN, one.verdict) for one in audited.moves if one.judged]
    for side in sorted(
        {side for side, _ in sided}, key=lambda side: (side == SIDE_NOT_KNOWN, side)
    ):
        verdicts = [verdict for whose, verdict in sided if whose == side]
        found[side] = Share(sum(v != "unverifiable" for v in verdicts), len(verdicts))
    return found


def verdict_counts(moves: Iterable[JudgedMove]) -> dict[str, int]:
    """The number of judged moves by verdict."""
    counts = Counter(judged.verdict for judged in moves if judged.judged)
    return {verdict: counts[verdict] for verdict in VERDICTS}
