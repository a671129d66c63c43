"""The studio's call for what the pack is suspected of."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.report_view import CALLS

from ..kit import Jobs


class Desk:
    """What the call needs of a studio."""

    def __init__(self, opened: Any, audit: Audit, viewer: Any) -> None:
        self.opened, self.audit, self.viewer = opened, audit, viewer
        self.jobs, self.memory = Jobs(), dict[str, Any]()


@pytest.fixture
def desk(project: Path, tmp_path: Path) -> Desk:

    folder = tmp_path / "ocs"
    shutil.copytree(project / "samples" / "ocs", folder)
    logs = tuple(sorted(folder.glob("*.vlog")))
    named = Named(logs, pack=folder / "pack", facts=folder / "facts.toml")
    opened = open_game(named, EVERYONE, DEFAULT_LIMITS)
    return Desk(opened, audit_game(opened, None), EVERYONE)


def test_it_is_looked_for_in_the_background_and_told_when_it_is_found(desk: Desk) -> None:
    call = CALLS[0]
    assert (call.method, call.path, call.writes) == ("GET", "/api/suspects", False)
    first = call.run(desk, {})  # type: ignore[arg-type]
    assert first == {"suspects": [], "changed": [], "numbers": [], "working": True}
    desk.jobs.pop()(lambda *_: None)
    told = call.run(desk, {})  # type: ignore[arg-type]
    assert not told["working"]
    sides = {one["fact"]["cell"] for one in told["suspects"] if one["fact"]["kind"] == "hexside"}
    assert sides == {"0708/0807", "0707/0807", "0708/0808"}
    assert all(one["text"].endswith("reading of the rule.") for one in told["suspects"])
    assert desk.jobs == []


def test_who_stops_it_is_not_asked_again(desk: Desk) -> None:
    class Stopped(BaseException):
        pass

    stop = Event()

    def told(*_: object) -> None:
        stop.set()
        raise Stopped

    CALLS[0].run(desk, {})  # type: ignore[arg-type]
    with pytest.raises(Stopped):
        desk.jobs.pop()(told)
    assert stop.is_set()
    CALLS[0].run(desk, {})  # type: ignore[arg-type]
    assert desk.jobs == []
