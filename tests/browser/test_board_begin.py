"""Where the Board view begins: with all of the map in view, whatever becomes of the window meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser.studio_kit import SAMPLES, Tab, copy_of, running

CROSSROADS = SAMPLES / "crossroads"
BESIDE = """async () => {
  const beside = () => {
    const held = document.querySelector(".bd-held").getBoundingClientRect();
    const all = document.querySelectorAll(".bd-map .leaflet-tile-loaded img");
    const tiles = [...all].map((one) => one.getBoundingClientRect());
    const [left, right] = [tiles.map((t) => t.left), tiles.map((t) => t.right)];
    return [Math.min(...left) - held.left, held.right - Math.max(...right)];
  };
  const whole = () => beside().every((gap) => gap >= -2 && gap < innerWidth);
  for (let frame = 0; frame < 600 && !whole(); frame += 1) {
    await new Promise(requestAnimationFrame);
  }
  return beside();
}"""


def test_the_whole_map_stays_in_view_until_it_is_moved(browser: Any, tmp_path: Path) -> None:
    with running(copy_of(CROSSROADS / "pack", tmp_path), (CROSSROADS / "turn-1.vlog",)) as studio:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        tab = Tab(context, studio)
        tab.page.locator(".bd-map .leaflet-tile-loaded img").first.wait_for()
        tab.page.set_viewport_size({"width": 390, "height": 844})
        left, right = tab.page.evaluate(BESIDE)
        assert left >= -2
        assert right >= -2
        context.close()
