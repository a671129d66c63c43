"""What an output may replace, and that it is whole or absent: files, folders, special files."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from . import kit
from .kit import umpire
from .outputs import AUDIT, OUTPUTS, POSIX, TABLES, contents, names, refused, run, stream

NOT_OURS = {
    "bare text of a save": b"begin_save\x1bend_save\x1b",
    "xz": b"\xfd7zXZ\x00\x00\x04",
    "facts": b'[facts]\ntitle = "mine"\n',
    "table": b"hex,terrain\r\n0101,clear\r\n",
    "note": "Für den Schiedsrichter\n".encode("cp1252"),
    "zip": b"PK\x05\x06" + bytes(18),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_the_program_wrote_it_replaces_unless_changed(game: Path, name: str) -> None:
    kit.done(*OUTPUTS[name], "-o", name)
    first = (game / name).read_bytes()
    kit.done(*OUTPUTS[name], "-o", name)
    assert (game / name).read_bytes() == first, "the same input gives the same bytes"
    umpire(*OUTPUTS[name], "-o", name)
    written = (game / name).read_bytes()
    middle = len(written) // 2
    altered = bytes([written[middle] ^ 1])
    for changed in (
        written + b"\n",
        b"#" + written,
        written[:middle] + altered + written[middle + 1 :],
    ):
        (game / name).write_bytes(changed)
        refused(umpire(*OUTPUTS[name], "-o", name), "--force")
        assert (game / name).read_bytes() == changed
    kit.done(*OUTPUTS[name], "-o", name, "--force")
    assert (game / name).read_bytes() == written


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_others_wrote_is_kept(game: Path, name: str) -> None:
    for theirs in NOT_OURS.values():
        (game / name).write_bytes(theirs)
        before = names(game)
        refused(umpire(*OUTPUTS[name], "-o", name), f"{name}: is kept")
        assert (game / name).read_bytes() == theirs
        assert names(game) == before


def test_a_quoted_report_is_kept_and_another_form_gives_way(game: Path) -> None:
    umpire(*AUDIT, "-o", "report.txt")
    quoted = "Dear all,\n\n" + (game / "report.txt").read_text("utf-8")
    (game / "letter.txt").write_text(quoted, "utf-8")
    refused(umpire(*AUDIT, "-o", "letter.txt"), "--force")
    umpire(*AUDIT, "--format", "csv", "-o", "out")
    kit.done("convert", "turn-1.vlog", "--to", "sqlite", "-o", "out")
    kit.done(*AUDIT, "--format", "json", "-o", "out")


def test_a_file_that_holds_nothing_is_no_loss(game: Path) -> None:
    (game / "report.txt").touch()
    kit.done(*AUDIT, "-o", "report.txt")


def test_a_seal_in_a_name_of_the_game_does_no_harm(game: Path) -> None:
    """A log may be called like anything."""
    name = f"vassal-umpire seal {'0' * 32}.vlog"
    (game / "turn-1.vlog").rename(game / name)
    for form in ("json", "csv", "text"):
        for _ in range(2):
            kit.done("audit", name, "--fail-on", "never", "--format", form, "-o", "out")


@pytest.mark.parametrize(
    "output",
    [
        "turn-1.vlog",
        "./../game/turn-1.vlog",
        "crossroads.vmod",  # found beside the log, not named
        "pack/pack.toml",
        "pack/hexes.csv",
        "settled.toml",
        "crossroads_ext/flags.vmdx",
    ],
)
def test_an_input_is_no_output_whatever_is_said(game: Path, output: str) -> None:
    (game / "crossroads_ext").mkdir()
    kit.done("extension", "crossroads.vmod", "-o", "crossroads_ext/flags.vmdx")
    before = (game / output).read_bytes()
    for command in (
        AUDIT,
        ("convert", "turn-1.vlog", "--pack", "pack"),
        ("annotate", "turn-1.vlog"),
    ):
        for force, said in (((), Path(output).name), (("--force",), "inputs are never written to")):
            result = umpire(*command, "--facts", "settled.toml", "-o", output, *force)
            refused(result, said)
            assert (game / output).read_bytes() == before


@POSIX
@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_another_name_of_an_input_is_no_output(game: Path, link: str) -> None:
    other = game / "other.txt"
    if link == "hard":
        other.hardlink_to(game / "turn-1.vlog")
    else:
        other.symlink_to("turn-1.vlog")
    refused(umpire(*AUDIT, "-o", "other.txt", "--force"), "inputs are never written to")


@POSIX
def test_links_are_followed_and_the_file_kept_and_a_circle_is_told(game: Path) -> None:
    (game / "mine.txt").write_text("mine")
    (game / "report.txt").symlink_to("mine.txt")
    refused(umpire(*AUDIT, "-o", "report.txt"), "--force")
    assert (game / "mine.txt").read_text() == "mine"
    kit.done(*AUDIT, "-o", "report.txt", "--force")
    assert (game / "report.txt").is_symlink()
    assert (game / "mine.txt").read_text("utf-8").startswith("Audit of Crossroads")
    (game / "round").symlink_to("round")
    refused(umpire(*AUDIT, "-o", "round"), "ymbolic links")


@POSIX
def test_permissions_stay(game: Path) -> None:
    umpire(*AUDIT, "-o", "report.txt")
    for mode in (0o600, 0o664):
        (game / "report.txt").chmod(mode)
        kit.done(*AUDIT, "-o", "report.txt")
        assert stat.S_IMODE((game / "report.txt").stat().st_mode) == mode


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_write_protected_file_is_kept(game: Path, force: tuple[str, ...]) -> None:
    umpire(*AUDIT, "-o", "report.txt")
    (game / "report.txt").chmod(0o444)
    refused(umpire(*AUDIT, "-o", "report.txt", *force), "write-protected")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("pack", "is a folder"),
        ("no/report.txt", "its folder does not exist"),
        ("turn-1.vlog/report.txt", "its folder does not exist"),
        ("reports/", "must be a folder"),
        ("x" * 300, "ame too long"),
        ("a\0b", "holds a zero byte"),
    ],
)
def test_what_names_no_file_is_told_before_the_work(game: Path, output: str, said: str) -> None:
    for command in (AUDIT, ("convert", "turn-1.vlog"), ("extension", "crossroads.vmod")):
        refused(umpire(*command, "-o", output), said)
    assert "part" not in " ".join(names(game))


def test_copies_are_sound_and_go_through_the_same_gate(game: Path) -> None:
    (game / "copies").mkdir()
    kit.done("annotate", "turn-1.vlog", "-o", "copies")
    kit.done("annotate", "turn-1.vlog", "-o", "copies")
    copy = game / "copies" / "turn-1-annotated.vlog"
    copy.write_bytes(b"mine")
    refused(umpire("annotate", "turn-1.vlog", "-o", "copies"), "--force")
    assert copy.read_bytes() == b"mine"
    for name in ("copy.vlog", "flags.vmdx"):
        umpire(*OUTPUTS[name], "-o", name)
        with zipfile.ZipFile(name) as archive:
            assert archive.testzip() is None
            assert archive.comment.startswith(b"vassal-umpire seal ")
    kit.done("inspect", "copy.vlog")


def test_logs_whose_copies_would_have_one_name_on_some_disks_are_refused(game: Path) -> None:
    for folder, name in (("a", "Turn-1.vlog"), ("b", "turn-1.vlog")):
        (game / folder).mkdir()
        shutil.copy("turn-1.vlog", game / folder / name)
    (game / "copies").mkdir()
    named = ("--module", "crossroads.vmod", "--pack", "pack", "-o", "copies")
    result = umpire("annotate", "a/Turn-1.vlog", "b/turn-1.vlog", *named)
    refused(result, "would be the copy of several logs")


@POSIX
@pytest.mark.parametrize(
    ("output", "command"),
    [
        ("/dev/stdout", AUDIT),
        ("/dev/stdout", OUTPUTS["game.db"]),
        ("/dev/fd/1", OUTPUTS["game.json"]),
        ("/proc/self/fd/1", OUTPUTS["game.json"]),
        ("link", OUTPUTS["game.json"]),
        ("-", OUTPUTS["copy.vlog"]),
    ],
)
def test_a_redirected_output_is_written(game: Path, output: str, command: tuple[str, ...]) -> None:
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
        kit.done(*OUTPUTS[name], "-o", name)
        assert reader.wait(timeout=60) == 0
    finally:
        reader.kill()
    assert stat.S_ISFIFO(os.stat(name).st_mode)
    assert len((game / "got").read_bytes()) > 1000


@POSIX
def test_an_input_is_no_output_and_the_null_device_no_facts(game: Path) -> None:
    before = (game / "turn-1.vlog").read_bytes()
    with (game / "turn-1.vlog").open("ab") as log, stream(1, log.fileno()):
        result = umpire(*OUTPUTS["game.json"], "-o", "/dev/stdout")
    refused(result, "inputs are never written to")
    refused(umpire(*OUTPUTS["game.db"], "-o", "turn-1.vlog", "--force"), "inputs are never written")
    assert (game / "turn-1.vlog").read_bytes() == before
    plain = umpire(*AUDIT, "--format", "json")
    none = umpire(*AUDIT, "--format", "json", "--facts", os.devnull)
    assert none.exit_code == 0, none.stderr
    assert none.stdout == plain.stdout
    kit.done(*AUDIT, "--facts", os.devnull, "-o", os.devnull)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_device_that_takes_nothing_is_told(game: Path) -> None:
    for command in (AUDIT, ("convert", "turn-1.vlog", "--to", "sqlite")):
        refused(umpire(*command, "-o", "/dev/full"), "/dev/full: cannot be written: ")
        assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


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
    kit.done(*command, "-o", name)
    old = contents(game / name)
    with _full_disk():
        refused(umpire(*command, "-o", name), f"{name}: cannot be written: ")
    assert contents(game / name) == old
    assert names(game) == before | {name}


@pytest.mark.parametrize("change", ["appears", "changes"])
def test_changes_are_kept(game: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    if change == "changes":
        umpire(*AUDIT, "-o", "report.txt")
    from vassal_umpire.plugin import shown

    judged = shown.audit_game

    def meanwhile(*given: object, **more: object) -> object:
        (game / "report.txt").write_text("mine")
        return judged(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(shown, "audit_game", meanwhile)
    for force in ((), ("--force",)):
        refused(umpire(*AUDIT, "-o", "report.txt", *force), "while")
        assert (game / "report.txt").read_text() == "mine"
        (game / "report.txt").unlink()
    assert not [name for name in names(game) if name.endswith(".part")]


def test_a_folder_of_ours_is_written_anew_and_that_of_a_game_never(game: Path) -> None:
    kit.done(*TABLES, "tables")
    first = contents(game / "tables")
    kit.done(*TABLES, "tables")
    assert contents(game / "tables") == first
    (game / "empty").mkdir()
    kit.done(*TABLES, "empty")
    assert contents(game / "empty") == first
    before = names(game)
    refused(umpire(*TABLES, "."), "holds")
    assert names(game) == before
    (game / "file").write_text("mine")
    refused(umpire(*TABLES, "file", "--force"), "is a file")
    refused(umpire(*TABLES, "no/tables"), "its folder does not exist")


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "notes.txt").write_text("mine"),
        lambda folder: (folder / "steps.jsonl").write_text("{}\n"),
        lambda folder: (folder / "about.json").unlink(),
        lambda folder: (folder / "deeper").mkdir(),
    ],
)
def test_a_folder_that_holds_others_is_kept(game: Path, change: Callable[[Path], object]) -> None:
    umpire(*TABLES, "tables")
    whole = contents(game / "tables")
    change(game / "tables")
    before = {p.name: p.is_dir() or p.read_bytes() for p in (game / "tables").iterdir()}
    refused(umpire(*TABLES, "tables"), "--force")
    assert {p.name: p.is_dir() or p.read_bytes() for p in (game / "tables").iterdir()} == before
    kit.done(*TABLES, "tables", "--force")
    for name, data in whole.items():
        assert (game / "tables" / name).read_bytes() == data
    assert set(before) <= names(game / "tables"), "nothing of others is deleted"


def test_an_input_in_the_folder_is_never_replaced(game: Path) -> None:
    (game / "tables").mkdir()
    shutil.copy("turn-1.vlog", "tables/steps.jsonl")
    logs = ("tables/steps.jsonl", "crossroads.vmod")
    result = umpire("convert", *logs, *TABLES[2:], "tables", "--force")
    refused(result, "inputs are never written to")


@POSIX
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/dev/null"])
def test_tables_go_into_a_folder_and_nowhere_else(game: Path, name: str) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as got:
        with open(writing, "wb"), stream(1, writing):
            result = umpire(*TABLES, name)
        assert (result.stdout, got.read()) == ("", b"")
    refused(result, f"umpire: {name}: is not a folder; expected the name of a folder")
