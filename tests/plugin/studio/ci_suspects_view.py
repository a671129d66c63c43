"""The studio's calls for what a pack is suspected of, and what the moves say of costs that are missing."""

from __future__ import annotations

from pathlib import Path
from threading import RLock
from typing import Any

import pytest
from sample_pack import pack_copy
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.judging import Judging
from vassal_umpire.plugin.studio.report_view import CALLS
from vassal_umpire.plugin.studio.rules_view import ask, chart

from ..kit import MODULE, TURN_1, Jobs


class Desk:
    """What the calls need of a studio."""

    def __init__(self, named: Named | None) -> None:
        self.opened = named and open_game(named, EVERYONE, DEFAULT_LIMITS)
        self.judged = Judging()
        self.audit = self.opened and self.judged.known(self.opened.game, lambda *_: None)
        self.viewer, self.jobs, self.memory = EVERYONE, Jobs(), dict[str, Any]()
        self.lock = RLock()

    def work_left(self) -> None:
        """All is judged."""


def suspects(desk: Desk) -> Any:
    return CALLS[0].run(desk, {})  # type: ignore[arg-type]


def test_it_is_looked_for_in_the_background_and_not_again_by_whom_it_was_stopped() -> None:
    class Stopped(BaseException):
        pass

    def stops(*_: object) -> None:
        raise Stopped

    desk, stopped = Desk(Named((TURN_1,))), Desk(Named((TURN_1,)))
    assert (CALLS[0].method, CALLS[0].path, CALLS[0].writes) == ("GET", "/api/suspects", False)
    assert suspects(desk) == {"suspects": [], "changed": [], "numbers": [], "working": True}
    desk.jobs.pop()(lambda *_: None)
    told = suspects(desk)
    assert not told["working"]
    sides = {one["fact"]["cell"] for one in told["suspects"] if one["fact"]["kind"] == "hexside"}
    assert sides == {"0608/0709", "0607/0708", "0608/0708"}
    assert all(
        one["text"].endswith("reading of the rule, may be wrong.") for one in told["suspects"]
    )
    assert desk.jobs == []
    suspects(stopped)
    with pytest.raises(Stopped):
        stopped.jobs.pop()(stops)
    assert not suspects(stopped)["working"]
    assert stopped.jobs == []


def test_the_moves_are_asked_in_the_background_and_only_when_somebody_wants_it(
    tmp_path: Path,
) -> None:
    chart_only = ("hills = 2\n", ""), ('"terrain", "hexsides"', '"hexsides"')
    desk = Desk(Named((TURN_1,), MODULE, pack_copy(tmp_path / "pack", *chart_only)))
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
    broken = Desk(None)  # of a pack that cannot be read
    with pytest.raises(UmpireError, match="once the pack can be read"):
        ask(broken, {})  # type: ignore[arg-type]
    assert not broken.jobs
