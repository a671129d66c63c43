"""The shipped samples are what their script builds."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

BUILT = ("crossroads.vmod", "turn-1.vlog", "turn-2.vlog")
SHEETS = ("hexes.csv", "lines.csv")


@pytest.fixture(scope="module")
def rebuilt(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of Crossroads, built afresh."""
    out = tmp_path_factory.mktemp("samples")
    script = project / "samples" / "build.py"
    subprocess.run([sys.executable, str(script), str(out)], check=True, timeout=60)
    return out / "crossroads"


def entries(path: Path) -> dict[str, bytes]:
    """All entries of an archive unpacked: how well zlib packs differs between machines."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pixels(png: bytes) -> tuple[str, tuple[int, int], bytes]:
    with Image.open(io.BytesIO(png)) as image:
        return image.mode, image.size, image.tobytes()


@pytest.mark.parametrize("name", BUILT)
def test_archive_is_what_the_script_builds(project: Path, rebuilt: Path, name: str) -> None:
    shipped = entries(project / "samples" / "crossroads" / name)
    built = entries(rebuilt / name)
    assert list(shipped) == list(built)
    for entry, content in shipped.items():
        if entry.endswith(".png"):
            assert pixels(content) == pixels(built[entry]), entry
        else:
            assert content == built[entry], entry


@pytest.mark.parametrize("name", SHEETS)
def test_map_in_the_pack_is_the_map_drawn(project: Path, rebuilt: Path, name: str) -> None:
    shipped = project / "samples" / "crossroads" / "pack" / name
    assert shipped.read_bytes() == (rebuilt / "pack" / name).read_bytes()
