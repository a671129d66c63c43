"""The pages of a mail, and the report with rulings, in a real browser: on screens, on a phone, on paper."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, Watched, expect, sheets
from command_line import done
from lxml import html


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


def test_the_report_shows_the_ruling_in_the_list_and_with_the_finding(
    pages: dict[str, Path],
) -> None:
    tree = html.document_fromstring(pages["report-all"].read_text("utf-8"))
    (tag,) = tree.find_class("tag ruled")
    assert tag.text == "upheld"
    assert tag in tree.xpath("//tr[@data-finding='3']//*")
    upheld = "upheld: the river was overlooked (Kite, 2026-11-23)"
    for finding, name, said in (
        (3, "ruling", upheld), (3, "offence", "4d787a62018b"), (3, "standing", "sealing event"),
        (1, "ruling", "nobody has ruled on it"),
    ):  # fmt: skip
        (told,) = tree.xpath(f"//*[@id='finding-{finding}']//dd[@class='{name}']")
        assert said in told.text_content()
