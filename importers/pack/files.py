"""The files of a pack, in a folder or in a zip of one.

A zip is never written to. It may come from strangers: its files are read into memory by exact name, within
limits, and never unpacked. A zip that could harm a user who unpacks it is refused.
"""

from __future__ import annotations

import io
import os
import re
import unicodedata
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ...model.problem import Unreadable
from ..ordinary import is_there
from ..vassal.archive import Archive, open_archive
from ..vassal.limits import DEFAULT_LIMITS, MIB
from .provenance import FILE as PROVENANCE_FILE
from .provenance import LARGEST as LARGEST_RECORDS
from .spreadsheet import LARGEST as LARGEST_SHEET
from .toml_text import LARGEST, read_bytes

LIMITS = replace(DEFAULT_LIMITS, entries=1_000, entry_size=64 * MIB, total_size=64 * MIB)
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE
)
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_LONGEST = 200
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The fixed date of all files in a zip, so that equal files give an equal zip."""


def is_zip(path: Path) -> bool:
    """Whether there is an ordinary file that begins as zips do."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(2) == b"PK"
    except OSError:
        return False


def zipped_files(path: Path, largest: Mapping[str, int]) -> dict[str, bytes]:
    """The files of a pack in the zip: at its top, or in the one folder that has the pack. ``largest``: their
    names, that of ``pack.toml`` first, and how many bytes each may have. Raises :class:`Unreadable` where
    there is no pack, or a limit is passed, or a name is not safe on every system."""
    try:
        return _files_of(path, largest)
    except Unreadable as error:
        if ".vmod" in error.expected:  # its wording is for games
            raise Unreadable(
                "is a damaged zip", where=path.name, hint="fetch the file again"
            ) from None
        if "limits" in error.hint:  # those of packs are fixed
            raise Unreadable(
                error.what, where=error.where, hint="ask its maker for the folder"
            ) from None
        raise


def _files_of(path: Path, largest: Mapping[str, int]) -> dict[str, bytes]:
    first = next(iter(largest))
    with open_archive(path, LIMITS) as archive:
        fault = _fault(archive)
        if fault:
            raise Unreadable(
                f"is not a pack to be trusted: {fault}",
                where=path.name,
                expected="a zip as 'umpire pack zip' writes it",
            )
        homes = [n.removesuffix(first) for n in archive.names if n.rpartition("/")[2] == first]
        if len(homes) != 1 or homes[0].count("/") > 1:
            number = f"{len(homes)} of them" if len(homes) != 1 else shown(homes[0] + first)
            raise Unreadable(
                "is not an audit pack",
                where=path.name,
                expected=f"one {first}, at the top of the zip or in a folder; found {number}",
            )
        found = {name: homes[0] + name for name in largest if homes[0] + name in archive}
        for name, entry in found.items():
            if archive.size(entry) > largest[name]:
                most = f"at most {largest[name] // MIB} MiB"
                raise Unreadable("is too large", where=f"{path.name}: {name}", expected=most)
        return {name: archive.read(entry) for name, entry in found.items()}


def _fault(archive: Archive) -> str:
    """Why a zip must not be taken; "" if it may."""
    seen: dict[str, str] = {}
    for name in archive.written_names:
        fault = unsafe(name)
        if fault:
            return fault
        same = unicodedata.normalize("NFC", name).rstrip("/").casefold()
        if same in seen:
            return f"{shown(name)} and {shown(seen[same])} are one name on some systems"
        seen[same] = name
    link = next((name for name in archive.names if archive.is_link(name)), None)
    return "" if link is None else f"{shown(link)} is a link"


def unsafe(name: str) -> str:
    """Why a name in a zip is not safe on every system; "" if it is."""
    parts = name.removesuffix("/").split("/")
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        return f"{shown(name)} is an absolute path"
    if ".." in re.split(r"[/\\]", name):
        return f"{shown(name)} leads out of its folder"
    if len(name) > _LONGEST:
        return f"{shown(name)} is too long"
    for part in parts:
        if part in ("", ".") or part != part.rstrip(" .") or _FORBIDDEN.search(part):
            return f"{shown(name)} is not a name on some systems"
        if _RESERVED.fullmatch(part):
            return f"{shown(name)} is reserved on some systems"
    return ""


def shown(name: str) -> str:
    """A name as a message quotes it."""
    return repr(name if len(name) <= 80 else name[:79] + "…")


def zip_of(files: Mapping[str, bytes], folder: str) -> bytes:
    """A zip of ``files`` in ``folder`` ("": at its top); the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name, _EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            zipped.writestr(entry, files[name])
    return out.getvalue()


PACK_FILE = "pack.toml"
FILES = (PACK_FILE, "hexes.csv", "lines.csv", "units.csv", PROVENANCE_FILE)
"""All files a pack may have."""
SIZES = {PACK_FILE: LARGEST, PROVENANCE_FILE: LARGEST_RECORDS}
"""Bytes beyond which a file is refused, where that is not the same for all spreadsheets."""


def pack_files(path: Path) -> tuple[Path, dict[str, bytes], tuple[Path, ...]]:
    """The folder or zip of the pack at ``path`` (or beside the ``pack.toml`` named), the content of its files
    by name, and the files that were read. An empty spreadsheet counts as missing. Raises :class:`Unreadable`
    if there is no pack."""
    path = Path(os.path.abspath(path))  # "." has no name
    path = path.parent if path.name == PACK_FILE else path
    if is_zip(path):
        return path, zipped_files(path, dict.fromkeys(FILES, LARGEST_SHEET) | SIZES), (path,)
    if not (path / PACK_FILE).is_file():
        expected = f"a folder, or a zip of one, with a file {PACK_FILE}"
        raise Unreadable("is not an audit pack", where=path.name, expected=expected)
    there = tuple(file for file in (path / name for name in FILES) if is_there(file))
    read = {file.name: read_bytes(file, SIZES.get(file.name, LARGEST_SHEET)) for file in there}
    return path, {name: data for name, data in read.items() if data or name == PACK_FILE}, there
