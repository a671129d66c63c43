"""The Suggest view in a real browser: examples, suggestions, and the looks that vouch for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import partial_pack
import pytest
from browser.studio_kit import PATIENCE, Hand, Running, Tab, expect, running
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.provenance import Record
from vassal_umpire.plugin.studio import core_calls

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

VIEW = "suggest"
CUT_OFF = """async () => {
  const { onScreen } = await import("/page/views/suggest/stretch_cells.js");
  const sheet = document.querySelector(".stretch .sheet"), svg = sheet.querySelector("svg");
  const { width, height } = svg.getBoundingClientRect();
  const box = (x, y) => ({ points: [[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]] });
  const seen = (cells) => [...onScreen(sheet, svg, cells)];
  const whole = seen([box(-20, 20), box(width - 20, height - 20)]);
  const cover = document.createElement("div");
  cover.style.cssText = "position:fixed;inset:0";
  document.body.append(cover);
  const covered = seen([box(-20, 20)]);
  const { left } = svg.getBoundingClientRect();
  const hidden = (pixels) => {
    cover.style.cssText = `position:fixed;top:0;height:100%;left:${left + 90}px;width:${10 + pixels}px`;
    return seen([box(100, 100)]);
  };
  const rims = [hidden(2), hidden(9)];
  cover.remove();
  const first = [whole, covered, ...rims].map((each) => each.includes(0));
  return { "on screen": [whole.includes(1), ...first] };
}"""
LETTERS = """async () => {
  const { brushes } = await import("/page/views/suggest/parts.js");
  const kinds = { terrain: ["rough"], hexsides: ["river", "wall"], lines: ["road"] };
  const { parts } = brushes(["terrain", "hexsides", "lines"], kinds, () => {});
  return parts.map((part) => part.textContent).join(" ");
}"""


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Running]:
    pack = partial_pack.put(tmp_path)
    with running(pack, (tmp_path / "turn-1.vlog",), tmp_path / "crossroads.vmod") as found:
        found.studio.who = "Wren"
        yield found


def opened(context: Any, studio: Running) -> Tab:
    """A page on the Suggest view."""
    found = Tab(context, studio, view=VIEW)
    found.page.get_by_role("button", name="Suggest the rest").wait_for()
    return found


def suggest(tab: Tab) -> None:
    tab.page.get_by_role("button", name="Suggest the rest").click()
    tab.page.get_by_role("button", name="Look through clear").wait_for()
    tab.judged()


def sheet(tab: Tab, name: str) -> None:
    tab.page.get_by_role("button", name=name, exact=True).click()
    tab.page.locator(".cuts[data-ready]").wait_for()


def stretch(tab: Tab) -> None:
    tab.page.get_by_role("button", name="Look at a stretch of the map").click()
    tab.page.locator(".stretch svg").wait_for()


def cut(tab: Tab, cell: str) -> Any:
    return tab.page.locator(f".cuts button[aria-label^='{cell}']")


def terrain(studio: Running) -> dict[str, Record]:
    found = load_pack(studio.studio.folder).records
    return {r.key.cell: r for r in found if r.key.layer == "terrain"}


def rivers(studio: Running) -> set[str]:
    found = load_pack(studio.studio.folder).records
    return {r.key.cell for r in found if (r.key.layer, r.key.name) == ("hexsides", "river")}


def test_what_is_suggested_while_the_view_asks_is_shown_as_well(
    context: Any, studio: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_calls, "WAIT", PATIENCE)  # else there is news of nothing after a while
    tab = opened(context, studio)
    page, held = tab.page, list[Any]()
    page.locator("#judging:empty").wait_for(state="attached")
    page.route("**/api/suggest", lambda one: held.append((one, one.fetch())), times=1)
    with page.expect_request("**/api/suggest"):
        page.get_by_role("button", name="Suggest the rest").click()
    while not held:
        page.wait_for_timeout(10)
    page.locator("#judging:empty").wait_for(state="attached")  # all is suggested
    route, before = held[0]
    route.fulfill(response=before)
    page.get_by_role("button", name="Look through clear").wait_for()


def test_everything_by_keyboard_alone(tab: Tab, studio: Running) -> None:
    page = tab.page

    def reach(name: str) -> None:
        for _ in range(60):
            text = page.evaluate(
                "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
            )
            if text == name:
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{name} cannot be reached")

    page.focus("#tab-suggest")
    reach("Suggest the rest")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Look through woods").wait_for()
    reach("Type 60 blind")
    page.keyboard.press("Enter")
    page.locator(".cuts[data-ready]").wait_for()
    kinds = [text[1:] for text in page.locator(".palette button:has(kbd)").all_inner_texts()]
    keys = {kind.strip(): str(n) for n, kind in enumerate(kinds, 1)}
    truth = partial_pack.truth()
    for _ in range(60):
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press(keys.get(truth[label[:4]], "0"))
    reach("Done: 60 of 60 typed")
    page.keyboard.press("Enter")
    tab.until("#said", "at most")
    page.get_by_role("button", name="Look through woods").wait_for()
    tab.until(".view-suggest", "Typed blind: ")
    reach("Look through woods")
    page.keyboard.press("Enter")
    page.locator(".cuts[data-ready]").wait_for()
    before = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != before
    page.keyboard.press("End")
    page.keyboard.press("Enter")  # the last one is wrong
    wrong = page.evaluate("document.activeElement.getAttribute('aria-label')")[:4]
    expect(page.locator(".cuts button.wrong")).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("Tab")
        if "wrong; the other" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    tab.until("#said", "1 not known")
    found = terrain(studio)
    assert wrong not in found
    assert {r.status for r in found.values()} == {"looked-at"}
    page.keyboard.press("Escape")


def test_by_touch_on_a_small_screen(phone: Any, studio: Running) -> None:
    tab = opened(phone, studio)
    page = tab.page
    page.get_by_role("button", name="Suggest the rest").tap()
    page.get_by_role("button", name="Look through hills").wait_for()
    page.get_by_role("button", name="Look through hills").tap()
    page.locator(".cuts[data-ready]").wait_for()
    cells = page.locator(".cuts button")
    size = cells.first.bounding_box()
    assert min(size["width"], size["height"]) >= 40
    cells.first.tap()
    expect(page.locator(".cuts button.wrong")).to_have_count(1)
    page.get_by_role("button", name="1 wrong; the other 4 are hills").tap()
    tab.until("#said", "4 cells looked at, 1 not known")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    assert tab.complaints == []


def test_examples_of_sides_are_shown_on_cut_outs(tab: Tab, studio: Running) -> None:
    for others in ("Keep only these", "there is nothing"):
        tab.page.locator("[data-at='lines offer']").click()
        tab.page.locator(".cuts[data-ready]").wait_for()
        offered = tab.page.locator(".cuts button").count()
        tab.page.get_by_label("Another kind").fill("road")
        tab.page.press("[aria-label='Another kind']", "Enter")
        tab.page.locator(".cuts button").first.click()
        tab.page.locator(".foot button").filter(has_text=others).click()
        tab.until("#said", f"{offered if others == 'there is nothing' else 1} cell")
    found = [r for r in load_pack(studio.studio.folder).records if r.key.layer == "lines"]
    assert sum(r.key.name == "road" for r in found) == 2
    assert offered > 50


def test_a_stretch_is_corrected_by_dragging_and_leads_to_the_next(
    tab: Tab, studio: Running
) -> None:
    suggest(tab)
    page = tab.page
    page.set_viewport_size({"width": 1100, "height": 640})
    stretch(tab)
    first = page.locator("[aria-label='Go to this hex']").input_value()
    page.keyboard.press("s")  # what lies along sides
    page.get_by_role("group", name="Along hexsides").get_by_role("button", name="river").click()
    marks = page.locator(".stretch g.live .hit")
    Hand(page).drag(marks.nth(20), marks.nth(21))
    page.keyboard.down("o")
    expect(page.locator(".stretch svg.off")).to_have_count(1)
    page.keyboard.down("o")  # held
    page.keyboard.up("o")
    expect(page.locator(".stretch svg.off")).to_have_count(0)
    tab.until(".view-suggest [role=status]", "of them corrected")
    before = rivers(studio)
    page.get_by_role("button", name="This view is right").click()
    tab.until("#said", "cells looked at")
    assert len(rivers(studio) - before) >= 2
    page.wait_for_function(
        "was => document.querySelector('[aria-label=\"Go to this hex\"]')?.value !== was", arg=first
    )
    assert {r.key.layer for r in load_pack(studio.studio.folder).records} == {
        "terrain",
        "features",
        "hexsides",
        "lines",
    }
    assert tab.text(".view-suggest .beside .about").startswith(
        "Only what lies entirely in this frame"
    )


def test_a_stretch_says_why_it_cannot_be_confirmed_yet(tab: Tab) -> None:
    page = tab.page
    stretch(tab)
    right = page.get_by_role("button", name="This view is right")
    status = ".view-suggest [role=status]"
    tab.until(status, "Switch the overlay off and on again first.")
    page.keyboard.press("o")
    tab.until(status, "Switch the overlay on again first.")
    expect(page.locator(".stretch svg.off")).to_have_count(1)
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.stretch .shade')).opacity") == "0"
    )
    expect(page.locator(".stretch .pane")).to_have_count(0)
    expect(right).to_have_attribute("title", "Switch the overlay on again first.")
    page.keyboard.press("o")
    expect(right).to_be_enabled()
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        waiting.append(route)

    page.route("**/api/suggest/area?*", hold)
    page.fill("[aria-label='Go to this hex']", "0909")
    page.press("[aria-label='Go to this hex']", "Enter")
    tab.until(status, "The next stretch is being fetched")
    expect(right).to_be_disabled()  # what is said of the old one would be lost
    expect(page.get_by_role("button", name="Switch the overlay off")).to_be_disabled()
    page.keyboard.press("o")
    expect(page.locator(".stretch svg.off")).to_have_count(0)
    while not waiting:
        page.wait_for_timeout(10)
    waiting[0].abort()
    page.unroute("**/api/suggest/area?*")
    tab.until(status, "will count as looked at")
    expect(right).to_be_enabled()
    page.fill("[aria-label='Go to this hex']", "0909")
    page.press("[aria-label='Go to this hex']", "Enter")
    page.locator(".stretch img[alt='The map around 0909']").wait_for()
    tab.until(status, "Switch the overlay off and on again first.")
    tab.complaints.clear()  # the request that was broken off


def test_a_low_window_shows_the_map_first_and_what_was_not_on_it_is_not_vouched_for(
    tab: Tab, studio: Running
) -> None:
    suggest(tab)
    page, status = tab.page, ".view-suggest [role=status]"
    page.set_viewport_size({"width": 700, "height": 420})  # not all of it fits
    stretch(tab)
    cells = page.locator(".stretch .hex").count()
    right = page.get_by_role("button", name="This view is right")
    for scroll, said in (
        ("", "were not on your screen whole"),
        (
            "scrollTo(0, document.documentElement.scrollHeight)",
            "No cell was entirely on your screen",
        ),
        ("document.querySelector('.stretch').scrollIntoView()", "were not on your screen whole"),
    ):
        page.evaluate(scroll)
        page.keyboard.press("o")
        page.keyboard.press("o")
        tab.until(status, said)
        expect(right).to_be_enabled(enabled=not said.startswith("No"))
        if not scroll:  # of the next stretch nothing was seen yet
            right.click()
            tab.until("#said", "cells looked at")
            assert 0 < len(terrain(studio)) < cells
            tab.until(status, "Switch the overlay off and on again first.")


def test_what_the_edge_of_the_picture_cuts_off_can_be_vouched_for(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 1440, "height": 1600})
    stretch(tab)
    tab.page.evaluate("document.querySelector('.stretch').scrollIntoView({ block: 'center' })")
    found = tab.page.evaluate(CUT_OFF)
    assert found["on screen"] == [True, True, False, True, False]


def test_letters_of_what_lies_along_sides_are_not_those_of_what_crosses_them(tab: Tab) -> None:
    told = tab.page.evaluate(LETTERS)
    assert all(each in told for each in ("river (ri)", "wall (w)", "road (ro)")), told


def test_sheets_are_looked_through_with_the_mouse(tab: Tab, studio: Running) -> None:
    suggest(tab)
    tab.page.get_by_role("button", name="Fill in 106 sure cells").click()
    tab.until("#said", "type 60 of them blind")
    tab.page.locator(".cuts[data-ready]").wait_for()
    tab.expect(".cuts button .tag").to_have_count(0)
    tab.page.keyboard.press("Escape")
    sheet(tab, "Look through clear")
    cut(tab, "0110").click()
    tab.page.get_by_label("Another kind").fill("town")
    tab.page.get_by_role("button", name="Add", exact=True).click()
    cut(tab, "0505").click()
    cut(tab, "1005").click()
    tab.page.get_by_role("button", name="3 wrong; the other 86 are clear").click()
    tab.until("#said", "88 cells looked at, 1 not known")
    assert terrain(studio)["0505"].value == "town"
    tab.page.click("#undo")
    tab.until("#said", "Taken back: a look at 89 cells")
    sheet(tab, "Look through clear")
    page, cells = tab.page, tab.page.locator(".cuts button")
    names = [
        label.split(",")[0] for label in cells.evaluate_all("all => all.map(b => b.ariaLabel)")
    ]
    page.keyboard.press("-")  # names the first one, which has the focus
    expect(page.locator(".cuts button.left")).to_have_count(1)
    Hand(page).drag(cells.nth(1), cells.nth(3))
    expect(page.locator(".cuts button.left")).to_have_count(4)
    page.get_by_role("button", name=f"All {len(names) - 4} are clear; 4 left out").click()
    tab.until("#said", f"{len(names) - 4} cells looked at.")
    assert terrain(studio).keys() == set(names[4:])


def test_a_second_tab_only_reads(context: Any, tab: Tab, studio: Running) -> None:
    suggest(tab)
    other = Tab(context, studio, studio.origin)
    other.page.locator("#reader").wait_for()
    other.page.click("#tab-suggest")
    look = other.page.get_by_role("button", name="Look through woods")
    look.wait_for()
    expect(look).to_be_disabled()
    other.page.click("#take-over")
    other.page.locator("#reader").wait_for(state="hidden")
    other.page.locator("button[aria-label='Look through woods']:enabled").wait_for()
    assert other.complaints == []
    tab.page.locator("button[aria-label='Look through woods']:disabled").wait_for()


def test_a_sheet_outlives_a_lost_connection(tab: Tab, context: Any, studio: Running) -> None:
    suggest(tab)
    sheet(tab, "Look through woods")
    tab.page.locator(".cuts button").first.click()
    context.set_offline(True)
    tab.page.locator(".foot button.main").click()
    tab.until("#said", "does not answer")
    context.set_offline(False)
    tab.page.locator(".foot button.main").click()
    tab.until("#said", "1 not known")
    assert {r.value for r in terrain(studio).values()} == {"woods"}
    tab.complaints.clear()  # the browser complains of the lost connection


IN_SIGHT = """() => {
  const box = (of) => document.querySelector(of)?.getBoundingClientRect();
  const heading = box(".view-suggest h2"), foot = box(".view-suggest .foot"), map = box(".stretch");
  const rows = [...document.querySelectorAll(".view-suggest .row button, .view-suggest summary")]
    .map((each) => each.getBoundingClientRect()).filter((each) => each.width && each.bottom < map?.top);
  return {
    below: heading.top >= box("#top").bottom, above: heading.bottom <= innerHeight,
    whole: map ? map.bottom <= foot.top : null, rows: new Set(rows.map((each) => Math.round(each.top))).size,
  };
}"""


@pytest.mark.parametrize(("width", "height", "rows"), [(1440, 900, 1), (390, 844, 2)])
def test_what_to_do_is_in_sight_with_the_map_and_the_cut_outs(
    browser: Any, studio: Running, width: int, height: int, rows: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height})
    tab = opened(context, studio)
    page = tab.page
    suggest(tab)
    sheet(tab, "Look through clear")
    found = page.evaluate(IN_SIGHT)
    assert found["below"]
    assert found["above"]
    expect(page.locator("[aria-label='medium cut-outs'][aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    stretch(tab)
    found = page.evaluate(IN_SIGHT)
    assert found == {"below": True, "above": True, "whole": True, "rows": rows}
    assert tab.complaints == []
    context.close()


def test_what_is_seldom_used_of_a_stretch_is_folded(tab: Tab) -> None:
    page = tab.page
    stretch(tab)
    more = page.locator(".view-suggest summary")
    expect(page.get_by_role("button", name="Across sides")).to_have_count(0)
    more.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Across sides").wait_for()
    page.keyboard.press("Escape")  # closes what was folded, and leaves the stretch open
    expect(page.get_by_role("button", name="Across sides")).to_have_count(0)
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Across sides").press("Enter")
    more.filter(has_text="More: Across sides, 64 px").wait_for()
    expect(page.locator(".stretch .hex")).to_have_count(0)
    more.click()
    page.locator(".stretch svg").click(position={"x": 5, "y": 300})
    expect(page.get_by_role("button", name="Across sides")).to_have_count(0)
