"""The Phases view in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, Running, Tab, copy_of, drawn, expect, running
from sample_pack import pack_copy
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack

if TYPE_CHECKING:
    from playwright.sync_api import Route

VIEW = "phases"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pack whose trackers are not vouched for."""
    return pack_copy(tmp_path / "pack", ("certain = true", "certain = false"))


@pytest.fixture
def studio(folder: Path) -> Iterator[Running]:
    with running(folder, LOGS) as found:
        found.studio.who = "Wren"
        yield found


@pytest.fixture
def tab(tab: Tab) -> Tab:
    return in_phases(tab)


def in_phases(tab: Tab) -> Tab:
    """The view, when all moves are judged."""
    tab.judged()
    tab.page.locator(".view-phases .bar").first.wait_for()
    return tab


@contextmanager
def in_phases_of(context: Any, folder: Path, logs: tuple[Path, ...] = LOGS[:1]) -> Iterator[Tab]:
    """The view of a studio on ``folder``, which complains of nothing."""
    with running(folder, logs) as studio:
        studio.studio.who = "Wren"
        tab = in_phases(Tab(context, studio, view=VIEW))
        yield tab
        assert tab.complaints == []


def test_a_side_called_blue_is_blue(tab: Tab) -> None:
    tones = """sides => import('/page/views/phases/state.js').then(({ now, tone }) => {
        now.told = { ...now.told, sides };
        return [0, 1, 2, -1].map(tone);
    })"""
    told = {"Blue Red": [0, 1, "x", "x"], "Red Blue": [1, 0, "x", "x"], "Axis": [0, 1, "x", "x"]}
    for sides, expected in told.items():
        assert tab.page.evaluate(tones, sides.split()) == expected


def see_all(tab: Tab) -> None:
    """Scroll through what is to be looked at, as a person would."""
    rows = tab.page.locator("[data-part=rows] li")
    rows.first.wait_for()
    for number in range(rows.count()):
        rows.nth(number).scroll_into_view_if_needed()
        rows.nth(number).locator("xpath=self::*[contains(@class,'seen')]").wait_for()
    tab.until("[data-part=left]", "All")


def test_logs_guesses_and_lines_are_shown_and_nothing_is_entered(tab: Tab, studio: Running) -> None:
    tab.expect(".view-phases .log").to_have_count(2)
    assert tab.page.locator(".view-phases .bar").count() >= 2
    tab.expect(".view-phases .bar.settled").to_have_count(0)
    tab.expect("[data-part=summary]").to_contain_text("0 phases confirmed")
    step = tab.page.locator("[data-part=rows] li", has_text="Step 15")
    step.locator("p.turn").wait_for()
    expect(step.locator("p.turn")).to_have_text("Turn: Turn 1, Blue Combat")
    tab.page.click("text=What would be?")
    tab.until("[data-part=would]", "Nothing was written")
    assert not studio.studio.facts.exists()
    tab.page.click("text=How phases are announced in the chat")
    field = tab.page.get_by_label("Line", exact=True)
    field.fill("xyzzy")
    tab.until(".pattern [role=status]", "write {turn}, {phase} or {side}")
    field.fill("{turn}")
    tab.until(".pattern [role=status]", "of the chat fit")


def test_a_segment_that_was_looked_at_is_confirmed_taken_out_again_and_undone(
    tab: Tab, studio: Running
) -> None:
    tab.expect("[data-part=confirm]").to_be_disabled()  # nothing of it was looked at yet
    for back in ("text=Take it out again", "#undo"):
        see_all(tab)
        tab.page.click("[data-part=confirm]")
        tab.page.locator(".view-phases .bar.settled").first.wait_for()
        assert [phase.phase for phase in load_facts(studio.studio.facts).phases] == ["Movement"]
        records = studio.studio.facts.with_name("facts.provenance.csv").read_text("utf-8")
        assert "looked-at,Wren," in records
        assert "person: the studio's timeline" in records
        tab.page.locator("[data-part=confirm]").wait_for()  # the next one that waits is open by now
        if back != "#undo":
            tab.page.locator(".view-phases .bar.settled").first.click()
        tab.page.click(back)
        tab.page.locator(".view-phases .bar.settled").wait_for(state="detached")
        assert not studio.studio.facts.exists()
        tab.page.locator(".view-phases .bar").first.click()


