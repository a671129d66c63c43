"""The studio's header: always visible, small on a phone, never over what has the focus; and rulings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, Running, Tab, copy_of, expect, opened, running
from command_line import done
from vassal_umpire.importers.game_folder.folder import read_game_folder
from vassal_umpire.plugin.desk.opening import named_of
from vassal_umpire.plugin.studio.game_desk import GameDesk

VIEWS = ("board", "suggest", "units", "phases", "rules", "findings")
SIZES = {"desk": (1440, 900), "phone": (390, 844), "phone on its side": (844, 390)}
OVER = """() => {
  const head = document.getElementById("top"), at = document.activeElement, box = at.getBoundingClientRect();
  const seen = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 12));
  const covered = head.contains(seen) && !head.contains(at) && at !== document.body;
  return covered ? `${at.tagName} ${at.textContent.slice(0, 30)}` : "";
}"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(copy_of(CROSSROADS / "pack", tmp_path_factory.mktemp("header")), LOGS) as found:
        yield found


@pytest.fixture(params=SIZES, scope="module")
def tab(request: Any, browser: Any, studio: Running) -> Iterator[Tab]:
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height})
    found = Tab(context, studio)
    found.judged()
    yield found
    assert found.complaints == []
    context.close()


def box(tab: Tab, selector: str) -> dict[str, float]:
    found: dict[str, float] = tab.page.locator(selector).bounding_box()
    return found


def test_it_leaves_the_screen_to_the_views_and_stays_in_sight(tab: Tab) -> None:
    size = tab.page.viewport_size
    most = 0.2 if size["height"] > 500 else 0.27
    for view in VIEWS:
        opened(tab, view)
        # what is shown while the program works
        tab.page.evaluate("document.getElementById('judging').textContent = 'x '.repeat(30)")
        assert box(tab, "#top")["height"] <= most * size["height"], view
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= size["width"], view
    height = tab.page.viewport_size["height"]
    for view in ("rules", "units", "phases"):
        opened(tab, view)
        tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        for part in ("#counts", "#card-text", "#card-go", "#undo", "#tabs"):
            place = box(tab, part)
            assert 0 <= place["y"] <= place["y"] + place["height"] <= height, (view, part)
    for view in ("rules", "units", "findings"):
        opened(tab, view)
        tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        tab.page.locator(f".view-{view} :is(button, input, select, summary):visible").last.focus()
        for _ in range(30):
            tab.page.keyboard.press("Shift+Tab")
            assert tab.page.evaluate(OVER) == "", view
    opened(tab, "rules")
    tab.page.evaluate("scrollTo(0, 500)")
    opened(tab, "suggest")
    assert tab.page.evaluate("scrollY") == 0


def test_a_long_card_unfolds(phone: Any, studio: Running) -> None:
    tab = Tab(phone, studio)
    tab.judged()
    longer = (
        "Say which steps belong to which phase: a move is judged only where its phase is known. "
        * 2
    )
    shown = studio.studio._shown
    studio.studio._show(replace(shown, card=replace(shown.card, text=longer)))
    more = tab.page.locator("#card-more")
    more.wait_for()
    folded = box(tab, "#top")["height"]
    assert folded <= 0.2 * 844
    assert (box(tab, "#card-more")["height"], box(tab, "#card-more")["width"]) >= (40, 40)
    more.focus()
    tab.page.keyboard.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    assert box(tab, "#top")["height"] > folded
    tab.page.keyboard.press("Enter")
    assert box(tab, "#top")["height"] == folded
    studio.studio._show(shown)


def test_a_view_that_is_slow_says_so(context: Any, studio: Running) -> None:
    tab = Tab(context, studio)
    tab.until("#legal", "11")
    held: list[Any] = []
    tab.page.route("**/api/rules*", lambda route: held.append(route))
    tab.page.click("#tab-rules")
    tab.page.locator("#view[aria-busy=true]").wait_for()
    line = "getComputedStyle(document.getElementById('view'), '::before').content"
    assert "One moment" in tab.page.evaluate(line)
    for route in held:
        route.continue_()
    tab.page.unroute("**/api/rules*")
    tab.page.locator(".view-rules h2").first.wait_for()
    tab.page.locator("#view:not([aria-busy])").wait_for()
    assert tab.complaints == []


# -- rulings, on a game that is kept in a folder ----------------------------------------------------


RIVER = ".finding:has-text('Blue 4 Inf')"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    place = tmp_path / "game"
    pack = copy_of(CROSSROADS / "pack", tmp_path)
    named = ("--module", CROSSROADS / "crossroads.vmod", "--pack", pack, "--title", "Round 1")
    done("game", "new", place, *named)
    done("game", "add", place, *LOGS)
    return place


@pytest.fixture
def of_game(game: Path) -> Iterator[Running]:
    folder = read_game_folder(game)
    named = named_of(folder)
    pack = game.parent / "pack"
    with running(pack, named.logs, named.module, game=GameDesk(folder)) as found:
        yield found


def test_the_header_names_the_game_and_a_ruling_is_typed_kept_and_seen_by_others(
    context: Any, of_game: Running, game: Path
) -> None:
    tab = Tab(context, of_game)
    tab.until("#title", "Round 1")
    tab.until("#about", "Crossroads · 2 logs")
    assert tab.page.title() == "Round 1 – pack studio"
    tab.page.fill("#who", "Kite")
    tab.page.press("#who", "Enter")
    tab.until("#illegal", "2")
    tab.page.click("#tab-findings")
    tab.page.click(".view-findings .switch button:has-text('Findings')")
    tab.page.click(RIVER)
    tab.until(".detail h2", "Blue 4 Inf")
    tab.until(".ruling", "Past the sealing event")
    tab.until(RIVER, "no ruling")
    tab.page.click(".ruling button.main")  # without a decision and a reason nothing is sent
    assert not read_game_folder(game).rulings
    tab.page.select_option(".ruling select", "upheld")
    tab.page.fill(".ruling input", "the river <b>was</b> overlooked")
    tab.page.press(".ruling input", "Enter")
    tab.until(".ruling dd", "upheld: the river <b>was</b> overlooked (Kite, 20")
    tab.until(f"{RIVER} .mark", "upheld")
    (ruling,) = read_game_folder(game).rulings
    assert (ruling.decision, ruling.who) == ("upheld", "Kite")

    other = Tab(context, of_game, of_game.origin)
    other.until("#reader", "Make the changes here")
    other.page.click("#tab-findings")
    other.page.click(".view-findings .switch button:has-text('Findings')")
    other.page.click(RIVER)
    other.until(".ruling dd", "upheld: the river")
    expect(other.page.locator(".ruling form, .ruling button")).to_have_count(0)

    done("game", "rule", game, ruling.offence, "waived", "--because", "both agree")
    tab.until(f"{RIVER} .mark", "waived")
    tab.until(".ruling dd", "waived: both agree")
    (game / "facts.toml").write_text(
        '[[unit]]\nunit = "1790000000108"\nattributes = { ma = 3 }\n', "utf-8"
    )
    tab.until(".ruling", "Look again")
    tab.until(".detail dd", "allowance of 3")
    tab.page.fill(".ruling input", "an older reason")
    done("game", "rule", game, ruling.offence, "agreed", "--because", "by telephone")
    tab.until(".ruling dd", "agreed: by telephone")
    assert tab.page.input_value(".ruling input") == "an older reason"
    assert tab.complaints == other.complaints == []
