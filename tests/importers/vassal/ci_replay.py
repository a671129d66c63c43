"""Logs replayed: real games, damaged ones, and those written from known scripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.continuity import continuity
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.table import LogHistory, Step, TableHistory

GAPS = {
    "0606-2.log": 27, "0606-4.log": 10, "0607-2.log": 56, "0607-3.log": 40, "0608-2.log": 4,
    "0609-1.log": 2,
}  # fmt: skip
"""How many pieces lie elsewhere, or are or are not there, where a log begins: folding the engine's
answers over the log before gives the same (corpus README)."""


def joined(logs: Sequence[LogHistory]) -> TableHistory:
    return TableHistory(tuple(logs), tuple(continuity(*pair) for pair in pairwise(logs)))


def played(paths: list[Path], module: Module) -> TableHistory:
    roster = Roster()
    saves = enumerate(map(read_save, paths), 1)
    return joined([replay_log(save, module, roster=roster, log=n) for n, save in saves])


@pytest.fixture
def game(longest_day: tuple[Module, TableHistory]) -> TableHistory:
    return joined(longest_day[1].logs)


def test_gaps_of_a_real_game(game: TableHistory) -> None:
    found = {
        after.source: sum(gap.place_differs for gap in gaps)
        for after, gaps in zip(game.logs[1:], game.gaps, strict=True)
    }
    assert len(found) == 16
    assert {name: count for name, count in found.items() if count} == GAPS


def test_a_log_can_go_on_from_an_earlier_one(game: TableHistory) -> None:
    """0607-3 fits the end of 0607-1 better than that of 0607-2."""
    by_name = {log.source: log for log in game.logs}
    gaps = continuity(by_name["0607-1.log"], by_name["0607-3.log"])
    assert sum(gap.place_differs for gap in gaps) == 37


def test_a_gap_tells_both_sides(game: TableHistory) -> None:
    gaps = [gap for gaps in game.gaps for gap in gaps]
    assert all(gap.before is not None or gap.after is not None for gap in gaps)
    for gap in gaps:
        if gap.before is not None and gap.after is not None:
            assert gap.place_differs == (gap.before.spot != gap.after.spot)
            assert gap.place_differs or gap.state_differs


def test_labels_of_players_go_on_from_log_to_log(game: TableHistory) -> None:
    names: dict[str, set[str]] = {}
    for step in game.steps:
        if step.actor is not None and step.actor.known_by == "move":
            names.setdefault(step.actor.who.label, set()).add(step.actor.who.side)
    assert names["player 1"] == {"Allies"}
    assert names["player 2"] == {"Germans"}


def test_logs_are_numbered_and_named(game: TableHistory) -> None:
    assert [log.source for log in game.logs][:2] == ["0606-1.log", "0606-2.log"]
    assert {step.log for step in game.logs[3].steps} == {4}
    assert all(len(log.sha256) == 64 for log in game.logs)


def test_the_end_of_a_written_log_is_the_save_made_then(corpus: Path) -> None:
    for name in ("drill-1-red", "drill-2-blue"):
        folder = corpus / "engine-written" / name
        paths = [folder / f"{name}.vlog", folder / f"{name}-end.vsav"]
        history = played(paths, open_module(folder / "drill.vmod"))
        assert history.gaps == ((),)


def test_a_game_goes_on_in_the_other_players_log(corpus: Path) -> None:
    folder = corpus / "engine-written"
    paths = [folder / name / f"{name}.vlog" for name in ("drill-1-red", "drill-2-blue")]
    history = played(paths, open_module(folder / "drill-1-red" / "drill.vmod"))
    assert history.gaps == ((),)
    assert {p.side for log in history.logs for p in log.opening.players} == {"Red", "Blue"}


# -- Damaged logs are replayed as far as they go, and what is wrong is said ------------------------

READABLE = {
    # file: (steps VASSAL makes of it, problems of single steps)
    "truncated-savedgame.vlog": (15, {"short-state": 1}),
    "no-moduledata.vlog": (62, {}),
    "no-savedata.vlog": (62, {}),
    "invalid-utf8.vlog": (62, {}),
    "zip-slip.vlog": (62, {}),
    "unknown-command.vlog": (63, {}),
    "unknown-id.vlog": (66, {"unknown-piece": 3}),
    "deep-commands.vlog": (63, {}),
    "deep-traits.vlog": (63, {}),
    "huge-numbers.vlog": (65, {"no-number": 3}),
    "undo-unbalanced.vlog": (64, {}),
    "no-begin-save.vlog": (62, {}),
    "no-end-save.vlog": (62, {}),
    "control-chars.vlog": (63, {}),
    "wrong-module.vlog": (62, {}),
    "moduledata-bad-xml.vlog": (62, {}),
    "two-savedgames.vlog": (62, {}),
}


@pytest.mark.parametrize("name", READABLE)
def test_what_is_whole_is_replayed(corpus: Path, name: str) -> None:
    steps, problems = READABLE[name]
    module = open_module(corpus / "engine-written" / "drill-1-red" / "drill.vmod")
    history = replay_log(read_save(corpus / "damaged" / name), module)
    assert sum(step.engine_number is not None for step in history.steps) == steps
    assert len(history.opening.pieces) == 22
    assert Counter(p.code for s in history.steps for p in s.problems) == problems
    for step in history.steps:  # nothing that is told lazily fails later
        assert all(change.before or change.after for change in step.changes)
        assert all(change.before or change.after for change in step.stacks)
    assert len(history.end.pieces) >= 20
    assert {piece.name for piece in history.end.pieces.values()}


def test_commands_short_of_fields_and_logs_within_logs(corpus: Path) -> None:
    """VASSAL refuses these two; the reader keeps what is unreadable as text and says so."""
    for name in ("short-fields.vlog", "log-in-log.vlog"):
        history = replay_log(read_save(corpus / "damaged" / name))
        assert len(history.steps) >= 62
        assert any(p.code in ("short-command", "log-in-log") for p in history.problems)


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
