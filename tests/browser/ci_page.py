"""The HTML report in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser.big_game import write_big_page
from browser.studio_kit import Watched, drawn, expect, sheets


class Opened(Watched):
    """A report that has been opened."""

    def __init__(self, browser: Any, file: Path) -> None:
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        super().__init__(context, "data:", "about:", file.as_uri())
        self.file = file
        self.go("")

    def go(self, fragment: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(self.file.as_uri() + fragment)

    def settle(self) -> None:
        """Wait until what was done is drawn."""
        drawn(self.page)

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def where(self, unit: str) -> str | None:
        counter = self.page.locator(
            "#board .counter:not([hidden])", has=self.page.locator(f"title:text-is('{unit}')")
        )
        return counter.get_attribute("transform") if counter.count() else None


@contextmanager
def looked_at(browser: Any, file: Path) -> Iterator[Opened]:
    """A report in a window of its own, which complains of nothing."""
    page = Opened(browser, file)
    yield page
    assert page.complaints == []
    page.page.context.close()


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Opened]:
    with looked_at(browser, report) as page:
        yield page


@pytest.fixture(scope="session")
def big_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("big") / "report.html"
    write_big_page(out)
    return out


@pytest.fixture
def big(browser: Any, big_report: Path) -> Iterator[Opened]:
    """The page of a big game."""
    with looked_at(browser, big_report) as page:
        yield page


def test_it_opens_in_silence_is_stepped_through_and_filtered(opened: Opened) -> None:
    assert opened.page.title() == "Audit of Crossroads"
    opened.expect(".findings tbody tr:visible").to_have_count(3)
    opened.expect("[name=where]").to_have_text("opening position · Turn 1, Movement, Blue")
    before = opened.where("Blue Recon (Blue)")
    for _ in range(3):
        opened.page.keyboard.press("ArrowRight")
    opened.expect("[name=where]").to_contain_text("step 3 · Turn 1, Movement, Blue")
    opened.page.wait_for_url("**#step-1-3")
    moved = opened.where("Blue Recon (Blue)")
    assert moved is not None
    assert moved != before
    opened.page.locator("[name=step]").fill("0")
    assert opened.where("Blue Recon (Blue)") == before
    assert opened.count(".move.legal[data-move]:not(.off)") > 0
    opened.page.select_option("[name=verdict]", "illegal")
    opened.expect(".findings tbody tr:visible").to_have_count(3)
    opened.expect(".moves tbody tr:visible").to_have_count(2)
    opened.expect(".all-moves .phase:visible").to_have_count(
        1
    )  # the other two have nothing illegal
    opened.expect(".move.legal[data-move]:not(.off)").to_have_count(0)
    opened.expect("#board .move.illegal[data-move]:not(.off)").to_have_count(2)
    opened.page.click("text=Show all")
    opened.page.wait_for_function("document.querySelectorAll('.findings tr.off').length === 0")
    opened.expect(".all-moves .phase:visible").to_have_count(3)
    opened.page.select_option("[name=kind]", "overstack")
    opened.expect(".shown").to_have_text("1 of 3 findings")
    opened.expect(".findings tbody tr:visible").to_have_count(1)
    opened.expect("article.finding:visible").to_have_count(1)


def test_findings_paths_and_links_point_at_each_other(opened: Opened) -> None:
    opened.page.click(".findings tr[data-finding='3'] td:nth-child(2)")
    opened.page.wait_for_url("**#finding-3")
    opened.expect(".move.on").to_have_attribute("data-move", "8")
    opened.expect("#board .chosen .paid").to_have_count(4)
    opened.page.locator("#board .chosen .paid").nth(2).focus()
    opened.expect(".tip").to_contain_text("2 MP river (GEN-HEXSIDE)")
    opened.page.keyboard.press("Escape")
    opened.expect(".move.on").to_have_count(0)
    opened.page.locator(".move[data-move='6']").focus()
    opened.expect(".tip").to_contain_text("0507 → 0707")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_url("**#move-6")
    opened.go("")
    opened.page.click(".findings tr[data-finding='3'] td:nth-child(2)")
    paid = opened.page.locator("#board .chosen .paid").nth(2)
    paid.hover()
    of, tip = paid.bounding_box(), opened.page.locator(".tip").bounding_box()
    assert 0 <= tip["x"] - of["x"] < 60
    assert abs(tip["y"] - of["y"]) < tip["height"] + 60
    opened.go("#step-2-4")
    opened.expect("[name=where]").to_contain_text("log 2 step 4")
    opened.go("#finding-1")
    opened.expect(".move.on").to_have_attribute("data-move", "6")
    opened.expect("#finding-1").to_be_visible()
    opened.go("#move-3")
    opened.expect(".move.on").to_have_attribute("data-move", "3")
    opened.expect("#board").to_be_visible()


def test_the_map_stays_and_is_zoomed_and_keys_go_from_finding_to_finding(opened: Opened) -> None:
    board = opened.page.locator("#board")
    whole = board.get_attribute("viewBox")
    for number in (1, 2, 3):
        opened.page.click(f".findings tr[data-finding='{number}'] td:nth-child(2)")
        opened.settle()
        expect(board).to_have_attribute("viewBox", whole)
    for _ in range(5):
        opened.page.keyboard.press("+")
    opened.page.click(".findings tr[data-finding='1'] td:nth-child(2)")
    opened.page.click(".findings tr[data-finding='3'] td:nth-child(2)")
    opened.settle()
    left, top, width, height = map(float, board.get_attribute("viewBox").split())
    assert left <= 445 <= left + width  # where 0808 lies
    assert top <= 531 <= top + height
    opened.go("")
    opened.page.keyboard.press("n")
    opened.page.keyboard.press("n")
    opened.page.wait_for_url("**#finding-2")
    opened.page.keyboard.press("p")
    opened.page.wait_for_url("**#finding-1")

    def view() -> list[float]:
        opened.settle()
        return [float(v) for v in opened.page.locator("#board").get_attribute("viewBox").split()]

    whole = view()
    opened.page.keyboard.press("+")
    assert view()[2] == pytest.approx(whole[2] * 0.75, abs=0.2)
    box = opened.page.locator("#board").bounding_box()
    opened.page.mouse.move(box["x"] + 300, box["y"] + 300)
    opened.page.mouse.down()
    opened.page.mouse.move(box["x"] + 200, box["y"] + 300, steps=4)
    opened.page.mouse.up()
    assert view()[0] > whole[0]
    opened.page.keyboard.press("0")
    opened.page.keyboard.press("0")
    assert view()[2] == pytest.approx(whole[2], rel=0.02)
    opened.go("")
    shown = opened.count("#board .counter:visible")
    for _ in range(6):
        opened.page.keyboard.press("+")
    opened.settle()
    assert 0 < opened.count("#board .counter:visible") < shown
    opened.page.keyboard.press("0")
    opened.settle()
    opened.expect("#board .counter:visible").to_have_count(shown)
    for _ in range(4):
        opened.page.keyboard.press("+")
    opened.settle()
    opened.expect("#board .numbers text").to_have_count(0)  # this picture shows them itself
    opened.page.check("[name=names]")
    opened.settle()
    assert opened.count("#board .numbers text") > 0


def test_it_prints_findings_no_wider_than_a_sheet_of_paper_and_as_light_as_one(
    opened: Opened,
) -> None:
    opened.page.emulate_media(media="print")
    opened.expect(".filters").to_be_hidden()
    opened.expect(".stage").to_be_hidden()
    opened.expect("#finding-3 .crop").to_be_visible()
    opened.page.emulate_media(media="print", color_scheme="dark")
    opened.page.set_viewport_size({"width": 680, "height": 1000})  # A4 less its margins
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 680
    filters = "[...document.querySelectorAll('.crop .art')].map(n => getComputedStyle(n).filter)"
    assert set(opened.page.evaluate(filters)) == {"none"}


AFTER = {
    "a step": "() => { slider.value = ++slider.value; slider.dispatchEvent(new Event('input')); }",
    "a filter": """() => {
        verdict.selectedIndex = (verdict.selectedIndex + 1) % 4;
        verdict.dispatchEvent(new Event('change', { bubbles: true }));
    }""",
}


def test_a_big_game_is_stepped_and_filtered_fluently_and_laid_out_where_it_is_in_view(
    big: Opened,
) -> None:
    """Milliseconds of the page's own thread (its time, not the clock: the machine has other things to do)."""
    big.expect("[name=where]").to_have_text("opening position · before Turn 1, Movement, Blue")
    measured = big.page.context.new_cdp_session(big.page)
    measured.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        every = measured.send("Performance.getMetrics")["metrics"]
        return float(next(1000 * one["value"] for one in every if one["name"] == "TaskDuration"))

    for what, most in (("a step", 100), ("a filter", 500)):
        each = []
        for _ in range(9):
            begun = spent()
            big.page.evaluate(
                f"""async () => {{
                    const slider = document.querySelector("[name=step]");
                    const verdict = document.querySelector("[name=verdict]");
                    ({AFTER[what]})();
                    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
                }}"""
            )
            each.append(spent() - begun)
        took = sorted(each)[4]
        assert took < most, what
        if what == "a step":
            big.page.locator("[name=step]").fill("1")
            big.expect("[name=where]").to_have_text("step 1 · Turn 1, Movement, Blue")
    big.go("")
    skipped = """() => ["findings", "moves", "noted"].map(name => {
        for (const node of document.querySelectorAll("details")) node.open = true;
        const row = [...document.querySelectorAll(`.${name} tbody tr td:nth-child(3)`)].pop();
        return !row.checkVisibility({ contentVisibilityAuto: true });
    })"""
    assert big.page.evaluate(skipped) == [True] * 3


