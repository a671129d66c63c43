"""Secrets of every kind, against every call of the studio."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tiers import drawn
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.app import calls
from vassal_umpire.plugin.studio.calls import Bytes
from vassal_umpire.plugin.studio.entry import Entry
from vassal_umpire.plugin.studio.looking_at import LookedAt
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.user_folder import PLACE

from .secrets import tokens_in
from .test_privacy import BLUE, RED, a_game_of_secrets, may_know

LOOKS: dict[tuple[str, ...], Viewer] = {(): EVERYONE, ("--director",): Viewer(director=True)}
LOOKS |= {("--as", side): Viewer(side) for side in ("Red", "Blue")}


def told(studio: Studio, pieces: list[str]) -> Iterator[tuple[str, bytes]]:
    """What every call that reads answers, with every way of asking that the page has."""
    logs = len(studio.logs)
    asked: dict[str, list[dict[str, Any]]] = {
        "/api/phases/steps": [{"first": f"{n}:0", "last": f"{n}:9999"} for n in range(1, logs + 1)],
        "/api/phases/inspect": [{"first": "1:1", "last": "1:3", "active": "Red"}],
        "/api/phases/try": [{"pattern": "(?P<turn>.*)"}],
        "/api/counter/{id}": [{"id": piece} for piece in pieces],
        "/api/tile/{sheet}/{z}/{x}/{y}": [],
    }
    for call in calls():
        if call.method != "GET" or call.of == "entry":  # those of a game that is looked at: below
            continue
        numbered = "{number}" in call.path
        for body in asked.get(
            call.path, [{"number": str(n)} for n in range(1, 9)] if numbered else [{}]
        ):
            try:
                answer = call.run(studio, body)
            except UmpireError as error:
                answer = str(error)
            except KeyError:
                continue  # asked for a part that this page names otherwise
            if isinstance(answer, Bytes):
                yield call.path, b"a picture"
            else:
                yield call.path, json.dumps(answer, ensure_ascii=False).encode()


@pytest.mark.parametrize("owner", drawn([RED, BLUE, "stranger"], 1))
def test_no_call_tells_a_secret(owner: str, drill_pack: Path, tmp_path: Path) -> None:
    log, module, tokens = a_game_of_secrets("drill-1-red", owner, tmp_path)
    evidence = read_evidence(Named((log,), module), DEFAULT_LIMITS)
    pieces = [p for one in evidence.history.logs for p in (*one.opening.pieces, *one.end.pieces)]
    some: set[str] = set()
    for viewer, looks in LOOKS.items():
        studio = Studio(drill_pack, tmp_path / "facts.toml", evidence, looks, DEFAULT_LIMITS)
        studio._read_and_judge(lambda *_: None)
        try:
            secret = [t for t, kind in tokens.items() if not may_know(kind, owner, viewer)]
            for path, text in told(studio, pieces):
                assert tokens_in([text], secret) == set(), (path, viewer)
                assert tokens_in([text], [RED, BLUE, "stranger"]) == set(), path
                some |= tokens_in([text], tokens)
        finally:
            studio.close()
    assert some  # those who may know are told something


@pytest.mark.parametrize("owner", drawn([RED, BLUE, "stranger"], 1))
@pytest.mark.parametrize("ruled", [False, True])
def test_no_look_at_a_game_tells_a_secret(
    owner: str, drill_pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, ruled: bool
) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path / "no recent games"))
    log, module, tokens = a_game_of_secrets("drill-1-red", owner, tmp_path)
    evidence = read_evidence(Named((log,), module), DEFAULT_LIMITS)
    some: set[str] = set()
    for viewer, looks in LOOKS.items():
        pack = drill_pack if ruled else None
        looked = LookedAt(evidence, tmp_path / "home", looks, DEFAULT_LIMITS, pack=pack)
        entry = Entry(looked, looks)
        secret = [t for t, kind in tokens.items() if not may_know(kind, owner, viewer)]
        for call in calls():
            if call.of != "entry" or call.method != "GET":
                continue
            answer = call.run(entry, {"key": looked.key})
            text = answer.data if isinstance(answer, Bytes) else json.dumps(answer).encode()
            assert tokens_in([text], secret) == set(), (call.path, viewer)
            assert tokens_in([text], [RED, BLUE, "stranger"]) == set(), call.path
            some |= tokens_in([text], tokens)
        assert (looked.pack is not None) == ruled
        entry.close()
    assert some  # those who may know are told something
