"""The Board view in a page, for tests that drive it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from browser.studio_kit import PATIENCE, Tab, drawn

READY = "boardView.surface && !document.querySelector('.view-board').hidden"
WRITTEN = "!boardView.outbox.sending && boardView.outbox.waiting.length === 0"


class Board:
    """The view in a page, and the files of its pack."""

    def __init__(self, tab: Tab, folder: Path) -> None:
        self.tab, self.page, self.folder = tab, tab.page, folder
        self.session: Any = None
        self.ready()

    def ready(self) -> None:
        self.page.wait_for_selector(".view-board .bd-layers")
        self.page.evaluate(
            "import('/page/views/board.js').then(m => { window.boardView = m.default; })"
        )
        self.until(READY)
        self.until("boardView.viewer.size.x > 100 && !boardView.viewer.unseen")

    def until(self, condition: str) -> None:
        """Wait until something is so in the page. (Playwright's own way needs what its CSP forbids.)"""
        self.page.evaluate(
            f"new Promise((done, lost) => {{ const late = performance.now() + {PATIENCE}; "
            f"const so = () => ({condition}); const look = () => so() ? done() "
            ": performance.now() > late ? lost(new Error('never so')) : setTimeout(look, 15); look(); })"
        )

    def of(self, expression: str, *given: Any) -> Any:
        return self.page.evaluate(
            f"([a, b]) => {{ const v = boardView; return {expression}; }}", [*given, None, None][:2]
        )

    def at(self, name: str) -> tuple[float, float]:
        """The pixel of the page at the centre of a hex, or the middle of a hexside."""
        x, y = self.of(
            "((s, box, p) => [box.left + p[0], box.top + p[1]])(v.surface, v.stage.getBoundingClientRect(), "
            "v.viewer.from(...(a.includes('/') ? v.surface.middle(v.surface.sideNumbers.get(a)[0]) "
            ": v.surface.centre(v.surface.number(a)))))",
            name,
        )
        return x, y

    def click(self, name: str, **options: Any) -> None:
        self.page.mouse.click(*self.at(name), **options)
        self.written()

    def drag(self, *names: str, button: Any = "left", release: bool = True) -> None:
        self.page.mouse.move(*self.at(names[0]))
        self.page.mouse.down(button=button)
        for name in names[1:]:
            self.page.mouse.move(*self.at(name), steps=6)
        if not release:
            self.frame()  # a browser hands on what the mouse did with its next frame
            return
        self.page.mouse.up(button=button)
        self.written()

    def written(self) -> None:
        self.until(WRITTEN)

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.written()

    def shown(self, name: str) -> str:
        """The terrain that the map shows in a hex."""
        return str(self.of("v.ledger.hex(a).terrain", name))

    def rows(self, file: str) -> list[dict[str, str]]:
        path = self.folder / file
        if not path.exists():
            return []
        with path.open(encoding="utf-8", newline="") as text:
            return [dict(row) for row in csv.DictReader(text)]

    def told(self, name: str, column: str = "terrain") -> str:
        """What hexes.csv says of one hex in a row of its own; '': nothing."""
        found = [
            row[column] for row in self.rows("hexes.csv") if row["hex"] == name and row[column]
        ]
        return found[-1] if found else ""

    def kinds(self, side: str) -> set[str]:
        """What the board of the written pack has on a hexside and across it."""
        state = self.page.evaluate(
            "async () => { const { get } = await import('/page/api.js'); return get('/api/cells'); }"
        )
        found = state["sides"].get(side, {})
        return {*found.get("has", ()), *found.get("lines", ())}

    def ink(self) -> int:
        """How many pixels of the overlay are drawn, and shown."""
        if not self.page.locator(".bd-overlay").is_visible():
            return 0
        return int(
            self.of(
                "((c, on) => { on.drawImage(c, 0, 0); return on.getImageData(0, 0, c.width, c.height).data"
                ".reduce((n, byte, i) => n + (i % 4 === 3 && byte ? 1 : 0), 0); })(v.parts.canvas, "
                "new OffscreenCanvas(v.parts.canvas.width, v.parts.canvas.height).getContext('2d'))"
            )
        )

    def frame(self) -> None:
        drawn(self.page)
