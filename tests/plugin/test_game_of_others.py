"""Logs of other games that begin from the same setup: asked about, and never taken in silence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from vassal_umpire.importers.game_folder.folder import read_game_folder
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import rewrite_save

from .test_game import TURN_1, TURN_2, folder, umpire
from .test_game_hostile import files

__all__ = ["folder"]

OTHERS = {"Wren": "Rook", "Tarn": "Kite", "-wren": "-rook", "-tarn": "-kite"}


def rewritten(log: Path, place: Path, name: str, changes: dict[str, str]) -> Path:
    text = read_save(log).text
    for old, new in changes.items():
        assert old in text or old in ("Tarn", "-tarn"), old
        text = text.replace(old, new)
    made = place / name
    rewrite_save(made, log, text)
    return made


def plain(output: str) -> str:
    return re.sub(r"\s+", " ", output)


def test_a_first_log_of_others_from_the_same_setup_is_asked_about(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    before = files(folder)
    other = rewritten(TURN_1, tmp_path, "other.vlog", OTHERS)
    refused = umpire("game", "add", folder, other)
    assert refused.exit_code == 2, refused.output
    assert refused.output.count("\n") == 1
    assert (
        "begins where turn-1.vlog began, and its players (Rook as Blue) are not" in refused.output
    )
    assert "another game from the same setup" in refused.output
    assert "--other-players" in refused.output
    assert files(folder) == before


def test_it_is_taken_when_that_is_said_and_the_fork_is_told(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    other = rewritten(TURN_1, tmp_path, "other.vlog", OTHERS)
    added = umpire("game", "add", folder, other, "--other-players")
    assert added.exit_code == 0, added.output
    assert "the game is begun anew" in added.output
    assert "set aside   turn-1.vlog, turn-2.vlog" in added.output
    assert "none of its players (Rook as Blue) plays in the logs" in plain(added.output)


def test_sides_that_were_changed_are_other_players(folder: Path, tmp_path: Path) -> None:
    """Two games at once between the same two, each playing either side once."""
    umpire("game", "add", folder, TURN_1)
    swapped = rewritten(TURN_1, tmp_path, "other.vlog", {"Wren": "Tarn", "-wren": "-tarn"})
    refused = umpire("game", "add", folder, swapped)
    # the folder says that Tarn plays Red
    assert refused.exit_code == 2, refused.output
    assert "its players (Tarn as Blue) are not" in refused.output


def test_a_later_log_of_others_is_asked_about(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    moved = {**OTHERS, "Main Map;280;115;": "Main Map;225;147;"}
    other = rewritten(TURN_2, tmp_path, "other.vlog", moved)
    refused = umpire("game", "add", folder, other)
    assert refused.exit_code == 2, refused.output
    assert re.search(r"\d+ pieces? (is|are) not where turn-1.vlog left (it|them)", refused.output)
    assert "its players (Rook as Blue, Kite as Red) are not" in refused.output


def test_whoever_the_folder_names_is_of_the_game(folder: Path, tmp_path: Path) -> None:
    """Red begins the game anew, who is in no log yet."""
    umpire("game", "add", folder, TURN_1)
    swapped = {"Wren\tBlue": "Tarn\tRed", "Wren": "Tarn", "-wren": "-tarn"}
    anew = rewritten(TURN_1, tmp_path, "other.vlog", swapped)
    added = umpire("game", "add", folder, anew)
    assert added.exit_code == 0, added.output
    assert "the game is begun anew" in added.output


def test_a_log_that_goes_on_piece_by_piece_is_taken_whoever_plays(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1)
    added = umpire("game", "add", folder, rewritten(TURN_2, tmp_path, "other.vlog", OTHERS))
    assert added.exit_code == 0, added.output
    assert "from the end of turn-1.vlog, piece by piece" in added.output
    assert "none of its players (Rook as Blue, Kite as Red) plays in the logs" in plain(
        added.output
    )


def test_a_log_that_names_nobody_is_taken_as_before(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    nobody = tmp_path / "nobody.vlog"
    text = re.sub(r"\x1bPLAYER\t[^\x1b]*", "", read_save(TURN_1).text)
    rewrite_save(nobody, TURN_1, text)
    added = umpire("game", "add", folder, nobody)
    assert added.exit_code == 0, added.output
    assert "the game is begun anew" in added.output
    assert "none of its players" not in plain(added.output)


@pytest.mark.parametrize("moment", ["copying", "naming"])
def test_a_log_that_another_command_added_meanwhile_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Of two commands that add the same log at once one wins, and the other takes nothing of it away."""
    umpire("game", "add", folder, TURN_1)
    name = "whole_file" if moment == "copying" else "replace_own"
    place = "vassal_umpire.plugin.desk.adding"
    real = getattr(__import__(place, fromlist=[name]), name)

    def late(*arguments: object) -> object:
        monkeypatch.setattr(f"{place}.{name}", real)
        first = umpire("game", "add", folder, TURN_2)
        assert first.exit_code == 0, first.output
        return real(*arguments)

    monkeypatch.setattr(f"{place}.{name}", late)
    second = umpire("game", "add", folder, TURN_2)
    assert second.exit_code == 2, second.output
    assert "somebody else wrote it" in second.output
    assert [log.name for log in read_game_folder(folder).logs] == ["turn-1.vlog", "turn-2.vlog"]
    assert (folder / "logs" / "turn-2.vlog").read_bytes() == TURN_2.read_bytes()
    assert umpire("game", "status", folder).exit_code == 0


