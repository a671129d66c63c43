"""What an answer to a plain question would change is told before it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from partial_studio import opened, read_anew
from vassal_umpire.plugin.studio import effects, rules_view
from vassal_umpire.plugin.studio.session import Studio

NO_LIMIT: dict[str, Any] = {"id": "stacking", "answer": "no", "whole": True}


@pytest.fixture
def studio(game: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    """Nothing is judged in its background, and a job is done as soon as it is begun."""
    found = opened(Path(), Path("pack"))
    monkeypatch.setattr(found.jobs, "begin", lambda name, run: run(lambda *_: None))
    monkeypatch.setattr(found, "work_left", lambda: None)
    return found


def test_what_an_answer_would_change_is_what_the_audit_says_once_it_is_written(
    studio: Studio,
) -> None:
    before = Path("pack/pack.toml").read_bytes()
    assert studio.audit is not None
    now = effects.counts_of(studio.audit)
    assert rules_view.effect(studio, NO_LIMIT)["working"]
    told = rules_view.effect(studio, NO_LIMIT)
    assert (told["working"], told["error"], told["now"]) == (False, "", now)
    assert told["then"] == {**now, "findings": now["findings"] - 1}
    assert Path("pack/pack.toml").read_bytes() == before
    studio.edit(rules_view.chosen(studio, NO_LIMIT)["edits"], "stacking")
    read_anew(studio)
    assert studio.audit is not None
    assert told["then"] == effects.counts_of(studio.audit)


def test_nothing_is_worked_out_of_what_cannot_be_written_or_before_a_phase_is_known(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(studio.jobs, "begin", no)
    nothing = {"then": None, "working": False, "error": ""}
    empty = {**NO_LIMIT, "answer": "yes"}
    assert rules_view.effect(studio, empty) == nothing
    pack = Path("pack/pack.toml")
    text = pack.read_text("utf-8")
    start, end = text.index("[[phases.from]]"), text.index("[[phase]]")
    pack.write_text(text[:start] + text[end:], "utf-8")
    read_anew(studio)
    assert rules_view.effect(studio, NO_LIMIT) == nothing
