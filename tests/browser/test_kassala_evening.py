"""From a first pack to the first decided move of a module that others made, counted in what a user does."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import Tab, running
from click.testing import CliRunner
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.plugin import cli

pytest.importorskip("numpy", reason="the studio needs the extra [studio]")

MOST = 15
"""The actions it takes: clicks, fields typed with Enter, a list scrolled."""
TWO_IN_KASSALA = {(8, 9, 10), (14, 15, 16)}
"""Steps in which cavalry enters a hex with an enemy in it; samples/kassala/README.md has them as illegal."""


class Hand:
    """What a user does, each action counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.actions = page, 0

    def click(self, element: Any) -> None:
        element.click()
        self.actions += 1

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def type(self, element: Any, text: str) -> None:
        element.fill(text)
        element.press("Enter")
        self.actions += 1

    def scroll(self, element: Any) -> None:
        element.hover()
        self.page.mouse.wheel(0, 3_000)
        self.actions += 1


def first_pack(corpus: Path, tmp_path: Path) -> tuple[Path, Path, Path]:
    """The folder of a pack just begun, the log, the module."""
    module = tmp_path / "Kassala.vmod"
    log = tmp_path / "kassala-1-moslem.vlog"
    shutil.copy(corpus / "kassala" / module.name, module)
    shutil.copy(corpus / "engine-written" / "kassala-1-moslem" / log.name, log)
    folder = tmp_path / "pack"
    asked = ["pack", "new", str(module), str(log), "-o", str(folder)]
    result = CliRunner().invoke(cli.main, asked)
    assert result.exit_code == 0, result.output
    return folder, log, module


def test_the_first_decided_move_of_kassala(browser: Any, corpus: Path, tmp_path: Path) -> None:
    folder, log, module = first_pack(corpus, tmp_path)
    with running(folder, (log,), module) as studio:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        tab = Tab(context, studio)
        page, hand = tab.page, Hand(tab.page)
        hand.type(page.locator("#who"), "Wren")
        page.locator("#name").wait_for(state="hidden")

        hand.click(page.locator("#tab-units"))
        hand.click(page.get_by_label("Choose all 13 of this group"))
        hand.type(page.get_by_label("Value for all chosen counters"), "yes")
        tab.until("#said", "13 kinds: yes")
        hand.press("Yes, read it there")  # the side, by the counters' pictures
        page.locator(".guess").filter(has_text="is the class told").wait_for()

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

        hand.click(page.locator("#tab-rules"))
        hand.press("enemy hex")
        hand.click(page.locator(".vouch input[value=whole]"))
        page.get_by_role("button", name="enemy hex ✓").wait_for()
        hand.press("lacks")
        hand.click(page.locator(".vouch input[value=none]"))
        page.locator('#illegal:text-is("2")').wait_for(timeout=30_000)

        assert hand.actions <= MOST
        assert tab.text("#legal") == "0"
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
        assert "looked-at,Wren," in (folder / "facts.provenance.csv").read_text("utf-8")
        assert tab.complaints == []
        context.close()


def test_a_phase_that_the_pack_does_not_have_is_taken_over_in_one_step(
    browser: Any, corpus: Path, tmp_path: Path
) -> None:
    folder, log, module = first_pack(corpus, tmp_path)
    with running(folder, (log,), module) as studio:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        tab = Tab(context, studio)
        tab.page.fill("#who", "Wren")
        tab.page.press("#who", "Enter")
        tab.page.click("#tab-phases")
        tab.page.get_by_role("button", name="Yes, Movement is such a phase").click()
        tab.page.get_by_text("The pack has no phase").wait_for(state="detached")
        phase = load_pack(folder).phases["Movement"]
        assert (phase.forms, phase.complete) == (("move",), True)
        assert not (folder / "facts.toml").exists()
        tab.page.click("#undo")
        tab.until("#said", "Taken back: the phase Movement")
        assert "Movement" not in load_pack(folder).phases
        tab.page.get_by_text("The pack has no phase").wait_for()
        context.close()
