"""A tournament director who tells the studio about the drawn game, with every action counted.

He knows the map, the counters and the rules (he reads them off the truth), and says nothing that is not so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from browser.studio_kit import PATIENCE, Hand, Running, Tab, expect, rested
from drawn_game.module import DrawnGame, file_of
from drawn_game.truth import accused, decided, falsely_accused
from vassal_umpire.model.finding import Audit

CLASSES = {"inf": "infantry", "mot": "motorized", "arm": "armor", "rec": "reconnaissance"}
"""What the studio calls the classes by the words of the pictures' names."""

COSTS = {
    "clear (terrain)": "1", "town (terrain)": "1", "hills (terrain)": "2", "woods (terrain)": "3",
    "marsh (terrain)": "prohibited", "river (hexsides)": "prohibited",
}  # fmt: skip
"""What motor units pay; on foot it is otherwise:"""
FOOT = {
    "terrain": {"woods, infantry": "2", "marsh, infantry": "3"},
    "hexsides": {"river, infantry": "2"},
    "roads": {"road, infantry": "1"},
}
ALL, NONE = "all of it", "the game has none"
TICKS = (
    ("classes", "hexsides", ALL),
    ("levels", "steps that cost more, or end a move", NONE),
    ("coming onto the map", "coming onto the map", NONE),
)
"""Charts from one to another, and what of each is typed."""


