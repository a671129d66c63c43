"""``umpire batch``: one row for each game, move, finding and problem, whatever the files are."""

from __future__ import annotations

import json
import ntpath
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from vassal_umpire.importers.analysis.columns import VERSION
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.batch.games import games
from vassal_umpire.plugin.batch.tables import DOES, tables_of
from vassal_umpire.plugin.commands.batch import time_left
from vassal_umpire.plugin.game_columns import TABLES, Column
from vassal_umpire.plugin.game_tables import audit_rows
from vassal_umpire.plugin.inspection import save_document
from vassal_umpire.plugin.reading import Named, read_history
from vassal_umpire.plugin.shown import audit_shown

from . import kit
from .batches import CROSSROADS, archive, batch, nobody, rows, settings
from .outputs import refused

pytestmark = pytest.mark.usefixtures("unsuspected")

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed ([frames])")


def umpire(*arguments: str | Path) -> Result:
    return kit.umpire("batch", *arguments)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games, a folder of a game of two logs, and three files that are none."""
    folder = archive(tmp_path_factory.mktemp("mixed") / "archive", 2)
    (folder / "cut.vlog").write_bytes((CROSSROADS / "turn-1.vlog").read_bytes()[:500])
    (folder / "empty.vsav").write_bytes(b"")
    lone = folder / "z" / "lone"
    lone.mkdir(parents=True)
    shutil.copy(CROSSROADS / "turn-1.vlog", lone)
    files = ["--module", str(folder / "crossroads.vmod"), "--pack", str(folder / "pack")]
    kit.done("game", "new", folder / "y", *files)
    for name in ("turn-1.vlog", "turn-2.vlog"):
        kit.done("game", "add", folder / "y", CROSSROADS / name)
    return folder


@pytest.fixture(scope="module")
def audited(mixed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its audit by two processes, in all three forms."""
    out = tmp_path_factory.mktemp("audited") / "out"
    first = umpire(mixed, "-o", out, "--workers", "2")
    assert first.exit_code == 1, first.output
    assert "umpire: 6 games in" in first.stderr
    assert "3 games could not be read or judged" in first.stderr
    again = umpire(mixed, "-o", out, "--to", "jsonl")
    assert again.exit_code == 1, again.output
    assert "6 of them in an earlier run" in again.stderr
    return out


def test_every_game_is_one_row_whatever_it_is(audited: Path) -> None:
    found = [(row["game"], row["status"]) for row in rows(audited)]
    assert found == [
        ("cut.vlog", "failed"),
        ("empty.vsav", "failed"),
        ("game-000.vlog", "done"),
        ("game-001.vlog", "done"),
        ("y", "done"),
        ("z/lone/turn-1.vlog", "failed"),
    ]
    told = {row["game"]: row["trouble"] for row in rows(audited) if row["status"] == "failed"}
    problems = {r["game"]: r["message"] for r in rows(audited, "problems") if r["code"] == "failed"}
    assert told == problems
    assert "the module of this game was not found" in told["z/lone/turn-1.vlog"]
    assert all(len(line.splitlines()) == 1 for line in told.values())


def test_the_rows_of_a_game_are_those_of_its_audit(mixed: Path, audited: Path) -> None:
    logs = tuple(CROSSROADS / f"turn-{number}.vlog" for number in (1, 2))
    named = Named(logs, mixed / "crossroads.vmod", mixed / "pack")
    opened = open_game(named, EVERYONE, DEFAULT_LIMITS)
    shown = audit_shown(opened, None, EVERYONE)
    expected = {table: list(found) for table, found in audit_rows(shown, EVERYONE).items()}
    assert len(expected["findings"]) > 3
    assert set(expected) == set(tables_of("audit"))
    for table, wanted in expected.items():
        mine = [row for row in rows(audited, table) if row.pop("game") == "y"]
        status = {"status": "done"} if table == "games" else {}
        told = [{k: v for k, v in row.items() if v is not None} for row in wanted]
        assert mine == [{**row, **status} for row in told]


