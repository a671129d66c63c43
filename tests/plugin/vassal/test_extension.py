"""``umpire extension``: flags and a report for VASSAL (that VASSAL loads it, tests/engine shows)."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from PIL import Image
from vassal_umpire import __version__
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.plugin.vassal.extension import FLAGS, REPORT_FILE, report_html

from .. import kit
from ..kit import CROSSROADS, MODULE

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
    text = " ".join(Plain(found[REPORT_FILE].decode("utf-8")).text.split())
    made = f"vassal-umpire {__version__}"
    credit = f" by {made}; put into this window by {made}, for the module Crossroads 1.0."
    assert text.rpartition("Audited")[2] == credit
    described = f"The umpire's flags, and his report ({made}, for Crossroads 1.0)"
    build = etree.fromstring(found["buildFile.xml"])
    assert build.get("description") == described
    assert etree.fromstring(found["extensiondata"]).findtext("description") == described


class Plain(HTMLParser):
    """Tags opened and closed, and the text between."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("hr", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def told() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(REPORT.read_text("utf-8"))
    return loaded


def test_the_report_is_shown_in_html_of_old_and_text_is_no_markup() -> None:
    page = Plain(report_html(told(), "Crossroads 1.0"))
    assert page.open == []
    assert not page.tags & {"script", "style", "svg", "img", "link", "section", "span"}
    for finding in told()["findings"]:
        shown = finding["explanation"] in page.text
        assert shown == (finding["kind"] not in ("note", "unverifiable"))
    assert "short by 2 MP" in page.text
    assert told()["sources"][0]["sha256"] in page.text
    wicked = told()
    wicked["title"] = wicked["findings"][1]["explanation"] = "<script>x</script>"
    assert "script" not in Plain(report_html(wicked, "<script>y</script>")).tags


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[1]", "is no report"),
        ('{"format": "else"}', "is no report"),
        ('{"format": "vassal-umpire report", "version": 9}', "version 1"),
        (
            '{"format": "vassal-umpire report", "version": 1}',
            "umpire: r.json: expected the key umpire (",
        ),
        ('{"format": "vassal-umpire report", "version": 1}', "); found nothing (and "),
    ],
)
def test_what_is_no_report_is_said_in_a_line(tmp_path: Path, text: str, said: str) -> None:
    report, out = tmp_path / "r.json", tmp_path / "x.vmdx"
    report.write_text(text, "utf-8")
    error = kit.refused("extension", MODULE, "--report", report, "-o", out)
    assert said in error
    assert len(error.strip().splitlines()) == 1
    assert not out.exists()
    assert "cannot be read" in kit.refused("extension", MODULE, "--report", tmp_path, "-o", out)
