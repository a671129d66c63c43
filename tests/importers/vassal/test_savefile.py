"""Saves and logs from file to steps: whole, wrapped in every way, and damaged."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import Chat, Player, Unknown, decode_command
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import zip_bytes
from vassal_umpire.model.problem import Unreadable


def test_a_log_of_the_engine_of_whose_text_nothing_shows_in_repr(data: Path) -> None:
    save = read_save(data / "drill-1-red.vlog")
    assert (save.kind, save.encoding) == ("log", "vcsk")
    assert save.vassal_version == "3.8.0-SNAPSHOT"
    assert save.moduledata is not None
    assert (save.moduledata.name, save.moduledata.version) == ("Drill", "1.0")
    assert len(save.steps) == save.steps[-1].engine_number == 62
    assert (save.opening[0], save.opening[-1]) == ("begin_save", "end_save")
    assert sum(text.startswith("+/") for text in save.opening) > 22
    assert save.problems == ()
    kinds = {type(command) for step in save.steps for command in step.commands()}
    assert Chat in kinds
    assert Unknown not in kinds
    players = [c for c in map(decode_command, save.opening) if isinstance(c, Player)]
    assert players
    for player in players:
        assert player.id not in repr(save)
        assert player.id not in repr(save.steps[3])


@pytest.mark.parametrize(
    "name",
    [
        "plain", "not-zipped", "not-zipped-vcsk", "savedgame-last", "stored", "vcsk-key00",
        "vcsk-key7f", "vcsk-upper", "vobs", "vobs-key-ff", "xz",
    ],
)  # fmt: skip
def test_all_wrappings_hold_the_same_game(name: str, corpus: Path, data: Path) -> None:
    save = read_save(corpus / "engine-written" / "encodings" / f"{name}.vlog")
    whole = read_save(data / "drill-1-red.vlog")
    assert save.text == whole.text
    assert save.steps == whole.steps
    assert {p.code for p in save.problems} == ({"no-zip"} if "not-zipped" in name else set())


# file: (steps, the number VASSAL shows for the last one, problems)
READ_WITH_PROBLEMS = {
    "control-chars": (63, 63, {}),
    "deep-commands": (63, 63, {}),
    "deep-traits": (63, 63, {}),
    "huge-numbers": (65, 65, {}),
    "invalid-utf8": (62, 62, {"invalid-utf8": 1}),
    "log-in-log": (63, None, {"log-in-log": 1}),
    "long-chat": (63, 63, {}),
    "moduledata-bad-xml": (62, 62, {"metadata-unreadable": 1}),
    "moduledata-entity": (62, 62, {"metadata-unreadable": 1}),
    "no-begin-save": (62, 62, {"no-begin-save": 1}),
    "no-end-save": (62, 62, {"no-end-save": 1}),
    "no-moduledata": (62, 62, {"no-metadata": 1}),
    "no-savedata": (62, 62, {"no-metadata": 1}),
    "short-fields": (70, 63, {"short-command": 7, "text-cut-short": 1}),
    "truncated-savedgame": (15, 15, {"text-cut-short": 1}),
    "two-savedgames": (62, 62, {"duplicate-entry": 1}),
    "undo-unbalanced": (64, 64, {"unbalanced-undo": 1}),
    "unknown-command": (64, 63, {"unknown-command": 2}),
    "unknown-id": (67, 66, {"unknown-command": 1}),
    "wrong-module": (62, 62, {}),
    "zip-slip": (62, 62, {"entry-leaves-folder": 1}),
}
OF_STEPS = {
    "truncated-savedgame": {"short-state": 1},
    "unknown-id": {"unknown-piece": 3},
    "huge-numbers": {"no-number": 3},
}
"""What the steps of these are told to have wrong."""


@pytest.fixture(scope="module")
def drilled(corpus: Path) -> Module:
    return open_module(corpus / "engine-written" / "drill-1-red" / "drill.vmod")


@pytest.mark.parametrize("name", READ_WITH_PROBLEMS)
def test_damaged_but_readable(name: str, corpus: Path, drilled: Module) -> None:
    """Replayed, too, as far as it goes."""
    steps, last, expected = READ_WITH_PROBLEMS[name]
    save = read_save(corpus / "damaged" / f"{name}.vlog")
    found: dict[str, int] = {}
    for problem in save.problems:
        found[problem.code] = found.get(problem.code, 0) + problem.count
        assert "\n" not in str(problem)
    assert (len(save.steps), save.steps[-1].engine_number, found) == (steps, last, expected)
    history = replay_log(save, drilled)
    codes = Counter(p.code for step in history.steps for p in step.problems)
    assert codes == OF_STEPS.get(name, {}) or name == "short-fields"  # which VASSAL refuses
    assert len(history.opening.pieces) == 22
    for step in history.steps:  # nothing that is told lazily fails later
        assert all(change.before or change.after for change in (*step.changes, *step.stacks))
    assert len([piece.name for piece in history.end.pieces.values()]) >= 20


def test_a_bomb_takes_bounded_memory(corpus: Path) -> None:
    tracemalloc.start()
    with pytest.raises(Unreadable):
        read_save(corpus / "damaged" / "zip-bomb.vlog")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 48 * 1024 * 1024


def bare(*groups: str) -> bytes:
    return "\x1b".join(groups).encode()


def test_a_bare_text_may_end_with_a_line_break() -> None:
    save = read_save(bare("begin_save", "CHATa", "end_save") + b"\r\n")
    assert save.opening[-1] == "end_save"
    assert save.text.endswith("end_save\r\n")
    assert [problem.code for problem in save.problems] == ["no-zip"]


def test_versions_from_before_the_metadata() -> None:
    save = read_save(bare("begin_save", "CHECK\trunningVassalVersion<2.9.8\tALERT", "end_save"))
    assert save.vassal_version == "2.9.8"
    assert save.kind == "save"


def test_unknown_commands_are_named_without_their_fields() -> None:
    save = read_save(bare("begin_save", "end_save", "LOG\tPLAYER\tsecret", "LOG\tNEW secret"))
    texts = [str(problem) for problem in save.problems]
    assert any("'PLAYER'" in text and "step 1" in text for text in texts)
    assert any("'NEW'" in text and "step 2" in text for text in texts)
    assert not any("secret" in text for text in texts)


def test_an_archive_that_is_no_game() -> None:
    with pytest.raises(
        Unreadable, match=r"x\.vmod: there is no entry savedGame: this is neither a save nor a log"
    ):
        read_save(open_archive(zip_bytes({"buildFile.xml": b"<a/>"}), where="x.vmod"))


@pytest.mark.parametrize(
    ("cut_short", "steps"),
    [
        (True, ["+/1/mark;A\tpiece;;;;X/v"]),
        (True, ["D/1/a\tM;1/a"]),
        (True, ["D/1/a"]),
        (True, ["M/1/A/1/2/null/A/1/2/null/me", "M/1/A/1/2/null/A/1/2/null"]),
        (True, ["M/1/A/1"]),
        (True, ["LOG"]),
        (False, ["PLA"]),  # looks like a command of the module's own, and is reported as such
        (False, ["D/1/a\tM;1;1/a\tM;2;2"]),
        (False, ["D/1/a\tM;1;1"]),
        (False, ["M/1/A/1/2/null/A/1/2/null", "M/1/A/1/2/null/A/1/2/null"]),
        (False, ["CHATfar from"]),
        (False, ["HAKA:red;3;H"]),
    ],
)
def test_a_text_cut_inside_a_command(cut_short: bool, steps: list[str]) -> None:
    opening = ["begin_save", "+/1/mark;A\tpiece;;;;X/v\tM;2;2", "end_save"]
    save = read_save(bare(*opening, *(f"LOG\t{step}" for step in steps)))
    assert ("text-cut-short" in {problem.code for problem in save.problems}) == cut_short


def test_nesting_past_the_limit_names_the_file(data: Path) -> None:
    text = read_save(data / "drill-1-red.vlog").text
    limits = Limits(nesting=1)
    with pytest.raises(Unreadable, match=r"deep\.vlog: commands are nested more than 1 deep"):
        read_save(open_archive(encode(text, "vcsk", 3), limits, "deep.vlog"), limits)


DRILL = (Path(__file__).parent / "data" / "drill-1-red.vlog").read_bytes()
DRILL_TEXT = read_save(DRILL).text


@examples(120)
@given(st.integers(0, len(DRILL) - 1), st.integers(0, 40), st.binary(max_size=8))
def test_a_damaged_file_is_read_or_refused(at: int, cut: int, put: bytes) -> None:
    says = ""
    try:
        read_save(DRILL[:at] + put + DRILL[at + cut :])
    except Unreadable as error:
        says = str(error)
    assert "\n" not in says


@examples(120)
@given(
    st.integers(0, len(DRILL_TEXT) - 1),
    st.integers(0, 40),
    st.text(alphabet="\x1b\\\t/;'LOG+DM1", max_size=8),
)
def test_a_damaged_text_is_read(at: int, cut: int, put: str) -> None:
    text = DRILL_TEXT[:at] + put + DRILL_TEXT[at + cut :]
    save = read_save(b"begin_save\x1b" + text.encode())
    assert save.text.endswith(text)
    for step in save.steps:
        assert list(step.commands())
