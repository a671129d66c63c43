"""Studios on the sample game whose pack tells only a little of its board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import partial_pack
import pytest
from partial_studio import opened
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.studio.suggest_desk import desk_of


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
