"""What a viewer is told of a game read from logs does not depend on a counter that is hidden from him.

Every output is the same wherever the counter is, except that an accusation may be left open, and nobody is
told one that is not made in the game as it is.
"""

from __future__ import annotations

import pytest
from seen import but_for_the_bit
from tiers import by_tier, drawn
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.auditing import Opened, audit_game
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage
from vassal_umpire.plugin.shown import with_integrity

from .hiding import (
    ALWAYS,
    PLAYED,
    Cloak,
    chosen,
    cloaked,
    opened,
    others,
    places_for,
)


def told(found: Opened, audited: Audit, viewer: Viewer) -> dict[str, str]:
    shown = with_integrity(found, audited, viewer)
    scene = stage(found.game, viewer)
    options = ReportOptions(viewer=str(viewer), verbose=True, scene=scene)
    return {name: report.render(shown, options) for name, report in reports().parts.items()}


@pytest.mark.parametrize("sample", by_tier(("crossroads",), drawn(PLAYED, 3), PLAYED))
def test_what_is_told_does_not_depend_on_what_is_hidden(sample: str) -> None:
    for unit, side in chosen(sample, always=ALWAYS.get(sample, ())):
        (elsewhere,) = places_for(sample, unit, 1)
        views: dict[Viewer, list[tuple[Opened, Audit]]] = {}
        for place in (None, elsewhere):
            now = cloaked(sample, Cloak(unit, side, place))
            director = opened(sample, now, DIRECTOR)
            true = audit_game(director, None, suspicions=False)
            assert unit in director.game.units
            for viewer in by_tier([EVERYONE], others(sample, side)):
                seen = director.seen_by(viewer)
                assert unit not in seen.game.units
                shown = audit_game(seen, None, suspicions=False, truth=true)
                for one in shown.findings:
                    if one.verdict == "illegal":
                        assert accused(true, one.clause, one.steps), (unit, one.explanation)
                views.setdefault(viewer, []).append((seen, shown))
        for viewer, ((seen, shown), (moved, again)) in views.items():
            assert seen.game == moved.game
            assert but_for_the_bit(shown) == but_for_the_bit(again)
            if shown == again:
                assert told(seen, shown, viewer) == told(moved, again, viewer)


def accused(found: Audit, clause: str, steps: object) -> bool:
    wanted = set(steps)  # type: ignore[call-overload]
    return any(
        f.verdict == "illegal" and f.clause == clause and not wanted.isdisjoint(f.steps)
        for f in found.findings
    )
