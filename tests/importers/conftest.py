"""The drill: two logs the engine wrote from known scripts, their module, and a pack for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.pack.bind import Bound as BoundGame
from vassal_umpire.importers.pack.bind import bound as game_bound
from vassal_umpire.importers.pack.facts import NO_FACTS
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.game import Game
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.table import TableHistory

DRILL = Path(__file__).parent / "pack" / "drill"
LOGS = ("drill-1-red", "drill-2-blue")
LISTED = '\n[facts]\nlogs = ["drill-1-red.vlog", "drill-2-blue.vlog"]\n'
"""At the end of facts, so that numbers count the logs of the drill."""


@pytest.fixture(scope="session")
def drill() -> Path:
    return DRILL


SHEETS = '[[board.sheet]]\nmap = "M"\n'


@pytest.fixture
def small_pack(tmp_path: Path) -> Callable[..., Pack]:
    """A pack by the ruleset ``generic``, of one sheet, the map M, or as ``sheets`` says: with more of it, and
    tables by name."""

    def make(more: str = "", sheets: str = SHEETS, **tables: str) -> Pack:
        head = '[pack]\nname = "p"\nversion = "1"\nruleset = "generic"\n[board]\n'
        (tmp_path / "pack.toml").write_text(f"{head}{sheets}{more}", encoding="utf-8")
        for name, rows in tables.items():
            (tmp_path / f"{name}.csv").write_text(rows, encoding="utf-8")
        return load_pack(tmp_path)

    return make


@pytest.fixture(scope="session")
def module() -> Module:
    return open_module(DRILL / "drill.vmod")


@pytest.fixture(scope="session")
def layouts(module: Module) -> dict[str, MapLayout]:
    laid = lay_out(module.maps)
    return {a_map.identifier: laid[a_map.id] for a_map in module.maps}


@pytest.fixture(scope="session")
def history(module: Module) -> TableHistory:
    roster = Roster()
    saves = [read_save(DRILL / f"{name}.vlog") for name in LOGS]
    logs = tuple(replay_log(s, module, roster=roster, log=i) for i, s in enumerate(saves, 1))
    return TableHistory(logs, gaps_between(logs))


@pytest.fixture(scope="session")
def drill_by(
    module: Module, history: TableHistory, layouts: dict[str, MapLayout]
) -> Callable[..., BoundGame]:
    """The drill bound by a pack; other logs may be named."""

    def make(pack: Pack, *told: Any, history: TableHistory = history, **more: Any) -> BoundGame:
        return game_bound(module, history, pack, layouts, *told, **more)

    return make


@pytest.fixture(scope="session")
def game(drill_by: Callable[..., BoundGame]) -> Game:
    found = drill_by(load_pack(DRILL))
    assert found.problems == ()
    return found.game


Bound = tuple[Game, Sequence[Problem]]


@pytest.fixture
def binding(drill_by: Callable[..., BoundGame], tmp_path: Path) -> Callable[[str], Bound]:
    """The game bound with facts, given as the text of the file, and what is odd about it."""

    def make(facts: str) -> Bound:
        file = tmp_path / "facts.toml"
        file.write_text(facts if "[facts]" in facts else facts + LISTED, encoding="utf-8")
        told = load_facts(file) if facts else NO_FACTS
        found = drill_by(load_pack(DRILL), told)
        return found.game, found.problems

    return make


@pytest.fixture
def bound(binding: Callable[[str], Bound]) -> Callable[[str], Game]:
    return lambda facts: binding(facts)[0]


@pytest.fixture
def oddities(binding: Callable[[str], Bound]) -> Callable[[str], list[str]]:
    return lambda facts: [f"{problem.severity}: {problem}" for problem in binding(facts)[1]]


@pytest.fixture(scope="session")
def truth() -> list[list[dict[str, Any]]]:
    """What the engine held while it wrote each log, script line by script line."""
    return [
        [
            json.loads(line)
            for line in (DRILL / f"{name}.truth.jsonl").read_text("utf-8").splitlines()
        ]
        for name in LOGS
    ]
