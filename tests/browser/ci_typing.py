"""No keystroke is lost, however fast somebody types and whatever else happens on the page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from browser.studio_kit import PATIENCE, Running, Tab, chart, expect, opened
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import WrongPack

VIEW = "rules"
TENTH = 100
"""Milliseconds between two keys."""


@pytest.fixture
def tab(tab: Tab) -> Tab:
    tab.until("#legal", "11")
    return tab


def keys(tab: Tab, *pressed: str) -> None:
    for key in pressed:
        tab.page.keyboard.press(key)
        tab.page.wait_for_timeout(TENTH)


def written(of: Callable[[], object], wanted: object) -> None:
    """Wait until the files say this."""
    end = time.monotonic() + PATIENCE / 1_000
    while True:
        try:
            found = of()
        except WrongPack:  # of two files one is written already
            found = None
        if found == wanted or time.monotonic() > end:
            break
        time.sleep(0.05)
    assert found == wanted


def costs(studio: Running) -> dict[str, Any]:
    return dict(load_pack(studio.studio.folder).tables["terrain"]["costs"])


def heard(tab: Tab, studio: Running) -> None:
    """Wait until the view has asked for the rules by which the moves have been judged."""
    written(studio.studio.work_left, None)
    with tab.page.expect_response(lambda answer: "/api/rules?" in answer.url) as asked:
        studio.studio.changed()
    asked.value.finished()


def refuses(tab: Tab) -> None:
    """Note what the page says of changes elsewhere."""
    tab.page.evaluate(
        """() => {
          const said = document.getElementById("said"), heard = (window.heard = []);
          new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
        }"""
    )


def test_cells_of_a_chart_typed_one_after_the_other_are_all_written(
    tab: Tab, studio: Running
) -> None:
    root = opened(tab, "rules")
    chart(root, "terrain")
    refuses(tab)
    told = costs(studio)["clear"]
    before = told if isinstance(told, dict) else {}
    first = root.get_by_label("clear, foot", exact=True)
    first.focus()
    first.select_text()
    keys(tab, "7", "Tab", "8", "Shift+Tab", "9", "ArrowDown")
    written(lambda: costs(studio)["clear"], {**before, "foot": 9, "motor": 8})
    assert not any("something else" in one for one in tab.page.evaluate("window.heard"))


def test_cells_of_units_typed_one_after_the_other_are_all_written(
    tab: Tab, studio: Running
) -> None:
    root = opened(tab, "units")
    refuses(tab)
    line = root.locator("tbody tr").filter(has_text="Blue 1 Tank")
    fields = line.locator("td input:not([type=checkbox])")
    number = fields.count()
    assert number >= 3
    columns = [fields.nth(n).get_attribute("data-at").split("/")[1] for n in range(number)]
    which = [columns.index(name) for name in ("ma", "battalions", "command") if name in columns]
    for at, value in zip(which, "123", strict=False):
        fields.nth(at).focus()
        fields.nth(at).select_text()
        keys(tab, value)
    keys(tab, "Tab")

    def typed() -> dict[str, str]:
        sheet = load_pack(studio.studio.folder).counters
        assert sheet is not None
        row = next(row for row in sheet.rows if row.get("name") == "Blue 1 Tank")
        return {columns[at]: row.get(columns[at]) for at in which}

    written(typed, {columns[at]: value for at, value in zip(which, "123", strict=False)})
    assert not any("something else" in one for one in tab.page.evaluate("window.heard"))


def test_rows_of_units_that_begin_one_after_the_other_are_all_written(
    tab: Tab, studio: Running
) -> None:
    sheet = studio.studio.folder / "units.csv"
    sheet.write_text("name,command,formation\nBlue*,no,all of them\n", "utf-8")
    root = opened(tab, "units")
    refuses(tab)
    line = root.locator("tbody tr").filter(has_text="Blue 1 Tank")
    for column, value in (("formation", "mine"), ("command", "yes"), ("formation", "my own")):
        field = line.locator(f"input[data-at$='/{column}']")
        field.focus()
        field.select_text()
        keys(tab, *value)
    keys(tab, "Tab")

    def typed() -> dict[str, str] | None:
        counters = load_pack(studio.studio.folder).counters
        assert counters is not None
        rows = [row for row in counters.rows if row.get("name") == "Blue 1 Tank"]
        return (
            {name: rows[0].get(name) for name in ("command", "formation")}
            if len(rows) == 1
            else None
        )

    written(typed, {"command": "yes", "formation": "my own"})
    assert not any("something else" in one for one in tab.page.evaluate("window.heard"))


def test_what_is_being_typed_is_not_redrawn_when_the_moves_are_judged(
    tab: Tab, studio: Running
) -> None:
    root = opened(tab, "rules")
    chart(root, "terrain")
    field = root.get_by_label("clear, foot", exact=True)
    field.focus()
    field.evaluate("one => { one.mine = true; one.select(); }")
    toml = studio.studio.folder / "pack.toml"
    for number in range(3):  # somebody else edits the file meanwhile
        keys(tab, str(number + 1))
        text = re.sub(
            r'version = "[^"]*"', f'version = "1.{number}"', toml.read_text("utf-8"), count=1
        )
        toml.write_text(text, "utf-8")
        written(lambda: studio.studio.pack.version, f"1.{number}")
        heard(tab, studio)
    assert field.evaluate("one => one.mine === true && document.activeElement === one")
    assert field.input_value() == "123"
    keys(tab, "Tab")
    written(lambda: str(costs(studio)["clear"]).count("123"), 1)


def test_a_row_that_was_added_stays_until_it_is_filled(tab: Tab, studio: Running) -> None:
    root = opened(tab, "rules")
    chart(root, "terrain")
    root.get_by_label("Another row of").fill("lava")
    root.get_by_role("button", name="Add", exact=True).click()
    other = root.get_by_label("clear, foot", exact=True)
    other.focus()
    other.select_text()
    keys(tab, "5", "Tab")
    written(lambda: "5" in str(costs(studio)["clear"]), True)
    heard(tab, studio)
    row = root.get_by_label("lava, foot", exact=True)
    row.focus()
    keys(tab, "6", "Tab")
    written(lambda: costs(studio).get("lava"), {"foot": 6})


def test_undo_right_after_typing_takes_back_what_was_typed(tab: Tab, studio: Running) -> None:
    root = opened(tab, "rules")
    chart(root, "terrain")
    first = root.get_by_label("clear, foot", exact=True)
    first.focus()
    first.select_text()
    keys(tab, "7", "Tab")
    written(lambda: "'foot': 7" in str(costs(studio)["clear"]), True)
    first.focus()
    first.select_text()
    keys(tab, "8")
    tab.page.click("#undo")
    tab.until("#said", "Taken back: terrain")
    written(lambda: "'foot': 7" in str(costs(studio)["clear"]), True)


def test_ticks_that_a_search_hides_are_told_and_not_filled(tab: Tab, studio: Running) -> None:
    root = opened(tab, "units")
    for name in ("Blue 1 Tank", "Red Tank"):
        root.get_by_label(f"Choose {name}", exact=True).check()
    expect(root.locator(".fill output")).to_contain_text("2 kinds chosen")
    root.locator("input[type=search]").fill("blue 1 tank")
    fill = root.locator(".fill")
    expect(fill.locator("output")).to_contain_text("1 kind chosen")
    expect(fill.locator("label.tick")).to_contain_text("1 kind ticked before")
    expect(fill.locator("label.tick")).to_contain_text("Red Tank")
    fill.locator("select").select_option("command")
    fill.get_by_label("Value for all chosen counters").fill("mine")
    fill.get_by_role("button", name="Fill 1").click()

    def said() -> list[str]:
        sheet = load_pack(studio.studio.folder).counters
        assert sheet is not None
        return sorted(row.get("name") for row in sheet.rows if row.get("command") == "mine")

    written(said, ["Blue 1 Tank"])
    fill.locator("label.tick").click()
    fill.get_by_role("button", name="Fill 2").click()
    written(said, ["Blue 1 Tank", "Red Tank"])
