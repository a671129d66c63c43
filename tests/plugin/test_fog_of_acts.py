"""What a player did to a counter that nobody else sees: moved it, turned it, dropped it where it was. Nobody
else is told which of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import vassal_umpire as vu
from dark import IDS, TARN, WREN, DarkScribe, build, script
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.timeline import timeline

from .kit import done

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


def told(folder: Path, act: Act, viewer: Viewer) -> dict[str, Any]:
    """What is told of a log, but for its digest."""
    log = a_log(folder, act)
    eyes = ("--as", viewer.side) if viewer.side else ()
    lines = done("show", log, *eyes, "--format", "jsonl").splitlines()
    done("convert", log, "--pack", folder / "pack", *eyes, "-o", folder / "told.json")
    document = json.loads((folder / "told.json").read_text("utf-8"))
    audited = json.loads(done("audit", log, *eyes, "--fail-on", "never", "--format", "json"))
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


@pytest.mark.parametrize(
    ("act", "other", "viewer"),
    [
        (turned, moved, EVERYONE),
        (turned, moved, Viewer("Blue")),
        (turned, dropped, EVERYONE),
        (turned_and_said, moved_and_said, EVERYONE),
    ],
    ids=["moved", "moved, for a side", "dropped", "moved and said"],
)
def test_nobody_is_told_what_was_done_to_a_counter_that_he_does_not_see(
    act: Act, other: Act, viewer: Viewer, tmp_path: Path
) -> None:
    one, another = told(tmp_path / "one", act, viewer), told(tmp_path / "other", other, viewer)
    assert all(one.values())
    assert [what for what in one if one[what] != another[what]] == []


def test_who_sees_the_counter_is_told_who_moved_it(tmp_path: Path) -> None:
    for viewer in (Viewer("Red"), DIRECTOR):
        shown = vu.open_log(a_log(tmp_path / str(viewer), moved), viewer=viewer)
        moves = [s for s in shown.steps() if any(d.piece == HIDDEN for d in s.displacements)]
        assert [(s.side, s.known_by) for s in moves] == [("Red", "move")] * 2
