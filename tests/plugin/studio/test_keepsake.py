"""What the studio knows again after it was started anew; and when it searches for garbage."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import Evidence, read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio import core_calls, units_view
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.user_folder import PLACE

from ..kit import MODULE, PACK


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(name="evidence", scope="module")
def _evidence() -> Evidence:
    return read_evidence(Named((), MODULE), DEFAULT_LIMITS)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACK, tmp_path / "pack"))


def started(folder: Path, evidence: Evidence) -> Studio:
    return Studio(folder, folder / "facts.toml", evidence, EVERYONE, DEFAULT_LIMITS)


def version(studio: Studio, was: str, now: str) -> dict[str, Any]:
    return {"kind": "toml", "file": "pack", "path": ["pack", "version"], "was": was, "now": now}


def test_name_history_and_refused_guesses_are_there_again(
    folder: Path, evidence: Evidence, home: Path
) -> None:
    before = (folder / "pack.toml").read_bytes()
    first = started(folder, evidence)
    core_calls.who(first, {"who": "Ida"})
    units_view.refused(first, {"guess": "ma/property MA"})
    first.edit([version(first, "1.0", "1.1")], "one")
    first.edit([version(first, "1.1", "1.2")], "two")
    first.turn(forth=False)
    first.close()
    (file,) = home.glob("studio-*.json")
    told = json.loads(file.read_text("utf-8"))
    del told["corrected"]  # as an earlier version wrote it
    file.write_text(json.dumps(told), "utf-8")
    second = started(folder, evidence)
    assert second.who == "Ida"
    assert second.keepsake.refused == ["ma/property MA"]
    assert (second.store.history.undo_label, second.store.history.redo_label) == ("one", "two")
    second.turn(forth=True)
    assert load_pack(folder).version == "1.2"
    second.turn(forth=False)
    second.turn(forth=False)
    assert (folder / "pack.toml").read_bytes() == before
    second.close()


def test_a_step_of_before_is_not_taken_back_over_what_others_wrote(
    folder: Path, evidence: Evidence
) -> None:
    first = started(folder, evidence)
    first.edit([version(first, "1.0", "1.1")], "one")
    first.close()
    toml = folder / "pack.toml"
    toml.write_text(toml.read_text("utf-8") + "# mine\n", "utf-8")
    before = toml.read_bytes()
    second = started(folder, evidence)
    for overwrite in (False, True):
        with pytest.raises(UmpireError, match="of an earlier run"):
            second.turn(forth=False, overwrite=overwrite)
    assert toml.read_bytes() == before
    second.close()


def test_the_name_of_a_program_and_the_sample_are_not_remembered(
    folder: Path, evidence: Evidence, home: Path
) -> None:
    first = started(folder, evidence)
    core_calls.who(first, {"who": "a robot", "by": "program"})
    first.note = "the sample game"
    core_calls.who(first, {"who": "Ida"})
    first.edit([version(first, "1.0", "1.1")], "one")
    first.close()
    assert not home.exists()
    assert started(folder, evidence).who == ""


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", '{"folder": 1}', '{"folder": "FOLDER", "refused": 1}',
     '{"folder": "FOLDER", "refused": [], "done": [{"label": "x", "files": {"a": [1]}}], "undone": []}',
     '{"folder": "FOLDER", "refused": [], "units": {"checked": {"side": [1]}}, "done": [], "undone": []}',
     '{"folder": "FOLDER", "refused": [], "units": {"checked": {"a": {"blind": [1e999, 0, 0]}}}}'],
)  # fmt: skip
def test_what_cannot_be_read_is_forgotten(
    text: str, folder: Path, evidence: Evidence, home: Path
) -> None:
    first = started(folder, evidence)
    first.edit([version(first, "1.0", "1.1")], "one")
    first.close()
    for file in home.iterdir():
        file.write_text(text.replace("FOLDER", str(folder)), "utf-8")
    second = started(folder, evidence)
    assert second.store.history.undo_label is None
    second.close()
