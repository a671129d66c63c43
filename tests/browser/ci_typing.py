"""No keystroke and no click is lost, however fast somebody is and whatever else happens on the page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from browser.studio_kit import PATIENCE, Running, Tab, chart, drawn, expect, opened
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import WrongPack

VIEW = "rules"
TENTH = 100
"""Milliseconds between two keys."""


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


def heard(tab: Tab, studio: Running, path: str = "/api/rules?") -> None:
    """Wait until the view has asked for what is so now that the moves have been judged."""
    written(studio.studio.work_left, None)
    with tab.page.expect_response(lambda answer: path in answer.url) as asked:
        studio.studio.changed()
    asked.value.finished()


@contextmanager
def nothing_changed_elsewhere(tab: Tab) -> Iterator[None]:
    """Meanwhile the page does not say that somebody else has changed anything."""
    tab.page.evaluate(
        """() => {
          const said = document.getElementById("said"), heard = (window.heard = []);
          new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
        }"""
    )
    yield
    assert not any("something else" in one for one in tab.page.evaluate("window.heard"))


def type_over(tab: Tab, field: Any, *pressed: str) -> None:
    """Type keys into a field in the place of what stands there."""
    field.focus()
    field.select_text()
    keys(tab, *pressed)


def row_of(studio: Running, name: str, *columns: str) -> dict[str, str] | None:
    """What the only row of a counter has in columns; None: it has several rows, or none."""
    sheet = load_pack(studio.studio.folder).counters
    rows = [row for row in sheet.rows if row.get("name") == name] if sheet is not None else []
    return {column: rows[0].get(column) for column in columns} if len(rows) == 1 else None


def test_cells_of_a_chart_typed_one_after_the_other_are_all_written(
    tab: Tab, studio: Running
) -> None:
    root = opened(tab, "rules")
    chart(root, "terrain")
    told = costs(studio)["clear"]
    before = told if isinstance(told, dict) else {}
    with nothing_changed_elsewhere(tab):
        field = root.get_by_label("clear, foot", exact=True)
        type_over(tab, field, "7", "Tab", "8", "Shift+Tab", "9", "ArrowDown")
        written(lambda: costs(studio)["clear"], {**before, "foot": 9, "motor": 8})
        last = root.get_by_label("clear, motor", exact=True)
        type_over(tab, last, "6", "Tab", "5", "Shift+Tab", "ArrowRight", "ArrowRight")
        expect(root.get_by_label("Rename clear")).to_be_focused()
        written(lambda: (costs(studio)["clear"]["motor"], costs(studio)["town"]), (6, 5))


ROWS = "name,command,formation\nBlue*,no,all of them\n"
"""A row about several counters: one of them begins a row of its own, and soon another cell of it."""


@pytest.mark.parametrize(
    ("sheet", "typed"),
    [
        ("", [("ma", "1"), ("battalions", "2"), ("command", "3")]),
        (ROWS, [("formation", "mine"), ("command", "yes"), ("formation", "my own")]),
    ],
)
def test_cells_of_units_typed_one_after_the_other_are_all_written(
    tab: Tab, studio: Running, sheet: str, typed: list[tuple[str, str]]
) -> None:
    if sheet:
        (studio.studio.folder / "units.csv").write_text(sheet, "utf-8")
    root = opened(tab, "units")
    if sheet:
        root.get_by_text("your own column: kept as it is").wait_for()
    line = root.locator("tbody tr").filter(has_text="Blue 1 Tank")
    with nothing_changed_elsewhere(tab):
        for column, value in typed:
            type_over(tab, line.locator(f"input[data-at$='/{column}']"), *value)
        keys(tab, "Tab")
        said = dict(typed)
        written(lambda: row_of(studio, "Blue 1 Tank", *said), said)


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
    type_over(tab, root.get_by_label("clear, foot", exact=True), "5", "Tab")
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
    type_over(tab, first, "7", "Tab")
    written(lambda: "'foot': 7" in str(costs(studio)["clear"]), True)
    type_over(tab, first, "8")
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
        of = ("Blue 1 Tank", "Red Tank")
        return [one for one in of if row_of(studio, one, "command") == {"command": "mine"}]

    written(said, ["Blue 1 Tank"])
    fill.locator("label.tick").click()
    fill.get_by_role("button", name="Fill 2").click()
    written(said, ["Blue 1 Tank", "Red Tank"])


# -- what is pressed is still there when it is let go -----------------------------------------------


PRESSED = {
    "phases": (".bar >> nth=1", "/api/phases", ".bar[aria-pressed=true] >> nth=0"),
    "findings": (".finding >> nth=2", "/api/findings?", ".finding[aria-pressed=true]"),
    "suggest": ("[data-at='terrain offer']", "/api/suggest", ".foot"),
}
"""Of a view: what is pressed, what is asked for when there is news, and what shows that the press counted."""


@pytest.mark.parametrize("view", PRESSED)
def test_a_click_counts_though_the_view_is_told_of_news_meanwhile(
    tab: Tab, studio: Running, view: str
) -> None:
    pressed, path, shows = PRESSED[view]
    root = opened(tab, view)
    if view == "findings":
        root.get_by_role("button", name="Findings (3)").click()
    element = root.locator(pressed)
    element.hover()
    called = element.get_attribute("title") or element.inner_text()
    tab.page.mouse.down()
    with (studio.studio.folder / "hexes.csv").open("a", encoding="utf-8") as file:
        file.write("0202,marsh\n")
    studio.studio.touch()
    heard(tab, studio, path)
    drawn(tab.page)
    tab.page.mouse.up()
    shown = root.locator(shows)
    shown.wait_for()
    assert view == "suggest" or called in (shown.get_attribute("title"), shown.inner_text())


def test_what_the_rulebook_says_is_typed_on_though_the_moves_are_judged(
    tab: Tab, studio: Running
) -> None:
    number = {"chart": "terrain", "row": "swamp", "status": "pinned", "says": "pinned at 3"}
    number |= {"value": "3", "evidence": "", "path": ["rules", "terrain", "costs", "swamp"]}
    said = {"class": "foot", "moves": 9, "phases": 9, "numbers": [number], "unexplained": []}
    told = {"asked": {"classes": [said]}, "working": False, "changed": False, "causes": ""}
    tab.page.route("**/api/chart", lambda route: route.fulfill(json=told))
    studio.studio.changed()
    field = opened(tab, "rules").get_by_label("What the rulebook says of terrain swamp, foot")
    field.focus()
    for key in "123":
        tab.page.keyboard.press(key)
        heard(tab, studio, "/api/chart")
        drawn(tab.page)
    assert field.input_value() == "123"
    expect(field).to_be_focused()
