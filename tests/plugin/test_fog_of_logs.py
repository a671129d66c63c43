"""What a viewer is told of a game read from logs does not depend on a counter that is hidden from him.

Every output is the same wherever the counter is, except that an accusation may be left open, and nobody is
told one that is not made in the game as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import vassal_umpire as vu
from dark import IDS, TARN, WREN, DarkScribe, build, script
from seen import but_for_the_bit
from tiers import by_tier, drawn
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.auditing import Opened, audit_game, read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage
from vassal_umpire.plugin.shown import with_integrity
from vassal_umpire.plugin.timeline import timeline

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
from .kit import done, report_of


def told(found: Opened, audited: Audit, viewer: Viewer) -> dict[str, str]:
    shown = with_integrity(found, audited, viewer)
    scene = stage(found.game, viewer)
    options = ReportOptions(viewer=str(viewer), verbose=True, scene=scene)
    return {name: report.render(shown, options) for name, report in reports().parts.items()}


@pytest.mark.parametrize("sample", by_tier(("crossroads",), drawn(PLAYED, 2), PLAYED))
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


# -- what a player did to a counter that nobody else sees: nobody is told which of them -------------


HIDDEN, SEEN = str(IDS["Red 2 Inf"]), str(IDS["Red 1 Inf"])
Act = Callable[[DarkScribe], None]


def turned(scribe: DarkScribe) -> None:
    before = scribe.pieces[HIDDEN].values.get("Status")
    scribe.change(HIDDEN, "Status", "1" if before == "2" else "2")


def moved(scribe: DarkScribe) -> None:
    at = scribe.pieces[HIDDEN].x, scribe.pieces[HIDDEN].y
    scribe.sneak(HIDDEN, "0905" if at == scribe.point("0904") else "0904")


def dropped(scribe: DarkScribe) -> None:
    scribe.sneak(HIDDEN, "0803")


def moved_and_said(scribe: DarkScribe) -> None:
    moved(scribe)
    said(scribe)


def turned_and_said(scribe: DarkScribe) -> None:
    turned(scribe)
    said(scribe)


def said(scribe: DarkScribe) -> None:
    scribe.say("mine")
    scribe.steps[-2:] = [[*scribe.steps[-2], *scribe.steps[-1]]]


def a_log(folder: Path, act: Act) -> Path:
    """Blue moves, then Red acts, then a counter that both see is turned, and the like once more."""

    def play(scribe: DarkScribe) -> None:
        scribe.sits(TARN)
        scribe.hide(HIDDEN)
        scribe.sits(WREN)
        scribe.drag(str(IDS["Blue Recon"]), "0305")
        scribe.sits(TARN)
        act(scribe)
        scribe.change(SEEN, "Status", "2")
        scribe.roll("2d6", (3, 4))
        scribe.sits(WREN)
        scribe.change(str(IDS["Blue 1 Inf"]), "Spent", "3")
        scribe.sits(TARN)
        act(scribe)
        scribe.sits(WREN)
        scribe.drag(str(IDS["Blue 3 Inf"]), "0408")
        scribe.advance(script.turn(1, 0, 1), "Turn 1, Blue Movement", "Turn 1, Blue Combat")

    (log,) = build(folder, play)[1]
    return log


def all_told(folder: Path, act: Act, viewer: Viewer) -> dict[str, Any]:
    """What is told of a log, but for its digest."""
    log = a_log(folder, act)
    eyes = ("--as", viewer.side) if viewer.side else ()
    lines = done("show", log, *eyes, "--format", "jsonl").splitlines()
    done("convert", log, "--pack", folder / "pack", *eyes, "-o", folder / "told.json")
    document = json.loads((folder / "told.json").read_text("utf-8"))
    audited = report_of(log, *eyes)
    game = folder / "game"
    done("game", "new", game, "--module", folder / "crossroads.vmod", "--pack", folder / "pack")
    history = read_evidence(Named((log,)), DEFAULT_LIMITS).history
    shown = vu.open_log(log, viewer=viewer)
    return {
        "show": lines[1:],
        "table": document["table"]["logs"][0]["steps"],
        "events": document["game"]["events"],
        "integrity": audited["integrity"],
        "coverage": audited["coverage"],
        "studio": timeline(history, viewer),
        "python": [(s.player, s.side, s.known_by) for s in shown.steps()],
        "added": [one for one in done("game", "add", game, log).splitlines() if " by " in one],
    }


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize(
    ("act", "other", "viewer"),
    [
        pytest.param(turned, moved, EVERYONE, marks=pytest.mark.ci, id="moved"),
        pytest.param(turned, moved, Viewer("Blue"), id="moved, for a side"),
        pytest.param(turned, dropped, EVERYONE, marks=pytest.mark.ci, id="dropped"),
        pytest.param(turned_and_said, moved_and_said, EVERYONE, marks=pytest.mark.ci, id="said"),
    ],
)
def test_nobody_is_told_what_was_done_to_a_counter_that_he_does_not_see(
    act: Act, other: Act, viewer: Viewer, tmp_path: Path
) -> None:
    one, another = (
        all_told(tmp_path / "one", act, viewer),
        all_told(tmp_path / "other", other, viewer),
    )
    assert all(one.values())
    assert [what for what in one if one[what] != another[what]] == []


def test_who_sees_the_counter_is_told_who_moved_it(tmp_path: Path) -> None:
    for viewer in (Viewer("Red"), DIRECTOR):
        shown = vu.open_log(a_log(tmp_path / str(viewer), moved), viewer=viewer)
        moves = [s for s in shown.steps() if any(d.piece == HIDDEN for d in s.displacements)]
        assert [(s.side, s.known_by) for s in moves] == [("Red", "move")] * 2
