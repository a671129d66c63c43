"""``umpire show`` on logs of the real engine."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.narrative import KINDS
from vassal_umpire.plugin.step_text import readable_report, sentences


@pytest.fixture
def drill(corpus: Path) -> Path:
    return corpus / "engine-written" / "drill-1-red" / "drill-1-red.vlog"


def show(*arguments: str | Path) -> str:
    result = CliRunner().invoke(main, ["show", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def told(*arguments: str | Path) -> list[dict]:
    return [json.loads(line) for line in show(*arguments, "--format", "jsonl").splitlines()]


def engine_steps(log: Path) -> list[dict]:
    """The engine's own answers for a log."""
    answers = log.with_name(log.name + ".replay.jsonl.gz")
    if not answers.exists():
        answers = log.parent / f"{log.stem}.replay.jsonl.gz"
    with gzip.open(answers, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if "step" in row]


def test_what_the_director_is_told_is_what_the_engine_did(drill: Path) -> None:
    """Every new place of a piece, step by step, by the engine's own location name."""
    steps = {part["step"]: part for part in told(drill, "--director") if part["kind"] == "step"}
    compared = 0
    for row in engine_steps(drill):
        places = {piece["id"]: piece["loc"] for piece in row.get("changed", ())}
        for move in steps.get(row["step"], {"moves": []})["moves"]:
            if move["to"] is not None and move["to"]["location"]:
                assert places[move["piece"]] == move["to"]["location"]
                compared += 1
    assert compared >= 20


def test_the_narrative_names_step_player_turn_and_places(drill: Path) -> None:
    text = show(drill)
    assert "Log 1: drill-1-red.vlog\n  Drill 1.0, VASSAL 3.8.0-SNAPSHOT, 62 steps\n" in text
    assert "\n== Turn 1 Red Move ==\n" in text
    assert re.search(r"^ {3}13 {2}Red \(Rita\) +Red Arm 1: 0406 → 0405$", text, re.MULTILINE)
    assert re.search(r"^ {3}14 {2}Red \(Rita\) \? +Red Arm 1: MP 6 → 5$", text, re.MULTILINE)
    assert re.search(r"^ {3}30 .* dice 2d6: 6 \(Rita\)$", text, re.MULTILINE)
    assert "<Rita> - fire: ärger über Höhe 112" in text


def test_take_backs_are_marked_or_left_out(drill: Path) -> None:
    """Step 33 takes step 32 back, which put a unit on the dead pile."""
    text = show(drill)
    assert re.search(r"^ {3}32 .*\[taken back in step 33\]$", text, re.MULTILINE)
    assert re.search(r"^ {3}33 .*\[takes step 32 back\]$", text, re.MULTILINE)
    clean = {part.get("step") for part in told(drill, "--clean")}
    assert not {32, 33, 36, 37} & clean
    assert {31, 34, 38} <= clean


@pytest.mark.parametrize("kind", ["moves", "dice", "chat", "changes", "turns"])
def test_only_one_kind(drill: Path, kind: str) -> None:
    every = [p for p in told(drill) if p["kind"] == "step"]
    only = [p for p in told(drill, "--only", kind) if p["kind"] == "step"]
    assert [p[kind] for p in only] == [p[kind] for p in every if p[kind]]
    for part in only:
        others = {"moves", "dice", "chat", "changes", "turns", "globals"} - {kind}
        assert not any(part[other] for other in others)


def test_an_unknown_kind_is_refused(drill: Path, runner: CliRunner) -> None:
    result = runner.invoke(main, ["show", str(drill), "--only", "moves,weather"])
    assert result.exit_code == 2
    assert "'weather' is none of moves" in result.stderr


def test_several_logs_are_told_in_the_order_given(corpus: Path) -> None:
    logs = [corpus / "engine-written" / n / f"{n}.vlog" for n in ("drill-1-red", "drill-2-blue")]
    parts = told(*logs)
    assert [p["file"] for p in parts if p["kind"] == "log"] == [log.name for log in logs]
    assert [p["log"] for p in parts] == sorted(p["log"] for p in parts)


def test_markdown(drill: Path) -> None:
    text = show(drill, "--format", "markdown")
    assert text.startswith("## Log 1: drill-1-red.vlog\n")
    assert "- **13** Red (Rita): Red Arm 1: 0406 → 0405\n" in text
    assert r"*\<Rita\> - turn 1, red*" in text


def test_chat_cannot_disturb_the_terminal(corpus: Path) -> None:
    for form in ("text", "markdown", "jsonl"):
        text = show(corpus / "damaged" / "control-chars.vlog", "--format", form)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\ufeff]", text)


def test_a_very_long_line_is_cut(corpus: Path) -> None:
    text = show(corpus / "damaged" / "long-chat.vlog")
    assert max(len(line) for line in text.splitlines()) <= 80
    assert re.search(r"… \(5,[0-9]{3},[0-9]{3} more characters\)", " ".join(text.split()))


def test_a_log_of_another_module_is_told_with_a_warning(corpus: Path) -> None:
    assert "'Another Game' was not found" in show(corpus / "damaged" / "wrong-module.vlog")


def test_the_first_log_is_told_before_the_second_is_read(drill: Path, tmp_path: Path) -> None:
    """The second does not exist; all of the first is printed nevertheless."""
    result = CliRunner().invoke(main, ["show", str(drill), str(tmp_path / "none.vlog")])
    assert result.exit_code == 2
    assert "   62  Red (Rita)" in result.stdout
    assert result.stderr.count("\n") == 1


def test_the_text_keeps_to_80_columns(drill: Path, corpus: Path) -> None:
    for log in (drill, corpus / "tld" / "game" / "0607-1.log"):
        assert max(len(line) for line in show(log).splitlines()) <= 80


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("report", "* <b>Red Inf</b> fires <br/>", "* Red Inf fires "),
        ("report", "*|<font color='red'>Red Inf</font> fires", "*Red Inf fires"),
        ("report", "*! alarm", "*alarm"),
        ("report", "* <hr> *", ""),
        ("report", "*  *", ""),
        ("report", "* 3 < 5 > 2 and a <word>", "* 3 < 5 > 2 and a <word>"),
        ("player", "<Ann> - <b>hello</b>", "<Ann> - <b>hello</b>"),
        ("player", "| - |", "| - |"),
    ],
)
def test_what_modules_write_for_the_chat_window_is_left_out(
    kind: str, text: str, told: str
) -> None:
    line = {"kind": kind, "text": text, "author": ""}
    assert readable_report(line) == told
    step = {k: [] for k in (*KINDS, "problems")} | {"undo": None, "taken_back_by": None}
    step["chat"] = [line]
    assert [said for _, said in sentences(step)] == ([told] if told else [])
    assert [said for _, said in sentences(step, verbose=True)] == [text]
