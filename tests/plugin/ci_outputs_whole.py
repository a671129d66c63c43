"""Special files are written to, files are whole or absent, folders hold nothing of others."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .outputs import AUDIT, OUTPUTS, POSIX, TABLES, contents, names, refused, run, umpire

# -- special files ---------------------------------------------------------------------------------


@POSIX
@pytest.mark.parametrize(
    ("output", "command"),
    [
        ("/dev/stdout", AUDIT),
        ("/dev/stdout", OUTPUTS["game.db"]),
        ("/dev/fd/1", AUDIT),
        ("/proc/self/fd/1", AUDIT),
        ("link", OUTPUTS["game.json"]),
        ("-", OUTPUTS["copy.vlog"]),
    ],
)
def test_a_redirected_standard_output_is_written_to(
    game: Path, output: str, command: tuple[str, ...]
) -> None:
    if output.startswith("/proc") and not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc here")
    (game / "link").symlink_to("/dev/stdout")
    with (game / "kept.txt").open("wb") as kept:
        kept.write(b"mine\n")
        kept.flush()
        inode = os.fstat(kept.fileno()).st_ino
        done = run(*command, "-o", output, stdout=kept)
    assert done.returncode == 0, done.stderr
    assert os.stat("kept.txt").st_ino == inode
    assert (game / "kept.txt").read_bytes().startswith(b"mine\n")
    assert len((game / "kept.txt").read_bytes()) > 1000


@POSIX
@pytest.mark.parametrize("name", OUTPUTS)
def test_a_pipe_is_written_to(game: Path, name: str) -> None:
    os.mkfifo(name)
    with (game / "got").open("wb") as got:
        reader = subprocess.Popen(["cat", name], stdout=got)
    try:
        result = umpire(*OUTPUTS[name], "-o", name)
        assert result.exit_code == 0, result.output
        assert reader.wait(timeout=60) == 0
    finally:
        reader.kill()
    assert stat.S_ISFIFO(os.stat(name).st_mode)
    assert len((game / "got").read_bytes()) > 1000


@POSIX
def test_a_descriptor_that_is_an_input_is_no_output(game: Path) -> None:
    before = (game / "turn-1.vlog").read_bytes()
    with (game / "turn-1.vlog").open("ab") as log:
        done = run(*AUDIT, "-o", "/dev/stdout", stdout=log)
    assert (done.returncode, b"inputs are never written to" in done.stderr) == (2, True)
    assert (game / "turn-1.vlog").read_bytes() == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_device_that_takes_nothing_is_told(game: Path) -> None:
    for command in (AUDIT, ("convert", "turn-1.vlog", "--to", "sqlite")):
        refused(umpire(*command, "-o", "/dev/full"), "/dev/full: cannot be written: ")
        assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


# -- whole or not at all ---------------------------------------------------------------------------


@contextmanager
def _full_disk() -> Iterator[None]:
    """Files end after 1000 bytes, as they do where there is no more room."""
    resource = pytest.importorskip("resource", reason="this system sets no such limit")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@POSIX
@pytest.mark.parametrize("name", [*OUTPUTS, "tables"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(game: Path, name: str) -> None:
    command = OUTPUTS.get(name, TABLES[:-1])
    before = names(game)
    with _full_disk():
        refused(umpire(*command, "-o", name), f"{name}: cannot be written: ")
    assert names(game) == before
    assert umpire(*command, "-o", name).exit_code == 0
    old = contents(game / name)
    with _full_disk():
        refused(umpire(*command, "-o", name), f"{name}: cannot be written: ")
    assert contents(game / name) == old
    assert names(game) == before | {name}


@pytest.mark.parametrize("change", ["appears", "changes"])
def test_what_changes_while_the_program_works_is_kept(
    game: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "changes":
        umpire(*AUDIT, "-o", "report.txt")
    from vassal_umpire.plugin import shown

    judged = shown.audit_game

    def meanwhile(*given: object) -> object:
        (game / "report.txt").write_text("mine")
        return judged(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(shown, "audit_game", meanwhile)
    for force in ((), ("--force",)):
        refused(umpire(*AUDIT, "-o", "report.txt", *force), "while")
        assert (game / "report.txt").read_text() == "mine"
        (game / "report.txt").unlink()
    assert not [name for name in names(game) if name.endswith(".part")]


# -- folders of tables -----------------------------------------------------------------------------


def test_a_folder_of_ours_is_written_anew(game: Path) -> None:
    assert umpire(*TABLES, "tables").exit_code == 0
    first = contents(game / "tables")
    assert umpire(*TABLES, "tables").exit_code == 0
    assert contents(game / "tables") == first
    (game / "empty").mkdir()
    assert umpire(*TABLES, "empty").exit_code == 0
    assert contents(game / "empty") == first


def _foreign(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")


def _changed(folder: Path) -> None:
    with (folder / "steps.jsonl").open("a") as file:
        file.write("{}\n")


def _unnamed(folder: Path) -> None:
    (folder / "about.json").unlink()


def _folder(folder: Path) -> None:
    (folder / "deeper").mkdir()


@pytest.mark.parametrize("change", [_foreign, _changed, _unnamed, _folder])
def test_a_folder_that_holds_what_is_not_ours_is_kept(
    game: Path, change: Callable[[Path], None]
) -> None:
    umpire(*TABLES, "tables")
    whole = contents(game / "tables")
    change(game / "tables")
    before = {p.name: p.is_dir() or p.read_bytes() for p in (game / "tables").iterdir()}
    refused(umpire(*TABLES, "tables"), "--force")
    assert {p.name: p.is_dir() or p.read_bytes() for p in (game / "tables").iterdir()} == before
    assert umpire(*TABLES, "tables", "--force").exit_code == 0
    for name, data in whole.items():
        assert (game / "tables" / name).read_bytes() == data
    assert set(before) <= names(game / "tables"), "nothing of others is deleted"


def test_the_folder_of_a_game_is_no_folder_for_tables(game: Path) -> None:
    before = names(game)
    refused(umpire(*TABLES, "."), "holds")
    assert names(game) == before
    (game / "file").write_text("mine")
    refused(umpire(*TABLES, "file", "--force"), "is a file")
    refused(umpire(*TABLES, "no/tables"), "its folder does not exist")


def test_an_input_in_the_folder_is_never_replaced(game: Path) -> None:
    (game / "tables").mkdir()
    shutil.copy("turn-1.vlog", "tables/steps.jsonl")
    logs = ("tables/steps.jsonl", "crossroads.vmod")
    refused(
        umpire("convert", *logs, *TABLES[2:], "tables", "--force"), "inputs are never written to"
    )


@POSIX
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/dev/null"])
def test_tables_go_into_a_folder_and_nowhere_else(game: Path, name: str) -> None:
    done = run(*TABLES, name, stdout=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stdout == b""
    said = f"umpire: {name}: is no folder; expected the name of a folder"
    assert done.stderr.decode().splitlines() == [said]


@POSIX
def test_the_null_device_stands_for_no_facts(game: Path) -> None:
    plain = umpire(*AUDIT, "--format", "json")
    none = umpire(*AUDIT, "--format", "json", "--facts", os.devnull)
    assert none.exit_code == 0, none.stderr
    assert none.stdout == plain.stdout
    both = umpire(*AUDIT, "--facts", os.devnull, "-o", os.devnull)
    assert both.exit_code == 0, both.stderr
