"""What the studio's page ships of others: as published, listed, with its licence; and all of it packed."""

from __future__ import annotations

import hashlib
import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "plugin" / "studio" / "page"
ROW = re.compile(r"\| `(?P<file>[^`]+)` \| (?P<what>[^|]+) \| `(?P<sha256>[0-9a-f]{64})` \|")


def test_every_file_is_listed_unchanged_with_its_licence_and_packed() -> None:
    text = (ROOT / "docs" / "studio-safety.md").read_text("utf-8")
    listed = {found["file"]: found for found in ROW.finditer(text)}
    vendor = PAGE / "vendor"
    there = {f.relative_to(vendor).as_posix(): f for f in vendor.rglob("*") if f.is_file()}
    assert there
    assert listed.keys() == there.keys()
    for name, file in there.items():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == listed[name]["sha256"], name
        assert re.search(r"\d+\.\d+", listed[name]["what"]), name
    libraries = {folder for folder in (PAGE / "vendor").iterdir() if folder.is_dir()}
    assert libraries
    for library in libraries:
        assert (library / "LICENSE").read_text("utf-8").strip()
    with (ROOT / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["*"]
    for file_ in (f for f in PAGE.rglob("*") if f.is_file()):
        name = file_.relative_to(PAGE.parent).as_posix()
        fitting = (p for p in patterns if p.count("/") == name.count("/"))
        assert any(fnmatchcase(name, pattern) for pattern in fitting), name
