"""Pictures of strangers: what they may cost, and what is drawn of them."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageChops
from vassal_umpire.importers.vassal.archive import Archive, open_archive
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.plugin import art, pictures
from vassal_umpire.plugin.pictures import Studio, TooLarge

from .kit import MODULE, PACK, TURN_1, zip_with

MOST_MEMORY = 1_000_000_000
MEASURE = """
import resource, sys
from vassal_umpire.__main__ import run
sys.argv = ["umpire", *sys.argv[1:]]
try:
    run()
finally:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if sys.platform == "linux":  # where ru_maxrss counts what the parent had before the child began
        status = open("/proc/self/status").read()
        peak = int(status.split("VmHWM:")[1].split()[0])
    print("peak", peak if sys.platform == "darwin" else peak * 1024, file=sys.stderr)
"""


def _saved(image: Image.Image, form: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def _audited(folder: Path, picture: bytes) -> tuple[str, int]:
    """The page of the sample's first log where the map's picture is another, and the peak of memory
    in bytes."""
    module = zip_with(MODULE, folder / "crossroads.vmod", {"images/map.png": picture})
    page = folder / "report.html"
    named = ["--module", module, "--pack", PACK, "-o", page]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, "audit", TURN_1, *named], capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    return page.read_text("utf-8"), int(done.stderr.split("peak ")[1].split()[0])


@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no getrusage to measure with")
def test_a_small_file_with_a_huge_picture_costs_no_gigabyte(tmp_path: Path) -> None:
    """12000 × 12400 pixels in a few kilobytes: as a palette it is drawn, in full colours it would cost
    600 MB, so the grid is drawn without it and the page says so."""
    side = (12_000, 12_400)
    page, peak = _audited(tmp_path, _saved(Image.new("P", side)))
    assert "data:image/webp" in page
    assert peak < MOST_MEMORY
    page, peak = _audited(tmp_path, _saved(Image.new("RGB", side)))
    assert "data:image/webp" not in page
    assert "map.png" in page
    assert "it is too large (12000 × 12400 pixels); its hexes are drawn without it" in page
    assert peak < MOST_MEMORY


def test_a_picture_is_scaled_band_by_band_and_otherwise_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Colours come out where they were, and the borders of bands do not show."""
    monkeypatch.setattr(pictures, "_BAND", 10_000)
    noise = Image.frombytes("L", (300, 430), Random(1).randbytes(300 * 430))
    for side in (40, 299, 429):
        small = Studio().shrunk(_saved(noise), side)
        assert small is not None
        whole = noise.convert("RGBA").resize(small.size, Image.Resampling.BICUBIC)
        worst = ImageChops.difference(small.convert("L"), whole.convert("L")).getextrema()[1]
        assert worst <= 2  # rounding
    image = Image.new("P", (5000, 3000))
    image.putpalette([0, 0, 0, 255, 0, 0, 0, 0, 255])
    image.paste(1, (0, 0, 2500, 3000))
    image.paste(2, (0, 2900, 5000, 3000))
    small = Studio().shrunk(_saved(image), 1000)
    assert small is not None
    assert small.size == (1000, 600)
    assert small.getpixel((100, 100)) == (255, 0, 0, 255)
    assert small.getpixel((490, 300)) == (255, 0, 0, 255)
    assert small.getpixel((510, 300)) == (0, 0, 0, 255)
    assert small.getpixel((900, 595)) == (0, 0, 255, 255)
    image = Image.new("RGBA", (400, 400), (10, 20, 30, 0))
    image.paste((200, 0, 0, 255), (0, 0, 200, 400))
    small = Studio().shrunk(_saved(image), 96)
    assert small is not None
    assert small.getpixel((10, 50)) == (200, 0, 0, 255)
    assert small.getpixel((90, 50))[3] == 0  # type: ignore[index]
    small = Studio().shrunk(_saved(Image.new("L", (30, 20), 7)), 96)
    assert small is not None
    assert (small.mode, small.size, small.getpixel((5, 5))) == ("RGBA", (30, 20), (7, 7, 7, 255))


def test_jpegs_of_a_thousand_passes_and_many_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = _saved(Image.new("RGB", (64, 64)), "JPEG", progressive=True)
    at = picture.rindex(b"\xff\xda")
    scan = picture[at:-2]
    assert Studio().shrunk(picture, 32) is not None
    with pytest.raises(TooLarge):
        Studio().shrunk(picture[:at] + scan * 1000 + picture[-2:], 32)
    monkeypatch.setattr(pictures, "MOST_PIXELS", 25_000)
    studio, picture = Studio(pictures.MOST_PIXELS), _saved(Image.new("L", (100, 100)))
    assert studio.shrunk(picture, 10) is not None
    assert studio.shrunk(picture, 10) is not None
    with pytest.raises(TooLarge, match="100 × 100"):
        studio.shrunk(picture, 10)


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", b"GIF89a"])
def test_what_is_no_picture_is_none(data: bytes) -> None:
    assert Studio().shrunk(data, 96) is None


def test_a_gallery_opens_each_file_once_and_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Archive] = []

    def counted(*what: Any) -> Archive:
        opened.append(open_archive(*what))
        return opened[-1]

    monkeypatch.setattr(art, "open_archive", counted)
    gallery = art.Gallery(MODULE, DEFAULT_LIMITS)
    assert gallery.picture("map.png", 100) is not None
    assert gallery.boards({"map.png"})
    (archive,) = opened
    del gallery
    with pytest.raises(Unreadable, match="closed"):
        archive.read("images/map.png")
