"""The frame of the studio in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES, Running, Tab, copy_of, running

CROSSROADS = SAMPLES / "crossroads"
LOGS = tuple(CROSSROADS / f"turn-{n}.vlog" for n in (1, 2))


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Running]:
    with running(copy_of(CROSSROADS / "pack", tmp_path), LOGS) as found:
        yield found


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    found = browser.new_context(viewport={"width": 1440, "height": 900})
    yield found
    found.close()


@pytest.fixture
def tab(context: Any, studio: Running) -> Iterator[Tab]:
    found = Tab(context, studio)
    yield found
    assert found.complaints == []


def test_it_opens_with_the_verdicts_and_what_to_do_next(tab: Tab) -> None:
    tab.until("#legal", "11")
    assert tab.text("#illegal") == "2"
    assert tab.text("#unverifiable") == "1"
    assert "0110" in tab.text("#card-text")
    assert tab.page.title() == "Crossroads – pack studio"
    assert "launch" not in tab.page.url


def test_the_tabs_are_walked_with_the_arrow_keys(tab: Tab) -> None:
    tab.until("#legal", "11")
    tab.page.focus("#tab-board")
    for name in ("suggest", "units", "phases", "rules", "findings", "board"):
        tab.page.keyboard.press("ArrowRight")
        assert tab.page.evaluate("document.activeElement.id") == f"tab-{name}"
        tab.page.wait_for_url(f"**/#{name}")


def test_the_card_leads_to_its_view(tab: Tab) -> None:
    tab.until("#card-text", "0110")
    tab.page.click("#card-go")
    tab.page.wait_for_url("**/#findings/questions")


def test_a_reload_goes_on_and_keeps_the_right_to_write(tab: Tab) -> None:
    tab.until("#legal", "11")
    tab.page.reload()
    tab.until("#legal", "11")
    assert tab.page.locator("#reader").is_hidden()


def test_a_second_tab_reads_and_can_take_over(context: Any, studio: Running, tab: Tab) -> None:
    tab.until("#legal", "11")
    other = Tab(context, studio, studio.origin)
    other.until("#legal", "11")
    other.page.locator("#reader").wait_for()
    assert tab.page.locator("#reader").is_hidden()
    other.page.click("#take-over")
    tab.page.locator("#reader").wait_for()
    other.page.locator("#reader").wait_for(state="hidden")
    assert other.complaints == []


def test_a_page_without_the_link_says_what_to_do(browser: Any, studio: Running) -> None:
    alone = browser.new_context()
    tab = Tab(alone, studio, studio.origin)
    tab.until("#lost", "Use the link")
    alone.close()


def test_the_link_opens_it_once(browser: Any, context: Any, studio: Running) -> None:
    link = studio.link
    Tab(context, studio, link).until("#legal", "11")
    alone = browser.new_context()
    Tab(alone, studio, link).until("#lost", "Use the link")
    alone.close()
