"""What an audit for one viewer costs, against the director's of the same game.

    python benchmarks/viewers.py [SAMPLE…]

From logs that have been read the pack is read, and the game is bound to it and judged, without suspicions.
Where nothing is hidden, everyone's game is the director's: it is bound and judged once. Where a unit is
hidden (in the tables of the sample's own logs), the game is bound twice and judged as everyone sees it; where
somebody is accused, the phases concerned are judged once more in the game as it is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from clock import Ratio, ratio, show

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS)]

from plugin.hiding import PLAYED, Cloak, chosen, cloaked, evidence_of, opened  # noqa: E402, TID251
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer  # noqa: E402
from vassal_umpire.plugin.auditing import Evidence, audit_game  # noqa: E402

AIM = 1.1
"""Where nothing is hidden: there is one audit, and a look whether anything is."""


def rows(sample: str) -> Iterator[Ratio]:
    """The ratios of one sample."""

    def measured(what: str, evidence: Evidence, aim: float | None) -> Ratio:
        def audited(viewer: Viewer) -> None:
            audit_game(opened(sample, replace(evidence, _seen={}), viewer), None, suspicions=False)

        return ratio(
            f"{sample}, {what}",
            lambda: audited(EVERYONE),
            "the director's audit",
            lambda: audited(DIRECTOR),
            aim=aim,
            clock=time.process_time,
        )

    yield measured("nothing hidden", evidence_of(sample), AIM)
    unit, side = next(chosen(sample))
    yield measured("a unit hidden", cloaked(sample, Cloak(unit, side)), None)


def main(samples: list[str]) -> None:
    """Measure and print."""
    for sample in samples or PLAYED:
        show(f"an audit for everyone, {sample}", rows(sample))


if __name__ == "__main__":
    main(sys.argv[1:])