def test_all_forms_hold_the_same_rows(audited: Path) -> None:
    base = sqlite3.connect(audited / "batch.sqlite")
    for table, columns in tables_of("audit").items():
        lines = rows(audited, table)
        listed = parquet.read_table(audited / f"{table}.parquet").to_pylist()
        assert [{k: v for k, v in row.items() if v is not None} for row in listed] == lines
        names = [column.name for column in columns]
        assert list(listed[0]) == names
        kept = base.execute(f'SELECT * FROM "{table}" ORDER BY game, rowid').fetchall()
        lists = [name for name in names if isinstance(listed[0][name], list)]
        told = [dict(zip(names, row, strict=True)) for row in kept]
        for row in told:
            row.update({name: row[name] and json.loads(row[name]) for name in lists})
        for name in lists:
            assert [row[name] for row in told] == [row[name] for row in listed]
        assert [row["game"] for row in told] == [row["game"] for row in lines]
    base.close()


@pytest.mark.ci
def test_an_inspection_counts_what_inspect_counts(mixed: Path, tmp_path: Path) -> None:
    batch(mixed, tmp_path / "out", settings("inspect"))
    found = {row["game"]: row for row in rows(tmp_path / "out")}
    assert found["z/lone/turn-1.vlog"]["status"] == "done"
    assert "module_file" not in found["z/lone/turn-1.vlog"]
    named = Named((CROSSROADS / "turn-1.vlog",))
    told = save_document(read_history(named, None, DEFAULT_LIMITS).logs[0], "log", "", EVERYONE)
    for key in ("kind", "pieces", "stacks", "steps", "moves", "dice", "chat", "undone"):
        assert found["game-000.vlog"][key] == told[key], key
    assert found["y"]["steps"] == found["game-000.vlog"]["steps"] + found["game-001.vlog"]["steps"]
    assert [row["status"] for row in found.values()].count("failed") == 2


@pytest.mark.ci
def test_a_conversion_holds_what_convert_writes(mixed: Path, tmp_path: Path) -> None:
    batch(mixed, tmp_path / "out", settings("convert"))
    alone = tmp_path / "alone"
    log, module = mixed / "game-000.vlog", mixed / "crossroads.vmod"
    kit.done("convert", log, module, "--to", "jsonl", "-o", alone)
    tables = ("pieces", "properties", "stacks", "steps", "displacements", "chat", "rolls", "turns")
    for table in tables:
        expected = rows(alone, table)
        mine = [r for r in rows(tmp_path / "out", table) if r.pop("game") == "game-000.vlog"]
        assert mine == expected, table
    with closing(sqlite3.connect(tmp_path / "out" / "batch.sqlite")) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (VERSION,)
        query = "SELECT game, side, shown_name FROM named_moves WHERE log = 1 LIMIT 1"
        assert base.execute(query).fetchall() == [("game-000.vlog", "Blue", "Blue Recon")]
        assert base.execute("SELECT count(DISTINCT game) FROM named_rolls").fetchone()[0] > 1
        key = base.execute("SELECT name FROM pragma_table_info('pieces') WHERE pk ORDER BY pk")
        assert [name for (name,) in key] == ["game", "log", "step", "id"]
        plan = base.execute("EXPLAIN QUERY PLAN SELECT * FROM displacements WHERE game = 'x'")
        assert "USING INDEX displacements_index" in plan.fetchall()[0][-1]
    assert len(list((tmp_path / "out").glob("*.jsonl"))) == len(tables_of("convert"))


