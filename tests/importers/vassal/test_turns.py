"""Turn trackers: what a saved state says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.turns import CounterLevel, ListLevel, TurnTracker

VALUE = parse_format("$value$")
PHASES = ListLevel("Phase", ("Move", "Fire", "Rally"), VALUE)
TURNS = CounterLevel("Turn", 1, 1, False, -1, parse_format("Turn $value$"), (PHASES,))
NIGHT = ListLevel("Night", ("Dusk", "Dark"), parse_format("* $value$"))


def _tracker(text: str = "$level1$ $level2$") -> TurnTracker:
    return TurnTracker("TurnTracker0", "T", parse_format(text), parse_format(""), (TURNS, NIGHT))


def test_a_state_names_the_active_chain_of_levels() -> None:
    state = _tracker().state(r"0|4;0;false;-1;2\;0\;0\;true,true,true|1;0;0;true,true")
    assert state.text == "Turn 4 Rally"
    assert dict(state.properties) == {"Turn": "4", "Phase": "Rally", "Night": "Dark"}


def test_the_other_top_level_may_be_the_active_one() -> None:
    state = _tracker("$level1$/$level2$").state(r"1|4;0;false;-1;2\;0\;0\;|0;0;0;true,true")
    assert state.text == "* Dusk/"


def test_a_new_game_begins_at_the_first_of_everything() -> None:
    assert _tracker().start().text == "Turn 1 Move"


def test_what_a_state_lacks_takes_the_engines_default() -> None:
    """A list shares the counters' default of 1, so a missing number is its second text."""
    state = _tracker().state("0|x;0")
    assert state.text == "Turn 1 Fire"
    assert _tracker().state("9|7").text == " "
    assert _tracker().state("0|1;0;false;-1;77").text == "Turn 1 "


def test_an_expression_is_not_guessed_at() -> None:
    assert _tracker("{level1 + 1}").state("0|1").text is None


LOGS = [
    ("engine-written/drill-1-red/drill.vmod", "engine-written/drill-1-red/drill-1-red.vlog", 3),
    ("engine-written/drill-2-blue/drill.vmod", "engine-written/drill-2-blue/drill-2-blue.vlog", 4),
    ("kassala/Kassala.vmod", "engine-written/kassala-1-moslem/kassala-1-moslem.vlog", 1),
    ("hexncounters/ragnarok.vmod", "engine-written/ragnarok-2-jotun/ragnarok-2-jotun.vlog", 1),
    ("synthetic/rich.vmod", "synthetic/rich", 2),
]


@pytest.mark.parametrize(("name", "log", "count"), LOGS)
def test_the_engine_reads_the_same_turn_from_each_state(
    name: str,
    log: str,
    count: int,
    corpus: Path,
    golden_rows: Callable[[Path], list[dict[str, Any]]],
) -> None:
    (tracker,) = open_module(corpus / name).turn_trackers
    told = {
        (turn["state"], turn["value"])
        for row in golden_rows(corpus / f"{log}.replay.jsonl.gz")
        for turn in row.get("turns") or ()
        if turn.get("value")
    }
    assert {(state, tracker.state(state).text) for state, _ in told} == told
    assert len(told) >= count


def test_a_new_games_state_is_the_start(
    corpus: Path, golden_rows: Callable[[Path], list[dict[str, Any]]]
) -> None:
    (tracker,) = open_module(corpus / "kassala/Kassala.vmod").turn_trackers
    header = golden_rows(corpus / "golden/kassala/Kassala.vmod.newgame.state.jsonl.gz")[0]
    assert tracker.state(header["turns"][0]["state"]) == tracker.start()
