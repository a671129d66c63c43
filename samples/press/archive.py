"""Zip files that are the same every time."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

WRITTEN = (2026, 1, 1, 0, 0, 0)


def write_zip(path: Path, entries: Mapping[str, bytes]) -> None:
    """Write a zip with these entries in this order, dated alike."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name, WRITTEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
