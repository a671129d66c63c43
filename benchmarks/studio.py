"""From input to painted frame in the studio's Board view, on a board of 10,000 hexes, in the browser.

    python benchmarks/studio.py [WORD…]      # about a minute; needs Chromium and Playwright

With words only the trials that have one of them in their names.

Every input is an event of the browser's own (mouse, wheel, keys); measured is the time from its time stamp to
the first task behind the frame in which what it did was painted. Between inputs the page has a frame's time.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tests")]

from browser.studio_kit import Tab, running  # noqa: E402
from drawn_module import hex_name, write_module, write_pack  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

SIDE = 100
MAP = "Big Map"
TERRAINS = ("clear", "woods", "hills", "marsh", "town", "rough")
AIM = 50.0
WIDE = {"width": 1440, "height": 900}

METER = """() => {
  window.measured = [];
  const channel = new MessageChannel(), due = [];
  channel.port1.onmessage = () => {
    const now = performance.now();
    for (const at of due.splice(0)) window.measured.push(now - at);
  };
  const note = event => {
    if (!event.target.closest?.('.bd-stage, .stretch') || event.key === 'Shift') return;
    const at = event.timeStamp;
    requestAnimationFrame(() => { due.push(at); channel.port2.postMessage(0); });
  };
  for (const kind of ['pointerdown', 'pointermove', 'wheel', 'keydown'])
    addEventListener(kind, note, { capture: true, passive: true });
}"""
FRAME = "new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))"


def main(only: Sequence[str] = ()) -> None:
    """Measure and print; ``only``: the trials with one of these words in their names."""
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as (tab, hexes):
        print(
            f"{hexes:,} hexes; from input to painted frame, in milliseconds (aim: 95 % under {AIM:.0f})"
        )
        print(f"{'':44}{'n':>5}{'median':>8}{'95 %':>8}{'most':>8}")
        for what, act in TRIALS.items():
            if only and not any(word in what for word in only):
                continue
            told = measure(tab, act)
            ordered = sorted(told)
            high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
            middle, most = statistics.median(told), ordered[-1]
            print(f"{what:44}{len(told):5}{middle:8.1f}{high:8.1f}{most:8.1f}", flush=True)


class opened:  # noqa: N801
    """A studio with the board, and its page; answers the page and how many hexes there are."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> tuple[Tab, int]:
        module, pack = self._folder / "big.vmod", self._folder / "pack"
        maps = [(MAP, SIDE, SIDE)]
        write_module(module, maps)
        write_pack(pack, maps, 'complete = ["terrain", "hexsides", "lines"]')
        write_cells(pack)
        self._running = running(pack, (), module)
        studio = self._running.__enter__()
        self._playwright = sync_playwright().start()
        found = next(
            p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))
        )
        self._browser = self._playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox"]
        )
        tab = Tab(self._browser.new_context(viewport=WIDE), studio)
        tab.page.wait_for_selector(".bd-brush")
        tab.page.wait_for_function(
            "document.querySelectorAll('.bd-map img').length > 3", timeout=60_000
        )
        tab.page.wait_for_function(
            "document.querySelector('#judging').textContent === ''", timeout=60_000
        )
        tab.page.evaluate(METER)
        hexes = tab.page.evaluate("import('/page/views/board.js').then(m => m.default.hexes.size)")
        return tab, int(hexes)

    def __exit__(self, *failed: object) -> None:
        self._browser.close()
        self._playwright.stop()
        self._running.__exit__(None, None, None)


def write_cells(pack: Path) -> None:
    """Terrain for every hex, roads and rivers here and there, all by lot."""
    lot = random.Random(5)
    names = [[hex_name(c, r, SIDE, SIDE) for r in range(SIDE)] for c in range(SIDE)]
    rows = [f"{name},{lot.choice(TERRAINS)}" for column in names for name in column]
    (pack / "hexes.csv").write_text("\n".join(["hex,terrain", *rows, ""]), "utf-8")
    lines = [f"road,{' '.join(names[c][10:90])}" for c in range(4, SIDE, 8)]
    lines += [
        f"river,{names[c][r]}/{names[c][r + 1]}" for c in range(SIDE) for r in range(0, 96, 3)
    ]
    (pack / "lines.csv").write_text("\n".join(["kind,path", *lines, ""]), "utf-8")


