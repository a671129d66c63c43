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
def surveyed_once() -> Iterator[None]:
    """The same picture under the same hexes is looked at once for all studios."""
    from vassal_umpire.plugin.looking import ground

    known: list[Any] = []
    survey = ground.Survey

    def surveyed(picture: Any, cells: Any) -> Any:
        for one in known:
            if one.cells == cells and one.picture.tobytes() == picture.tobytes():
                return one
        known.append(survey(picture, cells))
        return known[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground, "Survey", surveyed)
        yield


@pytest.fixture
def fresh(tmp_path: Path, surveyed_once: None) -> Iterator[Studio]:
    """Nothing is suggested yet."""
    found = opened(tmp_path, partial_pack.put(tmp_path))
    yield found
    found.close()


@pytest.fixture
def suggested(fresh: Studio) -> Studio:
    desk_of(fresh).suggest(lambda *_: None)
    return fresh
