"""Modules, extensions, saves and logs as files that VASSAL opens.

Equal input gives equal bytes: entries keep their order and have one fixed date. Files appear whole or
not at all, and never replace an input.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from .archive import BUILD_FILES, SAVED_GAME
from .atomic import write_whole
from .metadata import Metadata, write_metadata
from .obfuscation import Encoding, encode

_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can hold
DEFAULT_KEY = 0x5A


def zip_bytes(entries: Mapping[str, bytes]) -> bytes:
    """A zip of these entries, in this order.

    Raises ``ValueError`` for a name that would leave the archive's folder.
    """
    out = io.BytesIO()
    method = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(out, "w", method, compresslevel=9) as archive:
        for name, data in entries.items():
            if not name or name.startswith("/") or "\\" in name or ".." in name.split("/"):
                raise ValueError(f"not a name for an entry: {name!r}")
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = method
            info.create_system = 0  # the same on every platform
            archive.writestr(info, data, method, 9)
    return out.getvalue()


def saved_game_bytes(
    text: str,
    *,
    moduledata: Metadata | bytes | None = None,
    savedata: Metadata | bytes | None = None,
    encoding: Encoding = "vcsk",
    key: int = DEFAULT_KEY,
) -> bytes:
    """A save or log as the bytes of its file; metadata may be given as stored in another file."""
    entries = {SAVED_GAME: encode(text, encoding, key if encoding in ("vcsk", "vobs") else 0)}
    for name, data in (("savedata", savedata), ("moduledata", moduledata)):
        if data is not None:
            entries[name] = data if isinstance(data, bytes) else write_metadata(data)
    return zip_bytes(entries)


def write_save(
    path: Path | str,
    text: str,
    *,
    moduledata: Metadata | bytes | None = None,
    savedata: Metadata | bytes | None = None,
    encoding: Encoding = "vcsk",
    key: int = DEFAULT_KEY,
    inputs: Iterable[Path | str] = (),
) -> None:
    """Write a save or log (they differ only in their text; see :func:`encode_stream`).

    ``moduledata`` names the module and its version, ``savedata`` the version of VASSAL.
    Raises ``UmpireError`` if the file cannot be written or is one of ``inputs``.
    """
    data = saved_game_bytes(
        text, moduledata=moduledata, savedata=savedata, encoding=encoding, key=key
    )
    write_whole(path, data, inputs=inputs)


def write_module(
    path: Path | str,
    build_file: bytes,
    metadata: Metadata,
    files: Mapping[str, bytes] | None = None,
) -> None:
    """Write a module: its build file, metadata, and ``files`` such as ``images/map.png``."""
    entries = {BUILD_FILES[0]: build_file, "moduledata": write_metadata(metadata), **(files or {})}
    write_whole(path, zip_bytes(entries))


def extension_bytes(
    build_file: bytes,
    metadata: Metadata,
    moduledata: Metadata | bytes,
    files: Mapping[str, bytes] | None = None,
) -> bytes:
    """An extension of the module ``moduledata`` names."""
    module = moduledata if isinstance(moduledata, bytes) else write_metadata(moduledata)
    entries = {
        BUILD_FILES[0]: build_file,
        "extensiondata": write_metadata(metadata, universal=False),
        "moduledata": module,
        **(files or {}),
    }
    return zip_bytes(entries)
