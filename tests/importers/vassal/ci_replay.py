"""Logs replayed: real games, damaged ones, and those written from known scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.table import LogHistory, Step, TableHistory


def test_a_log_can_go_on_from_an_earlier_one(longest_day: tuple[Module, TableHistory]) -> None:
    """0607-3 fits the end of 0607-1 better than that of 0607-2."""
    by_name = {log.source: log for log in longest_day[1].logs}
    [gaps] = gaps_between([by_name["0607-1.log"], by_name["0607-3.log"]])
    assert sum(gap.place_differs for gap in gaps) == 37
    for gap in gaps:
        if gap.before is None or gap.after is None:
            assert gap.before is not gap.after
        else:
            assert gap.place_differs == (gap.before.spot != gap.after.spot)
            assert gap.place_differs or gap.state_differs


def test_labels_of_players_go_on_from_log_to_log(
    longest_day: tuple[Module, TableHistory],
) -> None:
    names: dict[str, set[str]] = {}
    for step in longest_day[1].steps:
        if step.actor is not None and step.actor.known_by == "move":
            names.setdefault(step.actor.who.label, set()).add(step.actor.who.side)
    assert names["player 1"] == {"Allies"}
    assert names["player 2"] == {"Germans"}


@pytest.mark.parametrize(
    "after", ["drill-1-red/drill-1-red-end.vsav", "drill-2-blue/drill-2-blue.vlog"]
)
def test_a_written_log_ends_as_the_save_made_then_and_the_next_log_begin(
    corpus: Path, after: str
) -> None:
    folder, roster = corpus / "engine-written", Roster()
    module = open_module(folder / "drill-1-red" / "drill.vmod")
    files = (folder / file for file in ("drill-1-red/drill-1-red.vlog", after))
    logs = [replay_log(read_save(f), module, roster=roster) for f in files]
    assert gaps_between(logs) == ((),)


# -- Damaged logs are replayed as far as they go (more of them: test_savefile.py) -------------------


def test_an_undo_without_an_end_swallows_no_step(corpus: Path) -> None:
    folder = corpus / "engine-written" / "drill-1-red"
    whole = replay_log(read_save(folder / "drill-1-red.vlog"))
    open_end = replay_log(read_save(corpus / "damaged" / "undo-unbalanced.vlog"))
    told = {s.displacements for s in open_end.steps}
    assert {s.displacements for s in whole.steps} <= told
    assert any(p.code == "unbalanced-undo" for p in open_end.problems)


def test_a_very_long_chat_line(corpus: Path) -> None:
    history = replay_log(read_save(corpus / "damaged" / "long-chat.vlog"))
    assert max(len(line.text) for step in history.steps for line in step.chat) > 5_000_000


# -- Logs the engine wrote from known scripts: what was displaced is what the engine itself held then --
# ``NAME.truth.jsonl`` has, per line of the script, the log steps it made and the pieces it changed.


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


class Scripted(NamedTuple):
    """A log that the engine wrote from a script, replayed, and the lines of the script."""

    name: str
    history: LogHistory
    script: list[Row]

    @property
    def steps(self) -> dict[int | None, Step]:
        return {step.engine_number: step for step in self.history.steps}

    @property
    def logged(self) -> list[Row]:
        return [row for row in self.script if row["logging"] and row["steps"][0] <= row["steps"][1]]


@pytest.fixture(scope="module", params=MODULES)
def scripted(request: pytest.FixtureRequest, corpus: Path) -> Scripted:
    name = request.param
    file = corpus / "engine-written" / name / f"{name}.vlog"
    lines = file.with_name(f"{name}.truth.jsonl").read_text(encoding="utf-8").splitlines()
    history = replay_log(read_save(file), open_module(corpus / MODULES[name]))
    return Scripted(name, history, [json.loads(line) for line in lines])


def ends(steps: list[Step]) -> dict[str, tuple[str | None, int, int, str] | None]:
    """Where the displacements of these steps leave each piece."""
    found: dict[str, tuple[str | None, int, int, str] | None] = {}
    for step in steps:
        for d in step.displacements:
            spot = d.target
            found[d.piece] = spot and (spot.map, spot.x, spot.y, d.target_location)
    return found


def test_displacements_are_those_of_the_script(scripted: Scripted) -> None:
    steps, pieces = scripted.steps, scripted.history.opening.pieces.values()
    places: Places = {p.id: (p.spot.map, p.spot.x, p.spot.y) for p in pieces}
    lines = 0
    for row in scripted.logged:
        first, last = row["steps"]
        if last > len(scripted.history.steps):
            # the engine counted a command that it could not write into the file
            assert (scripted.name, row["verb"]) == ("kassala-1-moslem", "move")
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


def test_hands_keys_and_the_undo_button_are_told_apart_and_a_stack_is_one_group(
    scripted: Scripted,
) -> None:
    steps = scripted.steps
    expected = {
        "move": {"drag"}, "movestack": {"drag"}, "undo": {"undo"}, "place": {"add"},
        "key": {"send", "add", "remove"},
    }  # fmt: skip
    for row in scripted.logged:
        first, last = row["steps"]
        for step in (steps[n] for n in range(first, last + 1) if n in steps):
            by = {d.by for d in step.displacements}
            assert by <= expected.get(row["verb"], set()), (row["line"], row["verb"], by)
            assert (step.undoing is not None) == (row["verb"] == "undo"), row["line"]
        if row["verb"] == "movestack" and first in steps:
            assert len({d.group for d in steps[first].displacements}) <= 1, row["line"]


def test_an_undo_puts_back_what_the_undone_step_displaced(scripted: Scripted) -> None:
    """Every undo of a whole step names the step whose displacements it reverses."""
    by_number = {step.number: step for step in scripted.history.steps}
    checked = 0
    for step in scripted.history.steps:
        undoing = step.undoing
        if undoing is None or not undoing.whole or undoing.step is None:
            continue
        assert undoing.known_by == "marker"
        before = {d.piece: (d.origin, d.target) for d in by_number[undoing.step].displacements}
        now = {d.piece: (d.origin, d.target) for d in step.displacements}
        assert now == {p: pair if undoing.redo else pair[::-1] for p, pair in before.items()}
        checked += 1
    assert checked or scripted.name == "tld-1-germans"


def test_moves_are_the_logging_players(scripted: Scripted) -> None:
    sides = {row["text"].split("\t")[-1] for row in scripted.script if row["verb"] == "side"}
    actors = [step.actor for step in scripted.history.steps]
    assert None not in actors
    movers = {actor.who.side for actor in actors if actor and actor.known_by == "move"}
    assert movers
    assert movers <= sides
