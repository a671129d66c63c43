"""The pack of the sample game, in a folder where it may be written to."""

from __future__ import annotations

import shutil
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SAMPLES = PROJECT / "samples"
CROSSROADS = SAMPLES / "crossroads"


def put(file: Path, old: str, new: str) -> None:
    """Exchange a part of a text file."""
    text = file.read_text("utf-8")
    assert old in text, old
    file.write_text(text.replace(old, new, 1), "utf-8")


def pack_copy(folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the pack, with parts of ``pack.toml`` exchanged."""
    shutil.copytree(CROSSROADS / "pack", folder)
    for old, new in changes:
        put(folder / "pack.toml", old, new)
    return folder
