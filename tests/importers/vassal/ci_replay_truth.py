"""Logs the engine wrote from known scripts: what was displaced is what the engine itself held then.

``NAME.truth.jsonl`` has, per line of the script, the log steps it made and the pieces it changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.table import LogHistory, Step

MODULES = {
    "drill-1-red": "engine-written/drill-1-red/drill.vmod",
    "drill-2-blue": "engine-written/drill-2-blue/drill.vmod",
    "kassala-1-moslem": "kassala/Kassala.vmod",
    "ragnarok-1-aesir": "hexncounters/ragnarok.vmod",
    "ragnarok-2-jotun": "hexncounters/ragnarok.vmod",
    "tld-1-germans": "tld/TheLongestDay-3.0b6.vmod",
}
Row = dict[str, Any]
Places = dict[str, tuple[str | None, int, int]]


def replayed(corpus: Path, name: str) -> LogHistory:
    log = corpus / "engine-written" / name / f"{name}.vlog"
    return replay_log(read_save(log), open_module(corpus / MODULES[name]))


def truth(corpus: Path, name: str) -> list[Row]:
    """Lines of the script that were logged."""
    path = corpus / "engine-written" / name / f"{name}.truth.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["logging"] and row["steps"][0] <= row["steps"][1]]


def ends(steps: list[Step]) -> dict[str, tuple[str | None, int, int, str] | None]:
    """Where the displacements of these steps leave each piece."""
    found: dict[str, tuple[str | None, int, int, str] | None] = {}
    for step in steps:
        for d in step.displacements:
            spot = d.target
            found[d.piece] = spot and (spot.map, spot.x, spot.y, d.target_location)
    return found


@pytest.mark.parametrize("name", MODULES)
def test_displacements_are_those_of_the_script(corpus: Path, name: str) -> None:
    history = replayed(corpus, name)
    steps = {step.engine_number: step for step in history.steps}
    places: Places = {
        p.id: (p.spot.map, p.spot.x, p.spot.y) for p in history.opening.pieces.values()
    }
    lines = 0
    for row in truth(corpus, name):
        first, last = row["steps"]
        if last > len(history.steps):
            # the engine counted a command that it could not write into the file
            assert (name, row["verb"]) == ("kassala-1-moslem", "move")
            continue
        expected: dict[str, object] = {}
        for piece in row.get("changed", ()):
            place = (piece["map"], piece["x"], piece["y"])
            if places.get(piece["id"]) != place:
                expected[piece["id"]] = (*place, piece["loc"])
                places[piece["id"]] = place
        for id_text in row.get("removed", ()):
            if places.pop(id_text, None) is not None:
                expected[id_text] = None
        got = ends([steps[n] for n in range(first, last + 1)])
        assert got == expected, (row["line"], row["text"][:60])
        lines += 1
    assert lines > 30


@pytest.mark.parametrize("name", MODULES)
def test_hands_keys_and_the_undo_button_are_told_apart(corpus: Path, name: str) -> None:
    history = replayed(corpus, name)
    steps = {step.engine_number: step for step in history.steps}
    expected = {
        "move": {"drag"}, "movestack": {"drag"}, "undo": {"undo"}, "place": {"add"},
        "key": {"send", "add", "remove"},
    }  # fmt: skip
    for row in truth(corpus, name):
        for number in range(row["steps"][0], row["steps"][1] + 1):
            step = steps.get(number)
            if step is None:
                continue
            by = {d.by for d in step.displacements}
            assert by <= expected.get(row["verb"], set()), (row["line"], row["verb"], by)
            assert (step.undoing is not None) == (row["verb"] == "undo"), row["line"]


@pytest.mark.parametrize("name", MODULES)
def test_pieces_of_a_dragged_stack_are_one_group(corpus: Path, name: str) -> None:
    history = replayed(corpus, name)
    steps = {step.engine_number: step for step in history.steps}
    for row in truth(corpus, name):
        if row["verb"] == "movestack" and row["steps"][0] in steps:
            moved = steps[row["steps"][0]].displacements
            assert len({d.group for d in moved}) <= 1, row["line"]


@pytest.mark.parametrize("name", MODULES)
def test_an_undo_puts_back_what_the_undone_step_displaced(corpus: Path, name: str) -> None:
    """Every undo of a whole step names the step whose displacements it reverses."""
    history = replayed(corpus, name)
    by_number = {step.number: step for step in history.steps}
    checked = 0
    for step in history.steps:
        undoing = step.undoing
        if undoing is None or not undoing.whole or undoing.step is None:
            continue
        assert undoing.known_by == "marker"
        before = {d.piece: (d.origin, d.target) for d in by_number[undoing.step].displacements}
        now = {d.piece: (d.origin, d.target) for d in step.displacements}
        mirrored = {p: pair if undoing.redo else pair[::-1] for p, pair in before.items()}
        assert now == mirrored
        checked += 1
    assert checked or name == "tld-1-germans"


@pytest.mark.parametrize("name", MODULES)
def test_moves_are_the_logging_players(corpus: Path, name: str) -> None:
    history = replayed(corpus, name)
    sides = {
        row["text"].split("\t")[-1] for row in _all_rows(corpus, name) if row["verb"] == "side"
    }
    moves = [s.actor for s in history.steps if s.actor and s.actor.known_by == "move"]
    assert moves
    assert {actor.who.side for actor in moves} <= sides
    assert all(step.actor is not None for step in history.steps)


def _all_rows(corpus: Path, name: str) -> list[Row]:
    path = corpus / "engine-written" / name / f"{name}.truth.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "wrapping", ["plain", "stored", "vcsk-key00", "vobs", "xz", "not-zipped", "not-zipped-vcsk"]
)
def test_the_wrapping_of_a_log_changes_nothing(corpus: Path, wrapping: str) -> None:
    folder = corpus / "engine-written"
    module = open_module(corpus / MODULES["drill-1-red"])
    wrapped = replay_log(read_save(folder / "encodings" / f"{wrapping}.vlog"), module)
    original = replay_log(read_save(folder / "drill-1-red" / "drill-1-red.vlog"), module)
    assert [s.displacements for s in wrapped.steps] == [s.displacements for s in original.steps]
    assert {p.id: p.name for p in wrapped.end.pieces.values()} == {
        p.id: p.name for p in original.end.pieces.values()
    }
