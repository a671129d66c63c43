"""Stores of a small pack; studios on the sample game whose pack tells only a little of its board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import partial_pack
import pytest
from partial_studio import opened
from small_board import BARE
from vassal_umpire.importers.vassal import atomic
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.studio.store import Store
from vassal_umpire.plugin.studio.suggest_desk import desk_of

from .store_kit import HEXES, LINES, PACK


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pack of a small board, that tells a little of it."""
    folder = tmp_path / "pack"
    folder.mkdir()
    for name, text in (("pack.toml", PACK), ("hexes.csv", HEXES), ("lines.csv", LINES)):
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(folder, folder / "facts.toml", lambda: BARE, lambda: "Wren")


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> dict[str, OSError]:
    """Why files of a name cannot be written: another program holds them, or the disk is full."""
    faults: dict[str, OSError] = {}
    take = atomic.take_name

    def taken(part: Path, target: Path, before: atomic.Known) -> None:
        if target.name in faults:
            raise faults[target.name]
        take(part, target, before)

    monkeypatch.setattr(atomic, "take_name", taken)
    return faults


@pytest.fixture(scope="session")
def surveys() -> list[Any]:
    """Pictures under hexes that have been looked at."""
    return []


@pytest.fixture
def fresh(tmp_path: Path, surveys: list[Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    """Nothing is suggested yet. The same picture under the same hexes is looked at once for all studios."""
    from vassal_umpire.plugin.looking import ground

    survey = ground.Survey

    def surveyed(picture: Any, cells: Any) -> Any:
        for one in surveys:
            if one.cells == cells and one.picture.tobytes() == picture.tobytes():
                return one
        surveys.append(survey(picture, cells))
        return surveys[-1]

    monkeypatch.setattr(ground, "Survey", surveyed)
    found = opened(tmp_path, partial_pack.put(tmp_path))
    yield found
    found.close()


@pytest.fixture
def suggested(fresh: Studio) -> Studio:
    desk_of(fresh).suggest(lambda *_: None)
    return fresh