def measure(tab: Tab, act: Callable[[Tab], Iterator[None]]) -> list[float]:
    """What the inputs of a trial took, in milliseconds."""
    tab.page.evaluate("window.measured = []")
    for _ in act(tab):
        tab.page.evaluate(FRAME)
    tab.page.evaluate(FRAME)
    return [float(ms) for ms in tab.page.evaluate("window.measured")]


def box(tab: Tab) -> dict[str, float]:
    found: Any = tab.page.locator(".bd-stage").bounding_box()
    return dict(found)


def whole(tab: Tab) -> None:
    """All of the map in view."""
    tab.page.click("text=All")
    tab.page.evaluate(FRAME)


def near(tab: Tab) -> None:
    """About 300 hexes in view, with outlines, patterns and letters."""
    whole(tab)
    for _ in range(5):
        tab.page.keyboard.press("+")
        tab.page.evaluate(FRAME)


def drag(tab: Tab, button: str, turns: int = 100) -> Iterator[None]:
    at, mouse = box(tab), tab.page.mouse
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    mouse.move(x, y)
    mouse.down(button=button)
    yield
    lot = random.Random(9)
    for _ in range(turns):
        x = min(max(x + lot.uniform(-25, 25), at["x"] + 60), at["x"] + at["width"] - 60)
        y = min(max(y + lot.uniform(-25, 25), at["y"] + 60), at["y"] + at["height"] - 60)
        mouse.move(x, y)
        yield
    mouse.up(button=button)
    yield


def brush(tab: Tab, layer: str, key: str = "2") -> None:
    tab.page.focus(".bd-stage")
    tab.page.keyboard.press(layer)
    tab.page.keyboard.press(key)


def paint(view: Callable[[Tab], None], layer: str) -> Callable[[Tab], Iterator[None]]:
    def act(tab: Tab) -> Iterator[None]:
        view(tab)
        brush(tab, layer, "1" if layer in "sr" else "2")
        yield from drag(tab, "left")

    return act


def pan(view: Callable[[Tab], None]) -> Callable[[Tab], Iterator[None]]:
    def act(tab: Tab) -> Iterator[None]:
        view(tab)
        yield from drag(tab, "middle")

    return act


def zoom(tab: Tab) -> Iterator[None]:
    whole(tab)
    at = box(tab)
    tab.page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    for n in range(80):
        tab.page.mouse.wheel(0, -60 if n % 40 < 20 else 60)
        yield


def walk(painting: bool) -> Callable[[Tab], Iterator[None]]:
    def act(tab: Tab) -> Iterator[None]:
        near(tab)
        brush(tab, "t")
        for n in range(100):
            key = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")[(n // 8) % 4]
            tab.page.keyboard.press(f"Shift+{key}" if painting else key)
            yield

    return act


def overlay(tab: Tab) -> Iterator[None]:
    """The overlay of a stretch of the map in a large window, switched off and on."""
    page = tab.page
    page.set_viewport_size({"width": 1860, "height": 1910})
    if page.locator("#name").is_visible():
        page.fill("#who", "benchmark")
        page.press("#who", "Enter")
    page.click("#tab-suggest")
    page.get_by_role("button", name="Look at a stretch of the map").click(timeout=120_000)
    page.locator("summary", has_text="More").click(timeout=120_000)
    page.get_by_role("button", name="48 px").click(timeout=120_000)
    page.locator("summary", has_text="48 px").wait_for(timeout=120_000)
    page.focus(".stretch svg")
    page.evaluate(FRAME)
    for _ in range(20):
        page.keyboard.press("o")
        yield


TRIALS: dict[str, Callable[[Tab], Iterator[None]]] = {
    "painting terrain, 300 hexes in view": paint(near, "t"),
    "painting terrain, 10,000 hexes in view": paint(whole, "t"),
    "painting along hexsides, 300 in view": paint(near, "s"),
    "drawing roads, 300 in view": paint(near, "r"),
    "moving the map, 300 in view": pan(near),
    "moving the map, 10,000 in view": pan(whole),
    "zooming by the wheel": zoom,
    "cursor by the keyboard, 300 in view": walk(False),
    "painting by the keyboard, 300 in view": walk(True),
    "overlay of a stretch, 8,000 cells": overlay,
}

if __name__ == "__main__":
    main(sys.argv[1:])