def test_after_confirming_the_next_is_open_though_the_phases_are_read_anew_meanwhile(
    tab: Tab,
) -> None:
    see_all(tab)
    held: list[Route] = []
    tab.page.route("**/api/phases", lambda one: held.append(one), times=2)
    tab.page.click("[data-part=confirm]")
    until(tab, lambda: len(held) == 1)
    tab.page.click("#tab-phases")
    until(tab, lambda: len(held) == 2)
    confirmed = tab.text("[data-part=desk] h2")
    for one in held:
        one.continue_()
    tab.expect("[data-part=desk] h2").not_to_have_text(confirmed)
    tab.page.locator("[data-part=confirm]").wait_for()


def until(tab: Tab, so: Callable[[], bool]) -> None:
    """Let the browser speak until it is so."""
    while not so():
        tab.page.wait_for_timeout(10)


def test_splitting_naming_and_joining_and_what_is_there_again_after_a_reload(
    tab: Tab, studio: Running
) -> None:
    bars = tab.page.locator(".view-phases .bar")
    before = bars.count()
    heading = tab.text("[data-part=desk] h2")
    first = int(tab.page.locator("[data-part=desk] input[type=number]").first.input_value())
    for name in ("Combat", "Night march"):
        tab.page.fill("[aria-label='Step to split at']", str(first + 2))
        tab.page.click("text=Split >> nth=-1")
        expect(bars).to_have_count(before + 1)
        tab.until("[data-part=desk] h2", f"steps {first} to {first + 1}")  # the form is another now
        tab.page.get_by_label("Phase", exact=True).fill(name)
        tab.page.keyboard.press("Tab")
        tab.expect(".bar[aria-pressed=true]").to_have_text(name)
        if name == "Combat":
            tab.page.click("text=Join with the next")
            expect(bars).to_have_count(before)
            tab.expect("[data-part=desk] h2").to_have_text(heading)
    tab.page.get_by_label("belong to this phase").check()
    names = bars.all_inner_texts()
    until(tab, lambda: "'combat': False" in str(studio.studio.keepsake.corrected))
    tab.page.reload()
    tab.page.locator(".view-phases .bar").nth(before).wait_for()
    expect(bars).to_have_text(names)
    tab.page.locator("#judging:empty").wait_for(state="attached")
    tab.page.locator(".bar", has_text="Night march").click()
    tab.until("[data-part=desk] h2", f"steps {first} to {first + 1}")
    expect(tab.page.get_by_label("belong to this phase")).to_be_checked()
    assert not studio.studio.facts.exists()


def test_the_page_is_not_left_while_a_correction_is_on_its_way(tab: Tab) -> None:
    leave = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    held: list[Route] = []
    tab.page.route("**/api/phases/corrected", lambda one: held.append(one))
    tab.page.get_by_label("Turn", exact=True).fill("Turn 99")
    tab.page.keyboard.press("Tab")
    until(tab, lambda: held != [])
    assert not tab.page.evaluate(leave)
    held[0].continue_()
    until(tab, lambda: bool(tab.page.evaluate(leave)))


def test_a_border_is_dragged_and_moved_with_the_keys(tab: Tab) -> None:
    handle = tab.page.locator(".view-phases .handle").first
    step = int(handle.get_attribute("aria-valuenow") or 0)
    handle.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.wait_for_function(
        """(now) => document.activeElement?.matches('.view-phases .handle')
            && document.activeElement.getAttribute('aria-valuenow') === now""",
        arg=str(step + 1),
    )
    handle = tab.page.locator(".view-phases .handle").first
    assert int(handle.get_attribute("aria-valuenow") or 0) == step + 1
    box, lane = tab.page.evaluate(  # at once: the bars may be drawn anew at any time
        """() => ['.handle', '.bars'].map((name) =>
            document.querySelector(`.view-phases ${name}`).getBoundingClientRect().toJSON())"""
    )
    tab.page.mouse.move(box["x"] + 7, box["y"] + 20)
    tab.page.mouse.down()
    tab.page.mouse.move(lane["x"] + 3, box["y"] + 20, steps=4)
    tab.page.mouse.up()
    handle = tab.page.locator(".view-phases .handle").first
    assert int(handle.get_attribute("aria-valuenow") or 0) < step


