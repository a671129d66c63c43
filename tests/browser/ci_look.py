"""One look at one cut-out of the map, in the page: after it an accusation stands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import Tab, running
from vassal_umpire.importers.pack.provenance import FILE, provenance_csv, read_provenance
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.provenance import Method, Record
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.reading import Named

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "crossroads"
LOGS = (SAMPLE / "turn-1.vlog",)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The sample's pack, at which a program has looked, and no person."""
    folder = tmp_path / "pack"
    shutil.copytree(SAMPLE / "pack", folder)
    text = (folder / "pack.toml").read_text("utf-8")
    told = text.replace("[board]", '[board]\nprovenance = "required"', 1)
    (folder / "pack.toml").write_text(told, "utf-8")
    game = open_game(Named(LOGS, pack=SAMPLE / "pack"), EVERYONE, DEFAULT_LIMITS).game
    method = Method("program", "the studio's cut-outs")
    records = (
        Record(key, value, "looked-at", ("a model",), "2026-11-18", method)
        for key, value in values_of(game.board).items()
    )
    (folder / FILE).write_text(provenance_csv(records), "utf-8")
    return folder


@pytest.fixture
def tab(pack: Path, context: Any) -> Iterator[Tab]:
    with running(pack, LOGS) as studio:
        studio.studio.who = "Wren"
        yield Tab(context, studio)


def test_after_one_look_somebody_is_accused(tab: Tab, pack: Path) -> None:
    page = tab.page
    tab.until("#illegal", "0")
    tab.expect("#card-text").to_contain_text("No person has looked")
    page.click("#card-go")
    page.get_by_role("button", name="Show it").first.click()
    page.locator(".look svg.over").wait_for()
    confirm = page.get_by_role("button", name="Everything there is as drawn")
    assert confirm.is_disabled()
    page.get_by_role("button", name="Hide what the pack has").click()
    page.get_by_role("button", name="Show what the pack has").click()
    confirm.click()
    tab.expect("#illegal").not_to_have_text("0")
    records, problems = read_provenance(pack / FILE)
    assert problems == ()
    seen = [record for record in records if record.is_seen]
    assert seen
    assert any(record.value == "none" for record in seen)  # absences, too
    assert {record.who for record in seen} == {("Wren",)}
    assert tab.complaints == []
