"""The start page, and the look at a game without a pack, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, Running, Tab, expect, serving
from vassal_umpire.plugin.studio.entry import Entry
from vassal_umpire.plugin.user_folder import PLACE

MODULE = CROSSROADS / "crossroads.vmod"
NO_RULES = "No rules were applied: nothing here says that a move is right or wrong."


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(name="served")
def _served() -> Iterator[Running]:
    with serving(Entry()) as found:
        yield found


@pytest.fixture(name="tab")
def _tab(context: Any, served: Running) -> Iterator[Tab]:
    found = Tab(context, served)
    yield found
    # what is asked while another game is opened, and files that are refused, get no answer
    assert [one for one in found.complaints if "Failed to load resource" not in one] == []


def test_files_are_chosen_looked_at_and_a_pack_is_begun(
    tab: Tab, served: Running, home: Path
) -> None:
    tab.until("h2", "Your game")
    tab.page.set_input_files("#files", [CROSSROADS / "README.md"])
    tab.until("#telling", "README.md: is nothing to audit; expected a log (.vlog)")
    tab.expect(".start li").to_have_count(0)
    tab.page.set_input_files("#files", [*reversed(LOGS)])
    tab.until(".start", "Still missing: the module of the game, Crossroads 1.0 (.vmod).")
    tab.page.set_input_files("#files", [MODULE])
    rows = tab.page.locator(".start li b")
    expect(rows).to_have_count(3)
    assert rows.all_inner_texts() == ["turn-1.vlog", "turn-2.vlog", "crossroads.vmod"]
    tab.page.click("text=Open this game")
    frame = tab.page.frame_locator("iframe")
    expect(frame.locator("header .sentence")).to_contain_text(NO_RULES)
    expect(frame.locator("svg").first).to_be_visible()
    assert not home.joinpath("games").exists()
    tab.page.click("text=Begin a pack for this game")
    tab.until("#card-text", "Say which counters are units")
    kept = home / "games" / "Crossroads"
    assert sorted(path.name for path in kept.iterdir()) == [
        "crossroads.vmod",
        "pack",
        "turn-1.vlog",
        "turn-2.vlog",
    ]
    assert (kept / "turn-1.vlog").read_bytes() == LOGS[0].read_bytes()
    assert served.studio.folder == kept / "pack"
    tab.expect("#trouble").to_be_hidden()  # nothing is amiss yet
    tab.page.click("#tab-phases")
    tab.until("[data-part=summary]", "say first, in Units")
    tab.page.click("#tab-findings")
    tab.until(".view-findings", "There are no questions. What is not judged yet waits")
    tab.page.click("#start-page")
    tab.until("h2", "Games you had open")
    tab.page.click("[aria-label='Open Crossroads']")
    tab.until("#card-text", "Say which counters are units")


def test_files_that_are_given_while_others_are_sent_follow_them(tab: Tab) -> None:
    tab.until("h2", "Your game")
    held = list[Any]()
    tab.page.route("**/api/start/file?*", lambda one: held.append(one), times=1)
    with tab.page.expect_request("**/api/start/file?*"):
        tab.page.set_input_files("#files", [MODULE])
    tab.page.set_input_files("#files", [LOGS[0]])
    while not held:
        tab.page.wait_for_timeout(10)
    held[0].continue_()
    expect(tab.page.locator(".start li b")).to_have_text(["turn-1.vlog", "crossroads.vmod"])


def test_a_pack_is_given_as_a_folder(tab: Tab, tmp_path: Path) -> None:
    tab.until("h2", "Your game")
    rows = tab.page.locator(".start li b")
    tab.page.set_input_files("#folder", CROSSROADS / "pack")
    tables = ["hexes.csv", "lines.csv", "pack.toml", "units.csv"]
    tab.until(".start li", "pack.toml audit pack")
    assert rows.all_inner_texts() == tables
    tab.page.evaluate("""() => {
        const made = (name) => new File(["[pack]"], name);
        const file = (name) => ({ isFile: true, fullPath: `/p/${name}`, file: (done) => done(made(name)) });
        const rest = [["pack.toml", "notes.txt"].map(file), []];
        const reader = { readEntries: (done) => done(rest.shift()) };
        const entry = { isDirectory: true, createReader: () => reader };
        const drop = new Event("drop", { cancelable: true });
        drop.dataTransfer = { files: [], items: [{ webkitGetAsEntry: () => entry }] };
        document.querySelector(".drop").dispatchEvent(drop);
    }""")
    expect(rows).to_have_count(1)  # nothing of the pack that was there before is left
    assert rows.all_inner_texts() == ["pack.toml"]
    tab.page.set_input_files("#folder", CROSSROADS.parent)
    tab.until("#telling", "audit packs in that folder. Give the folder of one of them.")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "facts.toml").touch()
    tab.page.set_input_files("#folder", tmp_path)
    tab.until("#telling", "There are 2 facts.toml in that folder. Give the folder of one game.")


def test_a_game_that_cannot_be_shown_says_why_and_leads_back(tab: Tab, tmp_path: Path) -> None:
    facts = tmp_path / "facts.toml"
    facts.write_text("[[hexside]]\nhexes = 3\n", "utf-8")
    tab.until("h2", "Your game")
    tab.page.set_input_files(
        "#files", [MODULE, LOGS[0], facts, *sorted((CROSSROADS / "pack").iterdir())]
    )
    tab.page.click("text=Open this game")
    tab.until("#telling", "This game cannot be shown: facts.toml")
    tab.page.click("#view >> text=Other game")
    tab.until("h2", "Your game")
    tab.page.click("[aria-label='Take out facts.toml']")
    tab.page.click("text=Open this game")
    tab.until("button", "Work on a copy of the pack")


def test_what_was_typed_last_is_written_before_the_game_is_left(tab: Tab, served: Running) -> None:
    tab.page.click("text=Look at it")
    tab.until("#legal", "11")
    folder = served.studio.folder
    tab.page.click("#tab-units")
    field = tab.page.get_by_label("movement allowance (ma) of Blue 1 Tank", exact=True)
    field.fill("9")
    tab.page.route("**/api/units/check", lambda route: (time.sleep(0.5), route.continue_()))
    tab.page.click("#start-page")
    tab.until("h2", "A game to play with")
    assert "9" in (folder / "units.csv").read_text("utf-8")


def test_the_look_is_shown_to_its_own_page_alone(tab: Tab, served: Running) -> None:
    tab.page.click("text=Begin its pack yourself")
    tab.until("button", "Begin a pack for this game")
    looked = served.entry.looked_at
    answer = tab.page.request.get(f"{served.origin}/look/{'x' * len(looked.key)}")
    assert answer.status == 400
    answer = tab.page.request.get(f"{served.origin}/look/{looked.key}")
    assert answer.ok
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"


def test_the_program_can_be_ended(tab: Tab, served: Running) -> None:
    ended: list[bool] = []
    served.entry.quit = lambda: ended.append(True)
    tab.page.click("text=End the program")
    tab.until("#view", "The program has ended")
    assert ended
