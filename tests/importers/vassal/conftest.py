"""Fixtures for reading VASSAL's files: small modules written on the spot, golden answers."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"

ModuleMaker = Callable[..., Path]


@pytest.fixture(scope="session")
def data() -> Path:
    """Golden files that come with the project."""
    return DATA


@pytest.fixture
def make_module(tmp_path: Path) -> ModuleMaker:
    """Writes a module from the children of its root element; further entries by name."""

    def make(
        children: str,
        *,
        root: str = "VASSAL.build.GameModule",
        attributes: str = 'name="Test" version="1" VassalVersion="3.7.0"',
        build_file: str = "buildFile.xml",
        file_name: str = "test.vmod",
        **entries: bytes,
    ) -> Path:
        path = tmp_path / file_name
        with zipfile.ZipFile(path, "w") as archive:
            text = f'<?xml version="1.0"?><{root} {attributes}>{children}</{root}>'
            archive.writestr(build_file, text)
            for name, content in entries.items():
                archive.writestr(name, content)
        return path

    return make
