"""Outputs are whole or absent, and never an input."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.output import check_output, write_text

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")


def test_a_file_is_written_and_an_older_one_replaced(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output.write_text("old")
    write_text(output, ["a", "ü\n"])
    assert output.read_bytes() == "aü\n".encode()
    assert list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_interrupted_nothing_is_left_and_the_old_file_stays(
    tmp_path: Path, error: type[BaseException]
) -> None:
    output = tmp_path / "out.json"
    output.write_text("old")

    def pieces() -> Iterator[str]:
        yield "half"
        raise error

    with pytest.raises(error):
        write_text(output, pieces())
    assert output.read_text() == "old"
    assert list(tmp_path.iterdir()) == [output]


def test_an_input_is_no_output_by_whatever_name(tmp_path: Path) -> None:
    log = tmp_path / "turn-1.vlog"
    log.write_text("x")
    other = tmp_path / "other.vlog"
    other.hardlink_to(log)
    for output in (log, tmp_path / "." / "turn-1.vlog", other):
        with pytest.raises(UmpireError, match="is an input"):
            check_output(output, [log])
    check_output(tmp_path / "new.json", [log])


def test_an_output_needs_a_folder_and_a_name(tmp_path: Path) -> None:
    with pytest.raises(UmpireError, match="is a folder"):
        check_output(tmp_path, [])
    with pytest.raises(UmpireError, match="folder does not exist"):
        check_output(tmp_path / "no" / "out.json", [])


def test_what_cannot_be_written_is_told_by_the_name_given(tmp_path: Path) -> None:
    output = tmp_path / "gone" / "report.txt"
    with pytest.raises(UmpireError) as caught:
        write_text(output, ["x"])
    assert str(caught.value).startswith(f"{output}: cannot be written: ")


@POSIX
def test_a_device_is_no_output(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UmpireError, match="no ordinary file"):
        check_output(pipe, [])


@pytest.mark.parametrize("data", [b"PK\x03\x04...", b"!VCSK00"])
def test_a_file_of_vassal_is_no_output_though_it_was_not_named(tmp_path: Path, data: bytes) -> None:
    module = tmp_path / "game.vmod"
    module.write_bytes(data)
    with pytest.raises(UmpireError, match="module, save or log"):
        check_output(module, [tmp_path / "turn-1.vlog"])


def test_a_file_of_a_pack_is_no_output_though_it_was_not_named(tmp_path: Path) -> None:
    for name in ("pack.toml", "hexes.csv"):
        (tmp_path / name).write_text("x")
    for name in ("pack.toml", "hexes.csv"):
        with pytest.raises(UmpireError, match="audit pack"):
            check_output(tmp_path / name, [])
    check_output(tmp_path / "lines.csv", [])  # there is none


@POSIX
def test_a_link_goes_on_leading_where_it_did(tmp_path: Path) -> None:
    link, output = tmp_path / "link", tmp_path / "out.json"
    output.write_text("old")
    link.symlink_to(output)
    write_text(link, ["new"])
    assert link.is_symlink()
    assert output.read_text() == "new"


@POSIX
def test_a_closed_standard_output_is_no_fault_of_ours() -> None:
    log = Path(__file__).parents[2] / "samples" / "crossroads" / "turn-1.vlog"
    command = [sys.executable, "-m", "vassal_umpire", "audit", str(log)]
    closed = subprocess.run(
        command, check=False, capture_output=True, preexec_fn=lambda: os.close(1)
    )
    assert closed.returncode == 1, closed.stderr
    assert closed.stderr == b""
