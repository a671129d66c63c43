"""Outputs are whole or absent, and never an input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.output import check_output, write_text


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
