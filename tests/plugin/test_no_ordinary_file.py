"""A folder, a pipe or a link that leads nowhere, in place of a file, does not count as no file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.importers.game_folder.folder import GAME_FILE, read_game_folder
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.model.problem import UmpireError, Unreadable
from vassal_umpire.plugin.batch.games import games
from vassal_umpire.plugin.desk.games import game_roots
from vassal_umpire.plugin.looking.filling import filling
from vassal_umpire.plugin.studio.phase_desk import facts_now, record_held, stanzas
from vassal_umpire.plugin.studio.session import Studio

from .kit import MODULE, PACK, PROJECT, refused

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no pipes in folders")

Make = Callable[[Path], None]


def a_folder(place: Path) -> None:
    place.mkdir()


def a_dangling_link(place: Path) -> None:
    place.symlink_to(place.with_name("gone"))


def a_pipe(place: Path) -> None:
    os.mkfifo(place)


@pytest.fixture(params=[a_folder, a_dangling_link, a_pipe])
def make(request: pytest.FixtureRequest) -> Make:
    found: Make = request.param
    return found


@pytest.mark.parametrize("name", ["hexes.csv", "provenance.csv", "facts.provenance.csv"])
def test_in_a_pack_it_does_not_count_as_an_absent_file(
    tmp_path: Path, make: Make, name: str
) -> None:
    pack = shutil.copytree(PACK, tmp_path / "pack")
    (pack / "facts.toml").write_text("")
    (pack / name).unlink(missing_ok=True)
    make(pack / name)
    said = rf"{name}: is not an ordinary file; expected an ordinary file, or nothing of that name"
    facts = name.startswith("facts")
    with pytest.raises(Unreadable, match=said):
        (load_facts if facts else load_pack)(pack / ("facts.toml" if facts else "pack.toml"))


def test_a_game_is_not_passed_over(tmp_path: Path, make: Make) -> None:
    game = tmp_path / "game"
    game.mkdir()
    make(game / GAME_FILE)
    with pytest.raises(UmpireError, match=r"game\.toml: is not an ordinary file"):
        read_game_folder(game)
    assert game_roots(tmp_path) == [game]
    for named in (game, tmp_path):
        assert [one.path for one in games([str(named)], tmp_path / "out")] == [game]


@pytest.mark.parametrize("what", ["facts.toml", "facts.provenance.csv"])
def test_the_studio_takes_no_such_facts_for_none(tmp_path: Path, make: Make, what: str) -> None:
    studio: Any = SimpleNamespace(facts=tmp_path / "facts.toml")
    studio.facts_written = lambda: Studio.facts_written(studio)
    make(tmp_path / what)
    asks: tuple[Callable[[], object], ...] = (lambda: record_held(studio, "1"),)
    if what == "facts.toml":
        asks = (lambda: facts_now(studio), lambda: stanzas(studio))
    for ask in asks:
        with pytest.raises(UmpireError, match=f"{what}: is not an ordinary file"):
            ask()


def test_what_cases_share_is_not_left_out(tmp_path: Path, make: Make) -> None:
    source = PROJECT / "tests" / "conformance" / "generic"
    shutil.copy(source / "allowance.toml", tmp_path)
    make(tmp_path / "shared.toml")
    with pytest.raises(UmpireError, match=r"shared\.toml: is not an ordinary file"):
        read_cases([tmp_path])


def test_a_case_file_is_not_passed_over(tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "tests" / "conformance" / "generic", tmp_path / "cases")
    a_dangling_link(tmp_path / "cases" / "more.toml")
    with pytest.raises(UmpireError, match=r"more\.toml: cannot be read"):
        read_cases([tmp_path / "cases"])


@pytest.mark.parametrize("make_one", [a_dangling_link, a_pipe])
def test_an_extension_is_not_left_out_in_silence(tmp_path: Path, make_one: Make) -> None:
    shutil.copy(MODULE, tmp_path)
    (tmp_path / "crossroads_ext").mkdir()
    make_one(tmp_path / "crossroads_ext" / "winter.vmdx")
    module = open_module(tmp_path / MODULE.name, find_extensions=True)
    (problem,) = [one for one in module.problems if one.severity == "error"]
    assert problem.code == "extension-unreadable"
    assert "winter.vmdx" in problem.where


def test_no_command_fills_in_such_a_file(tmp_path: Path, make: Make) -> None:
    shutil.copytree(PACK, tmp_path / "pack")
    (tmp_path / "pack" / "hexes.csv").unlink()
    make(tmp_path / "pack" / "hexes.csv")
    with pytest.raises(UmpireError, match=r"hexes\.csv: is (not an ordinary file|a link)"):
        filling(tmp_path / "pack")
    told = refused("pack", "import", PACK / "hexes.csv", "--into", tmp_path / "pack")
    assert "hexes.csv: is not an ordinary file" in told
