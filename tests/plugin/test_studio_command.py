"""``umpire studio``: what it opens, and what it says where it cannot."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.plugin.studio import launch
from vassal_umpire.plugin.studio.opening import begin
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.user_folder import PLACE

from .kit import CROSSROADS, LOGS, MODULE, PACK, TURN_1, another_module, done, refused, zip_with


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """What would have been shown; the working directory is a new one."""
    found: list[Any] = []
    monkeypatch.setattr(launch, "serve", lambda entry, *_, **__: found.append(entry._shown))
    monkeypatch.chdir(tmp_path)
    return found


def test_a_module_alone_begins_a_pack_in_a_folder_of_its_name(served: list[Studio]) -> None:
    done("studio", MODULE)
    (studio,) = served
    assert studio.folder == Path("crossroads-pack").absolute()
    assert load_pack(studio.folder).ruleset == "generic"
    assert not studio.logs
    assert studio.evidence.file == MODULE


def test_a_pack_that_is_there_is_gone_on_with_and_not_overwritten(served: list[Studio]) -> None:
    shutil.copytree(PACK, "crossroads-pack")
    before = Path("crossroads-pack/pack.toml").read_bytes()
    assert "the studio continues with it" in done("studio", MODULE)
    assert Path("crossroads-pack/pack.toml").read_bytes() == before


def test_a_folder_that_is_a_link_is_not_opened(served: list[Studio]) -> None:
    shutil.copytree(PACK, "real")
    Path("crossroads-pack").symlink_to("real")
    for named in (Path("crossroads-pack"), MODULE):
        said = refused("studio", named)
        assert "is a link, and the studio does not write to links" in said
        assert str(Path("real").resolve()) in said
    assert not served


def test_packs_in_one_file_and_folders_of_others_are_left(served: list[Studio]) -> None:
    Path("theirs.zip").write_bytes(b"PK")
    said = refused("studio", "theirs.zip", TURN_1)
    assert "umpire pack adopt theirs.zip --name NAME -o my-pack" in said
    assert not served
    Path("crossroads-pack").mkdir()
    Path("crossroads-pack/units.csv").write_text("mine")
    assert "units.csv" in refused("studio", MODULE)
    assert Path("crossroads-pack/units.csv").read_text() == "mine"
    assert not served


def test_logs_with_a_pack_beside_them_open_that_pack(served: list[Studio]) -> None:
    assert f"The pack is in the folder {PACK}" in done("studio", TURN_1)
    (studio,) = served
    assert studio.folder == PACK
    assert studio.logs == (TURN_1,)


def test_a_folder_its_logs_and_the_facts_named(served: list[Studio], tmp_path: Path) -> None:
    facts = tmp_path / "game.toml"
    done("studio", PACK, *LOGS, "--facts", facts)
    (studio,) = served
    assert studio.logs == LOGS
    assert studio.facts == facts


def test_the_pack_around_is_opened(served: list[Studio], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PACK)
    done("studio")
    (studio,) = served
    assert studio.folder == PACK
    assert studio.evidence.file.name == "crossroads.vmod"


def test_without_a_file_the_start_page_is_opened(
    served: list[Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    done("studio")
    monkeypatch.chdir(PACK)
    done("studio", "--start-page")
    assert served == [None, None]


def test_logs_without_a_pack_are_looked_at_and_nothing_is_written(
    served: list[Any], log: Path, tmp_path: Path
) -> None:
    done("studio", log)
    (looked,) = served
    assert "No rules were applied" in looked.page().html
    assert looked.pack is None
    assert list(tmp_path.rglob("pack.toml")) == []
    studio = begin(looked, print)
    assert studio.folder == tmp_path / "crossroads-pack"
    assert studio.logs == (log,)
    assert load_pack(studio.folder).ruleset == "generic"


def test_a_pack_of_another_module_nearby_is_not_opened(served: list[Any], log: Path) -> None:
    shutil.copytree(PACK, log.parents[1] / "pack")
    another_module(log.parent).replace(log.with_name(MODULE.name))
    about = b"<data><name>Byways</name><version>1.0</version></data>"
    done("studio", zip_with(TURN_1, log, {"moduledata": about}))
    (looked,) = served
    assert looked.pack is None


def test_a_pack_that_is_found_judges_and_a_copy_of_it_is_worked_on(
    served: list[Any], log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    done("packs", "add", PACK, "--module", MODULE, "--name", "mine")
    done("studio", log)
    (looked,) = served
    assert looked.pack == tmp_path / "home" / "packs" / "mine"
    assert "vouched for by the makers of vassal-umpire" in looked.page().html
    studio = begin(looked, print)
    copied = load_pack(studio.folder)
    assert (copied.name, copied.vouched_by) == ("crossroads", "")
    assert load_pack(looked.pack).vouched_by


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([CROSSROADS], "is not an audit pack"),
        ([PACK, PACK], "more than one folder"),
        ([PACK, TURN_1, "--as", "Green"], "no side 'Green'"),
        ([PACK, "--as", "Red", "--director"], "exclude each other"),
        ([PACK / "hexes.csv"], "hexes.csv"),
    ],
)
def test_what_cannot_be_opened(served: list[Studio], arguments: list[Any], says: str) -> None:
    assert says in refused("studio", *arguments)
    assert not served


def test_what_is_not_installed_is_named_with_how_to_get_it(
    served: list[Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = importlib.util.find_spec
    monkeypatch.setattr(
        "vassal_umpire.plugin.commands.studio.find_spec",
        lambda name: None if name in ("starlette", "uvicorn") else true(name),
    )
    said = refused("studio", PACK)
    assert "the studio needs starlette and uvicorn" in said
    assert f"{sys.executable} -m pip install starlette uvicorn" in said
