"""``umpire studio``: what it opens, and what it says where it cannot."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES
from click.testing import CliRunner, Result
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.studio import launch
from vassal_umpire.plugin.studio.session import Studio

CROSSROADS = SAMPLES / "crossroads"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Studio]:
    """The studios that would have been shown; the working directory is a new one."""
    found: list[Studio] = []
    monkeypatch.setattr(launch, "serve", lambda studio, *_, **__: found.append(studio))
    monkeypatch.chdir(tmp_path)
    return found


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(cli.main, ["studio", *map(str, arguments)])


def test_a_module_alone_begins_a_pack_in_a_folder_of_its_name(served: list[Studio]) -> None:
    module = CROSSROADS / "crossroads.vmod"
    result = run(module)
    assert result.exit_code == 0, result.output
    (studio,) = served
    assert studio.folder == Path("crossroads-pack").absolute()
    assert load_pack(studio.folder).ruleset == "generic"
    assert not studio.logs
    assert studio.evidence.file == module


def test_a_pack_that_is_there_is_gone_on_with_and_not_overwritten(served: list[Studio]) -> None:
    shutil.copytree(CROSSROADS / "pack", "crossroads-pack")
    before = Path("crossroads-pack/pack.toml").read_bytes()
    result = run(CROSSROADS / "crossroads.vmod")
    assert result.exit_code == 0, result.output
    assert "gone on with" in result.output
    assert Path("crossroads-pack/pack.toml").read_bytes() == before


def test_a_folder_that_is_a_link_is_not_opened(served: list[Studio]) -> None:
    shutil.copytree(CROSSROADS / "pack", "real")
    Path("crossroads-pack").symlink_to("real")
    for named in (Path("crossroads-pack"), CROSSROADS / "crossroads.vmod"):
        result = run(named)
        assert result.exit_code == 2
        assert "is a link, and the studio writes to no link" in result.output
        assert str(Path("real").resolve()) in result.output
    assert not served


def test_a_pack_in_one_file_is_adopted_first(served: list[Studio]) -> None:
    Path("theirs.zip").write_bytes(b"PK")
    result = run("theirs.zip", CROSSROADS / "turn-1.vlog")
    assert result.exit_code == 2
    assert "umpire pack adopt theirs.zip --name NAME -o my-pack" in result.output
    assert not served


def test_files_of_others_in_the_folder_are_not_overwritten(served: list[Studio]) -> None:
    Path("crossroads-pack").mkdir()
    Path("crossroads-pack/units.csv").write_text("mine")
    result = run(CROSSROADS / "crossroads.vmod")
    assert result.exit_code == 2
    assert "units.csv" in result.output
    assert Path("crossroads-pack/units.csv").read_text() == "mine"
    assert not served


def test_logs_with_a_pack_beside_them_open_that_pack(served: list[Studio]) -> None:
    log = CROSSROADS / "turn-1.vlog"
    result = run(log)
    assert result.exit_code == 0
    assert f"The pack is in the folder {CROSSROADS / 'pack'}" in result.output
    (studio,) = served
    assert studio.folder == CROSSROADS / "pack"
    assert studio.logs == (log,)


def test_a_folder_its_logs_and_the_facts_named(served: list[Studio], tmp_path: Path) -> None:
    facts = tmp_path / "game.toml"
    logs = [CROSSROADS / f"turn-{n}.vlog" for n in (1, 2)]
    assert run(CROSSROADS / "pack", *logs, "--facts", facts).exit_code == 0
    (studio,) = served
    assert studio.logs == tuple(logs)
    assert studio.facts == facts


def test_without_files_the_pack_one_is_in_is_opened(
    served: list[Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(CROSSROADS / "pack")
    result = run()
    assert result.exit_code == 0, result.output
    (studio,) = served
    assert studio.folder == CROSSROADS / "pack"
    assert studio.evidence.file.name == "crossroads.vmod"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "is no audit pack"),
        ([CROSSROADS], "is no audit pack"),
        ([CROSSROADS / "pack", CROSSROADS / "pack"], "more than one folder"),
        ([CROSSROADS / "pack", CROSSROADS / "turn-1.vlog", "--as", "Green"], "no side 'Green'"),
        ([CROSSROADS / "pack", "--as", "Red", "--director"], "exclude each other"),
        ([CROSSROADS / "pack" / "hexes.csv"], "hexes.csv"),
    ],
)
def test_what_cannot_be_opened_is_told_in_a_line(
    served: list[Studio], arguments: list[Any], says: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output
    assert not served


def test_what_is_not_installed_is_named_with_how_to_get_it(
    served: list[Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = importlib.util.find_spec
    monkeypatch.setattr(
        "vassal_umpire.plugin.commands.studio.find_spec",
        lambda name: None if name in ("starlette", "uvicorn") else true(name),
    )
    result = run(CROSSROADS / "pack")
    assert result.exit_code == 2
    assert "the studio needs starlette and uvicorn" in result.output
    assert f"{sys.executable} -m pip install starlette uvicorn" in result.output
