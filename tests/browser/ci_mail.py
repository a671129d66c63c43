"""The pages of a mail, and the report with rulings, in a real browser: on screens, on a phone, on paper."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, Watched, expect
from command_line import done


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of the sample game's mail, with a ruling, by name."""
    place = tmp_path_factory.mktemp("mail")
    game, out = place / "game", place / "mail.zip"
    done(
        "game", "new", game, "--module", CROSSROADS / "crossroads.vmod", "--pack", CROSSROADS / "pack",
        "--title", "Round 1", "--player", "Blue=Wren", "--player", "Red=Tarn",
    )  # fmt: skip
    done("game", "add", game, *LOGS)
    done("game", "rule", game, "4d787a", "upheld", "--because", "the river was overlooked",
           "--who", "Kite", "--when", "2026-11-23")  # fmt: skip
    done("game", "mail", game, "-o", out, "--full")
    with zipfile.ZipFile(out) as zipped:
        zipped.extractall(place)
    return {file.stem: file for file in (place / "mail").glob("*.html")}


def opened(browser: Any, file: Path, **how: Any) -> Any:
    """A page, with what its console complains of in ``page.complaints``."""
    found = Watched(browser.new_context(**how))
    found.page.goto(file.as_uri())
    found.page.complaints = found.complaints
    return found.page


def sheets(page: Any, paper: str) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))


@pytest.mark.parametrize("name", ["all", "Red", "report-all"])
def test_a_page_is_printed_on_ten_sheets_at_the_most_with_no_heading_at_a_foot(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    page = opened(browser, pages[name])
    for paper in ("A4", "Letter"):
        assert 1 <= sheets(page, paper) <= (4 if name != "report-all" else 10), paper
    breaks = """[...document.querySelectorAll('h1, h2, h3, h2 + p')].map(
        node => getComputedStyle(node).breakAfter)"""
    assert name != "all" or set(page.evaluate(breaks)) == {"avoid"}
    page.context.close()


def test_a_page_fits_every_screen_and_needs_no_network(
    browser: Any, pages: dict[str, Path]
) -> None:
    page = opened(browser, pages["all"], offline=True)
    expect(page.locator("svg.cutout")).to_have_count(4)
    wide = """[...document.querySelectorAll('td, p, li, dd')].filter(
        node => node.scrollWidth > node.clientWidth + 1).length"""
    colours = "(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))"
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(wide) == 0
        first = page.locator("svg.cutout").first.bounding_box()
        assert first["width"] >= (300 if width == 390 else 230)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        light = [sum(map(int, re.findall(r"\d+", c)[:3])) for c in page.evaluate(colours)]
        assert (light[0] < light[1]) == (scheme == "light")
        assert abs(light[0] - light[1]) > 500
    assert page.complaints == []
    page.context.close()


def test_the_summary_comes_first_then_suspects_offences_questions_and_the_rest(
    browser: Any, pages: dict[str, Path]
) -> None:
    page = opened(browser, pages["Blue"])
    titles = [
        "What to do",
        "Look at these first: the pack may be wrong here",
        "Offences",
        "Open questions",
        "How to read this",
        "How the game was played",
        "The rest",
    ]
    expect(page.locator("h2")).to_have_text(titles)
    ruled = page.locator("#o4d787a62018b")
    expect(ruled).to_contain_text("Upheld: the river was overlooked (Kite, 2026-11-23).")
    expect(ruled.locator(".standing")).to_contain_text("Past the sealing event")
    expect(ruled.locator("figcaption")).to_contain_text("Nobody is recorded to have looked")
    page.context.close()


def test_the_report_shows_the_ruling_in_the_list_and_with_the_finding(
    browser: Any, pages: dict[str, Path]
) -> None:
    page = opened(browser, pages["report-all"], viewport={"width": 1360, "height": 900})
    tags = page.locator(".list .tag.ruled")
    assert tags.all_text_contents() == ["upheld"]
    row = page.locator(".list tr[data-finding='3']")
    expect(row).to_contain_text("upheld")
    for key in "nnn":
        page.keyboard.press(key)
    expect(row).to_have_attribute("class", "on")
    article = page.locator("#finding-3")
    article.scroll_into_view_if_needed()
    assert article.locator("dd.ruling").text_content() == (
        "upheld: the river was overlooked (Kite, 2026-11-23)"
    )
    assert article.locator("dd.offence").text_content() == "4d787a62018b"
    expect(article.locator("dd.standing")).to_contain_text("sealing event")
    assert page.locator("#finding-1 dd.ruling").text_content() == "nobody has ruled on it"
    assert page.complaints == []
    page.context.close()


def test_the_report_with_rulings_fits_a_phone(browser: Any, pages: dict[str, Path]) -> None:
    page = opened(browser, pages["report-Red"], viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    board = page.locator("#board").bounding_box()
    assert board["y"] + board["height"] / 2 < 844  # the map comes first
    page.context.close()
