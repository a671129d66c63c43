"""One writer at a time in a folder: none loses what another wrote, and none leaves anything unfinished."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from vassal_umpire.importers import folder_lock
from vassal_umpire.importers.vassal.atomic import whole_file
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.output import alone_in, replace_own
from vassal_umpire.plugin.output_folder import folder_to

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows cannot fork")

RACE = """
import os, sys
from pathlib import Path
from vassal_umpire.importers.vassal.atomic import ChangedMeanwhile
from vassal_umpire.plugin.output import replace_own
file, writers, lines = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for writer in range(writers):
    if not os.fork():
        done = 0
        while done < lines:
            read = file.read_bytes()
            try:
                replace_own(file, read, read + f"{writer} {done}\\n".encode())
                done += 1
            except ChangedMeanwhile:
                pass
        os._exit(0)
for _ in range(writers):
    os.wait()
"""
KILLED = """
import os, sys
from pathlib import Path
from vassal_umpire.importers.vassal.atomic import whole_file
with whole_file(Path(sys.argv[1]), None) as part:
    part.write_bytes(b"a password")
    os._exit(1)
"""


def run(script: str, *words: object) -> None:
    subprocess.run([sys.executable, "-c", script, *map(str, words)], check=False)


@POSIX
def test_no_change_that_was_reported_as_done_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_bytes(b"")
    run(RACE, file, 3, 25)
    wanted = {f"{writer} {line}" for writer in range(3) for line in range(25)}
    assert set(file.read_text().splitlines()) == wanted
    assert os.listdir(tmp_path) == ["game.toml"]


def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    run(KILLED, tmp_path / "turn-1.vlog")
    (left,) = tmp_path.iterdir()
    assert b"a password" in {
        path.read_bytes() for path in (left, *left.rglob("*")) if path.is_file()
    }
    (tmp_path / ".umpire-0123456789ab.part").write_bytes(b"left by an older version")
    replace_own(tmp_path / "game.toml", None, b"")
    assert os.listdir(tmp_path) == ["game.toml"]


def test_what_another_writer_is_still_making_stays(tmp_path: Path) -> None:
    with whole_file(tmp_path / "a", None) as part:
        part.write_bytes(b"a")
        replace_own(tmp_path / "b", None, b"b")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"a", "b": b"b"}


def test_what_is_not_ours_is_not_swept(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".umpire-0123456789ab.part").symlink_to(tmp_path / "elsewhere")
    (tmp_path / ".umpire-notes.part").write_bytes(b"mine")
    before = sorted(tmp_path.rglob("*"))
    with alone_in(tmp_path), folder_lock.part_in(tmp_path):
        pass
    assert sorted(tmp_path.rglob("*")) == before


def test_who_waits_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_lock, "WAIT", 0)
    file = tmp_path / "game.toml"
    with FileLock(tmp_path / folder_lock.LOCK), pytest.raises(UmpireError) as caught:
        replace_own(file, None, b"")
    assert "another umpire command has been writing in its folder" in str(caught.value)
    assert not file.exists()


def test_tables_are_written_anew_where_a_writer_was_killed(tmp_path: Path) -> None:
    def fill(folder: Path) -> list[Path]:
        (folder / "units.jsonl").write_text("{}\n")
        return [folder / "units.jsonl"]

    tables = tmp_path / "tables"
    folder_to(tables, ["units.jsonl"], []).write(fill)
    names = sorted(os.listdir(tables))
    run(KILLED, tables / "units.jsonl")
    assert len(os.listdir(tables)) == len(names) + 1
    folder_to(tables, ["units.jsonl"], []).write(fill)
    assert sorted(os.listdir(tables)) == names
