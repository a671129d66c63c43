"""The pictures of a module as the studio shows them: cut into tiles, drawn anew, within bounds."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from vassal_umpire.importers.vassal.archive import Archive, open_archive
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS, Limits
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin import art
from vassal_umpire.plugin.auditing import Evidence, read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio import pictures
from vassal_umpire.plugin.studio.calls import Bytes
from vassal_umpire.plugin.studio.pictures import TILE, Pictures

from .kit import MODULE, zip_with

MAP = "Main Map"


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return read_evidence(Named((), MODULE), DEFAULT_LIMITS)


@pytest.fixture
def drawn(evidence: Evidence) -> Iterator[Pictures]:
    found = Pictures(evidence, DEFAULT_LIMITS)
    yield found
    found.close()


def image(data: Bytes) -> Image.Image:
    assert data.media_type == "image/png"
    return Image.open(io.BytesIO(data.data))


def whole(of: Pictures, zoom: int) -> Image.Image:
    """All tiles of a level put together."""
    width, height = of.tiling(MAP).size(zoom)
    canvas = Image.new("RGB", (width, height))
    for x in range(-(-width // TILE)):
        for y in range(-(-height // TILE)):
            part = image(of.tile(MAP, zoom, x, y))
            assert part.size == (TILE, TILE)
            canvas.paste(part.convert("RGB"), (x * TILE, y * TILE))
    return canvas


def original(evidence: Evidence) -> Image.Image:
    """The map as the module holds it, where its board lies."""
    layout = evidence.layouts[MAP]
    canvas = Image.new("RGB", layout.size, (255, 255, 255))
    with zipfile.ZipFile(MODULE) as module:
        for board in layout.boards:
            data = module.read(f"images/{board.definition.image}")
            canvas.paste(Image.open(io.BytesIO(data)).convert("RGB"), (board.x, board.y))
    return canvas


def test_a_map_is_cut_into_tiles_that_are_its_pixels(drawn: Pictures, evidence: Evidence) -> None:
    tiling = drawn.tiling(MAP)
    found = whole(drawn, tiling.levels - 1)
    assert found.size == evidence.layouts[MAP].size
    assert ImageChops.difference(found, original(evidence)).getbbox() is None
    assert max(tiling.size(0)) <= TILE
    for zoom in range(tiling.levels - 1):
        larger = tiling.size(zoom + 1)
        assert tiling.size(zoom) == (-(-larger[0] // 2), -(-larger[1] // 2))
        assert whole(drawn, zoom).size == tiling.size(zoom)
    width, height = tiling.size(0)
    assert (width, height) != (TILE, TILE)
    corner = image(drawn.tile(MAP, 0, 0, 0)).convert("RGBA").getpixel((TILE - 1, TILE - 1))
    assert isinstance(corner, tuple)
    assert corner[3] == 0


@pytest.mark.parametrize(
    ("zoom", "x", "y"), [(99, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0)]
)
def test_other_tiles_are_not_there(drawn: Pictures, zoom: int, x: int, y: int) -> None:
    with pytest.raises(UmpireError):
        drawn.tile(MAP, zoom, x, y)
    with pytest.raises(UmpireError):
        drawn.tile("no map", 0, 0, 0)


def test_a_large_map_is_drawn_smaller(evidence: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_CANVAS", 60_000)
    small = Pictures(evidence, DEFAULT_LIMITS)
    try:
        tiling = small.tiling(MAP)
        assert tiling.size(tiling.levels - 1) == evidence.layouts[MAP].size
        assert whole(small, tiling.levels - 1).size == evidence.layouts[MAP].size
    finally:
        small.close()


def test_nothing_is_left_in_the_temporary_folder(evidence: Evidence) -> None:
    found = Pictures(evidence, DEFAULT_LIMITS)
    found.tile(MAP, 0, 0, 0)
    folder = found._folder
    assert folder.stat().st_mode & 0o077 == 0
    found.close()
    assert not folder.exists()
    with pytest.raises(UmpireError):
        found.tile(MAP, 0, 0, 0)
    assert not folder.exists()


def test_pictures_that_are_none_are_not_shown_and_a_drawing_runs_nothing(tmp_path: Path) -> None:
    module = tmp_path / "hostile.vmod"
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0h9v9z"/></svg>'
    odd = {"a.svg": svg, "b.png": svg, "c.gif": b"GIF89a" + b"\0" * 40, "d.png": b""}
    zip_with(MODULE, module, {f"images/{name}": data for name, data in odd.items()})
    shown = Pictures(read_evidence(Named((), module), DEFAULT_LIMITS), DEFAULT_LIMITS)
    try:
        for name in (
            "b.png",
            "c.gif",
            "d.png",
            "nowhere.png",
            "nowhere.svg",
            "../buildFile.xml",
            "",
        ):
            assert shown.counter(name) is None, name
        drawing = shown.counter("a.svg")
        assert drawing is not None
        assert drawing.media_type == "image/svg+xml"
        assert b"path" in drawing.data
        assert b"script" not in drawing.data
    finally:
        shown.close()


def test_the_module_is_opened_once_for_many_counters_and_let_go(
    drawn: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, closed = list[Path](), list[Archive]()

    def opening(file: Path, limits: Limits) -> Archive:
        opened.append(file)
        return open_archive(file, limits)

    def close(archive: Archive) -> None:
        closed.append(archive)
        really_close(archive)

    really_close = Archive.close
    monkeypatch.setattr(art, "open_archive", opening)
    monkeypatch.setattr(Archive, "close", close)
    names = ["nowhere.png", "nowhere.svg", "still-nowhere.png"]
    assert [drawn.counter(name) for name in names] == [None] * 3
    assert len(opened) == 1
    drawn.let_go()  # one was drawn since
    assert not closed
    drawn.let_go()
    assert len(closed) == 1
    drawn.close()
    drawn.counter("late.png")  # asked for before the studio was closed
    assert len(closed) == len(opened) == 2


def test_a_counter_is_drawn_no_vast_map(drawn: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(MODULE) as module:
        names = [n.removeprefix("images/") for n in module.namelist() if n.endswith(".png")]
        held = {name: module.read(f"images/{name}") for name in names}
    name = min(held, key=lambda n: len(held[n]))
    found = drawn.counter(name)
    assert max(image(found).size) <= pictures.COUNTER_SIDE
    monkeypatch.setattr(pictures, "MOST_MAP", 1_000, raising=False)
    with pytest.raises(UmpireError, match="too large to be shown"):
        drawn.tile(MAP, 0, 0, 0)
