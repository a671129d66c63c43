"""Damaged logs are replayed as far as they go, and what is wrong is said."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save

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
