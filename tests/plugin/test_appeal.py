"""``umpire game appeal`` and ``rerun``: an audit run again with what another has."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from .test_game import CROSSROADS, TURN_1, TURN_2, folder, other_dice, umpire

__all__ = ["folder"]

MODULE = CROSSROADS / "crossroads.vmod"


def test_an_appeal_finds_the_same_elsewhere(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    appeal, module = tmp_path / "appeal.zip", CROSSROADS / "crossroads.vmod"
    written = umpire("game", "appeal", folder, "-o", appeal)
    assert written.exit_code == 0, written.output
    with zipfile.ZipFile(appeal) as zipped:
        assert {Path(name).name for name in zipped.namelist()} == {
            "appeal.json",
            "pack.zip",
            "facts.toml",
        }
    same = umpire("game", "rerun", appeal, TURN_1, TURN_2, "--module", module)
    assert same.exit_code == 0, same.output
    assert same.output == (
        "Round 1: 3 offences found in both audits\n  moves in both: 11 legal, 2 illegal, 1 open\n"
    )
    swapped = umpire("game", "rerun", appeal, TURN_2, TURN_1, "--module", module)
    assert (swapped.exit_code, swapped.output) == (0, same.output)


def test_an_appeal_that_was_changed_is_found_out(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    appeal, other = tmp_path / "appeal.zip", tmp_path / "other.zip"
    umpire("game", "appeal", folder, "-o", appeal)
    with zipfile.ZipFile(appeal) as zipped, zipfile.ZipFile(other, "w") as changed:
        for name in zipped.namelist():
            data = zipped.read(name)
            if name.endswith("facts.toml"):
                data = b'[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n'
            changed.writestr(name, data)
    rerun = umpire("game", "rerun", other, TURN_1, "--module", CROSSROADS / "crossroads.vmod")
    assert rerun.exit_code == 1, rerun.output
    assert re.search(r"  [0-9a-f]{12}  only in the appeal: .*Blue 4 Inf", rerun.output)
    for wrong in (b"", b"PK", b"no zip at all"):
        other.write_bytes(wrong)
        refused = umpire("game", "rerun", other, TURN_1, "--module", CROSSROADS / "crossroads.vmod")
        assert refused.exit_code == 2
        assert "Traceback" not in refused.output
    refused = umpire("game", "rerun", TURN_1, TURN_1, "--module", CROSSROADS / "crossroads.vmod")
    assert "is no appeal" in refused.output


def test_files_that_are_others_or_missing_are_named(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    appeal = tmp_path / "appeal.zip"
    umpire("game", "appeal", folder, "-o", appeal)
    ocs = CROSSROADS.parent / "ocs" / "ocs.vmod"
    refused = umpire("game", "rerun", appeal, other_dice(tmp_path), TURN_1, "--module", ocs)
    assert refused.exit_code == 2
    assert refused.output == (
        "umpire: appeal.zip: turn-2-again.vlog is no log of the appeal; its log turn-2.vlog is not here;"
        " ocs.vmod is not its module; expected the files themselves (by their SHA-256)\n"
    )
    refused = umpire("game", "rerun", appeal, TURN_1, "--module", MODULE)
    assert refused.exit_code == 2
    assert "appeal.zip: its log turn-2.vlog is not here; expected" in refused.output


@pytest.mark.parametrize("where", ["in the appeal", "beside the module"])
def test_other_extensions_are_named(folder: Path, tmp_path: Path, where: str) -> None:
    """They may change what a move costs, and nobody would know why the ids differ."""
    plain, extended = tmp_path / "plain", tmp_path / "extended"
    for place in (plain, extended):
        place.mkdir()
        shutil.copy(MODULE, place)
    flags = extended / "crossroads_ext" / "flags.vmdx"
    flags.parent.mkdir()
    made = umpire("extension", MODULE, "-o", flags)
    assert made.exit_code == 0, made.output
    one, other = (extended, plain) if where == "in the appeal" else (plain, extended)
    game = folder / "game.toml"
    path = (one / MODULE.name).as_posix()
    game.write_text(re.sub('module = ".*"', f'module = "{path}"', game.read_text("utf-8")), "utf-8")
    umpire("game", "add", folder, TURN_1)
    appeal = tmp_path / "appeal.zip"
    assert umpire("game", "appeal", folder, "-o", appeal).exit_code == 0
    same = umpire("game", "rerun", appeal, TURN_1, "--module", one / MODULE.name)
    assert same.exit_code == 0, same.output
    refused = umpire("game", "rerun", appeal, TURN_1, "--module", other / MODULE.name)
    assert refused.exit_code == 2
    assert "flags.vmdx" in refused.output
    assert "beside the module" in refused.output
    assert refused.output.count("\n") == 1


def test_other_verdicts_are_told_where_the_same_offences_are_found(
    folder: Path, tmp_path: Path
) -> None:
    """Where nothing is found in either audit, the ids alone would say that all is alike."""
    umpire("game", "add", folder, TURN_1)
    (folder / "facts.toml").write_text('[[hex]]\nhex = "0110"\nterrain = ["clear"]\n', "utf-8")
    appeal, other = tmp_path / "appeal.zip", tmp_path / "other.zip"
    umpire("game", "appeal", folder, "-o", appeal)
    with zipfile.ZipFile(appeal) as zipped, zipfile.ZipFile(other, "w") as changed:
        for name in zipped.namelist():
            changed.writestr(name, b"" if name.endswith("facts.toml") else zipped.read(name))
    rerun = umpire("game", "rerun", other, TURN_1, "--module", MODULE)
    assert rerun.exit_code == 1, rerun.output
    assert rerun.output == (
        "Round 1: 3 offences found in both audits\n"
        "  moves here: 6 legal, 2 illegal, 1 open; in the appeal: 7 legal, 2 illegal, 0 open\n"
    )