class Director:
    """``false``: who was accused falsely by any audit that the studio showed. ``first_finding``: the actions
    before the first audit that accused somebody; None: none did."""

    def __init__(self, context: Any, studio: Running, game: DrawnGame) -> None:
        self.studio, self.game = studio, game
        self.false: set[tuple[int, int]] = set()
        self.first_finding: int | None = None
        self._watch()
        self.tab = Tab(context, studio)
        self.page = self.tab.page
        self.hand = Hand(self.page)

    def _watch(self) -> None:
        show: Callable[[Any], None] = self.studio.studio._show

        def watched(shown: Any) -> None:
            show(shown)
            if shown.audit is not None:
                self.false |= falsely_accused(self.game, shown.audit)
                if self.first_finding is None and accused(shown.audit):
                    self.first_finding = self.hand.actions

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
        print(f"{name}: {self.hand.actions - before} actions, {self.hand.actions} in all; "
              f"{decided(self.game, audit)} decided, {len(accused(audit))} accused")  # fmt: skip

    def go(self, tab: str) -> None:
        """Open one of the views."""
        self.hand.click(self.page.locator(f"#tab-{tab}"))
        self.page.locator(f".view-{tab}:visible").wait_for()

    def follows_card(self, words: str, view: str) -> None:
        """Go where the card leads once it says this."""
        _ = self.audit
        self.tab.until("#card-text", words)
        self.hand.click(self.page.locator("#card-go"))
        self.page.locator(f".view-{view}:visible").wait_for()

    # -- units --------------------------------------------------------------------------------

    def tells_sides(self) -> None:
        """Who it is; then, on sheets of pictures, which counters are units, and of which side."""
        self.hand.type(self.page.locator("#who"), "Wren")
        self.page.locator("#name").wait_for(state="hidden")
        self.follows_card("Say which counters are units", "units")
        sides = {file_of(unit): unit.side for unit in self.game.units.values()}
        self._column("Is it a unit?", dict.fromkeys(sides, "a unit") | {"turn.png": "no unit"})
        self._column("side", sides)

    def tells_classes(self) -> None:
        """The class of every unit, and its allowance as it is printed; the classes go into the charts."""
        units = {file_of(unit): unit for unit in self.game.units.values()}
        self.go("units")
        self._column("movement class", {name: CLASSES[u.kind] for name, u in units.items()})
        self._column("movement allowance", {name: str(u.allowance) for name, u in units.items()})
        self.hand.press("Add them to the charts")
        self.page.get_by_role("button", name="Add them to the charts").wait_for(state="detached")

    def _column(self, title: str, truth: dict[str, str]) -> None:
        """Look through the sheets of a column: a few counters without being told, then each value."""
        lines = self.page.locator(".suggested .line")
        line = lines.filter(has=self.page.locator("b", has_text=title))
        line.locator("button").first.wait_for()
        while line.locator("button:visible").count():
            self.hand.click(line.locator("button:visible").first)
            while True:
                self.page.locator(".cuts.own[data-ready]").wait_for()
                self._one_sheet(title, truth)
                done = ".sheet-of-counters[hidden], .sheet-of-counters .cuts[data-ready]"
                self.page.locator(done).wait_for(state="attached")
                if not self.page.locator(".cuts").count():
                    break

    def _one_sheet(self, title: str, truth: dict[str, str]) -> None:
        """Say what is so of the counters on a sheet, and confirm it. They are called by their pictures."""
        truth = {file.removesuffix(".png"): value for file, value in truth.items()}
        names = self._cells()
        heading = re.split("[?:]", self.page.locator(".sheet-of-counters h2").inner_text())[
            -1
        ].strip()
        if heading in truth.values():
            for name in names:
                if truth[name] != heading:
                    self._mark(truth[name], [name])
        else:  # each is named by a key, which leads on to the next
            keys = self.page.locator(".palette button:has(kbd)").evaluate_all(
                "all => all.map(b => [b.textContent.slice(1), b.querySelector('kbd').textContent])"
            )
            for name in names:
                self.page.keyboard.press(dict(keys)[truth[name]])
                self.hand.actions += 1
        self._leave_sheet()

    # -- phases -------------------------------------------------------------------------------

    def confirms_a_phase(self) -> None:
        """The movement phase of one log: where most moves wait."""
        self.follows_card("Say which steps belong to which phase", "phases")
        self._confirm(2)

    def confirms_phases(self) -> None:
        """The movement phase of each other log, which may hold the step in which the marks are taken off."""
        self.go("phases")
        self.page.locator(".view-phases .bar:visible").first.wait_for()
        for log in (1, 3, 4):  # as the studio leads on
            self._confirm(log)

    def _confirm(self, log: int) -> None:
        page, hand = self.page, self.hand
        first, last = self.game.movement[log - 1]
        bar = page.locator(".view-phases .log").nth(log - 1).locator(".bar", has_text="Movement")
        begin, end = map(int, re.findall(r"[0-9]+", bar.get_attribute("title") or "")[:2])
        if bar.get_attribute("aria-pressed") != "true":
            hand.click(bar)
        self.tab.until(".view-phases h2", f"Log {log}, steps {begin} to {end}")
        if begin > first or not last <= end <= last + 1:
            hand.type(page.get_by_label("First step", exact=True), str(first))
            hand.type(page.get_by_label("Last step", exact=True), str(last))
        new = page.get_by_role("button", name="Yes, Movement is such a phase")
        if new.is_visible():
            hand.click(new)
            new.wait_for(state="detached")
        hand.scroll(page.locator("[data-part=rows]"))
        self.tab.until("[data-part=left]", "All")
        hand.click(page.locator("[data-part=confirm]"))
        self.tab.until("#said", f"Confirmed: Movement, steps {log}:")
        settled = page.locator(".view-phases .log").nth(log - 1).locator(".bar.settled")
        settled.wait_for()

    # -- rules --------------------------------------------------------------------------------

    def tells_stacking(self) -> None:
        """Two counters in a hex at the end of a phase."""
        hand = self.hand
        self.follows_card("how much of one side", "rules")
        stacking = self._question("How much of one side")
        hand.type(stacking.get_by_label("in a hex"), "2")
        hand.choose(stacking.get_by_label("and it binds"), "at the end of the phase")
        self._answer(stacking)

    def tells_limits(self) -> None:
        """Zones of control stop, and all else that needs no map."""
        hand = self.hand
        self.go("rules")
        zones = self._question("What do zones of control do")
        hand.click(zones.get_by_label("a unit that enters one must stop"))
        self._answer(zones)
        self._answer(self._question("enter a hex with enemy"), "Never")
        self._answer(self._question("after another unit has moved"), "Yes, in any order")

    def _question(self, words: str) -> Any:
        return self.page.locator(".view-rules .choice").filter(
            has=self.page.locator("legend", has_text=words)
        )

    def _answer(self, question: Any, text: str = "That is all my game has of it") -> None:
        self.hand.click(question.get_by_role("button", name=text))
        question.get_by_role("button", name="Change").wait_for()

    def _open_chart(self, name: str) -> None:
        button = self.page.get_by_role("button", name=re.compile(rf"^{name}( ✓| – none)?$"))
        self.hand.click(self.page.locator(".view-rules .parts").locator(button))

    def tells_charts(self) -> None:
        """What terrain, rivers and roads cost, and what the game does not have."""
        hand, page = self.hand, self.page
        self.go("rules")
        roads = self._question("a step along a road")
        hand.type(roads.get_by_label("road", exact=True), "1/2")
        self._answer(roads)
        for name, cost in COSTS.items():
            hand.type(page.get_by_label(name, exact=True), cost)
            page.get_by_label(name, exact=True).wait_for(state="detached")
        for chart, cells in FOOT.items():
            self._open_chart(chart)
            for cell, cost in cells.items():
                hand.type(page.get_by_label(cell, exact=True), cost)
        self._open_chart("terrain")
        hand.press("Remove to be named")
        hand.press("All charts")
        for first, last, how in TICKS:
            _ = self.audit  # what is drawn anew meanwhile cannot be drawn over
            rested(self.page)
            ticks = [page.get_by_label(f"{chart}: {how}", exact=True) for chart in (first, last)]
            hand.drag(*ticks) if first != last else hand.click(ticks[0])
            expect(ticks[-1]).to_be_checked()
            _ = self.audit

    # -- the board ----------------------------------------------------------------------------

    def shows_examples(self) -> None:
        """A few hexes of each terrain, and all sides on the two sheets on which something is."""
        self.go("suggest")
        many = {"clear": 6, "woods": 3, "hills": 3, "marsh": 3, "town": 3}
        for layer, kinds in (
            ("terrain", many),
            ("hexsides", {"river": None}),
            ("lines", {"road": None}),
        ):
            cells = self._open_sheet(f"{layer} offer")
            for kind, most in kinds.items():
                self._mark(kind, [cell for cell in cells if self._kind(layer, cell) == kind][:most])
            self._confirm_sheet()
        self.hand.click(self.page.locator("[data-at='run']"))
        self.page.locator("[data-at='stop']").wait_for(state="detached")
        self.page.locator("[data-at='terrain clear']").wait_for()

    def looks_through(self) -> None:
        """Every kind that is suggested; what is wrong is put right."""
        self.go("suggest")
        for kind in ("woods", "hills", "marsh", "town", "clear"):
            self._look("terrain", kind)
        self._look("hexsides", "river")
        self._look("lines", "road")

    def follows_roads(self) -> None:
        """Where a road stops short, as long as one does."""
        button = self.page.locator("[data-at='lines ends road']")
        while button.count():
            cells = self._open_sheet("lines ends road")
            on = [cell for cell in cells if self._kind("lines", cell) == "road"]
            if not on:
                self.hand.press("Back")
                self.page.locator("[data-at='run']").wait_for()
                return
            self._mark("road", on)
            self._confirm_sheet()

    def looks_at_empty_sides(self) -> None:
        """That nothing is on the sides that open moves wait for, as long as any do."""
        _ = self.audit
        cells = self._open_sheet("empty")
        while cells:
            self._mark("", [cell for cell in cells if self._is_wrongly_empty(cell)])
            cells = self._confirm_sheet()

    def _is_wrongly_empty(self, cell: str) -> bool:
        button = self.page.locator(f".cuts button[aria-label^='{cell}']")
        label = button.get_attribute("aria-label") or ""
        there = {self._kind(layer, cell) for layer in ("hexsides", "lines")} - {None}
        return any(f"{kind}" not in label for kind in there)

    def _look(self, layer: str, kind: str) -> None:
        """Look through a kind sheet by sheet."""
        cells = self._open_sheet(f"{layer} {kind}")
        while cells:
            wrong: dict[str, list[str]] = {}
            for cell in cells:
                if (is_so := self._kind(layer, cell)) != kind:
                    wrong.setdefault(is_so or "nothing", []).append(cell)
            for other, those in wrong.items():
                self._mark(other, those)
            cells = self._confirm_sheet()

    def _kind(self, layer: str, cell: str) -> str | None:
        """What is in a hex, or on a hexside (a bridge is part of the road over it)."""
        ground = self.game.ground
        if layer == "terrain":
            return ground.terrain[cell]
        side = frozenset(cell.split("/"))
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

    def _leave_sheet(self) -> None:
        """Confirm the sheet that is open."""
        old = self.page.locator(".cuts").element_handle()
        self.hand.click(self.page.locator(".foot button.main"))
        while self.page.evaluate("old => old.isConnected", old):
            self.page.wait_for_timeout(50)

    def _confirm_sheet(self) -> list[str]:
        """Confirm the sheet; the cells of the next one, if there is one."""
        self._leave_sheet()
        self.page.locator("[data-at='run'], .cuts").first.wait_for()
        return self._cells() if self.page.locator(".cuts").count() else []
