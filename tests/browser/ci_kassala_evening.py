"""From a first pack to the first decided move of a module that others made, counted in what a user does."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES, Hand, Tab, rested, running
from command_line import done
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.finding import JudgedMove
from vassal_umpire.model.provenance import Key

pytest.importorskip("numpy", reason="the studio needs the extra [studio]")

LACKS, STEPS = "rules that are not in these forms", "steps that cost more, or end a move"
MOST = 14
"""The actions it takes: clicks, fields typed with Enter, a list scrolled."""
MOST_WITH_CELLS = 27
"""The actions to a verdict that rests on cells, all of them looked at, too."""
TWO_IN_KASSALA = {(8, 9, 10), (14, 15, 16)}
"""Steps in which cavalry enters a hex with an enemy in it; samples/kassala/README.md has them as illegal."""


def test_the_first_decided_moves_of_kassala(context: Any, corpus: Path, tmp_path: Path) -> None:
    """First without the board, then one that rests on cells."""
    module = tmp_path / "Kassala.vmod"
    log = tmp_path / "kassala-1-moslem.vlog"
    shutil.copy(corpus / "kassala" / module.name, module)
    shutil.copy(corpus / "engine-written" / "kassala-1-moslem" / log.name, log)
    folder = tmp_path / "pack"
    done("pack", "new", module, log, "-o", folder)
    with running(folder, (log,), module) as studio:
        tab = Tab(context, studio)
        page, hand = tab.page, Hand(tab.page)

        def verdicts(verdict: str) -> list[JudgedMove]:
            audit = studio.studio.audit
            return [one for one in audit.moves if one.judged and one.verdict == verdict]

        hand.type(page.locator("#who"), "Wren")
        page.locator("#name").wait_for(state="hidden")
        hand.click(page.locator("#tab-units"))
        hand.click(page.get_by_label("Choose all 13 of this group"))
        hand.type(page.get_by_label("Value for all chosen counters"), "yes")
        tab.until("#said", "13 kinds: yes")
        hand.press("Yes, read it there")  # the side, by the counters' pictures
        allowance = page.locator(".guess").filter(has_text="give the movement allowance (ma)")
        allowance.wait_for()

        hand.click(page.locator("#tab-phases"))
        page.locator(".view-phases .bar").first.wait_for()
        hand.press("Yes, Movement is such a phase")
        page.get_by_text("The pack has no phase").wait_for(state="detached")
        hand.type(page.get_by_label("Last step"), "34")  # at step 35 an attack is rolled for
        hand.scroll(page.locator("[data-part=rows]"))
        tab.until("[data-part=left]", "All")
        hand.click(page.locator("[data-part=confirm]"))
        tab.until("#said", "Confirmed: Movement")

        hand.click(page.locator("#tab-rules"))
        hand.press("Never")  # may a unit enter a hex with enemy units?
        page.get_by_role("button", name="enemy hex – none").wait_for()
        hand.press(LACKS)
        hand.click(page.locator(".vouch input[value=none]"))
        page.locator('#illegal:text-is("2")').wait_for()

        assert hand.actions <= MOST
        tab.expect("#legal").to_have_text("0")
        illegal = {tuple(s.step for s in one.move.steps) for one in verdicts("illegal")}
        assert illegal == TWO_IN_KASSALA
        # Nothing is told of the board, so they rest on no cell that nobody has looked at.
        assert not (folder / "hexes.csv").exists()
        assert not (folder / "lines.csv").exists()
        assert load_pack(folder).records == ()
        phase = load_pack(folder).phases["Movement"]  # taken over in one step
        assert (phase.forms, phase.complete) == (("move",), True)
        assert "looked-at,Wren," in (folder / "facts.provenance.csv").read_text("utf-8")

        hand.click(page.locator("#tab-units"))
        hand.press("Yes, read it there")
        allowance.wait_for(state="detached")
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
        hand.press("All charts")
        hand.click(tick(page, "allowance: all of it"))
        page.locator('#undo[title*="allowance: All of it"]').wait_for()
        page.locator("#judging:empty").wait_for(state="attached")
        rested(page)
        none = {"levels": "levels", "surcharges": "surcharges", "lacks": LACKS, "steps": STEPS}
        hand.drag(*(tick(page, f"{name}: the game has none") for name in none.values()))
        for name in none.values():
            page.get_by_role("button", name=f"{name} – none", exact=True).wait_for()
        hand.type(page.get_by_label("plain (terrain)"), "1")
        page.locator('#legal:text-is("1")').wait_for()

        assert hand.actions <= MOST_WITH_CELLS
        tables = load_pack(folder).values["rules"]
        assert {name for name, value in tables.items() if value == "none"} == {*none, "enemy_hex"}
        assert tables["complete"] == ["allowance"]
        (legal,) = verdicts("legal")
        assert [step.step for step in legal.move.steps] == [11, 12, 13]
        charges = legal.bill.charges
        sides = {"/".join(sorted((charge.origin, charge.hex))) for charge in charges}
        rests_on = {Key(charge.hex, "terrain") for charge in charges}
        rests_on |= {Key(side, "hexsides") for side in sides}
        assert {charge.hex for charge in charges} == {"06.02", "06.03", "06.04"}
        assert sides == {"06.01/06.02", "06.02/06.03", "06.03/06.04"}
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
