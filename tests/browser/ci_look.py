"""One look at one cut-out of the map, in the page: after it an accusation stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import Tab, running
from seen import CROSSROADS, looked_at_by_a_program
from vassal_umpire.importers.pack.provenance import FILE, read_provenance


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return looked_at_by_a_program(tmp_path / "pack")


@pytest.fixture
def tab(pack: Path, context: Any) -> Iterator[Tab]:
    with running(pack, (CROSSROADS / "turn-1.vlog",)) as studio:
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
