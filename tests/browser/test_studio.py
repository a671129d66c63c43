"""The frame of the studio in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES, Running, Tab, copy_of, running
from vassal_umpire.plugin.studio.safety import Keys

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


def test_a_lost_connection_is_told_and_mends_itself(browser: Any, tmp_path: Path) -> None:
    folder = copy_of(CROSSROADS / "pack", tmp_path)
    context = browser.new_context()
    keys = Keys()
    with running(folder, LOGS, keys=keys) as first:
        tab = Tab(context, first)
        tab.until("#legal", "11")
        port = first.port
    tab.until("#lost", "does not answer")
    with running(folder, LOGS, port=port, keys=keys):
        tab.page.locator("#lost").wait_for(state="hidden")
        tab.until("#legal", "11")
    with running(folder, LOGS, port=port):
        tab.until("#lost", "has ended")
    context.close()


HOSTILE = "<img src=x onerror=alert(1)>\"';--></script><b>"


def test_hostile_names_are_shown_as_they_are_and_do_nothing(browser: Any, tmp_path: Path) -> None:
    folder = copy_of(CROSSROADS / "pack", tmp_path)
    toml = folder / "pack.toml"
    shown = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    text = toml.read_text("utf-8").replace('title = "Crossroads"', f'title = "{shown}"')
    text = text.replace('name = "Combat"', f'name = "{shown}"')
    toml.write_text(text, "utf-8")
    with running(folder, LOGS) as studio:
        context = browser.new_context()
        tab = Tab(context, studio)
        tab.page.on("dialog", lambda dialog: tab.complaints.append(dialog.message))
        tab.until("#title", HOSTILE)
        tab.page.click("#tab-phases")
        tab.page.locator(".view-phases .bar").first.wait_for()
        assert tab.page.locator("img[src=x]").count() == 0
        assert tab.complaints == []
        (folder / "hexes.csv").write_text(
            f'hex,terrain\n0101,"{HOSTILE.replace(chr(34), "")}"\n', "utf-8"
        )
        tab.until("#trouble", "onerror")
        assert tab.page.locator("img[src=x]").count() == 0
        assert tab.complaints == []
        context.close()


def test_the_name_is_asked_once_and_kept(tab: Tab, studio: Running) -> None:
    tab.page.fill("#who", "Wren <b>")
    tab.page.keyboard.press("Enter")
    tab.page.locator("#name").wait_for(state="hidden")
    assert studio.studio.who == "Wren <b>"
    tab.page.reload()
    tab.until("#legal", "11")
    assert tab.page.locator("#name").is_hidden()


def test_an_edit_shows_its_effect_and_is_taken_back(tab: Tab, studio: Running) -> None:
    tab.until("#unverifiable", "1")
    hexes = studio.studio.folder / "hexes.csv"
    before = hexes.read_bytes()
    ask = """async () => (await import("/page/api.js")).post("/api/edit", {label: "paint 0110", edits:
        [{kind: "hex", hex: "0110", layer: "terrain", was: "?", now: "clear"}]})"""
    assert tab.page.evaluate(f"({ask})()")["refused"] == []
    tab.until("#unverifiable", "0")
    tab.page.keyboard.press("Control+z")
    tab.until("#unverifiable", "1")
    assert hexes.read_bytes() == before
    tab.page.keyboard.press("Control+y")
    tab.until("#unverifiable", "0")


def test_a_change_from_outside_is_noticed(tab: Tab, studio: Running) -> None:
    tab.until("#unverifiable", "1")
    with (studio.studio.folder / "hexes.csv").open("a", encoding="utf-8") as file:
        file.write("0110,clear\n")
    tab.until("#unverifiable", "0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_sticks_out_and_text_is_large_enough(
    browser: Any, studio: Running, scheme: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab = Tab(context, studio)
    tab.until("#legal", "11")
    for name in ("phases",):
        tab.page.click(f"#tab-{name}")
        tab.page.locator(f".view-{name} button").first.wait_for()
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        small = """() => [...document.querySelectorAll("p, button, label, li, h1, h2, h3, input")]
            .filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 15.9)
            .map((e) => e.textContent)"""
        assert tab.page.evaluate(small) == []
    assert tab.complaints == []
    context.close()
