"""The shipped samples are what their script builds."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
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


@pytest.mark.parametrize("name", BUILT, ids=str)
def test_archive_is_what_the_script_builds(rebuilt: Path, name: Path) -> None:
    shipped, built = entries(SAMPLES / name), entries(rebuilt / name)
    assert list(shipped) == list(built)
    for entry, content in shipped.items():
        if entry.endswith(".png"):
            assert pixels(content) == pixels(built[entry]), entry
        else:
            assert content == built[entry], entry


@pytest.mark.parametrize("name", SHEETS, ids=str)
def test_spreadsheet_in_the_pack_is_what_the_script_writes(rebuilt: Path, name: Path) -> None:
    assert (SAMPLES / name).read_bytes() == (rebuilt / name).read_bytes()