def test_it_is_worked_by_keyboard_alone(tab: Tab, studio: Running) -> None:
    """From the tab to a confirmed phase: no mouse is touched."""
    keys = tab.page.keyboard
    tab.page.focus("#tab-phases")
    for _ in range(60):
        keys.press("Tab")
        if tab.page.evaluate("document.activeElement.dataset.part === 'rows'"):
            break
    tab.page.locator("[data-part=rows] li").first.wait_for()
    left = tab.page.locator("[data-part=left]")
    for _ in range(80):
        if left.inner_text().startswith("All"):
            break
        keys.press("PageDown")
        drawn(tab.page)
    tab.until("[data-part=left]", "All")
    tab.expect("[data-part=confirm]").to_be_enabled()
    keys.press("Tab")
    assert tab.page.evaluate("document.activeElement.dataset.part") == "confirm"
    keys.press("Enter")
    tab.page.locator(".view-phases .bar.settled").first.wait_for()
    assert len(load_facts(studio.studio.facts).phases) == 1


def test_it_is_worked_by_touch(phone: Any, studio: Running) -> None:
    tab = Tab(phone, studio)
    tab.judged()
    tab.page.locator("#tab-phases").tap()
    tab.page.locator(".view-phases .bar").first.wait_for()
    tab.page.evaluate("scrollTo(0, 0)")
    tab.page.get_by_text("Next one to confirm").tap()
    tab.expect("[data-part=desk] h2").to_be_focused()
    heading = tab.page.locator("[data-part=desk] h2").bounding_box()
    head = tab.page.locator("#top").bounding_box()
    assert head["height"] <= heading["y"] <= 500, "its desk is in view"
    tab.page.locator(".view-phases .bar").first.tap()
    see_all(tab)
    tab.page.locator("[data-part=confirm]").tap()
    tab.page.locator(".view-phases .bar.settled").first.wait_for()
    assert tab.complaints == []


def test_what_a_sure_tracker_tells_needs_no_confirming(context: Any, tmp_path: Path) -> None:
    with in_phases_of(context, copy_of(CROSSROADS / "pack", tmp_path), LOGS) as tab:
        tab.until("[data-part=summary]", "Nothing waits to be confirmed")
        tab.page.locator(".view-phases .bar").first.click()
        tab.until(".view-phases .known", "the pack vouches for that")
        expect(tab.page.get_by_text("Look at these first")).to_have_count(0)
        tab.expect("[data-part=confirm]").to_have_count(0)
        tab.page.get_by_label("Phase", exact=True).fill("Night march")  # somebody knows better
        tab.page.keyboard.press("Tab")
        tab.page.get_by_text("Look at these first").wait_for()
        tab.expect("[data-part=confirm]").to_have_count(1)
        tab.until("[data-part=summary]", "1 guess with")


def confirmed(folder: Path, *steps: str) -> Path:
    """The pack with a facts file that tells the phase of steps of the first log."""
    told = 'turn = "1"\nphase = "Movement"\nactive = "Blue"\n'
    stanzas = [f'[[phase]]\nlog = 1\nsteps = "{one}"\n{told}' for one in steps]
    (folder / "facts.toml").write_text("\n".join(stanzas), "utf-8")
    return folder


@pytest.mark.parametrize("steps", [("1-14",), ("1-8", "9-14"), ("1-8", "3-4", "9-14")])
def test_a_guess_whose_steps_are_all_confirmed_waits_for_nobody(
    context: Any, folder: Path, steps: tuple[str, ...]
) -> None:
    with in_phases_of(context, confirmed(folder, *steps)) as tab:
        tab.until("[data-part=summary]", "Nothing waits to be confirmed")
        expect(tab.page.get_by_text("Look at these first")).to_have_count(0)
        tab.until("[data-part=desk]", "Take it out again")


def test_of_a_guess_that_is_confirmed_in_part_the_rest_waits(context: Any, folder: Path) -> None:
    with in_phases_of(context, confirmed(folder, "3-8")) as tab:
        spans = [
            (bar.get_attribute("title") or "").partition(":")[0]
            for bar in tab.page.locator(".view-phases .bar").all()
        ]
        assert spans[:3] == ["steps 1–2", "steps 3–8", "steps 9–14"]
        tab.expect(".view-phases .bar.settled").to_have_count(1)
        assert tab.text("[data-part=desk] h2") in ("Log 1, steps 1 to 2", "Log 1, steps 9 to 14")