def test_a_full_disk_is_told_with_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(folder)

    def full(*_: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vassal_umpire.plugin.desk.adding.whole_file", full)
    stopped = umpire("game", "add", folder, TURN_1)
    assert stopped.exit_code == 2
    assert (
        stopped.output == "umpire: logs/turn-1.vlog: cannot be written: No space left on device\n"
    )
    assert files(folder) == before
    assert not (folder / "logs").exists()


def without_steps(log: Path, place: Path, name: str, dropped: Callable[[str], bool]) -> Path:
    """``log`` without the commands of its steps that are ``dropped``."""
    parts = read_save(log).text.split("\x1b")
    kept = [one for one in parts if not (one.startswith("LOG\t") and dropped(one[4:]))]
    made = place / name
    rewrite_save(made, log, "\x1b".join(kept))
    return made


def not_talk(command: str) -> bool:
    return not command.startswith("CHAT&lt;")


def of_piece(number: str) -> Callable[[str], bool]:
    return lambda command: command[:1] in "DM+" and number in command[:60]


def test_a_log_between_two_that_are_there_was_played_before_the_later(
    folder: Path, tmp_path: Path
) -> None:
    """Named in the order of the alphabet, turn 10 comes before turn 2."""
    first = without_steps(TURN_1, tmp_path, "turn-0.vlog", not_talk)
    refused = umpire("game", "add", folder, first, TURN_2, TURN_1)
    assert refused.exit_code == 2, refused.output
    said = "turn-1.vlog: ends where turn-2.vlog begins, so it was played before it"
    assert said in refused.output
    assert refused.output.endswith("; name it before turn-2.vlog\n")
    assert not (folder / "logs").exists()
    umpire("game", "add", folder, first, TURN_2)
    before = files(folder)
    refused = umpire("game", "add", folder, TURN_1)
    assert refused.exit_code == 2, refused.output
    assert said in refused.output
    assert refused.output.endswith("take turn-2.vlog out of game.toml, then add both in order\n")
    assert files(folder) == before


def test_logs_that_begin_with_other_positions_are_not_told_to_show_other_dice(
    folder: Path, tmp_path: Path
) -> None:
    """A later log that has been added too early goes on from the same log, with pieces elsewhere."""
    first = without_steps(TURN_1, tmp_path, "turn-0.vlog", not_talk)
    other = without_steps(TURN_1, tmp_path, "turn-1.vlog", of_piece("1790000000105"))
    added = umpire("game", "add", folder, first, TURN_2, other)
    assert added.exit_code == 0, added.output
    assert "set aside turn-2.vlog" in plain(added.output)
    assert "dice" not in added.output


def test_logs_that_begin_with_the_same_moved_pieces_are_told_to_show_other_dice(
    folder: Path, tmp_path: Path
) -> None:
    first = without_steps(TURN_1, tmp_path, "turn-0.vlog", not_talk)
    again = rewritten(TURN_2, tmp_path, "again.vlog", {"2d6 = 11 ***": "2d6 = 4 ***"})
    added = umpire("game", "add", folder, first, TURN_2, again)
    assert added.exit_code == 0, added.output
    assert "goes on from an older log, turn-0.vlog; 11 pieces lie elsewhere" in plain(added.output)
    assert "set aside turn-2.vlog" in plain(added.output)
    assert "turn-2.vlog begins with the same position; from roll 1 on it shows other" in plain(
        added.output
    )
