"""Tables and documents of real logs: complete, and no more than the reader may see."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.analysis.document import (
    document,
    encode,
    parse_document,
    write_document,
)
from vassal_umpire.importers.analysis.records import plain_module, plain_table
from vassal_umpire.importers.analysis.tables import COLUMNS, rows, to_jsonl, to_sqlite
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.model.table import TableHistory
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer

DRILL = Path(__file__).parents[1] / "pack" / "drill"
RED_INF_1, RED_INF_3 = "1795262786534", "1795262786559"


@pytest.fixture(scope="module")
def module() -> Module:
    return open_module(DRILL / "drill.vmod")


@pytest.fixture(scope="module")
def layouts(module: Module) -> dict[str, MapLayout]:
    laid = lay_out(module.maps)
    return {a_map.identifier: laid[a_map.id] for a_map in module.maps}


@pytest.fixture(scope="module")
def saves() -> list[SaveFile]:
    return [read_save(DRILL / f"{name}.vlog") for name in ("drill-1-red", "drill-2-blue")]


@pytest.fixture(scope="module")
def history(module: Module, saves: list[SaveFile]) -> TableHistory:
    roster = Roster()
    logs = tuple(replay_log(s, module, roster=roster, log=i) for i, s in enumerate(saves, 1))
    return TableHistory(logs, gaps_between(logs))


def table(history: TableHistory, name: str, viewer: Viewer) -> list[dict[str, Any]]:
    return [record for found, record in rows(history, None, None, viewer) if found == name]


def player_ids(save: SaveFile) -> set[str]:
    """The ids, which are passwords, of all who ever sat at the table."""
    texts = [*save.opening, *(leaf for step in save.steps for leaf in step.leaves)]
    return {text.split("\t")[1] for text in texts if text.startswith("PLAYER\t")} - {""}


# -- what is in them -------------------------------------------------------------------------------


def test_sqlite_and_json_lines_hold_the_same(
    history: TableHistory, module: Module, layouts: dict[str, MapLayout], tmp_path: Path
) -> None:
    to_sqlite(history, module, tmp_path / "game.db", layouts=layouts, viewer=DIRECTOR)
    (tmp_path / "game").mkdir()
    files = to_jsonl(history, module, tmp_path / "game", layouts=layouts, viewer=DIRECTOR)
    assert {file.stem for file in files} == set(COLUMNS)
    with closing(sqlite3.connect(tmp_path / "game.db")) as base:
        for name, columns in COLUMNS.items():
            stored = base.execute(f'SELECT * FROM "{name}"').fetchall()
            lines = (tmp_path / "game" / f"{name}.jsonl").read_text("utf-8").splitlines()
            told = [[json.loads(line).get(column) for column in columns] for line in lines]
            plain = [
                [json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for v in row]
                for row in told
            ]
            assert [list(row) for row in stored] == plain, name
    assert sorted(p.name for p in tmp_path.iterdir()) == ["game", "game.db"]


def test_the_tables_answer_questions(
    history: TableHistory, module: Module, layouts: dict[str, MapLayout], tmp_path: Path
) -> None:
    to_sqlite(history, module, tmp_path / "game.db", layouts=layouts)
    with closing(sqlite3.connect(tmp_path / "game.db")) as base:

        def ask(question: str) -> list[tuple[Any, ...]]:
            return base.execute(question).fetchall()

        march = ask('SELECT origin, target FROM displacements WHERE name = "Red Arm 1" AND log = 1')
        assert march == [
            ("0406", "0405"), ("0405", "0404"), ("0404", "0403"), ("0403", "0402"), ("0402", "0302"),
        ]  # fmt: skip
        assert ask("SELECT count(*) FROM steps WHERE log = 1") == [(62,)]
        assert ask("SELECT count(*) FROM hexes WHERE map = 'Main Map'")[0][0] >= 250
        assert ask("SELECT dice, results FROM dice WHERE log = 1") == [
            ("2d6", '["6"]'),
            ("2d6", '["4"]'),
        ]
        assert ask("SELECT after FROM turns WHERE log = 1 AND step = 0") == [("Turn 1 Red Move",)]
        assert ask("SELECT undoes FROM steps WHERE log = 1 AND step = 33") == [(32,)]
        assert ask("SELECT file FROM logs") == [("drill-1-red.vlog",), ("drill-2-blue.vlog",)]
        assert ask("SELECT count(*) FROM slots")[0][0] > 10
        assert "Wätter" not in {row[0] for row in ask("SELECT name FROM globals")}
        assert ("Weather",) in ask("SELECT DISTINCT name FROM globals WHERE step = 0")


def test_the_document_is_valid_and_comes_back(
    history: TableHistory, module: Module, layouts: dict[str, MapLayout], tmp_path: Path
) -> None:
    plain = document(module=plain_module(module, layouts), table=plain_table(history, EVERYONE))
    write_document(plain, tmp_path / "game.json")
    assert parse_document((tmp_path / "game.json").read_bytes(), "game.json") == plain
    assert [m["name"] for m in plain["module"]["maps"]] == [m.name for m in module.maps]


# -- fog of war ------------------------------------------------------------------------------------


def test_a_hidden_piece_is_not_there(history: TableHistory) -> None:
    """Red Inf 1 is hidden in step 2, moves in 3 to 5, and is shown in step 6."""
    during = range(3, 6)
    for viewer, seen in (
        (EVERYONE, False),
        (Viewer("Blue"), False),
        (Viewer("Red"), True),
        (DIRECTOR, True),
    ):
        steps = {r["step"] for r in table(history, "displacements", viewer)
                 if r["log"] == 1 and r["step"] in during}  # fmt: skip
        assert steps == (set(during) if seen else set()), viewer
        properties = [r for r in table(history, "properties", viewer)
                      if r["log"] == 1 and r["step"] in range(2, 7) and r["piece"] == RED_INF_1]  # fmt: skip
        assert bool(properties) is seen, viewer


def test_a_masked_piece_has_neither_name_nor_id(history: TableHistory) -> None:
    """Red Inf 3 is masked in step 11 of the first log and stays so."""
    for viewer, known in (
        (EVERYONE, False),
        (Viewer("Blue"), False),
        (Viewer("Red"), True),
        (DIRECTOR, True),
    ):
        later = [r for name in ("pieces", "displacements", "properties") for r in table(history, name, viewer)
                 if r["log"] == 2]  # fmt: skip
        text = json.dumps(later)
        assert (RED_INF_3 in text) is known, viewer
        assert ("Red Inf 3" in text) is known, viewer
        assert any(r["name"] == "Red unit" or "Red Inf 3" in r["name"] for r in later)


def test_what_is_in_a_deck_is_counted_only(history: TableHistory) -> None:
    everyone = table(history, "pieces", EVERYONE)
    assert not [r for r in everyone if r.get("holder_kind") == "deck"]
    in_deck = [r for r in table(history, "pieces", DIRECTOR) if r.get("holder_kind") == "deck"]
    decks = table(history, "decks", EVERYONE)
    assert sum(r["cards"] for r in decks) == len(in_deck) > 0


@pytest.mark.parametrize("viewer", [EVERYONE, Viewer("Red"), DIRECTOR])
def test_no_player_id_gets_out(
    saves: list[SaveFile], history: TableHistory, module: Module, viewer: Viewer
) -> None:
    ids = set().union(*(player_ids(save) for save in saves))
    assert len(ids) >= 2
    _no_ids(encode(document(module=plain_module(module), table=plain_table(history, viewer))), ids)


def _no_ids(data: bytes, ids: set[str]) -> None:
    """A failure tells how many got out, never which."""
    text = json.dumps(json.loads(data), ensure_ascii=False)
    names = set(re.findall(r'"name": "([^"]*)"', text))
    out = [i for i in ids if i not in names and re.search(rf"(?<!\w){re.escape(i)}(?!\w)", text)]
    count = len(out)
    assert count == 0


# -- files -----------------------------------------------------------------------------------------


def test_a_file_can_say_what_it_is(history: TableHistory, tmp_path: Path) -> None:
    to_sqlite(history, None, tmp_path / "game.db", about={"generator": "me"})
    with closing(sqlite3.connect(tmp_path / "game.db")) as base:
        assert base.execute("SELECT * FROM about").fetchall() == [("generator", "me")]
    assert [p.name for p in tmp_path.iterdir()] == ["game.db"], "and no journal"


def test_what_cannot_be_written_is_an_error_of_the_system(
    history: TableHistory, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"Not a directory|No such file"):
        to_jsonl(history, None, tmp_path / "file")
    with pytest.raises(OSError, match="unable to open"):
        to_sqlite(history, None, tmp_path / "file" / "game.db")
