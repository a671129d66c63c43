"""A tournament director who tells the studio about the drawn game, with every action counted.

He knows the map, the counters and the rules (he reads them off the truth), and says nothing that is not so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from browser.hand import Hand
from browser.studio_kit import PATIENCE, Running, Tab
from drawn_game.module import DrawnGame
from drawn_game.truth import accused, decided, falsely_accused
from vassal_umpire.model.finding import Audit

ALLOWANCES = (("inf", "foot", 4), ("mot", "motor", 6), ("arm", "motor", 6), ("rec", "motor", 8))


@dataclass
class Record:
    """What every audit on the way said. ``stretches``: actions by stretch of work."""

    false: set[tuple[int, int]] = field(default_factory=set)
    first_finding: int | None = None
    stretches: dict[str, int] = field(default_factory=dict)


class Director:
    """``record`` is filled with every audit that the studio shows, at the moment it does."""

    def __init__(self, context: Any, studio: Running, game: DrawnGame) -> None:
        self.studio, self.game = studio, game
        self.record = Record()
        self._watch()
        self.tab = Tab(context, studio)
        self.page = self.tab.page
        self.hand = Hand(self.page)

    def _watch(self) -> None:
        show: Callable[[Any], None] = self.studio.studio._show

        def watched(shown: Any) -> None:
            show(shown)
            if shown.audit is not None:
                self.record.false |= falsely_accused(self.game, shown.audit)
                if self.record.first_finding is None and accused(shown.audit):
                    self.record.first_finding = self.hand.actions

        self.studio.studio._show = watched  # type: ignore[method-assign]

    @property
    def audit(self) -> Audit:
        """The verdicts on all that was said."""
        studio = self.studio.studio
        while (state := studio.state())["judging"]:
            studio.wait(state["revision"], PATIENCE / 1_000)
        assert studio.audit is not None
        return studio.audit

    @contextmanager
    def stretch(self, name: str) -> Iterator[None]:
        """Count what is done in the block."""
        before = self.hand.actions
        yield
        audit = self.audit
        self.record.stretches[name] = self.hand.actions - before
        print(f"{name}: {self.hand.actions - before} actions, {self.hand.actions} in all; "
              f"{decided(self.game, audit)} decided, {len(accused(audit))} accused")  # fmt: skip

    def go(self, tab: str) -> None:
        """Open one of the views."""
        self.hand.click(self.page.locator(f"#tab-{tab}"))
        self.page.locator(f".view-{tab}:visible").wait_for()

    # -- units --------------------------------------------------------------------------------

    def tells_units(self) -> None:
        """Who it is, which counters are units, their sides, classes and allowances."""
        hand, page = self.hand, self.page
        hand.type(page.locator("#who"), "Wren")
        page.locator("#name").wait_for(state="hidden")
        self.go("units")
        hand.click(page.get_by_label("Choose all 61 of this group"))
        self._fill("yes", "61 kinds: yes")
        self._of("turn", "Is it a unit?", "no")
        self._of("N_", "side", "North")
        self._of(" s", "side", "South")
        for kind, movement, allowance in ALLOWANCES:
            self._of(kind, "movement class (class)", movement)
            hand.choose(page.get_by_label("Column to fill"), "movement allowance (ma)")
            self._fill(str(allowance), f": {allowance}")

    def _of(self, words: str, column: str, value: str) -> None:
        """Fill a column of all counters that the search finds."""
        if self.page.get_by_role("button", name="Choose none").is_visible():
            self.hand.press("Choose none")
        self.hand.type(self.page.get_by_role("searchbox", name="Find"), words)
        self.page.locator("#view tbody tr:visible").first.wait_for()
        self.page.wait_for_timeout(300)
        self.hand.click(self.page.locator("thead input:visible"))
        if column != "Is it a unit?":
            self.hand.choose(self.page.get_by_label("Column to fill"), column)
        self._fill(value, f": {value}")

    def _fill(self, value: str, said: str) -> None:
        self.page.evaluate("document.getElementById('said').textContent = ''")
        self.hand.type(self.page.get_by_label("Value for all chosen counters"), value)
        self.tab.until("#said", said)

    # -- phases -------------------------------------------------------------------------------

    def confirms_phases(self) -> None:
        """The movement phase of each log, from its announcement to its last move."""
        self.go("phases")
        self.page.locator(".view-phases .bar:visible").first.wait_for()
        for log, (first, last) in enumerate(self.game.movement, 1):
            self._confirm(log, first, last, str((log + 1) // 2))

    def _confirm(self, log: int, first: int, last: int, turn: str) -> None:
        page, hand = self.page, self.hand
        bars = page.locator(".view-phases .log").nth(log - 1).locator(".bar")
        for bar in bars.all():
            begin, end = re.findall(r"[0-9]+", bar.get_attribute("title") or "")[:2]
            if int(begin) <= first <= int(end):
                hand.click(bar)
                self.tab.until(".view-phases h2", f"Log {log}, steps {begin} to {end}")
                break
        wanted = {
            "First step": str(first),
            "Last step": str(last),
            "Turn": turn,
            "Phase": "Movement",
        }
        for label, value in wanted.items():
            entry = page.get_by_label(label, exact=True)
            if entry.input_value() != value:
                hand.type(entry, value)
                page.wait_for_timeout(400)
        new = page.get_by_role("button", name="Yes, Movement is such a phase")
        if new.is_visible():
            hand.click(new)
            new.wait_for(state="detached")
        hand.scroll(page.locator("[data-part=rows]"))
        self.tab.until("[data-part=left]", "All")
        hand.click(page.locator("[data-part=confirm]"))
        self.tab.until("#said", f"Confirmed: Movement, steps {log}:")
        self.tab.expect(".view-phases .bar.settled").to_have_count(log)

    # -- the board ----------------------------------------------------------------------------

    def shows_examples(self) -> None:
        """A few hexes of each terrain, and all sides on the two sheets on which something is."""
        self.go("suggest")
        truth = self.game.ground.terrain
        cells = self._open_sheet("terrain offer")
        for kind, many in (("clear", 6), ("woods", 3), ("hills", 3), ("marsh", 3), ("town", 3)):
            self._mark(kind, [cell for cell in cells if truth[cell] == kind][:many])
        self._confirm_sheet()
        for layer, kind in (("hexsides", "river"), ("lines", "road")):
            cells = self._open_sheet(f"{layer} offer")
            self._mark(kind, [cell for cell in cells if self._side(layer, cell) == kind])
            self._confirm_sheet()
        self.suggests()

    def suggests(self) -> None:
        self.hand.click(self.page.locator("[data-at='run']"))
        self.page.locator("[data-at='stop']").wait_for(state="detached")
        self.page.locator("[data-at='terrain clear']").wait_for()

    def looks_through(self) -> None:
        """Every kind that is suggested; what is wrong is put right."""
        for kind in ("woods", "hills", "marsh", "town", "clear"):
            self._look("terrain", kind)
        self._look("hexsides", "river")
        self._look("lines", "road")

    def follows_roads(self) -> None:
        """Where a road stops short, as long as one does."""
        button = self.page.locator("[data-at='lines ends road']")
        while button.count():
            cells = self._open_sheet("lines ends road")
            on = [cell for cell in cells if self._side("lines", cell) == "road"]
            if not on:
                self.hand.press("Back")
                self.page.locator("[data-at='run']").wait_for()
                return
            self._mark("road", on)
            self._confirm_sheet()

    def looks_at_empty_sides(self) -> None:
        """That nothing is on the sides that open moves wait for, as long as any do."""
        _ = self.audit
        self.page.locator("[data-at='empty']").wait_for()
        cells = self._open_sheet("empty")
        while cells:
            wrong = [c for c in cells if self._is_wrongly_empty(c)]
            self._mark("", wrong)
            old = self.page.locator(".cuts").element_handle()
            self.hand.click(self.page.locator(".foot button.main"))
            self.page.wait_for_timeout(100)
            while self.page.evaluate("old => old.isConnected", old):
                self.page.wait_for_timeout(50)
            if self.page.locator("[data-at='run']").count():
                return
            cells = self._cells()

    def _is_wrongly_empty(self, cell: str) -> bool:
        label = (
            self.page.locator(f".cuts button[aria-label^='{cell}']").get_attribute("aria-label")
            or ""
        )
        there = {self._side(layer, cell) for layer in ("hexsides", "lines")} - {None}
        return any(f"{kind}" not in label for kind in there)

    def _look(self, layer: str, kind: str) -> None:
        """Look through a kind sheet by sheet."""
        cells = self._open_sheet(f"{layer} {kind}")
        while cells:
            wrong: dict[str, list[str]] = {}
            for cell in cells:
                is_so = (
                    self.game.ground.terrain[cell]
                    if layer == "terrain"
                    else self._side(layer, cell)
                )
                if is_so != kind:
                    wrong.setdefault(is_so or "nothing", []).append(cell)
            for other, those in wrong.items():
                self._mark(other, those)
            cells = self._confirm_sheet()

    def _side(self, layer: str, cell: str) -> str | None:
        """What is on a hexside (a bridge is part of the road over it)."""
        side, ground = frozenset(cell.split("/")), self.game.ground
        if layer == "hexsides":
            return "river" if side in ground.rivers else None
        return "road" if side in ground.steps else None

    def _open_sheet(self, at: str) -> list[str]:
        self.hand.click(self.page.locator(f"[data-at='{at}']"))
        return self._cells()

    def _cells(self) -> list[str]:
        """The cells of the sheet that is open."""
        self.page.locator(".cuts[data-ready]").wait_for()
        labels = self.page.locator(".cuts button").evaluate_all("all => all.map(b => b.ariaLabel)")
        return [label.split(",")[0] for label in labels]

    def _mark(self, kind: str, cells: list[str]) -> None:
        """Choose a kind, if it is not chosen, and click these cut-outs. '': as the sheet proposes."""
        if not cells:
            return
        if kind:
            brush = self.page.locator(".palette button").filter(has_text=re.compile(rf"{kind}$"))
            if not brush.count():
                self.hand.type(self.page.get_by_label("Another kind"), kind)
            elif brush.first.get_attribute("aria-pressed") != "true":
                self.hand.click(brush.first)
        for cell in cells:
            self.hand.click(self.page.locator(f".cuts button[aria-label^='{cell}']"))

    def _confirm_sheet(self) -> list[str]:
        """Confirm the sheet; the cells of the next one, if there is one."""
        old = self.page.locator(".cuts").element_handle()
        self.hand.click(self.page.locator(".foot button.main"))
        while self.page.evaluate("old => old.isConnected", old):
            self.page.wait_for_timeout(50)
        self.page.locator("[data-at='run'], .cuts").first.wait_for()
        return self._cells() if self.page.locator(".cuts").count() else []
