"""What the store does when edits break off, and when files cannot be looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_board import BARE
from vassal_umpire.importers.pack.edit.draft import Draft
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.studio.store import BACKUP, Store

from .store_kit import HEXES, PACK, terrain, text

FULL = OSError(28, "No space left on device")


def test_half_an_edit_is_none_whatever_broke_it(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_put, calls = Draft.put, []

    def put(draft: Draft, change: Any) -> None:
        calls.append(change)
        if len(calls) == 2:
            raise RecursionError
        true_put(draft, change)

    monkeypatch.setattr(Draft, "put", put)
    with pytest.raises(RecursionError):
        store.edit([terrain("0101", "clear", "woods"), terrain("0102", "woods", "swamp")], "two")
    store.edit([terrain("0103", "clear", "hill")], "one")
    assert text(folder, "hexes.csv") == HEXES + "0103,hill,,\r\n"


def test_half_a_character_is_refused_and_the_next_edit_is_made(store: Store, folder: Path) -> None:
    assert store.edit([terrain("0101", "clear", "\ud800")], "odd").refused
    assert not store.edit([terrain("0101", "clear", "woods")], "paint").refused
    assert "woods" in (folder / "hexes.csv").read_text()


def test_an_edit_without_a_label_can_be_taken_back(store: Store, folder: Path) -> None:
    store.edit([terrain("0101", "clear", "woods")], "")
    store.turn(forth=False)
    assert text(folder, "hexes.csv") == HEXES


def test_facts_in_what_is_no_folder_are_one_clear_line(folder: Path) -> None:
    store = Store(folder, folder / "hexes.csv" / "facts.toml", lambda: BARE)
    with pytest.raises(UmpireError, match=r"facts\.toml: cannot be read"):
        store.edit([terrain("0101", "clear", "woods")], "paint")


def test_waiting_edits_outlive_a_folder_that_is_taken_away(
    store: Store, folder: Path, stuck: dict[str, OSError]
) -> None:
    stuck["hexes.csv"] = FULL
    store.edit([terrain("0101", "clear", "woods")], "paint")
    stuck.clear()
    assert store.trouble
    folder.rename(folder.with_name("away"))
    folder.write_text("no folder")
    assert not store.flush()
    folder.unlink()
    folder.with_name("away").rename(folder)
    assert store.flush()
    assert "woods" in (folder / "hexes.csv").read_text()


def test_a_feature_painted_again_has_other_vouchers(store: Store, folder: Path) -> None:
    (folder / "pack.toml").write_text(PACK.replace("[board]", '[board]\nprovenance = "required"'))
    (folder / "provenance.csv").write_text(
        "cell,layer,name,value,status,who,when,method,confidence,picture\n"
        "0101,features,town,yes,looked-at,Ida,2026-11-22,person: by eye,,\n"
    )  # somebody has taken the town out of hexes.csv by hand
    store.edit([terrain("0101", "", "town") | {"layer": "features"}], "paint")
    lines = (folder / "provenance.csv").read_text().splitlines()
    assert [line for line in lines if line.startswith("0101,features,town,yes,typed,Wren")]
    assert not [line for line in lines if "looked-at" in line]


def backups(folder: Path) -> dict[str, str]:
    return {
        path.name.partition(BACKUP)[2]: path.read_text("utf-8").partition("# vassal-umpire seal")[0]
        for path in sorted(folder.glob(f"hexes.csv{BACKUP}*"))
    }


def test_the_backup_is_of_before_this_session_and_of_no_other(folder: Path, store: Store) -> None:
    """The last session's backup gives way, whatever it holds; what others put there does not."""
    store.edit([terrain("0103", "clear", "town")], "yesterday")
    before = (folder / "hexes.csv").read_text("utf-8")
    today = Store(folder, folder / "facts.toml", lambda: BARE)
    today.edit([terrain("0103", "town", "woods")], "one")
    today.edit([terrain("0103", "woods", "hills")], "two")
    assert backups(folder) == {"": before}


@pytest.mark.parametrize("seal", ["", "# vassal-umpire seal 0123456789abcdef0123456789abcdef\n"])
def test_a_backup_goes_over_no_file_of_others(folder: Path, store: Store, seal: str) -> None:
    own, before = "my notes\n" + seal, (folder / "hexes.csv").read_bytes()
    (folder / f"hexes.csv{BACKUP}").write_text(own)
    (folder / f"hexes.csv{BACKUP}-2").symlink_to(folder / "pack.toml")
    pack = (folder / "pack.toml").read_bytes()
    store.edit([terrain("0103", "clear", "town")], "one")
    assert (folder / f"hexes.csv{BACKUP}").read_text() == own
    assert (folder / "pack.toml").read_bytes() == pack
    kept = (folder / f"hexes.csv{BACKUP}-3").read_bytes()
    assert kept.startswith(before)


def test_the_backup_is_of_what_the_first_write_replaced(
    folder: Path, store: Store, stuck: dict[str, OSError]
) -> None:
    """The disk is full just as the file is to be written; then somebody else changes it."""
    stuck["hexes.csv"] = FULL
    store.edit([terrain("0103", "clear", "town")], "one")
    stuck.clear()
    assert "No space left on device; the edit is kept" in store.trouble[0]
    assert not list(folder.glob(".umpire*"))
    now = "hex,terrain\n*,clear\n0102,clear\n"
    (folder / "hexes.csv").write_text(now)
    assert store.flush()
    assert backups(folder) == {"": now}
    assert store.trouble == ()


def test_folders_that_become_links_are_not_followed(folder: Path, store: Store) -> None:
    """Whoever changes where the folder leads, or one above it, gets nothing written there."""
    store.edit([terrain("0103", "clear", "town")], "one")
    real = folder.with_name("moved")
    folder.rename(real)
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    for path in real.iterdir():
        (elsewhere / path.name).write_bytes(path.read_bytes())
    folder.symlink_to(elsewhere)
    files = {path.name: path.read_bytes() for path in elsewhere.iterdir()}
    with pytest.raises(UmpireError, match="leads elsewhere than when"):
        store.edit([terrain("0103", "town", "woods")], "two")
    assert {path.name: path.read_bytes() for path in elsewhere.iterdir()} == files
    folder.unlink()
    real.rename(folder)
    store.edit([terrain("0103", "town", "woods")], "two")
    assert "0103,woods" in (folder / "hexes.csv").read_text("utf-8")
