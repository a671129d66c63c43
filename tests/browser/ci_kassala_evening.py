"""From a first pack to the first decided move of a module that others made, counted in what a user does."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES, Hand, Tab, rested, running
from command_line import done
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.provenance import Key

pytest.importorskip("numpy", reason="the studio needs the extra [studio]")

LACKS, STEPS = "rules that are not in these forms", "steps that cost more, or end a move"
MOST = 14
"""The actions it takes: clicks, fields typed with Enter, a list scrolled."""
MOST_WITH_CELLS = 20
"""The actions to a verdict that rests on cells, all of them looked at."""
TWO_IN_KASSALA = {(8, 9, 10), (14, 15, 16)}
"""Steps in which cavalry enters a hex with an enemy in it; samples/kassala/README.md has them as illegal."""


def first_pack(corpus: Path, tmp_path: Path) -> tuple[Path, Path, Path]:
    """The folder of a pack just begun, the log, the module."""
    module = tmp_path / "Kassala.vmod"
    log = tmp_path / "kassala-1-moslem.vlog"
    shutil.copy(corpus / "kassala" / module.name, module)
    shutil.copy(corpus / "engine-written" / "kassala-1-moslem" / log.name, log)
    folder = tmp_path / "pack"
    done("pack", "new", module, log, "-o", folder)
    return folder, log, module


def tells_units(tab: Tab, hand: Hand) -> None:
    """Who it is, which counters are units, and their sides."""
    page = tab.page
    hand.type(page.locator("#who"), "Wren")
    page.locator("#name").wait_for(state="hidden")
    hand.click(page.locator("#tab-units"))
    hand.click(page.get_by_label("Choose all 13 of this group"))
    hand.type(page.get_by_label("Value for all chosen counters"), "yes")
    tab.until("#said", "13 kinds: yes")
    hand.press("Yes, read it there")  # the side, by the counters' pictures


def confirms_movement(tab: Tab, hand: Hand) -> None:
    """Takes the phase over, and looks at all its steps."""
    page = tab.page
    hand.click(page.locator("#tab-phases"))
    page.locator(".view-phases .bar").first.wait_for()
    hand.press("Yes, Movement is such a phase")
    page.get_by_text("The pack has no phase").wait_for(state="detached")
    hand.type(page.get_by_label("Last step"), "34")  # at step 35 an attack is rolled for
    page.locator("[data-part=rows] li").first.wait_for()
    hand.scroll(page.locator("[data-part=rows]"))
    tab.until("[data-part=left]", "All")
    hand.click(page.locator("[data-part=confirm]"))
    tab.until("#said", "Confirmed: Movement")


def test_the_first_decided_move_of_kassala(context: Any, corpus: Path, tmp_path: Path) -> None:
    folder, log, module = first_pack(corpus, tmp_path)
    with running(folder, (log,), module) as studio:
        tab = Tab(context, studio)
        page, hand = tab.page, Hand(tab.page)
        tells_units(tab, hand)
        page.locator(".guess").filter(has_text="is the movement allowance (ma) told").wait_for()

        confirms_movement(tab, hand)

        hand.click(page.locator("#tab-rules"))
        hand.press("Never")  # may a unit enter a hex with enemy units?
        page.get_by_role("button", name="enemy hex – none").wait_for()
        hand.press(LACKS)
        hand.click(page.locator(".vouch input[value=none]"))
        page.locator('#illegal:text-is("2")').wait_for()

        assert hand.actions <= MOST
        tab.expect("#legal").to_have_text("0")
        audit = studio.studio.audit
        assert audit is not None
        decided = [judged for judged in audit.moves if judged.judged]
        illegal = {
            tuple(step.step for step in judged.move.steps)
            for judged in decided
            if judged.verdict == "illegal"
        }
        assert illegal == TWO_IN_KASSALA
        assert {f.clause for f in audit.findings if f.verdict == "illegal"} == {"GEN-ENEMY"}
        # Nothing is told of the board, so they rest on no cell that nobody has looked at.
        assert not (folder / "hexes.csv").exists()
        assert not (folder / "lines.csv").exists()
        assert load_pack(folder).records == ()
        phase = load_pack(folder).phases["Movement"]  # taken over in one step
        assert (phase.forms, phase.complete) == (("move",), True)
        assert "looked-at,Wren," in (folder / "facts.provenance.csv").read_text("utf-8")
        assert tab.complaints == []


def test_the_first_verdict_that_rests_on_cells(context: Any, corpus: Path, tmp_path: Path) -> None:
    folder, log, module = first_pack(corpus, tmp_path)
    with running(folder, (log,), module) as studio:
        tab = Tab(context, studio)
        page, hand = tab.page, Hand(tab.page)
        tells_units(tab, hand)
        guess = page.locator(".guess")
        guess.filter(has_text="is the movement allowance (ma) told").wait_for()
        hand.press("Yes, read it there")
        guess.filter(has_text="is the movement allowance (ma) told").wait_for(state="detached")

        confirms_movement(tab, hand)

        tab.until("#card-text", "the few hexes that decide a move soonest")
        hand.click(page.locator("#card-go"))
        page.locator(".stretch svg").wait_for()
        terrain = page.get_by_role("group", name="Terrain of hexes")
        hand.type(terrain.get_by_label("Another kind"), "plain")
        hand.drag(*(hexagon(page, f"06.{row:02d}") for row in range(1, 5)))
        hand.hold("o")
        hand.press("This view is right")
        tab.until("#said", "looked at")

        hand.click(page.locator("#tab-rules"))
        hand.click(tick(page, "allowance: all of it"))
        page.locator('#undo[title*="allowance: All of it"]').wait_for()
        page.locator("#judging:empty").wait_for(state="attached")
        rested(page)
        none = {"levels": "levels", "surcharges": "surcharges", "lacks": LACKS, "steps": STEPS}
        hand.drag(*(tick(page, f"{name}: the game has none") for name in none.values()))
        for name in none.values():
            page.get_by_role("button", name=f"{name} – none", exact=True).wait_for()
        hand.type(page.get_by_label("plain (costs)"), "1")
        page.locator('#legal:text-is("1")').wait_for()

        assert hand.actions <= MOST_WITH_CELLS
        tables = load_pack(folder).values["rules"]
        assert {name for name, value in tables.items() if value == "none"} == set(none)
        assert tables["complete"] == ["allowance"]
        audit = studio.studio.audit
        assert audit is not None
        (legal,) = (m for m in audit.moves if m.judged and m.verdict == "legal")
        assert [step.step for step in legal.move.steps] == [11, 12, 13]
        assert legal.bill is not None
        rests_on = {Key(charge.hex, "terrain") for charge in legal.bill.charges}
        rests_on |= {
            Key("/".join(sorted((charge.origin, charge.hex))), "hexsides")
            for charge in legal.bill.charges
        }
        assert {key.cell for key in rests_on} == {
            *("06.02", "06.03", "06.04"),
            *("06.01/06.02", "06.02/06.03", "06.03/06.04"),
        }
        records = {record.key: record for record in load_pack(folder).records}
        for key in rests_on:
            assert (records[key].status, records[key].who) == ("looked-at", ("Wren",))
            assert records[key].method.name == "the studio's view of the map, overlay off and on"
        # All that was said by this look is so, by the pack that was made by others.
        truth = {r.key: r.value for r in load_pack(SAMPLES / "kassala" / "pack").records}
        said = {r.key: r.value for r in records.values() if r.key.layer in ("terrain", "hexsides")}
        assert said == {key: truth[key] for key in said}
        assert tab.complaints == []


def hexagon(page: Any, name: str) -> Any:
    """A hex of a stretch that is looked at."""
    return page.locator(".stretch polygon.hit").filter(has_text=name)


def tick(page: Any, label: str) -> Any:
    """The tick of a chart."""
    return page.get_by_label(label, exact=True)
