"""Where the files of a pack lie: in a folder, or in a zip of one."""

from __future__ import annotations

import os
from pathlib import Path

from ...model.problem import Unreadable
from ..ordinary import is_there
from .provenance import FILE as PROVENANCE_FILE
from .provenance import LARGEST as LARGEST_RECORDS
from .spreadsheet import LARGEST as LARGEST_SHEET
from .toml_text import LARGEST, read_bytes
from .zipped import is_zip, zipped_files

PACK_FILE = "pack.toml"
FILES = (PACK_FILE, "hexes.csv", "lines.csv", "units.csv", PROVENANCE_FILE)
"""All files a pack may have."""
SIZES = {PACK_FILE: LARGEST, PROVENANCE_FILE: LARGEST_RECORDS}
"""Bytes beyond which a file is refused, where that is not the same for all spreadsheets."""


def pack_files(path: Path) -> tuple[Path, dict[str, bytes], tuple[Path, ...]]:
    """The folder or zip of the pack at ``path`` (or beside the ``pack.toml`` named), what is in its files by
    name, and the files that were read. A spreadsheet without a byte in it is as none. Raises
    :class:`Unreadable` where there is no pack."""
    path = Path(os.path.abspath(path))  # "." has no name
    path = path.parent if path.name == PACK_FILE else path
    if is_zip(path):
        return path, zipped_files(path, dict.fromkeys(FILES, LARGEST_SHEET) | SIZES), (path,)
    if not (path / PACK_FILE).is_file():
        expected = f"a folder, or a zip of one, with a file {PACK_FILE}"
        raise Unreadable("is no audit pack", where=path.name, expected=expected)
    there = tuple(file for file in (path / name for name in FILES) if is_there(file))
    read = {file.name: read_bytes(file, SIZES.get(file.name, LARGEST_SHEET)) for file in there}
    return path, {name: data for name, data in read.items() if data or name == PACK_FILE}, there