def test_a_new_pattern_leaves_what_was_corrected(tab: Tab, studio: Running) -> None:
    tab.page.get_by_label("Turn", exact=True).fill("Turn 99")
    tab.page.keyboard.press("Tab")
    tab.page.click("text=How phases are announced in the chat")
    tab.page.get_by_label("Line", exact=True).fill("(?P<turn>[A-Za-z]+)")
    tab.page.locator("text=Keep it in the pack").click()
    tab.page.locator("#undo[title*='line of the chat']").wait_for()
    tab.page.locator("#judging:empty").wait_for(state="attached")
    expect(tab.page.get_by_label("Turn", exact=True)).to_have_value("Turn 99")
    tab.expect(".bar[title*='Turn 99']").to_have_count(1)


def test_the_next_one_goes_round_and_a_missing_name_is_said_beside_the_button(tab: Tab) -> None:
    heading = tab.page.locator("[data-part=desk] h2")
    been = []
    for _ in range(6):
        tab.page.click("text=Next one to confirm")
        expect(heading).to_be_focused()
        been.append(heading.inner_text())
        if been.count(been[0]) == 2:
            break
    assert been[0] == been[-1]
    waiting = int(tab.text("[data-part=summary]").split()[0])
    assert len(set(been)) == waiting == len(been) - 1
    see_all(tab)
    tab.page.get_by_label("Phase", exact=True).fill("")
    tab.page.keyboard.press("Tab")
    tab.until("[data-part=missing]", "It has no name yet")
    tab.expect("[data-part=confirm]").to_be_disabled()
    tab.page.click("text=Name the phase")
    expect(tab.page.get_by_label("Phase", exact=True)).to_be_focused()
    tab.page.keyboard.type("Movement")
    tab.page.keyboard.press("Tab")
    tab.page.locator("[data-part=confirm]:not([disabled])").wait_for()
    tab.expect("[data-part=missing]").to_have_text("")


def test_the_only_one_left_is_gone_to_and_said_to_be_the_only_one(
    context: Any, folder: Path
) -> None:
    with in_phases_of(context, folder) as tab:
        tab.until("[data-part=summary]", "1 guess with")
        tab.page.click("text=Next one to confirm")
        tab.until("#said", "the only one that is left")
        see_all(tab)
        tab.page.click("[data-part=confirm]")
        tab.page.locator(".view-phases .bar.settled").first.wait_for()
        tab.page.click("text=Next one to confirm")
        tab.until("#said", "Nothing waits to be confirmed")


def test_a_question_on_a_phase_leads_to_its_steps(context: Any, folder: Path) -> None:
    with in_phases_of(context, confirmed(folder, "1-13")) as tab:
        tab.page.click("#tab-findings")
        question = tab.page.locator(".question").filter(has_text="in step 14 of log 1")
        question.get_by_label("side whose phase it is").wait_for()
        question.get_by_role("button", name="Look at these steps in Phases").click()
        tab.until("[data-part=desk] h2", "Log 1, steps 14 to 14")
        tab.until("[data-part=desk]", "Look at these first")


def test_a_phase_that_the_pack_does_not_have_is_first_said_to_be_one(
    context: Any, folder: Path
) -> None:
    """A phase of another name than the pack's in the facts is an error: it is not written."""
    confirmed(folder)
    with in_phases_of(context, folder) as tab:
        tab.page.locator(".view-phases .bar").nth(1).click()
        tab.until("[data-part=desk] h2", "steps 15 to 18")
        tab.page.get_by_label("Phase", exact=True).fill("Retreats")
        tab.page.keyboard.press("Tab")
        see_all(tab)
        tab.until("[data-part=missing]", "what kind of phase Retreats is")
        tab.expect("[data-part=confirm]").to_be_disabled()
        tab.page.get_by_role("button", name="Nothing in Retreats is movement").click()
        tab.page.get_by_text("The pack has no phase").first.wait_for(state="detached")
        tab.page.locator("[data-part=confirm]:not([disabled])").click()
        tab.until("#said", "Confirmed: Retreats")
        tab.page.locator("#judging:empty").wait_for(state="attached")
        assert "cannot be read" not in tab.text("#card-text")
        assert load_pack(folder).phases["Retreats"].movers == "none"
