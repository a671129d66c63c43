"""The studio's calls for what the moves say of costs that are missing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.chart_view import ask, chart

from ..kit import Jobs


class Desk:
    """What the calls need of a studio."""

    def __init__(self, opened: Any) -> None:
        self.opened, self.jobs, self.memory = opened, Jobs(), dict[str, Any]()


@pytest.fixture
def desk(project: Path, tmp_path: Path) -> Desk:
    folder = tmp_path / "crossroads"
    shutil.copytree(project / "samples" / "crossroads", folder)
    file = folder / "pack" / "pack.toml"
    text = file.read_text("utf-8")
    assert "hills = 2\n" in text
    without = text.replace("hills = 2\n", "").replace('"terrain", "hexsides"', '"hexsides"')
    file.write_text(without, "utf-8")
    named = Named((folder / "turn-1.vlog",), pack=folder / "pack")
    return Desk(open_game(named, EVERYONE, DEFAULT_LIMITS))


def test_the_moves_are_asked_in_the_background_and_only_when_somebody_wants_it(desk: Desk) -> None:
    first = chart(desk, {})  # type: ignore[arg-type]
    assert (first["asked"], first["working"]) == (None, False)
    assert ask(desk, {})["working"]  # type: ignore[arg-type]
    desk.jobs.pop()(lambda *_: None)
    told = chart(desk, {})  # type: ignore[arg-type]
    assert told["asked"]["class_names"] == ["foot", "motor"]
    assert not told["asked"]["nothing_missing"]
    assert "foot is not asked: fewer than 20 of its moves say anything" in told["asked"]["left_out"]
    assert not told["changed"]
    desk.opened = object()
    assert chart(desk, {})["changed"]  # type: ignore[arg-type]


def test_a_pack_that_cannot_be_read_is_told_and_no_move_is_asked() -> None:
    broken = Desk(None)
    with pytest.raises(UmpireError, match="once the pack can be read"):
        ask(broken, {})  # type: ignore[arg-type]
    assert not broken.jobs
