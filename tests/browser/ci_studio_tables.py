"""Units, rules, questions and findings of the studio in a real browser."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import (
    CROSSROADS,
    LOGS,
    SAMPLES,
    Running,
    Tab,
    chart,
    copy_of,
    expect,
    opened,
    running,
)
from command_line import done
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.chart_from_moves import confirmed_lines
from vassal_umpire.plugin.studio import rules_view
from vassal_umpire.plugin.studio.findings_view import sheet_of

HOSTILE = "<img src=x onerror=\"document.title='gone'\">\u202eevil\u2028"
VIEWS = ("units", "rules", "findings")
VIEW = "units"


def cell(root: Any, counter: str, column: str) -> Any:
    return root.get_by_label(f"{column} of {counter}", exact=True)


def counter_cells(studio: Running, counter: str) -> dict[str, str]:
    sheet = load_pack(studio.studio.folder).counters
    return dict(next(row.cells for row in sheet.rows if row.get("name") == counter))


def saved(tab: Tab, what: str) -> None:
    """Wait until the studio says that something was done last."""
    tab.page.locator(f'#undo[title*="{what}"]').wait_for()


# -- units -----------------------------------------------------------------------------------------


def test_what_is_typed_of_a_counter_stands_in_units_csv_and_counts(
    tab: Tab, studio: Running
) -> None:
    parts = opened(tab, "rules").locator(".parts").inner_text()
    assert "zones of control (zoc)" in parts
    assert "rules that are not in these forms" in parts
    root = opened(tab, "units")
    head = " ".join(root.locator("thead").inner_text().split())
    assert "movement allowance (ma) read from property MA" in head
    picture = root.locator("img.counter[src]").first
    picture.wait_for(state="visible")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    boxes, filled = root.locator("tbody input[type=checkbox]"), root.locator(".fill output")
    boxes.nth(1).click()
    boxes.nth(4).click(modifiers=["Shift"])
    assert filled.inner_text().startswith("4 kinds")
    root.get_by_role("button", name="Moved in the logs (15)").click()
    root.get_by_label("Choose all 15 of this group").check()
    expect(filled).to_contain_text(re.compile("1[56] kinds"))
    root.get_by_role("button", name="Choose none").click()
    expect(root.locator(".fill")).to_be_hidden()
    before = (studio.studio.folder / "units.csv").read_bytes()
    root = opened(tab, "units")
    field = cell(root, "Blue 1 Tank", "movement allowance (ma)")
    expect(field).to_have_attribute("placeholder", "6")
    field.fill("fast")
    root.get_by_text("expected a number, 6|8, 6..8").wait_for()
    field.press("Tab")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert (studio.studio.folder / "units.csv").read_bytes() == before
    field.fill("9")
    field.press("Enter")
    saved(tab, "movement allowance (ma) of Blue 1 Tank")
    assert counter_cells(studio, "Blue 1 Tank")["ma"] == "9"
    root.get_by_text("read: 6, not used").first.wait_for()
    looks = load_pack(studio.studio.folder).units.attributes["ma"]
    assert [look.kind for look in looks] == ["column", "property"]
    cell(root, "Blue HQ", "Is it a unit?").select_option("no")
    saved(tab, "Is it a unit? of Blue HQ")
    assert counter_cells(studio, "Blue HQ")["unit"] == "no"
    root.get_by_role("button", name="No units (1)").wait_for()


def test_many_counters_are_chosen_and_filled_with_the_keyboard_alone(
    tab: Tab, studio: Running
) -> None:
    opened(tab, "units")
    page = tab.page
    page.focus("#tab-units")
    for _ in range(40):
        page.keyboard.press("Tab")
        if (
            page.evaluate("document.activeElement.getAttribute('aria-label')")
            == "Choose Blue 2 Inf"
        ):
            break
    page.keyboard.press("Space")
    page.keyboard.press("Control+a")
    page.locator(".view-units .fill output").filter(has_text="16 kinds chosen").wait_for()
    fill = page.locator(".view-units .fill select")
    fill.focus()
    fill.select_option("command")
    page.keyboard.press("Tab")
    page.keyboard.type("sometimes")
    page.keyboard.press("Enter")
    saved(tab, "command of 16 kinds")
    sheet = load_pack(studio.studio.folder).counters
    assert {row.get("command") for row in sheet.rows} == {"sometimes"}
    assert len(sheet.rows) == 16
    page.locator(".view-units tbody input[data-column='3']").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.row") == "1"


def test_a_guess_is_taken_over_one_at_a_time(tab: Tab, studio: Running) -> None:
    file = studio.studio.folder / "pack.toml"
    text = file.read_text("utf-8")
    line = 'ma = { property = "MA", number = true }\n'
    assert line in text
    file.write_text(text.replace(line, ""), "utf-8")
    root = opened(tab, "units")
    guess = root.locator(".guess")
    guess.filter(has_text="does property MA give the movement allowance (ma)?").wait_for()
    guess.get_by_role("button", name="Yes, read it there").dblclick()
    saved(tab, "read ma from property MA")
    guess.filter(has_text="does property MA give").wait_for(state="detached")
    root.locator(":focus").wait_for()
    tab.expect("#said").to_have_text("")  # the second click was of the same guess
    assert load_pack(studio.studio.folder).units.attributes["ma"][0].what == "MA"


def test_what_is_suggested_of_counters_is_typed_blind_then_confirmed_on_pictures(
    tab: Tab, studio: Running
) -> None:
    file = studio.studio.folder / "pack.toml"
    file.write_text(file.read_text("utf-8").replace('side = { property = "Side" }\n', ""), "utf-8")
    tab.page.fill("#who", "Wren")
    tab.page.press("#who", "Enter")
    root = opened(tab, "units")
    suggested = root.locator(".suggested .line button")
    suggested.filter(has_text="What would be").click()
    would = root.locator(".suggested [role=status]")
    expect(would).to_contain_text("would change: ")
    assert load_pack(studio.studio.folder).counters is None or not rows_of_units(studio)
    suggested.filter(has_text="Blue (10)").click()
    cuts = root.locator(".cuts[data-ready=yes] button")
    cuts.nth(3).wait_for()
    for place in range(4):
        name = cuts.nth(place).get_attribute("aria-label")
        assert "begins with" not in name  # nobody is told what is suggested
        tab.page.keyboard.press("1" if name.startswith("Blue") else "2")
    root.get_by_role("button", name="Done: 4 of 4 typed").click()
    tab.until("#said", "0 of 4 suggestions differed")
    root.get_by_role("button", name="All 8 are Blue").wait_for()  # the next sheet comes by itself
    cuts.first.click()
    cuts.nth(1).focus()
    tab.page.keyboard.press("-")
    root.get_by_role("button", name="1 wrong; the other 6 are Blue; 1 left out").click()
    root.get_by_role("button", name="All 4 are Red").click()
    root.locator("tbody tr").first.wait_for()
    assert not root.locator(".suggested").is_visible()
    sides = [cells["side"] for cells in rows_of_units(studio)]
    assert sorted(sides) == ["?", *["Blue"] * 8, *["Red"] * 6]
    assert len(load_pack(studio.studio.folder).values["units"]["checked"]) == 1
    tab.page.click("#undo")  # one sheet is one step
    suggested.filter(has_text="Red (4)").wait_for()


def rows_of_units(studio: Running) -> list[dict[str, str]]:
    sheet = load_pack(studio.studio.folder).counters
    return [dict(row.cells) for row in sheet.rows if row.get("side")]


# -- rules -----------------------------------------------------------------------------------------


def test_two_ticks_of_a_list_struck_at_once_are_both_written(tab: Tab, studio: Running) -> None:
    file = studio.studio.folder / "pack.toml"
    text = file.read_text("utf-8")
    line = next(one for one in text.splitlines() if one.startswith("cancels"))
    file.write_text(text.replace(line, 'cancels = ["levels"]'), "utf-8")
    root = opened(tab, "rules")
    chart(root, "roads")
    root.get_by_text("more about road").click()
    ticks = root.locator("fieldset.ticks input")
    expect(ticks).to_have_count(3)
    ticks.first.evaluate(  # the second is drawn from what the page was told before the first was written
        """(box) => { const [one, two] = box.closest("fieldset").querySelectorAll("input");
             one.click(); one.checked = false; two.click(); }"""
    )
    saved(tab, "cancels: terrain, hexsides, levels")
    road = load_pack(studio.studio.folder).tables["roads"]["road"]
    assert sorted(road["cancels"]) == ["hexsides", "levels", "terrain"]


def test_a_chart_is_pasted_and_written_by_a_button(tab: Tab, studio: Running) -> None:
    root = opened(tab, "rules")
    chart(root, "terrain")
    root.get_by_text("Paste this chart").click()
    text = "Terrain\tFoot\tMotor\tHorse\nlava\t5\tP\t2\nwoods\tsee 7.2\t4\t\n"
    root.get_by_label("Paste a table into terrain").fill(text)
    root.get_by_text("Not understood, and left out: woods: see 7.2").wait_for()
    assert "lava" not in load_pack(studio.studio.folder).tables["terrain"]["costs"]
    root.get_by_role("button", name="Write 3 costs").wait_for()
    root.get_by_label("Column Horse").select_option(label="new class: horse")
    root.get_by_role("button", name="Write 4 costs").click()
    root.get_by_label("lava, horse", exact=True).wait_for()
    costs = load_pack(studio.studio.folder).tables["terrain"]["costs"]
    assert costs["lava"] == {"foot": 5, "motor": "prohibited", "horse": 2}


def test_counters_whose_values_are_not_written_are_not_called_looked_at(
    tab: Tab, studio: Running
) -> None:
    studio.studio.who = "Wren"
    file = studio.studio.folder / "pack.toml"
    file.write_text(file.read_text("utf-8").replace('side = { property = "Side" }', ""), "utf-8")
    root = opened(tab, "units")
    root.locator(".suggested .line").filter(has_text="side").locator("button").first.click()
    root.locator(".cuts.own[data-ready]").wait_for()
    for _ in range(4):
        tab.page.keyboard.press("1")
    why = "changed elsewhere in the meantime"
    refused = json.dumps({"refused": [{"edit": {}, "now": "", "why": why}]})
    tab.page.route("**/api/edit", lambda route: route.fulfill(body=refused))
    root.locator(".foot button.main").click()
    expect(tab.page.locator("#said")).to_have_text(why)
    root.locator(".sheet-of-counters h2").filter(has_text="a few").wait_for(state="detached")


def test_the_usual_rules_are_answered_in_plain_words(tab: Tab, studio: Running) -> None:
    file = studio.studio.folder / "pack.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("[rules.zoc]\n", '[rules.zoc]\nnot_across = ["river"]\n'), "utf-8")
    root = opened(tab, "rules")
    zones = root.locator(".choice").filter(has_text="zones of control")
    zones.get_by_text("says more than these answers can").wait_for()
    stacks = root.locator(".choice").filter(has_text="may be in a hex?")
    stacks.get_by_text(
        "At most: 3 in a hex; counted in battalions; and it binds at the end of"
    ).wait_for()
    stacks.get_by_role("button", name="Change").click()
    stacks.get_by_label("in a hex").focus()
    effect = stacks.locator(".row").filter(has_text="There is no limit").locator(".effect")
    effect.get_by_text("would change: findings").wait_for()
    stacks.get_by_label("in a hex").fill("many")
    stacks.get_by_role("button", name="That is all").click()
    stacks.get_by_text("a whole number").wait_for()
    stacks.get_by_label("in a hex").fill("4")
    stacks.get_by_label("counted in").select_option("counters")
    stacks.get_by_text(
        "If that is all: would change"
    ).wait_for()  # not by "There is more" beside it
    stacks.get_by_role("button", name="That is all").click()
    stacks.get_by_text("At most: 4 in a hex; counted in counters").wait_for()
    tables = load_pack(studio.studio.folder).values["rules"]
    assert tables["stacking"] == {"limit": 4, "checked": "phase-end"}
    enter = root.locator(".choice").filter(has_text="May a unit enter")
    enter.get_by_role("button", name="More").click()
    root.locator("h2").filter(has_text="enemy hex").wait_for()


def test_a_chart_is_filled_with_the_keyboard_vouched_for_and_gets_rows(
    tab: Tab, studio: Running
) -> None:
    def costs() -> Any:
        return load_pack(studio.studio.folder).tables["terrain"]["costs"]

    before = (studio.studio.folder / "pack.toml").read_bytes()
    root, page = opened(tab, "rules"), tab.page
    chart(root, "terrain")
    field = root.get_by_label("clear, foot", exact=True)
    field.press("Control+a")
    field.press_sequentially("dear")
    root.locator(".wrong").filter(has_text="expected a cost").wait_for()
    field.press("Tab")
    assert (studio.studio.folder / "pack.toml").read_bytes() == before
    root = opened(tab, "rules")
    chart(root, "terrain")
    root.get_by_label("Not all of it yet").check()
    saved(tab, "terrain")
    root.locator(".clause summary").first.click()
    expect(root.locator(".clause[open]")).to_contain_text("GEN-TERRAIN")
    root.locator(".vouch input[value=whole]").check()
    saved(tab, "terrain: All of it")
    expect(root.locator(".clause[open]")).to_contain_text("GEN-TERRAIN")  # it stays open
    root.get_by_label("clear, foot", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    name, _, column = page.evaluate("document.activeElement.ariaLabel").rpartition(", ")
    assert column == "motor"
    page.keyboard.press("Control+a")
    page.keyboard.type("1..3")
    page.keyboard.press("Enter")
    saved(tab, f"{name} motor: 1..3")
    assert costs()[name]["motor"] == {"from": 1, "to": 3}
    root.get_by_label("Another row of").fill("lava")
    root.get_by_role("button", name="Add", exact=True).click()
    page.keyboard.type("prohibited")
    page.keyboard.press("Enter")
    saved(tab, "lava: prohibited")
    assert costs()["lava"] == "prohibited"
    chart(root, "Phases of the game")
    root.get_by_role("button", name="Add to phase").click()
    draft = root.locator(".draft")
    draft.get_by_role("button", name="Save it").click()
    draft.locator(".wrong").filter(has_text="expected").wait_for()
    draft.get_by_label("name", exact=True).fill("Rally")
    draft.get_by_label("movers").select_option("nobody")
    draft.locator("select").first.filter(has_text="nobody").wait_for()
    draft.get_by_role("button", name="Save it").click()
    saved(tab, "added to phase")
    assert load_pack(studio.studio.folder).phases["Rally"].movers == "none"


@pytest.mark.parametrize(
    "sample", ["ocs", "tide-of-iron", "valor-and-victory", "wacht-am-rhein", "zoc-classes"]
)
def test_every_ruleset_gives_a_form(context: Any, tmp_path: Path, sample: str) -> None:
    folder = SAMPLES / sample
    logs = tuple(sorted(folder.glob("*.vlog")))[:1]
    with running(copy_of(folder / "pack", tmp_path), logs) as studio:
        tab = Tab(context, studio, view="rules")
        root = opened(tab, "rules")
        for part in root.locator(".parts button").all():
            part.click()
            expect(root.locator(".form h2")).to_have_count(1)
            assert root.locator(".form").locator("input, select, button").count() > 0
        expect(root.locator(".faults .wrong")).to_have_count(0)
        assert tab.complaints == []


# -- questions and findings ------------------------------------------------------------------------


def test_the_report_is_saved_as_the_audit_would_write_it(
    tab: Tab, studio: Running, tmp_path: Path
) -> None:
    (tmp_path / "pack" / "facts.toml").write_text((CROSSROADS / "settled.toml").read_text("utf-8"))
    tab.until("#unverifiable", "0")
    tab.judged()
    root = opened(tab, "findings")
    with tab.page.expect_download() as download:
        root.get_by_role("button", name="Save the report").click()
    assert download.value.suggested_filename == "crossroads-report.html"
    saved_as, written = tmp_path / "saved.html", tmp_path / "report.html"
    download.value.save_as(saved_as)
    named = ("--pack", tmp_path / "pack", "--facts", tmp_path / "pack" / "facts.toml")
    done("audit", *LOGS, *named, "-o", written, code=1)
    page, _, seal = written.read_text("utf-8").rpartition("<!-- vassal-umpire seal ")
    assert seal
    assert saved_as.read_text("utf-8") == page


def test_an_answer_decides_and_a_finding_is_linked_to_and_drawn(tab: Tab, studio: Running) -> None:
    page, root = tab.page, opened(tab, "findings")
    question = root.locator(".question").filter(has_text="What terrain is in hex 0110?")
    question.filter(has_text="1 move waits for it, 1 for nothing else").wait_for()
    expect(question.locator(".movers")).to_contain_text("Blue")
    question.get_by_role("button", name="Answer").click()
    question.locator(".wrong").filter(has_text="expected an answer for terrain").wait_for()
    question.get_by_role("button", name="clear", exact=True).click()
    question.get_by_role("button", name="Answer").click()
    tab.until("#unverifiable", "0")
    tab.until("#said", "1 move fewer is open than before your answer.")
    assert 'terrain = ["clear"]' in studio.studio.facts.read_text("utf-8")
    root.get_by_text("There are no questions").wait_for()
    page.click("#undo")
    tab.until("#unverifiable", "1")
    root.locator(".question").filter(has_text="0110").wait_for()
    sheet = sheet_of(studio.studio)
    number = next(row.number for row in sheet.findings if row.finding.kind == "overstack")
    page.evaluate(f"location.hash = '#findings/{number}'")
    root.locator(".detail h2").filter(has_text="Overstack").wait_for()
    page.evaluate("location.hash = '#findings/questions'")
    root.locator(".questions").wait_for()
    root.get_by_role("button", name="Findings (3)").click()
    assert page.evaluate("document.activeElement.textContent") == "Findings (3)"
    row = root.locator(".finding").filter(has_text="Blue 4 Inf")
    row.focus()
    page.keyboard.press("Enter")
    detail = root.locator(".detail")
    detail.filter(has_text="Missed MP cost: Blue 4 Inf").wait_for()
    expect(detail.locator("svg .way.illegal")).to_have_count(1)
    expect(detail.locator("svg .paid")).to_have_count(4)
    detail.locator("svg.pictured").wait_for()
    told = detail.inner_text()
    for part in ("Blue (Wren)", "Turn 1", "log 1 step 11", "GEN-", "short by 2 MP"):
        assert part in told
    charge = detail.locator(".bill").get_by_role("button", name="Open hex 0709 on the board").first
    charge.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/#board/0709")


def test_questions_with_one_answer_are_one_and_are_answered_one_by_one(
    context: Any, folder: Path
) -> None:
    hexes = folder / "hexes.csv"
    text = hexes.read_text("utf-8")
    hexes.write_text(re.sub(r"(?m)^(010[89]),clear", r"\1,?", text), "utf-8")
    with running(folder, LOGS) as studio:
        tab = Tab(context, studio, view=VIEW)
        tab.judged()
        root = opened(tab, "findings")
        group = root.locator(".questions > ol > li").filter(has_text="The same of")
        expect(group).to_contain_text("Its answer decides")
        group.get_by_text("One by one (3)").click()
        one = group.locator("li").filter(has_text="What terrain is in hex 0110?")
        one.get_by_role("button", name="clear", exact=True).click()
        one.get_by_role("button", name="Answer").click()
        expect(group.get_by_text("One by one (2)")).to_be_visible()
        tab.until("#said", "No fewer moves are open")
        expect(group.locator("li").filter(has_text="hex 0109?")).to_be_visible()  # still unfolded
        tab.judged()
        expect(group.get_by_text("One by one (2)")).to_be_visible()
        assert tab.complaints == []


# -- all of them -----------------------------------------------------------------------------------


def test_kinds_and_findings_are_chosen_by_touch(phone: Any, studio: Running) -> None:
    tab = Tab(phone, studio)
    tab.judged()
    page = tab.page
    page.tap("#tab-units")
    root = page.locator(".view-units")
    root.locator("tbody tr").first.locator("td.named").tap()
    expect(root.locator(".fill")).to_contain_text("1 kind chosen")
    page.tap("#tab-findings")
    root = page.locator(".view-findings")
    root.get_by_role("button", name="Findings (3)").tap()
    root.locator(".finding").nth(2).tap()
    root.locator(".detail svg").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.complaints == []


def test_names_of_strangers_are_shown_as_text(context: Any, studio: Running) -> None:
    def nasty(route: Any) -> None:
        answer = route.fetch()
        body = answer.text()
        for name in ("Blue 4 Inf", "Blue 2 Inf", "woods", "0110"):
            body = body.replace(name, json.dumps(HOSTILE)[1:-1])
        route.fulfill(response=answer, body=body)

    for asked in ("units?*", "rules?*", "findings*", "findings/*", "questions?*"):
        context.route(f"**/api/{asked}", nasty)
    tab = Tab(context, studio, view=VIEW)
    tab.judged()
    shown = "<img src=x onerror=\"document.title='gone'\">\\u202eevil\\u2028"
    for view in VIEWS:
        root = opened(tab, view)
        if view == "rules":
            chart(root, "terrain")
        if view == "findings":
            root.get_by_role("button", name="Findings (3)").click()
            root.locator(".finding").nth(2).click()
            root.locator(".detail h2").filter(has_text="evil").wait_for()
        text = root.inner_text()
        assert shown in text or shown.lower() in text.lower()
        assert "\u202e" not in text
        expect(root.locator("img[src=x]")).to_have_count(0)
    assert tab.page.title() == "Crossroads – pack studio"
    assert [one for one in tab.complaints if "400" not in one] == []


def test_a_tab_that_only_reads_offers_nothing_to_write(
    context: Any, studio: Running, tab: Tab
) -> None:
    other = Tab(context, studio, studio.origin)
    other.judged()
    other.page.locator("#reader").wait_for()
    root = opened(other, "units")
    assert (
        cell(root, "Blue 1 Tank", "movement allowance (ma)").get_attribute("readonly") is not None
    )
    root = opened(other, "rules")
    chart(root, "terrain")
    expect(root.get_by_role("button", name="Remove")).to_have_count(0)
    root = opened(other, "findings")
    root.locator(".question").first.wait_for()
    expect(root.get_by_role("button", name="Answer")).to_have_count(0)


def test_what_the_pack_is_suspected_of_stands_above_the_findings(
    context: Any, studio: Running
) -> None:
    fact = {"kind": "hexside", "cell": "0608/0709", "layer": "hexsides", "name": "river"}
    body = json.dumps({"suspects": [{"fact": fact, "text": "Is there a river?"}]})
    context.route(
        "**/api/suspects", lambda route: route.fulfill(content_type="application/json", body=body)
    )
    tab = Tab(context, studio, view="findings")
    tab.judged()
    root = opened(tab, "findings")
    root.get_by_role("button", name="Findings (3)").click()
    suspects = root.locator(".suspects")
    suspects.filter(has_text="Is there a river?").wait_for()
    assert suspects.bounding_box()["y"] < root.locator(".rows").bounding_box()["y"]  # type: ignore[index]
    suspects.get_by_role("button", name="Look at it").click()
    tab.page.wait_for_url("**/#board/0608")


def test_what_the_moves_say_of_a_cost_is_typed_only_if_somebody_says_that_the_rulebook_has_it(
    context: Any, studio: Running
) -> None:
    swamp = {
        "chart": "terrain",
        "row": "swamp",
        "status": "pinned",
        "says": "pinned at 3",
        "value": "3",
        "evidence": "at 4, 9 moves in 5 phases would be impossible",
        "path": ["rules", "terrain", "costs", "swamp"],
    }
    creek = {**swamp, "row": "creek", "status": "no evidence", "says": "no evidence", "value": None}
    creek["path"] = ["rules", "hexsides", "creek", "cost"]
    said = {"class": "foot", "moves": 90, "phases": 9, "numbers": [swamp, creek], "unexplained": []}
    asked = {
        "classes": [said],
        "left_out": [],
        "class_names": ["foot", "motor"],
        "nothing_missing": False,
    }
    tab = Tab(context, studio, view="rules")
    tab.judged()
    opened_now = studio.studio.opened
    studio.studio.memory[rules_view.JOB] = opened_now, asked
    studio.studio.changed()
    with pytest.raises(UmpireError, match="do not pin this number"):
        rules_view.confirm(studio.studio, {"path": creek["path"], "class": "foot"})
    studio.studio.who = ""
    with pytest.raises(UmpireError, match="say your name first"):
        rules_view.confirm(studio.studio, {"path": swamp["path"], "class": "foot", "said": "3"})
    studio.studio.who = "Wren"
    root = opened(tab, "rules")
    asking = root.locator(".ask-moves")
    asking.get_by_text("pinned at 3").wait_for()
    file = studio.studio.folder / "pack.toml"
    assert "swamp" not in file.read_text("utf-8")
    expect(asking.get_by_role("button", name="Write it")).to_have_count(1)
    asking.get_by_role("button", name="Write it").click()
    assert "swamp" not in file.read_text("utf-8")  # nobody said yet what the rulebook says
    asking.get_by_label("What the rulebook says of terrain swamp").fill("3")
    asking.get_by_role("button", name="Write it").click()
    asking.get_by_text("typed 3", exact=True).wait_for()
    text = file.read_text("utf-8")
    assert "swamp = { foot = 3 }" in text
    told = "terrain swamp foot (3): proposed from moves, found in the rulebook by Wren, "
    (line,) = confirmed_lines(tomllib.loads(text))
    assert line.startswith(told)
    later = tomllib.loads(text.replace("swamp = { foot = 3 }", "swamp = { foot = 4 }"))
    assert [*confirmed_lines(later)] == []  # it is another number now
    again = {"path": swamp["path"], "class": "foot", "said": "2"}
    held = rules_view.confirm(studio.studio, again)
    assert (held["edits"], "which stays" in held["error"]) == ([], True)
    file.write_text(text.replace("swamp = { foot = 3 }\n", ""), "utf-8")
    edits = rules_view.confirm(studio.studio, again)["edits"]
    assert [edit["now"] for edit in edits] == [{"foot": 2}]  # not what the moves proposed
