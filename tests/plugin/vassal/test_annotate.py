"""``umpire annotate``: the same game, with the umpire's remarks between its steps."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image
from vassal_umpire import __version__
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    Chat,
    decode_command,
    encode_stream,
    read_text,
)
from vassal_umpire.importers.vassal.pieces import decode_piece
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.importers.vassal.traits.catalogue import Labeler
from vassal_umpire.plugin.vassal.annotation import COLOURS, Flag, insert_steps
from vassal_umpire.plugin.vassal.extension import FLAGS, REPORT_FILE, report_html

from .. import kit
from ..kit import CROSSROADS, LOGS, MODULE, PACK, done, refused, report_of

REMARK = re.compile(r"LOG\t(?:CHAT)?- umpire: |LOG\t[+-]/[0-9]+")


def groups(text: str) -> list[str]:
    return re.split(r"(?<!\\)\x1b", text)


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> tuple[SaveFile, SaveFile]:
    folder = tmp_path_factory.mktemp("annotated")
    done("annotate", *LOGS, "-o", folder)
    one, two = (read_save(folder / f"turn-{n}-annotated.vlog") for n in (1, 2))
    return one, two


def said(copy: SaveFile) -> list[str]:
    lines = [c.text for s in copy.steps for c in s.commands() if isinstance(c, Chat)]
    return [line for line in lines if line.startswith("- umpire: ")]


def test_it_is_the_same_game_and_its_steps_stay_byte_for_byte(copies: tuple[SaveFile, ...]) -> None:
    for log, copy in zip(LOGS, copies, strict=True):
        old, new = groups(read_save(log).text), groups(copy.text)
        added = [group for group in new if REMARK.match(group)]
        assert len(new) == len(old) + len(added)
        assert [group for group in new if not REMARK.match(group)] == old
    module = open_module(MODULE)
    for log, copy in zip(LOGS, copies, strict=True):
        old, new = replay_log(read_save(log), module), replay_log(copy, module)
        theirs = {i: p for i, p in new.end.pieces.items() if p.basic_name != "umpire's flag"}
        assert theirs == old.end.pieces
        assert new.end.stacks == old.end.stacks
        assert [p for p in new.problems if p.severity != "note"] == [
            p for p in old.problems if p.severity != "note"
        ]


def test_every_judged_move_gets_its_verdict_bill_and_clause(copies: tuple[SaveFile, ...]) -> None:
    told = report_of(*LOGS)
    lines = [line for copy in copies for line in said(copy)]
    for move in told["moves"]:
        (line,) = (
            text
            for text in lines
            if text.startswith(
                f"- umpire: {', '.join(u['name'] for u in move['units'])} {move['from']['name']} →"
            )
            and f" {move['to']['name']}" in text
        )
        assert f": {move['verdict']}" in line
        for charge in move["bill"]["charges"]:
            assert charge["clause"] in line
    for finding in told["findings"]:
        shown = any(finding["code"] in line for line in lines)
        assert shown == (finding["kind"] != "note")


def test_flags_stand_on_each_finding_until_the_phase_is_over(copies: tuple[SaveFile, ...]) -> None:
    module = open_module(MODULE)
    history = replay_log(copies[0], module)
    up: dict[str, str] = {}
    most: dict[str, str] = {}
    for step in history.steps:
        for change in step.changes:
            if change.after is not None and change.after.basic_name == "umpire's flag":
                up[change.id] = change.after.location
            elif change.after is None:
                up.pop(change.id, None)
        most |= up
        if step.turns:
            assert up == {}
    assert sorted(most.values()) == ["0110", "0505", "0707", "0808"]


def test_the_copy_says_what_it_is_and_who_vouches(copies: tuple[SaveFile, ...]) -> None:
    assert copies[0].savedata is not None
    assert "Annotated by vassal-umpire" in copies[0].savedata.description
    assert read_save(LOGS[0]).sha256 in copies[0].savedata.description
    assert "annotated copy" in said(copies[0])[0]
    stderr = done("annotate", "--help")
    assert "passwords" in stderr
    vouches = "vouched for by the makers of vassal-umpire (the pack's own claim)"
    for copy in copies:
        assert said(copy)[1] == f"- umpire: pack: crossroads 1.0, {vouches}"


def plain(report: dict[str, Any]) -> list[object]:
    told = ("units", "from", "to", "verdict", "bill", "phase")
    return [tuple(move[key] for key in told) for move in report["moves"]]


@pytest.mark.ci
def test_audited_again_the_copy_gives_the_same_verdicts(tmp_path: Path) -> None:
    done("annotate", *LOGS, "-o", tmp_path)
    again = [tmp_path / f"turn-{n}-annotated.vlog" for n in (1, 2)]
    first = report_of(*LOGS)
    second = report_of(*again, "--module", MODULE, "--pack", PACK)
    assert plain(second) == plain(first)
    assert [f["code"] for f in second["findings"]] == [f["code"] for f in first["findings"]]


def test_the_last_log_is_annotated_alike(tmp_path: Path, copies: tuple[SaveFile, ...]) -> None:
    out = tmp_path / "copy.vlog"
    done("annotate", *LOGS, "-o", out)
    assert read_save(out).text == copies[1].text
    one, two = tmp_path / "1.vlog", tmp_path / "2.vlog"
    for out in (one, two):
        done("annotate", LOGS[0], "-o", out)
    assert one.read_bytes() == two.read_bytes()


def test_an_analysis_document_is_not_annotated(tmp_path: Path) -> None:
    document, out = tmp_path / "game.json", tmp_path / "x.vlog"
    done("convert", LOGS[0], "--pack", PACK, "-o", document)
    assert "only a log of VASSAL can be annotated" in refused("annotate", document, "-o", out)
    assert not out.exists()


def test_flags_say_what_was_found_stack_with_nothing_and_can_be_read() -> None:
    command = Flag("77", "Main Map", 120, 80, "overstack X", "overstack").raised()
    piece = decode_piece(command.type, command.state)
    assert (piece.base.map, piece.base.x, piece.base.y) == ("Main Map", 120, 80)
    (label,) = (t for t in piece.traits if isinstance(t, Labeler))
    assert (label.label, label.background) == ("overstack X", COLOURS["overstack"])
    (fixed,) = (t for t in piece.traits if not isinstance(t, Labeler))
    assert fixed.stack == "R"
    command = Flag("77", "Main Map", 1, 2, "x", "unverifiable").raised()
    text = encode_stream([], [[command]])
    (step,) = read(text)
    assert decode_command(step.leaves[0]) == command
    assert isinstance(decode_command(step.leaves[0]), AddPiece)


texts = st.text(st.sampled_from("ab'\\\t/;,\x1b"), max_size=12).map(lambda text: "CHAT" + text)


@given(
    opening=st.lists(texts, max_size=3),
    steps=st.lists(st.lists(texts, min_size=1, max_size=3), min_size=1, max_size=5),
    after=st.dictionaries(st.integers(0, 6), st.lists(texts, min_size=1, max_size=2), max_size=3),
)
def test_what_is_inserted_can_be_read_and_the_rest_is_untouched(
    opening: list[str], steps: list[list[str]], after: dict[int, list[str]]
) -> None:
    text = encode_stream(opening, steps)
    if text.endswith("\\"):
        return  # what no writer can set apart from what follows
    added = {n: [[Chat("new"), Chat("é ~ |")]] for n in after}
    annotated = insert_steps(text, added, where="x", max_nesting=50)
    new, old = groups(annotated), groups(text)
    ours = [g for g in new if g.startswith("LOG\tCHATnew")]
    assert len(ours) == len(added)
    assert [g for g in new if g not in ours] == old
    before = [leaves.leaves for leaves in read(text)]
    found = [leaves.leaves for leaves in read(annotated)]
    assert [step for step in found if step != ("CHATnew", "CHATé ~ |")] == before
    for number in added:
        position = min(number, len(before)) + sum(1 for other in added if other < number)
        assert found[position] == ("CHATnew", "CHATé ~ |")


def read(text: str) -> tuple[Any, ...]:
    return read_text(text).steps


# -- umpire extension -------------------------------------------------------------------------------


REPORT = CROSSROADS / "expected-report.json"


def entries(path: Path) -> dict[str, bytes]:
    with open_archive(path) as archive:
        return {name: archive.read(name) for name in archive.names}


def test_it_brings_a_slot_and_a_picture_for_each_flag(tmp_path: Path) -> None:
    out = tmp_path / "flags.vmdx"
    kit.done("extension", MODULE, "-o", out)
    together = open_module(MODULE, [out])
    alone = open_module(MODULE)
    added = together.slots[len(alone.slots) :]
    assert [slot.gpid for slot in added] == ["umpire:1", "umpire:2", "umpire:3"]
    assert together.problems == alone.problems
    found = entries(out)
    assert REPORT_FILE not in found
    for name in FLAGS:
        picture = Image.open(BytesIO(found[f"images/umpire-{name}.png"]))
        assert picture.size == (36, 36)
        assert any(f"umpire-{name}.png" in slot.type for slot in added)
    assert found["moduledata"] == entries(MODULE)["moduledata"]
    before = MODULE.read_bytes()
    assert "never written to" in kit.refused("extension", MODULE, "-o", MODULE)
    assert MODULE.read_bytes() == before


def test_it_says_what_made_it_changes_nothing_else_and_is_the_same_again(tmp_path: Path) -> None:
    out, again = tmp_path / "report.vmdx", tmp_path / "again.vmdx"
    for one in (out, again):
        kit.done("extension", MODULE, "--report", REPORT, "-o", one)
    assert out.read_bytes() == again.read_bytes()
    together, alone = open_module(MODULE, [out]), open_module(MODULE)
    for what in ("maps", "prototypes", "sides", "turn_trackers", "global_properties", "dice"):
        assert getattr(together, what) == getattr(alone, what)
    found = entries(out)
    text = text_of(found[REPORT_FILE].decode("utf-8"))
    made = f"vassal-umpire {__version__}"
    credit = f" by {made}; put into this window by {made}, for the module Crossroads 1.0."
    assert text.rpartition("Audited")[2] == credit
    described = f"The umpire's flags, and his report ({made}, for Crossroads 1.0)"
    build = etree.fromstring(found["buildFile.xml"])
    assert build.get("description") == described
    assert etree.fromstring(found["extensiondata"]).findtext("description") == described


def parsed(page: str) -> etree._Element:
    """The page, whose tags are all closed but for those that stand alone."""
    return etree.fromstring(re.sub("<([hb]r)>", r"<\1/>", page))


def text_of(page: str) -> str:
    return " ".join("".join(parsed(page).itertext()).split())


def told() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(REPORT.read_text("utf-8"))
    return loaded


def test_the_report_is_shown_in_html_of_old_and_text_is_no_markup() -> None:
    page = report_html(told(), "Crossroads 1.0")
    tags = {one.tag for one in parsed(page).iter()}
    assert not tags & {"script", "style", "svg", "img", "link", "section", "span"}
    text = text_of(page)
    for finding in told()["findings"]:
        shown = finding["explanation"] in text
        assert shown == (finding["kind"] not in ("note", "unverifiable"))
    assert "short by 2 MP" in text
    halved = told()
    halved["findings"][3]["bill"] |= {"allowance": {"lo": "7/2", "hi": 4}, "shortfall": "5/2"}
    assert "of 3½ to 4; short by 2½ MP" in text_of(report_html(halved, ""))
    assert told()["sources"][0]["sha256"] in text
    wicked = told()
    wicked["title"] = wicked["findings"][1]["explanation"] = "<script>x</script>"
    assert "<script" not in report_html(wicked, "<script>y</script>")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[1]", "is not a report"),
        ('{"format": "else"}', "is not a report"),
        ('{"format": "vassal-umpire report", "version": 9}', "version 1"),
        (
            '{"format": "vassal-umpire report", "version": 1}',
            "umpire: r.json: expected the key umpire (",
        ),
        ('{"format": "vassal-umpire report", "version": 1}', "); found nothing (and "),
        (REPORT.read_text("utf-8").replace('"hi": 6', '"hi": "6/0"'), 'found "6/0"'),
        (REPORT.read_text("utf-8").replace('"hi": 6', f'"hi": "{"6" * 9000}/5"'), 'found "66666'),
    ],
    ids=lambda told: told[-30:],
)
def test_what_is_no_report_is_said_in_a_line(tmp_path: Path, text: str, said: str) -> None:
    report, out = tmp_path / "r.json", tmp_path / "x.vmdx"
    report.write_text(text, "utf-8")
    error = kit.refused("extension", MODULE, "--report", report, "-o", out)
    assert said in error
    assert len(error.strip().splitlines()) == 1
    assert not out.exists()
    assert "cannot be read" in kit.refused("extension", MODULE, "--report", tmp_path, "-o", out)