def test_text_stands_out_from_its_ground_in_light_and_dark(opened: Opened) -> None:
    script = """() => [...document.querySelectorAll('h1, .under, td, dd, .tag, label')].map(node => {
        const bare = (text) => text.match(/[0-9.]+/g).slice(0, 3).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ink = light(bare(getComputedStyle(node).color));
        const ground = light(bare(getComputedStyle(document.body).backgroundColor));
        return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    })"""
    grounds = set()
    for scheme in ("light", "dark"):
        opened.page.emulate_media(color_scheme=scheme)
        assert min(opened.page.evaluate(script)) >= 4.5, scheme
        grounds.add(opened.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_without_scripts_the_page_is_whole(browser: Any, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    expect(page.locator("#finding-3 .bill")).to_be_visible()
    expect(page.locator("#board .move.illegal").first).to_be_visible()
    context.close()


# -- folded, on a small screen, on paper ---------------------------------------------------------------


def test_a_link_unfolds_what_it_leads_to(big: Opened) -> None:
    big.expect("#move-1999").to_be_hidden()
    big.go("#move-1999")
    big.expect("#move-1999").to_be_visible()
    big.go("#finding-999")
    big.expect("#finding-999").to_be_visible()


@pytest.mark.parametrize("which", ["opened", "big"])
def test_on_a_small_screen_the_map_comes_first_and_nothing_scrolls_sideways(
    request: pytest.FixtureRequest, which: str
) -> None:
    opened: Opened = request.getfixturevalue(which)
    opened.page.set_viewport_size({"width": 390, "height": 844})
    board = opened.page.locator("#board").bounding_box()
    assert board["y"] + board["height"] / 2 < 844
    assert board["y"] < opened.page.locator(".filters").bounding_box()["y"]
    assert board["y"] < opened.page.locator(".list").bounding_box()["y"]
    opened.page.evaluate(
        "for (const node of document.querySelectorAll('details')) node.open = true"
    )
    wide = """[...document.querySelectorAll('.rows td, .bill td, summary, dd, .wait')].filter(
        node => node.getBoundingClientRect().right > 391 || node.scrollWidth > node.clientWidth + 1
    ).map(node => node.outerHTML.slice(0, 120))"""
    assert opened.page.evaluate(wide) == []
    for width in (390, 800, 1100):
        opened.page.set_viewport_size({"width": width, "height": 844})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_big_game_is_printed_on_ten_pages_unless_all_of_it_is_asked_for(big: Opened) -> None:
    assert 1 <= sheets(big.page) <= 10
    folded = big.count("details:not([open])")
    big.page.check("[name=everything]")
    big.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    big.expect("details:not([open])").to_have_count(0)
    big.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert big.count("details:not([open])") == folded > 0


def test_terrain_and_layers_are_drawn_when_they_are_asked_for(opened: Opened) -> None:
    opened.expect("#board .terrain path").to_have_count(0)
    opened.page.check("[name=ground]")
    assert opened.count("#board .terrain path") > 3
    opened.expect("#board use.art").to_be_visible()
    opened.page.uncheck("[name=art]")
    opened.page.check("[name=ground]")
    opened.expect("#board use.art").to_be_hidden()
    opened.expect("#board .ground").to_be_visible()
