"""The Phases view in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES, Running, Tab, copy_of, running
from vassal_umpire.importers.pack.facts import load_facts

CROSSROADS = SAMPLES / "crossroads"
LOGS = tuple(CROSSROADS / f"turn-{n}.vlog" for n in (1, 2))


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Running]:
    folder = copy_of(CROSSROADS / "pack", tmp_path)
    toml = (folder / "pack.toml").read_text("utf-8")
    (folder / "pack.toml").write_text(toml.replace("certain = true", "certain = false"), "utf-8")
    with running(folder, LOGS) as found:
        found.studio.who = "Wren"
        yield found


@pytest.fixture
def tab(browser: Any, studio: Running) -> Iterator[Tab]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    found = Tab(context, studio)
    found.page.locator('#legal:not(:text-is("–"))').wait_for()
    found.page.click("#tab-phases")
    found.page.locator(".view-phases .bar").first.wait_for()
    yield found
    assert found.complaints == []
    context.close()


def see_all(tab: Tab) -> None:
    """Scroll through what is to be looked at, as a person would."""
    rows = tab.page.locator("[data-part=rows] li")
    rows.first.wait_for()
    for number in range(rows.count()):
        rows.nth(number).scroll_into_view_if_needed()
        rows.nth(number).locator("xpath=self::*[contains(@class,'seen')]").wait_for()
    tab.until("[data-part=left]", "All")


def test_every_log_is_on_the_timeline_with_its_guesses(tab: Tab) -> None:
    assert tab.page.locator(".view-phases .log").count() == 2
    assert tab.page.locator(".view-phases .bar").count() >= 2
    assert tab.page.locator(".view-phases .bar.settled").count() == 0
    assert "0 phases confirmed" in tab.text("[data-part=summary]")


def test_a_guess_enters_nothing(tab: Tab, studio: Running) -> None:
    tab.page.click("text=Next one to confirm")
    see_all(tab)
    assert not studio.studio.facts.exists()


def test_nothing_is_confirmed_before_it_was_looked_at(tab: Tab, studio: Running) -> None:
    assert tab.page.locator("[data-part=confirm]").is_disabled()
    asked = "async () => (await (await import('/page/api.js')).post('/api/phases/confirm', %s))"
    body = '{first: "1:1", last: "1:5", turn: "1", phase: "Movement", active: "Blue"}'
    said = tab.page.evaluate(f"({asked % body})().catch((error) => error.message)")
    tab.complaints.clear()  # the browser tells of the refusal, too
    assert "not all has been looked at yet" in said
    assert not studio.studio.facts.exists()


def test_a_segment_that_was_looked_at_is_confirmed_and_taken_out_again(
    tab: Tab, studio: Running
) -> None:
    see_all(tab)
    tab.page.click("[data-part=confirm]")
    tab.page.locator(".view-phases .bar.settled").first.wait_for()
    facts = load_facts(studio.studio.facts)
    assert len(facts.phases) == 1
    (phase,) = facts.phases
    assert phase.phase == "Movement"
    assert not phase.suggested
    record = studio.studio.facts.with_name("facts.provenance.csv").read_text("utf-8")
    assert "looked-at,Wren," in record
    assert "person: the studio's timeline" in record
    assert f"{phase.key.cell},phase,,{phase.value}," in record
    tab.page.click("text=Take it out again")
    tab.page.locator(".view-phases .bar.settled").wait_for(state="detached")
    assert not studio.studio.facts.exists()


def test_confirming_is_undone_with_the_button_above(tab: Tab, studio: Running) -> None:
    see_all(tab)
    tab.page.click("[data-part=confirm]")
    tab.page.locator(".view-phases .bar.settled").first.wait_for()
    tab.page.click("#undo")
    tab.page.locator(".view-phases .bar.settled").wait_for(state="detached")
    assert not studio.studio.facts.exists()


def test_splitting_naming_and_joining(tab: Tab) -> None:
    bars = tab.page.locator(".view-phases .bar")
    before = bars.count()
    heading = tab.text("[data-part=desk] h2")
    first = int(tab.page.locator("[data-part=desk] input[type=number]").first.input_value())
    tab.page.fill("[aria-label='Step to split at']", str(first + 2))
    tab.page.click("text=Split >> nth=-1")
    assert bars.count() == before + 1
    assert tab.text("[data-part=desk] h2").endswith(f"steps {first} to {first + 1}")
    tab.page.get_by_label("Phase", exact=True).fill("Combat")
    tab.page.keyboard.press("Tab")
    assert tab.page.locator(".bar[aria-pressed=true]").inner_text() == "Combat"
    tab.page.click("text=Join with the next")
    assert bars.count() == before
    assert tab.text("[data-part=desk] h2") == heading


def test_a_border_is_dragged_and_moved_with_the_keys(tab: Tab) -> None:
    handle = tab.page.locator(".view-phases .handle").first
    step = int(handle.get_attribute("aria-valuenow") or 0)
    handle.focus()
    tab.page.keyboard.press("ArrowRight")
    handle = tab.page.locator(".view-phases .handle").first
    assert int(handle.get_attribute("aria-valuenow") or 0) == step + 1
    assert handle.evaluate("(e) => e === document.activeElement")
    box, lane = handle.bounding_box(), tab.page.locator(".view-phases .bars").first.bounding_box()
    assert box is not None
    assert lane is not None
    tab.page.mouse.move(box["x"] + 7, box["y"] + 20)
    tab.page.mouse.down()
    tab.page.mouse.move(lane["x"] + 3, box["y"] + 20, steps=4)
    tab.page.mouse.up()
    handle = tab.page.locator(".view-phases .handle").first
    assert int(handle.get_attribute("aria-valuenow") or 0) < step


def test_what_would_be_is_told_and_not_entered(tab: Tab, studio: Running) -> None:
    tab.page.click("text=What would be?")
    tab.until("[data-part=would]", "Nothing was entered")
    assert not studio.studio.facts.exists()


def test_a_pattern_is_tried_on_the_real_lines(tab: Tab) -> None:
    tab.page.click("text=Patterns for the chat")
    field = tab.page.get_by_label("Pattern", exact=True)
    field.fill("(")
    tab.until(".pattern [role=status]", "missing )")
    field.fill("xyzzy")
    tab.until(".pattern [role=status]", "names none of the groups")
    field.fill("(?P<turn>[A-Za-z]+)")
    tab.until(".pattern [role=status]", "of the chat fit")


def test_it_is_worked_by_keyboard_alone(tab: Tab, studio: Running) -> None:
    """From the tab to a confirmed phase: no mouse is touched."""
    keys = tab.page.keyboard
    tab.page.focus("#tab-phases")
    for _ in range(60):
        keys.press("Tab")
        if tab.page.evaluate("document.activeElement.dataset.part === 'rows'"):
            break
    assert tab.page.evaluate("document.activeElement.dataset.part") == "rows"
    left = tab.page.locator("[data-part=left]")
    for _ in range(80):
        if left.inner_text().startswith("All"):
            break
        keys.press("PageDown")
    tab.until("[data-part=left]", "All")
    keys.press("Tab")
    assert tab.page.evaluate("document.activeElement.dataset.part") == "confirm"
    keys.press("Enter")
    tab.page.locator(".view-phases .bar.settled").first.wait_for()
    assert len(load_facts(studio.studio.facts).phases) == 1


def test_it_is_worked_by_touch(browser: Any, studio: Running) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    tab = Tab(context, studio)
    tab.page.locator('#legal:not(:text-is("–"))').wait_for()
    tab.page.locator("#tab-phases").tap()
    tab.page.locator(".view-phases .bar").first.wait_for()
    small = """() => [...document.querySelectorAll(
        ".view-phases button, .view-phases input:not([type=radio])")]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 39.5).map((e) =>
        e.outerHTML)"""
    assert tab.page.evaluate(small) == []
    tab.page.locator(".view-phases .bar").first.tap()
    see_all(tab)
    tab.page.locator("[data-part=confirm]").tap()
    tab.page.locator(".view-phases .bar.settled").first.wait_for()
    assert tab.complaints == []
    context.close()


def test_what_a_sure_tracker_tells_needs_no_confirming(browser: Any, tmp_path: Path) -> None:
    with running(copy_of(CROSSROADS / "pack", tmp_path), LOGS) as studio:
        context = browser.new_context()
        tab = Tab(context, studio)
        tab.page.locator('#legal:not(:text-is("–"))').wait_for()
        tab.page.click("#tab-phases")
        tab.until("[data-part=summary]", "Nothing waits to be confirmed")
        tab.page.locator(".view-phases .bar").first.click()
        tab.until(".view-phases .known", "the pack vouches for that")
        context.close()
