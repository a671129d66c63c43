"""Packs for real modules: each move of their logs is judged as worked out by hand (``due_real``)."""

from __future__ import annotations

import json
import runpy
import shutil
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import without_version
from sample_pack import SAMPLES
from tiers import drawn
from vassal_umpire.plugin.auditing import Opened, audit_game

DUE = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "due_real").glob("*.toml"))
}
REAL = runpy.run_path(str(SAMPLES / "real_games.py"))


@cache
def opened(name: str, corpus: Path, *, looked: bool = False) -> Opened:
    """A game. ``looked``: as if a person had looked at what a program looked at."""
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack"
        shutil.copytree(SAMPLES / name / "pack", pack)
        records = pack / "provenance.csv"
        if looked and records.exists():
            told = records.read_text("utf-8").replace('"program: the studio', '"person: the studio')
            records.write_text(told, "utf-8")
        found: Opened = REAL["opened"](name, corpus, pack)
    return found


@cache
def found(name: str, corpus: Path, *, looked: bool = True) -> Any:
    """The audit of a game as a document, without what its pack is suspected of."""
    return json.loads(
        REAL["printed"](audit_game(opened(name, corpus, looked=looked), None), "json")
    )


def at(move: Any) -> tuple[int, int]:
    return move["steps"][0]["log"], move["steps"][0]["step"]


def step(due: int | list[int]) -> tuple[int, int]:
    """A step as the table has it: of the only log, or log and step."""
    return (1, due) if isinstance(due, int) else (due[0], due[1])


def test_every_game_has_what_is_due() -> None:
    assert set(DUE) == set(REAL["GAMES"])


@pytest.mark.parametrize("name", DUE)
def test_every_move_is_judged_as_worked_out_by_hand(name: str, corpus: Path) -> None:
    judged = {at(m): m for m in found(name, corpus)["moves"]}
    due = {step(move["at"]): move for move in DUE[name]["move"]}
    assert set(judged) == set(due)
    for where, move in due.items():
        assert [unit["name"] for unit in judged[where]["units"]] == move["units"], where
        assert judged[where]["verdict"] == move["verdict"], (where, move["why"])


@pytest.mark.parametrize("name", DUE)
def test_nothing_else_is_judged_or_found(name: str, corpus: Path) -> None:
    due, got = DUE[name], found(name, corpus)
    left = [at(move) for move in got["not_judged"]]
    wanted = [
        step(s)
        for key in ("taken_back", "off_and_on", "not_movement", "masked")
        for s in due.get(key, ())
    ]
    assert sorted(set(left)) == sorted(set(wanted))
    stacks = [hex_ for f in got["findings"] if f["kind"] == "overstack" for hex_ in f["hexes"]]
    assert sorted(stacks) == sorted(due.get("overstacks", ()))
    problems = found(name, corpus, looked=False)["problems"]
    assert {p["code"] for p in problems} == set(due.get("problems", ()))


@pytest.mark.parametrize("name", DUE)
def test_until_a_person_looks_an_accusation_rests_on_no_cell(name: str, corpus: Path) -> None:
    got = found(name, corpus, looked=False)
    judged = {at(m): m for m in got["moves"]}
    for move in DUE[name]["move"]:
        one = judged[step(move["at"])]
        if move["verdict"] != "illegal":
            assert one["verdict"] == move["verdict"], move["why"]
        elif one["verdict"] != "illegal":
            assert one["verdict"] == "unverifiable"
            assert any(got["unknowns"][key].get("look") for key in one["unknowns"]), move["why"]


@pytest.mark.parametrize("name", drawn(list(DUE), 1))
def test_report_is_the_one_that_is_kept(name: str, corpus: Path) -> None:
    kept = (SAMPLES / name / "expected-report.txt").read_text(encoding="utf-8")
    assert without_version(REAL["report"](opened(name, corpus))) == without_version(kept)


@pytest.mark.parametrize("name", DUE)
def test_no_player_is_named(name: str, corpus: Path) -> None:
    named = REAL["players"](opened(name, corpus))
    files = [path for path in (SAMPLES / name).rglob("*") if path.is_file()]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not [player for player in named if f"({player})" in text], path