@pytest.mark.ci
def test_an_analysis_document_is_a_game_where_it_is_named(mixed: Path, tmp_path: Path) -> None:
    log, document = mixed / "game-000.vlog", tmp_path / "game.json"
    files = [str(log), str(mixed / "crossroads.vmod"), "--pack", str(mixed / "pack")]
    kit.done("convert", *files, "-o", document)
    batch(document, tmp_path / "out")
    batch(log, tmp_path / "logs")
    assert rows(tmp_path / "out")[0]["status"] == "done"
    moves = (rows(tmp_path / out, "moves") for out in ("out", "logs"))
    mine, others = ([(row["names"], row.get("verdict")) for row in found] for found in moves)
    assert mine == others != []
    batch(document, tmp_path / "seen", settings("inspect"))
    assert "is an analysis document" in rows(tmp_path / "seen")[0]["trouble"]


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    folder = archive(tmp_path / "archive", 1)
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    refused(umpire(folder, "-o", out), "it holds notes.txt")
    assert [path.name for path in out.iterdir()] == ["notes.txt"]
    (out / "notes.txt").rename(out / "batch.sqlite")
    refused(umpire(folder, "-o", out), "it is no SQLite file")
    assert (out / "batch.sqlite").read_text() == "mine"
    (out / "batch.sqlite").unlink()
    base = sqlite3.connect(out / "batch.sqlite")
    base.execute("CREATE TABLE games (mine TEXT)")
    base.close()
    before = (out / "batch.sqlite").read_bytes()
    refused(umpire(folder, "-o", out), "umpire did not write it")
    assert (out / "batch.sqlite").read_bytes() == before
    refused(umpire(folder, "-o", folder / "game-000.vlog"), "is a file")
    refused(umpire(folder, "-o", tmp_path / "a" / "b"), "its folder does not exist")


@pytest.mark.ci
def test_a_table_that_somebody_changed_is_kept(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 1), tmp_path / "out"
    batch(folder, out)
    (out / "moves.jsonl").write_text("mine\n")
    refused(umpire(folder, "-o", out, "--to", "jsonl"), "it was changed since")
    assert (out / "moves.jsonl").read_text() == "mine\n"


