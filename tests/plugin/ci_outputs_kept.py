"""What an output may replace: what this program wrote and nobody has changed since, and nothing else."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from .outputs import AUDIT, OUTPUTS, POSIX, names, refused, umpire

NOT_OURS = {
    "bare text of a save": b"begin_save\x1bend_save\x1b",
    "xz": b"\xfd7zXZ\x00\x00\x04",
    "facts": b'[facts]\ntitle = "mine"\n',
    "table": b"hex,terrain\r\n0101,clear\r\n",
    "note": "Für den Schiedsrichter\n".encode("cp1252"),
    "zip": b"PK\x05\x06" + bytes(18),
}


# -- told by content -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_the_program_wrote_it_replaces(game: Path, name: str) -> None:
    assert umpire(*OUTPUTS[name], "-o", name).exit_code == 0
    first = (game / name).read_bytes()
    assert umpire(*OUTPUTS[name], "-o", name).exit_code == 0
    assert (game / name).read_bytes() == first, "the same input gives the same bytes"


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_was_changed_since_is_kept(game: Path, name: str) -> None:
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
    assert umpire(*OUTPUTS[name], "-o", name, "--force").exit_code == 0
    assert (game / name).read_bytes() == written


@pytest.mark.parametrize("kind", NOT_OURS)
@pytest.mark.parametrize("name", OUTPUTS)
def test_what_others_wrote_is_kept(game: Path, name: str, kind: str) -> None:
    (game / name).write_bytes(NOT_OURS[kind])
    before = names(game)
    refused(umpire(*OUTPUTS[name], "-o", name), f"{name}: is kept")
    assert (game / name).read_bytes() == NOT_OURS[kind]
    assert names(game) == before


def test_a_file_that_quotes_a_report_is_kept(game: Path) -> None:
    umpire(*AUDIT, "-o", "report.txt")
    quoted = "Dear all,\n\n" + (game / "report.txt").read_text("utf-8")
    (game / "letter.txt").write_text(quoted, "utf-8")
    refused(umpire(*AUDIT, "-o", "letter.txt"), "--force")


def test_a_file_that_holds_nothing_is_no_loss(game: Path) -> None:
    (game / "report.txt").touch()
    assert umpire(*AUDIT, "-o", "report.txt").exit_code == 0


def test_an_output_of_one_form_gives_way_to_another(game: Path) -> None:
    umpire(*AUDIT, "--format", "csv", "-o", "out")
    assert umpire("convert", "turn-1.vlog", "--to", "sqlite", "-o", "out").exit_code == 0
    assert umpire(*AUDIT, "--format", "json", "-o", "out").exit_code == 0


def test_a_seal_in_a_name_of_the_game_does_no_harm(game: Path) -> None:
    """A log may be called like anything."""
    name = f"vassal-umpire seal {'0' * 32}.vlog"
    (game / "turn-1.vlog").rename(game / name)
    for form in ("json", "csv", "text"):
        for _ in range(2):
            result = umpire("audit", name, "--fail-on", "never", "--format", form, "-o", "out")
            assert result.exit_code == 0, result.output


# -- inputs ----------------------------------------------------------------------------------------


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
    assert umpire("extension", "crossroads.vmod", "-o", "crossroads_ext/flags.vmdx").exit_code == 0
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


# -- links, permissions, names ---------------------------------------------------------------------


@POSIX
def test_a_link_to_somebodys_file_is_followed_and_the_file_kept(game: Path) -> None:
    (game / "mine.txt").write_text("mine")
    (game / "report.txt").symlink_to("mine.txt")
    refused(umpire(*AUDIT, "-o", "report.txt"), "--force")
    assert (game / "mine.txt").read_text() == "mine"
    assert umpire(*AUDIT, "-o", "report.txt", "--force").exit_code == 0
    assert (game / "report.txt").is_symlink()
    assert (game / "mine.txt").read_text("utf-8").startswith("Audit of Crossroads")


@POSIX
def test_permissions_stay(game: Path) -> None:
    umpire(*AUDIT, "-o", "report.txt")
    for mode in (0o600, 0o664):
        (game / "report.txt").chmod(mode)
        assert umpire(*AUDIT, "-o", "report.txt").exit_code == 0
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
        ("reports/", "is to be a folder"),
        ("x" * 300, "ame too long"),
        ("a\0b", "holds a zero byte"),
    ],
)
def test_what_is_no_name_of_a_file_is_told_before_the_work(
    game: Path, output: str, said: str
) -> None:
    for command in (AUDIT, ("convert", "turn-1.vlog"), ("extension", "crossroads.vmod")):
        refused(umpire(*command, "-o", output), said)
    assert "part" not in " ".join(names(game))


@POSIX
def test_a_link_that_leads_round_in_a_circle_is_told(game: Path) -> None:
    (game / "round").symlink_to("round")
    refused(umpire(*AUDIT, "-o", "round"), "ymbolic links")


# -- copies in a folder ----------------------------------------------------------------------------


def test_copies_in_a_folder_go_through_the_same_gate(game: Path) -> None:
    (game / "copies").mkdir()
    assert umpire("annotate", "turn-1.vlog", "-o", "copies").exit_code == 0
    assert umpire("annotate", "turn-1.vlog", "-o", "copies").exit_code == 0
    copy = game / "copies" / "turn-1-annotated.vlog"
    copy.write_bytes(b"mine")
    refused(umpire("annotate", "turn-1.vlog", "-o", "copies"), "--force")
    assert copy.read_bytes() == b"mine"


def test_logs_whose_copies_would_have_one_name_on_some_disks_are_refused(game: Path) -> None:
    for folder, name in (("a", "Turn-1.vlog"), ("b", "turn-1.vlog")):
        (game / folder).mkdir()
        shutil.copy("turn-1.vlog", game / folder / name)
    (game / "copies").mkdir()
    result = umpire(
        "annotate", "a/Turn-1.vlog", "b/turn-1.vlog", "--module", "crossroads.vmod",
        "--pack", "pack", "-o", "copies",
    )  # fmt: skip
    refused(result, "would be the copy of several logs")


def test_a_copy_is_a_sound_zip(game: Path) -> None:
    for name in ("copy.vlog", "flags.vmdx"):
        umpire(*OUTPUTS[name], "-o", name)
        with zipfile.ZipFile(name) as archive:
            assert archive.testzip() is None
            assert archive.comment.startswith(b"vassal-umpire seal ")
    assert umpire("inspect", "copy.vlog").exit_code == 0
