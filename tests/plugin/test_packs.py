"""Packs of one's own: added, found by audits, taken away."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from sample_pack import pack_copy
from vassal_umpire.plugin import known_packs
from vassal_umpire.plugin.user_folder import PLACE

from . import kit


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own for the packs of the user."""
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    return tmp_path / "home" / "packs"


def test_a_pack_is_added_used_named_and_removed(log: Path, home: Path) -> None:
    assert kit.umpire("audit", log).exit_code == 3
    kit.done("packs", "add", kit.PACK, "--module", kit.MODULE, "--name", "mine")
    assert sorted(p.name for p in (home / "mine").iterdir()) == [
        "hexes.csv", "lines.csv", known_packs.MADE_FOR, "pack.toml", "units.csv",
    ]  # fmt: skip
    result = kit.umpire("audit", log)
    assert result.exit_code == 1
    told = kit.plain(result.stdout)
    assert (
        "pack crossroads 1.0, vouched for by the makers of vassal-umpire (the pack's own claim); it"
        " was added by whoever made this report and was made for exactly this module" in told
    )
    assert told.index("added by whoever") < told.index("Findings")
    assert "mine" in kit.done("packs")
    assert str(home / "mine") in kit.done("packs", "show", "mine")
    kit.done("packs", "remove", "mine")
    assert list(home.iterdir()) == []
    assert kit.umpire("audit", log).exit_code == 3


def test_a_game_gets_a_copy_of_a_pack_that_is_named(tmp_path: Path) -> None:
    kit.done("packs", "add", kit.PACK, "--name", "mine")
    kit.done("game", "new", tmp_path / "game", "--module", kit.MODULE, "--pack", "mine")
    assert 'pack = "pack"\n' in (tmp_path / "game" / "game.toml").read_text("utf-8")
    copied = {one.name: one.read_bytes() for one in (tmp_path / "game" / "pack").iterdir()}
    assert copied == {one.name: one.read_bytes() for one in kit.PACK.iterdir()}


def test_a_folder_called_pack_gives_no_name(home: Path, tmp_path: Path) -> None:
    kit.done("packs", "add", kit.PACK)
    assert [one.name for one in home.iterdir()] == ["crossroads"]
    kit.done("packs", "add", shutil.copytree(kit.PACK, tmp_path / "my own"))
    assert sorted(one.name for one in home.iterdir()) == ["crossroads", "my-own"]


def test_the_module_beside_the_pack_is_the_one_it_was_made_for() -> None:
    said = kit.umpire("packs", "add", kit.PACK).stderr
    assert "this very copy of the module" in said
    assert "vouched for by the makers of vassal-umpire (the pack's own claim)" in said


def test_a_zip_without_its_module_is_offered_and_not_used(log: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "game.zip"
    kit.done("pack", "zip", kit.PACK, "-o", zipped)
    assert "only offered" in kit.umpire("packs", "add", zipped).stderr
    result = kit.umpire("audit", log)
    assert result.exit_code == 3
    told = kit.plain(result.stdout)
    assert "a pack that does not say for which copy of this module it was made is one of" in told
    assert "to try it: umpire audit" in told
    assert "--pack game" in told
    assert kit.umpire("audit", log, "--pack", "game").exit_code == 1


@pytest.mark.parametrize("entry", ["../pack.toml", "/pack.toml", "a/b/c/pack.toml", "none.txt"])
def test_a_hostile_zip_leaves_nothing(entry: str, tmp_path: Path, home: Path) -> None:
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(hostile, "w") as made:
        made.write(kit.PACK / "pack.toml", entry)
    before = kit.files(tmp_path)
    kit.refused("packs", "add", hostile, "--module", kit.MODULE)
    assert kit.files(tmp_path) == before
    assert not home.exists()


@pytest.mark.parametrize("title", ["x" * 201, "Cross\\u001b[2Jroads", "a\\nb", "a\\u202eb"])
def test_a_title_that_is_no_short_line_is_refused(title: str, tmp_path: Path, home: Path) -> None:
    pack = pack_copy(tmp_path / "pack", ('title = "Crossroads"', f'title = "{title}"'))
    assert "expected the game's title: one line" in kit.refused("packs", "add", pack)
    assert not home.exists()


def test_a_name_that_is_taken_is_never_overwritten(home: Path, tmp_path: Path) -> None:
    assert "already" in kit.refused("packs", "add", kit.PACK, "--name", "Kassala")
    (home / "mine").mkdir(parents=True)
    (home / "mine" / "pack.toml").write_text("of somebody else", "utf-8")
    before = kit.files(tmp_path)
    kit.refused("packs", "add", kit.PACK, "--name", "mine")
    kit.refused("packs", "add", kit.PACK, "--name", "../mine")
    kit.refused("packs", "remove", "mine")
    assert kit.files(tmp_path) == before


@pytest.mark.parametrize("name", ["hexes.csv", "notes.txt", known_packs.MADE_FOR])
def test_what_was_changed_or_added_is_not_removed(name: str, home: Path) -> None:
    kit.done("packs", "add", kit.PACK, "--name", "mine")
    with (home / "mine" / name).open("a", encoding="utf-8") as file:
        file.write("# mine\n")
    before = kit.files(home)
    assert name in kit.refused("packs", "remove", "mine")
    assert kit.files(home) == before


def test_what_comes_with_the_program_stays() -> None:
    assert "stays" in kit.refused("packs", "remove", "kassala")


def test_a_pack_for_another_module_is_not_added(home: Path) -> None:
    other = known_packs.shipped_packs()[0].folder
    assert "another module" in kit.refused(
        "packs", "add", other, "--module", kit.MODULE, "--name", "x"
    )
    assert not home.exists()


def test_a_pack_that_was_broken_later_is_listed_and_hurts_no_audit(log: Path, home: Path) -> None:
    kit.done("packs", "add", kit.PACK, "--module", kit.TURN_1.with_name("crossroads.vmod"))
    kit.put(home / "crossroads" / known_packs.MADE_FOR, 'module = "Crossroads"', 'module = ""')
    kit.put(home / "crossroads" / "pack.toml", "[pack]", "[pack")
    assert "cannot be read" in kit.plain(kit.done("packs"))
    assert kit.umpire("audit", log).exit_code == 3


def test_of_two_packs_for_one_module_none_is_said_to_be_used_by_itself() -> None:
    assert "used without asking for" in kit.umpire("packs", "add", kit.PACK, "--name", "one").stderr
    again = kit.umpire("packs", "add", kit.PACK, "--name", "two").stderr
    assert "not used without asking, because one was made for this very copy" in again
