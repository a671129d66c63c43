"""Tables as files: all forms hold the same, and SQLite has keys, indexes, views and a version."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.analysis.columns import INDEXES, KEYS, TABLES, VERSION, VIEWS
from vassal_umpire.importers.vassal.commands import AddPiece, encode_stream
from vassal_umpire.importers.vassal.writer import write_save
from vassal_umpire.plugin import game_columns
from vassal_umpire.plugin.batch import tables as batch_tables
from vassal_umpire.plugin.printable import cell
from vassal_umpire.plugin.table_files import FILE_FORMS, FileForm, write_files, write_sqlite

from . import kit
from .kit import LOGS

DRILL = Path(__file__).parents[1] / "importers" / "pack" / "drill"


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two logs of the drill as the director sees them, in every form but Parquet."""
    folder = tmp_path_factory.mktemp("converted")
    files = [DRILL / f"{name}.vlog" for name in ("drill-1-red", "drill-2-blue")]
    for form in ("sqlite", "csv", "jsonl"):
        kit.done("convert", *files, "--director", "--to", form, "-o", folder / form)
    return folder


@pytest.fixture(scope="module")
def base(converted: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(converted / "sqlite")) as base:
        yield base


def plain(row: dict[str, Any]) -> tuple[Any, ...]:
    """A row as SQLite has it."""
    values = (row.get(column) for column in row)
    return tuple(json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for v in values)


