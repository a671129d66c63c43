"""``umpire show``, ``inspect`` and ``convert`` on real files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result
from vassal_umpire.importers.vassal.commands import AddPiece, encode_stream
from vassal_umpire.importers.vassal.writer import write_save
from vassal_umpire.plugin.commands.schema import schema_text
from vassal_umpire.plugin.narrative import KINDS
from vassal_umpire.plugin.step_text import readable_report, sentences

from . import kit


@pytest.fixture
def drill(corpus: Path) -> Path:
    return corpus / "engine-written" / "drill-1-red" / "drill-1-red.vlog"


def show(*arguments: str | Path) -> str:
    result = kit.umpire("show", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def told(*arguments: str | Path) -> list[dict]:
    return [json.loads(line) for line in show(*arguments, "--format", "jsonl").splitlines()]


def test_the_narrative_tells_all_in_80_columns(drill: Path, corpus: Path) -> None:
    text = show(drill)
    assert "Log 1: drill-1-red.vlog\n  Drill 1.0, VASSAL 3.8.0-SNAPSHOT, 62 steps\n" in text
    assert "\n== Turn 1 Red Move ==\n" in text
    assert re.search(r"^ {3}13 {2}Red \(Rita\) +Red Arm 1: 0406 → 0405$", text, re.MULTILINE)
    assert re.search(r"^ {3}14 {2}Red \(Rita\) \? +Red Arm 1: MP 6 → 5$", text, re.MULTILINE)
    assert re.search(r"^ {3}30 .* dice 2d6: 6 \(Rita\)$", text, re.MULTILINE)
    assert "<Rita> - fire: ärger über Höhe 112" in text
    # Step 33 takes step 32 back, which put a unit on the dead pile.
    assert re.search(r"^ {3}32 .*\[taken back in step 33\]$", text, re.MULTILINE)
    assert re.search(r"^ {3}33 .*\[takes step 32 back\]$", text, re.MULTILINE)
    sights = [c["after"] for p in told(drill) for c in p.get("changes", ()) if c["what"] == "sight"]
    assert sights[:2] == ["out of sight", "in sight"]  # step 2 hides a unit, step 6 shows it again
    clean = {part.get("step") for part in told(drill, "--clean")}
    assert not {32, 33, 36, 37} & clean
    assert {31, 34, 38} <= clean
    text = show(drill, "--format", "markdown")
    assert text.startswith("## Log 1: drill-1-red.vlog\n")
    assert "- **13** Red (Rita): Red Arm 1: 0406 → 0405\n" in text
    assert r"*\<Rita\> - turn 1, red*" in text
    for log in (drill, corpus / "tld" / "game" / "0607-1.log"):
        assert max(len(line) for line in show(log).splitlines()) <= 80


@pytest.mark.parametrize("kind", ["moves", "dice", "chat", "changes", "turns"])
def test_only_one_kind(drill: Path, kind: str) -> None:
    every = [p for p in told(drill) if p["kind"] == "step"]
    only = [p for p in told(drill, "--only", kind) if p["kind"] == "step"]
    assert [p[kind] for p in only] == [p[kind] for p in every if p[kind]]
    for part in only:
        others = {"moves", "dice", "chat", "changes", "turns", "globals"} - {kind}
        assert not any(part[other] for other in others)


def test_what_is_odd_in_a_log_does_not_disturb_the_terminal(corpus: Path) -> None:
    for form in ("text", "markdown", "jsonl"):
        text = show(corpus / "damaged" / "control-chars.vlog", "--format", form)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\ufeff]", text)
    text = show(corpus / "damaged" / "long-chat.vlog")
    assert max(len(line) for line in text.splitlines()) <= 80
    assert re.search(r"… \(5,[0-9]{3},[0-9]{3} more characters\)", " ".join(text.split()))
    assert "'Another Game' was not found" in show(corpus / "damaged" / "wrong-module.vlog")


def test_logs_are_told_in_order(drill: Path, tmp_path: Path, corpus: Path) -> None:
    """The second does not exist; all of the first is printed nevertheless."""
    result = kit.umpire("show", drill, tmp_path / "none.vlog")
    assert result.exit_code == 2
    assert "   62  Red (Rita)" in result.stdout
    assert result.stderr.count("\n") == 1
    logs = [corpus / "engine-written" / n / f"{n}.vlog" for n in ("drill-1-red", "drill-2-blue")]
    parts = told(*logs)
    assert [p["file"] for p in parts if p["kind"] == "log"] == [log.name for log in logs]
    assert [p["log"] for p in parts] == sorted(p["log"] for p in parts)
    assert "'weather' is none of moves" in kit.refused("show", drill, "--only", "moves,weather")


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
def test_what_is_written_for_the_chat_window_is_left_out(kind: str, text: str, told: str) -> None:
    line = {"kind": kind, "text": text, "author": ""}
    assert readable_report(line) == told
    step = {k: [] for k in (*KINDS, "problems")} | {"undo": None, "taken_back_by": None}
    step["chat"] = [line]
    assert [said for _, said in sentences(step)] == ([told] if told else [])
    assert [said for _, said in sentences(step, verbose=True)] == [text]


def inspect(path: Path, *options: str) -> str:
    result = kit.umpire("inspect", path, *options)
    assert result.exit_code == 0, result.output
    return result.stdout


def found(path: Path, *options: str) -> dict:
    return json.loads(inspect(path, "--format", "json", *options))


@pytest.mark.each_corpus_file("**/*.vmod", "**/*.mod", "**/*.vmdx")
def test_every_module_is_told_or_refused_in_one_line(path: Path) -> None:
    result = kit.umpire("inspect", path)
    assert result.exit_code in (0, 2)
    if result.exit_code == 2:
        assert result.stderr.startswith("umpire: ")
        assert result.stderr.count("\n") == 1
        return
    # A word of the file's own may be longer than the line; nothing else is.
    assert all(len(line) <= 80 or " " not in line.strip() for line in result.stdout.splitlines())
    data = kit.umpire("inspect", path, "--format", "json")
    jsonschema.validate(json.loads(data.stdout), json.loads(schema_text("inspection")))


def test_a_module_says_what_it_holds_and_limits_can_be_raised(corpus: Path) -> None:
    module = found(corpus / "tld" / "TheLongestDay-3.0b6.vmod")
    assert (module["kind"], module["title"]) == ("module", "The Longest Day")
    assert module["sides"] == ["Allies", "Germans"]
    board = module["maps"][0]["boards"][0]
    assert (board["name"], board["width"], board["height"]) == ("Normandy", 5340, 5024)
    assert board["grid"]["kind"] == "ZonedGrid"
    assert module["custom_components"] == [{"class": "wga.Refresher", "count": 1}]
    assert len(module["prototypes"]) == 10
    text = inspect(corpus / "engine-written" / "drill-1-red" / "drill.vmod")
    assert "Drill (module)" in text
    turns = "Turn (TurnNo, Phase: Red Move, Red Fire, Blue Move, Blue Fire)"
    assert turns in " ".join(text.split())
    assert "1100 × 900" in text
    codes = {p["code"] for p in found(corpus / "damaged" / "two-savedgames.vlog")["problems"]}
    assert "duplicate-entry" in codes
    bomb = str(corpus / "damaged" / "zip-bomb.vlog")
    assert "limit" in kit.refused("inspect", bomb)
    drill = str(corpus / "engine-written" / "drill-1-red" / "drill-1-red.vlog")
    kit.refused("inspect", drill, "--max-size", "10K")
    kit.refused("inspect", drill, "--max-entries", "1")
    kit.refused("inspect", drill, "--max-size", "ten")
    kit.done("inspect", drill, "--max-size", "1M")


@pytest.mark.parametrize(
    ("file", "pieces", "steps", "moves"),
    [
        # numbers of the engine's own replay
        ("tld/game/0606-1.log", 2336, 1091, 654),
        ("tld/game/0609-4.log", 2330, 253, 78),
        ("bloodbowl/testlog@85bce4c6.vlog", 22, 6, 4),
        ("ccn/B001 - Rolica1.vsav", 311, 0, 0),
        ("engine-written/drill-1-red/drill-1-red.vlog", 22, 62, None),
    ],
)
def test_numbers(corpus: Path, file: str, pieces: int, steps: int, moves: int | None) -> None:
    log = found(corpus / file, "--director")
    assert (log["pieces"], log["steps"]) == (pieces, steps)
    if moves is not None:
        assert log["moves"] == moves
    jsonschema.validate(log, json.loads(schema_text("inspection")))


def test_names_that_are_not_known_are_counted(tmp_path: Path) -> None:
    label = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text"
    added = AddPiece("a", f"{label}\tpiece;;;;Tank", "{1 + 1}\tMap;10;10;1;0")
    write_save(tmp_path / "game.vsav", encode_stream([added]))
    problems = found(tmp_path / "game.vsav")["problems"]
    (message,) = (p["message"] for p in problems if p["code"] == "names-not-known")
    assert message.startswith("1 name of pieces at the opening")


def convert(*arguments: str | Path) -> Result:
    return kit.umpire("convert", *arguments)


def test_a_log_and_a_module_alone_become_documents(drill: Path, tmp_path: Path) -> None:
    output = tmp_path / "game.json"
    result = convert(drill, "-o", output)
    assert (result.exit_code, result.output) == (0, "")
    found = json.loads(output.read_text(encoding="utf-8"))
    jsonschema.validate(found, json.loads(schema_text("analysis")))
    assert len(found["table"]["logs"][0]["steps"]) == 62
    assert found["module"]["name"] == "Drill"
    assert [s["kind"] for s in found["sources"]] == ["log", "module"]
    assert found.pop("seal").startswith("vassal-umpire seal ")
    assert json.loads(convert(drill, "-o", "-").stdout) == found
    output = tmp_path / "module.json"
    kit.done("convert", drill.with_name("drill.vmod"), "-o", output)
    found = json.loads(output.read_text(encoding="utf-8"))
    assert "table" not in found
    assert len(found["module"]["slots"]) == 24


@pytest.mark.parametrize(
    "options",
    [
        ("--to", "jsonl", "-o", "-"),
        ("--facts", "f.toml", "-o", "x.json"),
        ("--to", "xml", "-o", "x"),
        (),
    ],
)
def test_bad_usage(drill: Path, options: tuple[str, ...]) -> None:
    kit.refused("convert", drill, *options)
