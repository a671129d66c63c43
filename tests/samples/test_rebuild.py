"""The shipped samples are what their script builds; every style of its module builder leaves a mark."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
sys.path.append(str(SAMPLES))

import swatches
from module_builder.canvas import Canvas, Colour
from module_builder.counter import SYMBOLS
from module_builder.ground import GROUND
from module_builder.hexes import Grid
from module_builder.lines import COURSES, CROSSINGS, SIDES, WAYS
from module_builder.sheet import Sheet, Way

BUILT = [
    path.relative_to(SAMPLES)
    for path in sorted(SAMPLES.glob("*/*.v*"))
    if path.suffix in (".vmod", ".vlog", ".vsav")
]
BY_HAND = (SAMPLES / "crossroads" / "pack" / "units.csv",)
SHEETS = [
    path.relative_to(SAMPLES)
    for path in sorted(SAMPLES.glob("*/pack/*.csv"))
    if path not in BY_HAND and (path.parent.parent / f"{path.parts[-3]}.vmod").exists()
]


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all samples, built afresh."""
    out = tmp_path_factory.mktemp("samples")
    command = [sys.executable, str(SAMPLES / "build.py"), "--to", str(out)]
    subprocess.run(command, check=True, timeout=120)
    return out


def entries(path: Path) -> dict[str, bytes]:
    """All entries of an archive unpacked: how well zlib packs differs between machines."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pixels(png: bytes) -> tuple[str, tuple[int, int], bytes]:
    with Image.open(io.BytesIO(png)) as image:
        return image.mode, image.size, image.tobytes()


@pytest.mark.ci
@pytest.mark.parametrize("name", BUILT, ids=str)
def test_archive_is_what_the_script_builds(rebuilt: Path, name: Path) -> None:
    shipped, built = entries(SAMPLES / name), entries(rebuilt / name)
    assert list(shipped) == list(built)
    for entry, content in shipped.items():
        if entry.endswith(".png"):
            assert pixels(content) == pixels(built[entry]), entry
        else:
            assert content == built[entry], entry


@pytest.mark.ci
@pytest.mark.parametrize("name", SHEETS, ids=str)
def test_spreadsheet_in_the_pack_is_what_the_script_writes(rebuilt: Path, name: Path) -> None:
    assert (SAMPLES / name).read_bytes() == (rebuilt / name).read_bytes()


# -- the module builder that draws them: every style leaves a mark, hexes lie as VASSAL's do --------


PAPER: Colour = (1, 2, 3, 255)
STYLES = [
    *((swatches.ground, name) for name in GROUND),
    *((swatches.way, name) for name in WAYS),
    *((swatches.side, name) for name in SIDES),
    *((swatches.symbol, name) for name in SYMBOLS),
]


@pytest.mark.parametrize(("draw", "name"), STYLES, ids=lambda x: x if isinstance(x, str) else "")
def test_style_leaves_a_mark(draw: object, name: str) -> None:
    sheet = Canvas(200, 200, PAPER)
    draw(sheet, name, 100, 100)  # type: ignore[operator]
    assert bytes(sheet.pixels) != bytes(PAPER) * (200 * 200)


@pytest.mark.parametrize("name", CROSSINGS)
def test_crossing_leaves_a_mark_on_the_river(name: str) -> None:
    with_it, bare = Canvas(200, 200, PAPER), Canvas(200, 200, PAPER)
    swatches.crossing(with_it, name, 100, 100)
    grid = Grid(1, 2, 132, 152, 100, 24)
    SIDES["river"](bare, [grid.side("0101", "0102")], 76)
    assert with_it.pixels != bare.pixels


def test_courses_have_ground() -> None:
    assert COURSES.keys() <= GROUND.keys()


def test_spreadsheets_say_what_is_drawn() -> None:
    sheet = Sheet(
        "w?", {"w": ("woods", "village"), "?": ()}, [Way("road", "0101 0201", "Lane")],
        places={"0101": "HAM"}, levels="20",
    )  # fmt: skip
    assert sheet.spreadsheets() == {
        "hexes.csv": "hex,terrain,level,features\n0101,woods+village,2,HAM\n0201,?,0,\n",
        "lines.csv": "kind,path,name\nroad,0101 0201,Lane\n",
    }
