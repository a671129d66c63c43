"""Offences of which not everyone may know: told to nobody by the commands that add and mail."""

from __future__ import annotations

import datetime
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.game_folder.folder import Ruling, read_game_folder
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.plugin.auditing import Opened, seen_by
from vassal_umpire.plugin.desk import opening
from vassal_umpire.plugin.desk.status import status_of, what_was_found
from vassal_umpire.validators.offences import offences

from .test_game import TURN_1, TURN_2, folder, umpire

__all__ = ["folder"]


def for_red_alone(opened: Opened, audited: Audit) -> tuple[Opened, Audit]:
    """The same audit, with all that is found and judged of 4 Inf for Red alone."""
    units = {u for f in audited.findings if "Blue 4 Inf" in f.names for u in f.units}
    moves = [
        replace(m, visible_to=("Red",)) if units & set(m.move.units) else m for m in audited.moves
    ]
    found = [
        replace(f, visible_to=("Red",)) if units & set(f.units) else f for f in audited.findings
    ]
    return opened, replace(audited, moves=tuple(moves), findings=tuple(found))


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def audit(*arguments: Any, **more: Any) -> tuple[Opened, Audit]:
        return for_red_alone(*opening.audit_folder(*arguments, **more))

    for command in ("add", "mail", "status"):
        monkeypatch.setattr(f"vassal_umpire.plugin.commands.game_{command}.audit_folder", audit)


@pytest.mark.usefixtures("hidden")
def test_a_log_that_is_added_tells_what_everyone_may_know(folder: Path) -> None:
    added = umpire("game", "add", folder, TURN_1, TURN_2)
    assert added.exit_code == 0, added.output
    assert "Blue 4 Inf" not in added.output
    assert re.search(r"hidden +1 offence that not everyone may know of", added.output)
    assert "Blue 4 Inf" not in (folder / "audited.json").read_text("utf-8")
    assert "Blue 4 Inf" not in umpire("game", "status", folder).output
    assert "Blue 4 Inf" in umpire("game", "status", folder, "--director").output


@pytest.mark.ci
@pytest.mark.usefixtures("hidden")
def test_each_page_of_the_mail_tells_what_its_readers_may_know(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    umpire("game", "rule", folder, "cc2bc8", "upheld", "--because", "the river was overlooked")
    assert umpire("game", "mail", folder, "-o", tmp_path / "mail.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "mail.zip") as zipped:
        pages = {name: zipped.read(name).decode("utf-8", "replace") for name in zipped.namelist()}
    for name in ("all.html", "all.md", "Blue.html", "Blue.md"):
        told = re.sub(
            r"<svg.*?</svg>", "", pages[f"mail/{name}"], flags=re.S
        )  # everyone sees it lie there
        assert "Blue 2 Tank" in told
        for secret in ("4 Inf", "overlooked", "cc2bc8b6e6bb", "0808"):
            assert secret not in told, (name, secret)
    for name in ("Red.html", "Red.md"):
        assert "4 Inf" in pages[f"mail/{name}"]
        assert "overlooked" in pages[f"mail/{name}"]


def test_what_is_hidden_of_an_offence_does_not_ask_for_a_second_look(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    game = read_game_folder(folder)
    opened, audited = opening.audit_folder(game, Viewer(None, director=True), DEFAULT_LIMITS)
    first = offences(audited)[0].finding
    more = replace(first, code="MORE", explanation="of what is hidden", visible_to=("Red",))
    audited = replace(audited, findings=(*audited.findings, more))
    ruled = next(one for one in offences(audited) if more in one.findings)
    ruling = Ruling(ruled.id, "upheld", "so it is", found=what_was_found(ruled))
    shown = seen_by(audited, EVERYONE)
    status = status_of(
        replace(game, rulings=(ruling,)), opened.game, audited, shown, datetime.date.today()
    )
    (told,) = [one for one in status.offences if one.ruling is not None]
    assert not told.changed