def test_the_form_asked_for_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = archive(tmp_path / "archive", 1), tmp_path / "out"
    batch(folder, out, form="parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(umpire(folder, "-o", out, "--to", "jsonl"), "pyarrow")
    assert {path.stem for path in out.glob("*.jsonl")} == set(tables_of("audit"))
    assert len(rows(out)) == 1


def test_tables_of_something_else_are_kept(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 1), tmp_path / "out"
    batch(folder, out)
    refused(umpire(folder, "-o", out, "--do", "inspect"), "do: audit, not inspect")
    refused(umpire(folder, "-o", out, "--director"), "viewer: everyone, not director")


def test_tables_of_other_versions_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = archive(tmp_path / "archive", 1), tmp_path / "out"
    batch(folder, out)
    more = (*TABLES["moves"], Column("weather", "text", "New in the next version."))
    monkeypatch.setattr("vassal_umpire.plugin.batch.tables.TABLES", {**TABLES, "moves": more})
    monkeypatch.setattr("vassal_umpire.plugin.batch.journal.tables_of", tables_of.__wrapped__)
    refused(umpire(folder, "-o", out), "have the columns of another version of umpire")


def test_a_bug_in_one_game_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = archive(tmp_path / "archive", 2), tmp_path / "out"
    (folder / "game-001.vlog").rename(folder / "two\nlines.vlog")
    (folder / "cut\nshort.vlog").write_bytes(b"PK")
    monkeypatch.setattr("vassal_umpire.plugin.batch.work.open_game", lambda *_a, **_k: 1 // 0)
    batch(folder, out)
    told = {row["game"]: row["trouble"] for row in rows(out)}
    assert len(told) == 3
    assert all(len(line.splitlines()) == 1 for line in told.values())
    assert "bug in umpire" in told["game-000.vlog"]
    assert "ZeroDivisionError" in told["two\nlines.vlog"]
    monkeypatch.setattr("vassal_umpire.plugin.batch.tasks.is_document", lambda _path: 1 // 0)
    batch(folder, tmp_path / "planned")
    assert all("bug in umpire" in row["trouble"] for row in rows(tmp_path / "planned"))


def test_one_run_writes_at_a_time(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 2), tmp_path / "out"
    others = []

    def told(_now: Any) -> None:
        if not others:
            others.append(umpire(folder, "-o", out))

    batch(folder, out, told=told)
    refused(others[0], "another run is writing to it")
    assert len(rows(out)) == 2


def test_the_output_is_no_input_and_no_input_is_changed(tmp_path: Path) -> None:
    folder = archive(tmp_path / "archive", 2)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    out = folder / "out"
    batch(folder, out)
    shutil.copy(folder / "game-000.vlog", out)
    assert batch(folder, out, pool=nobody).progress.total == 2
    assert batch(f"{folder}/**/*.vlog", out, pool=nobody).progress.total == 2
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert after == before
    refused(umpire(out, "-o", out), "holds no game")


def names(named: Path | str, out: Path) -> list[tuple[str, str]]:
    return [(one.name, one.trouble) for one in games([str(named)], out)]


def test_a_list_names_games_one_a_line(tmp_path: Path) -> None:
    folder = archive(tmp_path / "archive", 2)
    told = "\ufeffgame-001.vlog\r\n# a comment\r\n\r\nsub\\game 2.vlog\r\nhere not.vlog\r\ngame-001.vlog\r\n"
    (folder / "sub").mkdir()
    shutil.copy(folder / "game-000.vlog", folder / "sub" / "game 2.vlog")
    (folder / "games.txt").write_bytes(told.encode())
    there = [("game-001.vlog", ""), ("sub/game 2.vlog", "")]
    found = names(folder / "games.txt", tmp_path / "out")
    assert found == [*there, ("here not.vlog", "is not there")]
    (folder / "games.txt").write_bytes(b"\0\1\2")
    with pytest.raises(UmpireError, match="is not a list of files"):
        names(folder / "games.txt", tmp_path / "out")


def test_a_folder_is_looked_through_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    for name in ("b/2.vlog", "b/10.VSAV", "a.log", ".kept/x.vlog", "b/game.toml.vlog", "c.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    found = [name for name, _ in names(folder, tmp_path / "out")]
    assert found == ["a.log", "b/10.VSAV", "b/2.vlog", "b/game.toml.vlog"]
    assert [n for n, _ in names(f"{folder}/*/*.vlog", tmp_path / "out")] != []
    several = [str(folder / "b" / "2.vlog"), str(folder / "a.log")]
    assert [one.name for one in games(several, tmp_path / "out")] == ["b/2.vlog", "a.log"]


def test_files_on_two_drives_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = archive(tmp_path / "archive", 2)
    drives = ["C:\\games", "D:\\games"]
    monkeypatch.setattr(os.path, "commonpath", lambda _paths: ntpath.commonpath(drives))
    files = sorted(folder.glob("*.vlog"))
    refused(umpire(*files, "-o", tmp_path / "out"), "the files lie on different drives; name them")


def test_nothing_there_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(umpire(tmp_path / "empty", "-o", tmp_path / "out"), "holds no game")
    refused(umpire(tmp_path / "gone", "-o", tmp_path / "out"), "is not there")
    refused(umpire(f"{tmp_path}/*.vlog", "-o", tmp_path / "out"), "finds no file")
    folder = archive(tmp_path / "archive", 1)
    refused(umpire(folder, "-o", tmp_path / "out", "--pack", tmp_path), "is not an audit pack")
    refused(umpire(folder, "-o", tmp_path / "out", "--module", tmp_path / "x.vmod"), "x.vmod")
    assert not (tmp_path / "out").exists()


def test_the_estimate_is_of_what_this_run_did() -> None:
    assert time_left(4, 100, 60) == ""
    assert time_left(10, 0, 60) == ""
    assert time_left(10, 10, 60) == "about 60 s left"
    assert time_left(10, 100, 60) == "about 10 min left"
    assert time_left(10, 10_000, 60) == "about 17 h left"
    assert time_left(10, 1_000_000, 60) == "about 69 d left"


def test_the_page_names_every_table_and_its_query_runs(
    project: Path, audited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (project / "docs" / "archives.md").read_text("utf-8")
    for do in DOES:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{do}`"))
        assert [table for table in tables_of(do) if table not in row] == []
    for name in ("batch.sqlite", *(f"{table}.parquet" for table in tables_of("audit"))):
        assert f"`{name}`" in page
        assert (audited / name).is_file()
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed ([dev])")
    monkeypatch.chdir(audited.parent)
    query = page.split("```sql\n")[1].split("```")[0].replace("results/", f"{audited.name}/")
    found = duckdb.sql(query).fetchall()
    illegal = [row for row in rows(audited, "findings") if row["verdict"] == "illegal"]
    assert sum(times for _, times, _ in found) == len(illegal) > 1