def test_all_forms_hold_the_same(converted: Path, base: sqlite3.Connection) -> None:
    for name, columns in TABLES.items():
        stored = base.execute(f"SELECT * FROM {name}").fetchall()
        lines = (converted / "jsonl" / f"{name}.jsonl").read_text("utf-8").splitlines()
        told = [{c.name: json.loads(line).get(c.name) for c in columns} for line in lines]
        assert stored == list(map(plain, told)), name
        with (converted / "csv" / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
            head, *cells = csv.reader(file)
        assert head == [column.name for column in columns]
        assert len(cells) == len(stored)
        texts = [i for i, column in enumerate(columns) if column.kind in ("text", "whole")]
        for line, row in zip(cells, stored, strict=True):
            for i in texts:
                assert line[i] == ("" if row[i] is None else cell(str(row[i])))


def test_a_kept_value_does_not_show_through_one_that_is_not_known(tmp_path: Path) -> None:
    piece = AddPiece("a", "calcProp;OldMap;{Nope(3)}\tpiece;;;;Tank", "\tMap;1;1;1;1;OldMap;Main")
    write_save(tmp_path / "game.vlog", encode_stream([piece], []))
    kit.done("convert", tmp_path / "game.vlog", "--to", "sqlite", "-o", tmp_path / "base")
    with closing(sqlite3.connect(tmp_path / "base")) as base:
        found = base.execute("SELECT property, value, known FROM properties").fetchall()
    assert found == [("OldMap", None, False)]


def test_sqlite_answers_questions(base: sqlite3.Connection) -> None:
    def ask(question: str) -> list[tuple[Any, ...]]:
        return base.execute(question).fetchall()

    march = ask(
        "SELECT origin_location, target_location FROM displacements WHERE name = 'Red Arm 1' AND log = 1"
    )
    assert march == [
        ("0406", "0405"), ("0405", "0404"), ("0404", "0403"), ("0403", "0402"), ("0402", "0302"),
    ]  # fmt: skip
    assert ask("SELECT count(*) FROM steps WHERE log = 1") == [(62,)]
    assert ask("SELECT count(*) FROM hexes WHERE map = 'Main Map'")[0][0] >= 250
    assert ask("SELECT dice, kind, results FROM rolls WHERE log = 1") == [
        ("2d6", "sum of 2d6", '["6"]'),
        ("2d6", "sum of 2d6", '["4"]'),
    ]
    assert ask("SELECT new_value FROM turns WHERE log = 1 AND step = 0") == [("Turn 1 Red Move",)]
    assert ask("SELECT undoes FROM steps WHERE log = 1 AND step = 33") == [(32,)]
    assert ask("SELECT file FROM logs") == [("drill-1-red.vlog",), ("drill-2-blue.vlog",)]
    assert ask("SELECT count(*) FROM slots")[0][0] > 10


def test_the_view_of_moves_has_names_sides_and_turns_and_nothing_that_was_taken_back(
    base: sqlite3.Connection,
) -> None:
    moved = base.execute("SELECT * FROM named_moves").fetchall()
    back = "SELECT log, step FROM steps WHERE taken_back"
    due = base.execute(
        "SELECT count(*) FROM displacements WHERE how IN ('drag', 'send')"
        f" AND (log, step) NOT IN ({back})"
    ).fetchone()
    assert (len(moved),) == due
    assert base.execute(back).fetchall()
    named = "SELECT file, turn, side, shown_name, origin_location, target_location FROM named_moves"
    first = base.execute(f"{named} WHERE shown_name = 'Red Arm 1' LIMIT 1").fetchall()
    assert first == [("drill-1-red.vlog", "Turn 1 Red Move", "Red", "Red Arm 1", "0406", "0405")]
    rolls = base.execute("SELECT side, turn, results FROM named_rolls LIMIT 1").fetchall()
    assert rolls == [("Red", "Turn 1 Red Fire", '["6"]')]


def test_sqlite_has_a_version_keys_and_indexes(base: sqlite3.Connection) -> None:
    assert base.execute("PRAGMA user_version").fetchone() == (VERSION,)
    for table in TABLES:
        told = base.execute(f"PRAGMA table_info({table})").fetchall()
        key = [name for _, name in sorted((place, name) for _, name, *_, place in told if place)]
        assert tuple(key) == KEYS.get(table, ())
    plan = base.execute(
        "EXPLAIN QUERY PLAN SELECT * FROM displacements WHERE log = 1 AND step = 8"
    ).fetchall()
    assert "USING INDEX displacements_index" in plan[0][-1]
    found = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type='index'")}
    assert {f"{table}_index" for table in INDEXES} <= found
    views = base.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    assert {name for (name,) in views} == set(VIEWS)


def test_a_document_can_say_what_it_is(base: sqlite3.Connection) -> None:
    assert [name for (name,) in base.execute("SELECT name FROM about")] == ["generator", "seal"]


@pytest.mark.parametrize("database", ["sqlite3", "duckdb"])
def test_a_database_takes_every_name_without_quotes(database: str) -> None:
    base = pytest.importorskip(database).connect(":memory:")
    found = [TABLES, game_columns.TABLES, *map(batch_tables.tables_of, batch_tables.DOES)]
    every = [(name, columns) for tables in found for name, columns in tables.items()]
    for name, columns in (*every, *((view, every[0][1]) for view in VIEWS)):
        assert all(column.about.endswith(".") for column in columns)
        told = [column.name for column in columns]
        base.execute(f"CREATE TABLE {name} ({' TEXT, '.join(told)} TEXT)")
        assert base.execute(f"SELECT {', '.join(told)} FROM {name}").fetchall() == []
        base.execute(f"DROP TABLE {name}")
    base.close()


# -- what is odd -----------------------------------------------------------------------------------

ODD = [
    ("logs", {"log": 1, "file": "=1+1\ud800"}),
    ("pieces", {"log": 1, "step": 0, "id": None, "x": 2**70, "masked": True}),
    ("pieces", {"log": 1, "step": 0, "id": None, "name": "-3\n;@x"}),
    ("rolls", {"log": 1, "step": 1, "results": ["+1", "\ud800"]}),
]
CSV = {
    "logs": "1,'=1+1\ufffd,,,,",
    "pieces": f"1,0,,,,,,,,{2**70},,,,,,true,,",
    "rolls": '1,1,,,"[""+1"", ""\ufffd""]",,',
}


@pytest.mark.parametrize("form", FILE_FORMS)
def test_what_is_odd_is_written_all_the_same(tmp_path: Path, form: FileForm) -> None:
    if form == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    write_files(form, ODD, tmp_path)
    files = {name: tmp_path / f"{name}.{form}" for name in TABLES}
    assert all(file.is_file() for file in files.values())
    if form == "csv":
        for name, line in CSV.items():
            assert files[name].read_text("utf-8-sig").splitlines()[1] == line
        assert "-3\\n;'@x" in files["pieces"].read_text("utf-8-sig").splitlines()[2]
    elif form == "jsonl":
        found = [json.loads(line) for line in files["pieces"].read_text("utf-8").splitlines()]
        assert found[0] == {"log": 1, "step": 0, "x": 2**70, "masked": True}
        assert json.loads(files["rolls"].read_text("utf-8"))["results"] == ["+1", "\ufffd"]
    else:
        found = parquet.read_table(files["pieces"]).to_pylist()
        assert (found[0]["x"], found[0]["masked"], found[1]["name"]) == (None, True, "-3\n;@x")


def test_sqlite_keeps_what_fits(tmp_path: Path) -> None:
    write_sqlite(tmp_path / "game.db", ODD, {})
    with closing(sqlite3.connect(tmp_path / "game.db")) as base:
        assert base.execute("SELECT x, masked, id FROM pieces").fetchall() == [
            (None, 1, None),
            (None, None, None),
        ]
        assert base.execute("SELECT file FROM logs").fetchall() == [("=1+1\ufffd",)]
    assert [p.name for p in tmp_path.iterdir()] == ["game.db"], "and no journal"


def test_what_cannot_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"Not a directory|No such file"):
        write_files("jsonl", ODD, tmp_path / "file")
    with pytest.raises(OSError, match="unable to open"):
        write_sqlite(tmp_path / "file" / "game.db", ODD, {})


def test_a_folder_that_is_written_in_another_form_keeps_no_table_of_the_first(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "tables"
    command = ("convert", LOGS[0], "-o", folder, "--to")
    kit.done(*command, "jsonl")
    kit.done(*command, "csv")
    assert {path.suffix for path in folder.iterdir()} == {".csv", ".json"}
    kit.done(*command, "csv")
    (folder / "mine.jsonl").write_text("mine")
    kit.refused(*command, "jsonl")
    kit.done(*command, "jsonl", "--force")
    assert (folder / "mine.jsonl").read_text() == "mine"
    assert {p.suffix for p in folder.iterdir()} == {".jsonl", ".json"}


def test_parquet_without_pyarrow_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    kit.refused("convert", LOGS[0], "--to", "parquet", "-o", tmp_path / "tables")
    assert list(tmp_path.iterdir()) == []
