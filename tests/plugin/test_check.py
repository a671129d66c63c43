"""``umpire check``: only what no roll has sealed, in plain words, and never that all is well."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.game import Witness
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.desk.check import check_game
from vassal_umpire.plugin.desk.procedures import procedure_named
from vassal_umpire.plugin.reading import Named

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def crossroads(project: Path) -> Path:
    return project / "samples" / "crossroads"


@pytest.fixture
def check(crossroads: Path) -> Run:
    def run(*words: object) -> Result:
        files = [str(crossroads / w) if str(w).startswith("turn-") else str(w) for w in words]
        return CliRunner().invoke(main, ["check", *files])

    return run


def test_before_you_send(check: Run) -> None:
    found = check("turn-1.vlog")
    assert found.exit_code == 1
    text = found.output
    assert "checked for Blue" in text
    assert "shows      what every player may see" in text
    assert "Checked 8 of 9 moves; 1 cannot be checked because this is not known:" in text
    assert "1  what terrain is in hex 0110?" in text
    assert "3 offences found:" in text
    assert text.count("Can be corrected until Red's next roll or move.") == 3
    assert "(GEN-HEXSIDE-PROHIBITED)" in text
    assert "what Red did" not in text


def test_before_you_roll(check: Run) -> None:
    """Red looks at Blue's turn: Blue's own roll in it seals nothing."""
    text = check("turn-1.vlog", "--as", "Red").output
    send, roll = text.split("Before you roll")
    assert "what Red did (since the roll of Blue in step 17)" in send
    assert "There is no move of units to check." in send
    assert "what Blue did (nobody has rolled against Blue yet)" in roll
    assert "3 offences found:" in roll


def test_what_a_roll_has_sealed_is_not_looked_at_again(check: Run) -> None:
    found = check("turn-1.vlog", "turn-2.vlog")
    assert found.exit_code == 0
    assert "checked for Red" in found.output
    assert "Checked 5 of 5 moves." in found.output
    assert "what Red did (since the roll of Blue in log 1 step 17)" in found.output
    assert "what Blue did" not in found.output
    assert "In what could be checked, nothing against the rules was found." in found.output


def test_no_output_says_that_all_is_well(check: Run) -> None:
    for words in (("turn-1.vlog",), ("turn-1.vlog", "turn-2.vlog"), ("turn-2.vlog",)):
        text = check(*words).output
        assert "Only movement and stacking are looked at" in text
        assert "all well" not in text.lower()


def test_the_procedure_says_until_when(check: Run) -> None:
    text = check("turn-1.vlog", "--procedure", "the-russian-campaign").output
    assert "http://www.russiancampaign.net/errorres.htm" in text
    assert "Can be corrected until Red's next move." in text
    assert "To correct: The turn is played again from the impulse of the error on" in text


def test_a_roll_of_nobody_known_closes_nothing(crossroads: Path) -> None:
    """Blue's moves are still looked at, and it is open whether that roll sealed them."""
    named = Named((crossroads / "turn-1.vlog", crossroads / "turn-2.vlog"))
    opened = open_game(named, EVERYONE, DEFAULT_LIMITS)
    rolls = tuple(
        replace(e, actor=None) if isinstance(e, Witness) and e.kind == "roll" else e
        for e in opened.game.events
    )
    game = replace(opened.game, events=rolls)
    shown = audit_game(replace(opened, game=game), None)
    found = check_game(game, shown, "Red", procedure_named("bpa-anzio"), EVERYONE)
    assert (found.own.since, len(found.own.moves)) == (None, 5)
    (blue,) = found.others
    assert (blue.since, len(blue.moves)) == (None, 9)
    assert {standing.state for _, standing in blue.found} == {"open"}
    assert found.found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("turn-1.vlog", "--as", "Green"), "there is no side 'Green'; expected one of Blue, Red"),
        (("turn-1.vlog", "--procedure", "ladder"), "there is no error procedure 'ladder'"),
        (("turn-9.vlog",), "No such file"),
    ],
)
def test_wrong_usage_gets_one_line(check: Run, words: tuple[str, ...], said: str) -> None:
    found = check(*words)
    assert found.exit_code == 2
    assert said in found.output
    assert len(found.output.splitlines()) == 1


def test_without_a_pack_there_is_no_check(crossroads: Path, tmp_path: Path) -> None:
    for name in ("turn-1.vlog", "crossroads.vmod"):
        shutil.copy(crossroads / name, tmp_path)
    found = CliRunner().invoke(main, ["check", str(tmp_path / "turn-1.vlog")])
    assert found.exit_code == 3
    assert len(found.output.splitlines()) == 1
