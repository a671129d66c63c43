"""A game's folder among odd files: nothing of others is lost, nothing is written elsewhere, and
every fault is one line."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiers import by_tier
from vassal_umpire.importers.game_folder.folder import file_name, shell_word
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin.desk.audits import GameAudits

from .kit import (
    MODULE,
    NO_RIVER,
    TURN_1,
    TURN_2,
    Kept,
    done,
    plain,
    refused,
    rewritten,
    umpire,
    with_text,
)

OTHER_DICE = ("2d6 = 9 ***", "2d6 = 4 ***")
PAST = 'due = "2020-01-01"\n[players]'


def test_no_name_of_a_log_leads_out_of_the_folder(empty: Kept) -> None:
    strange = empty.desk / "..\\..\\..\\x.vlog"
    shutil.copy(TURN_1, strange)
    empty.add(strange)
    (log,) = empty.read().logs
    assert (empty.path / log.file).resolve().parent == empty.path / "logs"
    assert (empty.path / log.file).read_bytes() == TURN_1.read_bytes()
    assert sorted(p.name for p in empty.desk.iterdir()) == [strange.name, empty.path.name]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("turn 1 (é).vlog", "turn 1 (é).vlog"),
        ("a:b\x07?.vlog", "a-b--.vlog"),
        ("..", "log"),
        ("CON.vlog", "log-CON.vlog"),
        ("a\udcffb.vlog", "a-b.vlog"),
        ("x" * 300 + ".vlog", "x" * 60 + ".vlog"),
    ],
)
def test_a_copied_log_has_a_name_that_every_system_can_write(name: str, safe: str) -> None:
    assert file_name(name) == safe


def test_logs_whose_names_differ_in_case_alone_are_both_kept(empty: Kept) -> None:
    other = empty.desk / "d" / "Turn-1.vlog"
    other.parent.mkdir()
    shutil.copy(TURN_2, other)
    empty.add(TURN_1, other)
    assert empty.names() == ["turn-1.vlog", "Turn-1-2.vlog"]


def test_a_stopped_command_leaves_no_logs(empty: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    before = empty.files()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("vassal_umpire.plugin.desk.adding.replace_own", stop)
        assert empty.run("add", TURN_1).exit_code == 130
        assert empty.files() == before
        assert not (empty.path / "logs").exists()
    (empty.path / "logs").mkdir()
    shutil.copy(TURN_1, empty.path / "logs")  # as a program that was killed leaves it
    empty.add(TURN_1)
    assert [log.file for log in empty.read().logs] == ["logs/turn-1.vlog"]


def test_a_game_that_is_begun_anew_sets_all_aside(played: Kept) -> None:
    added = played.add(rewritten(TURN_1, played.desk / "again.vlog", OTHER_DICE))
    assert "goes on     from where turn-1.vlog began: the game is begun anew" in added
    assert "set aside   turn-1.vlog, turn-2.vlog" in added
    assert "turn-1.vlog begins with the same position" in added
    assert [log.name for log in played.read().line] == ["again.vlog"]


@pytest.mark.parametrize("follows", ["0" * 64, "itself", "each other"])
def test_a_log_follows_one_above_it(played: Kept, follows: str) -> None:
    second = played.read().logs[1].sha256
    if follows == "each other":
        played.edit(r'(turn-1.vlog"\n)', rf'\1follows = "{second}"\n')
    else:
        played.edit('follows = ".*"', f'follows = "{second if follows == "itself" else follows}"')
    said = played.refused("status")
    assert "expected the sha256 of a log above it" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("pattern", "written", "said"),
    [
        (r"(?s)(\[\[log\]\].*)", r"\1\n\1", "logs/turn-1.vlog is there twice"),
        ('pack = ".*"', 'pack = "../gone"',
         "../gone: the pack is not there; put it there, or write its new path"),
        ('module = ".*"', 'module = "../gone.vmod"',
         "../gone.vmod: the module is not there; put it there, or write its new path"),
        ('pack = ".*"', r'pack = "C:\\packs\\crossroads"',
         "expected paths with / instead of \\, or in 'single quotes'"),
        *(  # a day that is none would never be past
            (
                r"\[players\]",
                f'due = "{due}"\n[players]',
                'game.toml line 11: game.due: expected a day such as "2026-12-01"',
            )
            for due in ("soon", "2026-02-30", "1.12.2026", "2026-12-1")
        ),
    ],
)  # fmt: skip
def test_a_fault_in_a_game_file_is_told(begun: Kept, pattern: str, written: str, said: str) -> None:
    begun.edit(pattern, written)
    told = begun.refused("status")
    assert said in told
    assert told.count("\n") == 1


def test_a_path_of_windows_may_stand_in_single_quotes(begun: Kept) -> None:
    begun.edit('pack = ".*"', r"pack = 'C:\\packs\\crossroads'")
    assert "single quotes" not in begun.run("status").output


def test_a_procedure_of_ones_own_is_found_from_the_folder(begun: Kept) -> None:
    own = begun.desk / "ours.toml"
    own.write_text(
        'name = "ours"\ntitle = "Our ladder"\n[movement]\nseal = "roll"\ncorrection = "Anew."\n'
        '[combat]\nseal = "roll"\ncorrection = "Anew."\n'
    )
    begun.edit('procedure = "plain"', r'procedure = "..\\\\ours.toml"')
    begun.status()
    other = Kept(begun.desk / "deep")
    other.done("new", "--module", MODULE, "--procedure", own)
    assert other.read().procedure == "../ours.toml"
    own.unlink()
    assert "ours.toml: cannot be read" in begun.run("status").output


def test_what_lies_there_under_our_names_is_kept(empty: Kept) -> None:
    (empty.path / ".umpire").write_text("mine")
    (empty.path / "audited.json").write_text("mine, too")
    empty.add(TURN_1)
    assert (empty.path / ".umpire").read_text() == "mine"
    assert (empty.path / "audited.json").read_text() == "mine, too"
    (empty.path / "logs" / "turn-1.vlog").rename(empty.path / "turn-1.vlog")
    (empty.path / "logs").rmdir()
    (empty.path / "logs").write_text("mine as well")
    empty.edit("logs/turn-1.vlog", "turn-1.vlog")
    said = empty.refused("add", TURN_2)
    assert "logs: is a file; expected a folder for the logs" in said


@pytest.mark.parametrize("reason", ["", " "])
def test_a_ruling_without_a_reason_is_refused(begun: Kept, reason: str) -> None:
    river = begun.offence()
    said = begun.refused("rule", river, "upheld", "--because", reason)
    assert "the reason is missing" in said


@pytest.mark.parametrize("command", by_tier(["mail"], ["mail", "appeal", "report"]))
def test_nothing_is_written_over_the_game_itself(begun: Kept, command: str) -> None:
    begun.add(rewritten(TURN_1, begun.desk / "again.vlog", OTHER_DICE))
    for kept in (begun.toml, begun.path / "logs" / "turn-1.vlog"):
        said = begun.refused(command, "-o", kept, "--force")
        assert "is an input, and inputs are never written to" in said


def test_one_odd_game_leaves_the_others_on_the_desk(begun: Kept) -> None:
    begun.copy("odd").edit('module = ".*"', f'module = "{"m" * 5000}"')
    assert "Round 1" in done("desk", begun.desk)


def test_a_desk_passes_over_a_game_that_cannot_be_read(begun: Kept) -> None:
    for number, text in enumerate(("[game", "[game]\ntitle = 1", '[game]\ntitle=""\nmodule="m"')):
        (begun.desk / f"odd {number}").mkdir()
        (begun.desk / f"odd {number}" / "game.toml").write_text(text)
    done("desk", "add", begun.desk, TURN_2)
    assert len(begun.names()) == 2


def test_the_desk_keeps_to_80_columns(begun: Kept) -> None:
    begun.edit("Round 1", "The last round of a tournament with a long title")
    begun.edit(r"\[players\]", PAST)
    rows = done("desk", begun.desk).splitlines()
    assert len(rows) == 2
    assert max(map(len, rows)) <= 80


def test_what_is_wrong_with_a_game_keeps_to_80_columns_on_the_desk(begun: Kept) -> None:
    (begun.path / "logs" / "turn-1.vlog").write_bytes(TURN_2.read_bytes())
    rows = umpire("desk", begun.desk).output.splitlines()
    said = "wren and rook (Roun… logs/turn-1.vlog: is not the log that was added"
    assert rows[1].startswith(said)
    assert max(map(len, rows)) <= 80
    assert all(row.startswith(" " * 21) for row in rows[2:])


def test_long_names_keep_to_80_columns(empty: Kept) -> None:
    empty.edit("Round 1", "The semi-final of a tournament with a long title")
    empty.edit("Wren", "Christopher Robinson the Younger")
    added = empty.add(TURN_1).splitlines()
    status = empty.status().splitlines()
    lines = [line for line in (*added, *status) if str(empty.path) not in line]
    assert max(map(len, lines)) <= 80
    head = " ".join(line.strip() for line in status[:2])
    assert head.endswith("title: Christopher Robinson the Younger (Blue) against Tarn (Red)")


def test_a_desk_tells_which_verdicts_a_changed_pack_changes_game_by_game(begun: Kept) -> None:
    twin = begun.copy("twin")
    twin.edit("Round 1", "Round 2")
    quiet = done("desk", begun.desk)
    assert len(quiet.splitlines()) == 3
    twin.write_facts(NO_RIVER)
    told = done("desk", begun.desk)
    assert told.startswith(quiet.splitlines()[0])
    _, after = told.split("\ntwin (Round 2), since it was added to or mailed last\n")
    assert "Round 1" not in after
    assert "2 verdicts on earlier moves" in after
    assert "not found" in after
    assert re.search(r" [0-9a-f]{12}  Blue 4 Inf", after)
    assert max(map(len, told.splitlines())) <= 80


def test_games_of_one_title_are_told_apart_on_the_desk(begun: Kept) -> None:
    begun.copy("twin")
    names = [row[:20].strip() for row in done("desk", begun.desk).splitlines()[1:]]
    assert names == ["twin (Round 1)", "wren and rook (Roun…"]


def test_one_log_that_fits_none_keeps_no_other_off_the_desk(begun: Kept) -> None:
    torn = begun.desk / "torn.vlog"
    torn.write_bytes(TURN_2.read_bytes()[:900])
    said = refused("desk", "add", begun.desk, torn, TURN_1, TURN_2)
    assert "torn.vlog: not a complete zip file" in said
    assert "turn-1.vlog: is in the game 'Round 1' already" in said
    assert len(begun.names()) == 2


def test_a_game_file_saved_as_cp1252_is_read_and_written_as_utf_8(begun: Kept) -> None:
    text = begun.toml.read_text("utf-8").replace("Round 1", "Runde für Zoë – 1")
    text = text.replace("\n", "\r\n")
    begun.toml.write_bytes(text.encode("cp1252"))
    assert begun.read().title == "Runde für Zoë – 1"
    assert "Runde für Zoë – 1: Wren (Blue)" in begun.status()
    assert begun.toml.read_bytes() == text.encode("cp1252")
    river = begun.offence()
    begun.done("rule", river, "upheld", "--because", "le gué – là", "--who", "Zoë")
    begun.done("told", river)
    begun.add(TURN_2)
    now = begun.toml.read_bytes()
    assert now.decode("utf-8").startswith(text)
    assert now.count(b"\n") == now.count(b"\r\n")
    assert "upheld: le gué – là (Zoë" in begun.status()


@pytest.mark.parametrize(
    "data", ["\ufeff[game]".encode("utf-16-le"), b"[game]\ntitle = '\x81'", b"\xff\xfe"]
)
def test_what_is_neither_is_told(empty: Kept, data: bytes) -> None:
    empty.toml.write_bytes(data)
    assert "is not UTF-8 text" in empty.refused("status")


def test_a_day_needs_no_quotes_and_named_facts_have_to_be_there(begun: Kept) -> None:
    begun.edit(r"\[players\]", "due = 2020-01-01\n[players]")
    begun.edit('added = ".*"', "added = 2020-01-01")
    status = begun.status()
    assert "added 2020-01-01" in status
    assert "due         2020-01-01 (past)" in status
    (begun.path / "facts.toml").unlink()
    assert "facts.toml: the facts are not there" in begun.refused("status")


@pytest.mark.parametrize(
    "words",
    [
        ("rule", "4d787a", "waived", "--because", "x", "--when"),
        ("told", "4d787a", "--date"),
    ],
)
def test_a_day_in_a_command_is_asked_for_plainly(begun: Kept, words: tuple[str, ...]) -> None:
    said = plain(begun.refused(*words, "1.12.2026"))
    assert "'1.12.2026' is not a day; expected year, month and day, such as 2026-11-20" in said


@pytest.mark.parametrize(
    ("name", "typed"),
    [("a", "a"), ("a b", '"a b"'), ("a&b", '"a&b"'), ("x(1)", '"x(1)"'), ("ä-1.2_3", "ä-1.2_3")],
)
def test_a_folder_is_told_as_it_may_be_typed(name: str, typed: str, tmp_path: Path) -> None:
    assert shell_word(Path(name)) == typed
    said = umpire("game", "status", tmp_path / name).output
    assert f"umpire game new {shell_word(tmp_path / name)} --module" in said


# -- Logs of other games that begin from the same setup: asked about, and never taken in silence ---


ROOK = (("Wren", "Rook"), ("-wren", "-rook"))
KITE = (("Tarn", "Kite"), ("-tarn", "-kite"))


def test_a_first_log_of_others_from_the_same_setup_is_asked_about(played: Kept) -> None:
    other = rewritten(TURN_1, played.desk / "other.vlog", *ROOK)
    asked = played.refused("add", other)
    assert asked.count("\n") == 1
    assert "begins where turn-1.vlog began, and its players (Rook as Blue) are not" in asked
    assert "another game from the same setup" in asked
    assert "--other-players" in asked
    # it is taken when that is said, and the fork is told
    added = played.done("add", other, "--other-players")
    assert "the game is begun anew" in added
    assert "set aside   turn-1.vlog, turn-2.vlog" in added
    assert "none of its players (Rook as Blue) plays in the logs" in plain(added)


def test_sides_that_were_changed_are_other_players(begun: Kept) -> None:
    """Two games at once between the same two, each playing either side once."""
    tarn = (("Wren", "Tarn"), ("-wren", "-tarn"))
    asked = begun.refused("add", rewritten(TURN_1, begun.desk / "other.vlog", *tarn))
    # the folder says that Tarn plays Red
    assert "its players (Tarn as Blue) are not" in asked


def test_a_later_log_of_others_is_asked_about(begun: Kept) -> None:
    moved = ("Main Map;280;115;", "Main Map;225;147;")
    asked = begun.refused("add", rewritten(TURN_2, begun.desk / "other.vlog", *ROOK, *KITE, moved))
    assert re.search(r"\d+ pieces? (is|are) not where turn-1.vlog left (it|them)", asked)
    assert "its players (Rook as Blue, Kite as Red) are not" in asked


def test_whoever_the_folder_names_is_of_the_game(begun: Kept) -> None:
    """Red begins the game anew, who is in no log yet."""
    swapped = (("Wren\tBlue", "Tarn\tRed"), ("Wren", "Tarn"), ("-wren", "-tarn"))
    added = begun.add(rewritten(TURN_1, begun.desk / "other.vlog", *swapped))
    assert "the game is begun anew" in added


def test_a_log_that_goes_on_piece_by_piece_is_taken_whoever_plays(begun: Kept) -> None:
    added = begun.add(rewritten(TURN_2, begun.desk / "other.vlog", *ROOK, *KITE))
    assert "from the end of turn-1.vlog, piece by piece" in added
    assert "none of its players (Rook as Blue, Kite as Red) plays in the logs" in plain(added)


def test_a_log_that_names_nobody_is_taken_as_before(begun: Kept) -> None:
    nobody = begun.desk / "nobody.vlog"
    text = re.sub(r"\x1bPLAYER\t[^\x1b]*", "", read_save(TURN_1).text)
    with_text(TURN_1, nobody, text)
    added = begun.add(nobody)
    assert "the game is begun anew" in added
    assert "none of its players" not in plain(added)


@pytest.mark.parametrize("moment", ["copying", "naming"])
def test_a_log_that_another_command_added_meanwhile_is_kept(
    begun: Kept, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Of two commands that add the same log at once one wins, and the other takes nothing of it away."""
    name = "whole_file" if moment == "copying" else "replace_own"
    place = "vassal_umpire.plugin.desk.adding"
    real = getattr(__import__(place, fromlist=[name]), name)

    def late(*arguments: object) -> object:
        monkeypatch.setattr(f"{place}.{name}", real)
        begun.add(TURN_2)
        return real(*arguments)

    monkeypatch.setattr(f"{place}.{name}", late)
    assert "somebody else wrote it" in refused("game", "add", begun.path, TURN_2)
    assert begun.names() == ["turn-1.vlog", "turn-2.vlog"]
    assert (begun.path / "logs" / "turn-2.vlog").read_bytes() == TURN_2.read_bytes()
    begun.status()


OFFENCE, OTHER = "4d787a62018b", "5f7d94c0f021"
RULED = ("upheld", "--because", "so it is")


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """``act`` while ``rule`` or ``told`` audits the game."""
    place = "vassal_umpire.plugin.commands.game_rule.GameAudits"

    def audited(*arguments: Any) -> GameAudits:
        monkeypatch.undo()
        act()
        return GameAudits(*arguments)

    monkeypatch.setattr(place, audited)


@pytest.mark.parametrize(("command", "more"), [("rule", RULED), ("told", ("--date", "2026-11-20"))])
def test_what_is_noted_on_two_offences_at_once_is_kept(
    begun: Kept, monkeypatch: pytest.MonkeyPatch, command: str, more: tuple[str, ...]
) -> None:
    meanwhile(monkeypatch, lambda: begun.done("rule", OTHER, *RULED))
    begun.done(command, OFFENCE, *more)
    game = begun.read()
    noted = {one.offence for one in game.rulings} | set(game.told)
    assert noted == {OFFENCE, OTHER}


@pytest.mark.parametrize(
    "act",
    [
        lambda game: game.done("rule", OFFENCE, "waived", "--because", "both agree"),
        lambda game: game.add(TURN_2),
    ],
    ids=["a ruling on it", "a log"],
)
def test_nobody_rules_on_what_he_has_not_seen(
    begun: Kept, monkeypatch: pytest.MonkeyPatch, act: Callable[[Kept], object]
) -> None:
    meanwhile(monkeypatch, lambda: act(begun))
    assert "somebody else wrote it" in refused("game", "rule", begun.path, OFFENCE, *RULED)
    assert "so it is" not in begun.toml.read_text("utf-8")


def test_a_full_disk_is_told_with_the_file(empty: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vassal_umpire.plugin.desk.adding.whole_file", full)
    said = "umpire: logs/turn-1.vlog: cannot be written: No space left on device\n"
    assert empty.refused("add", TURN_1) == said
    assert not (empty.path / "logs").exists()


def without_steps(log: Path, made: Path, dropped: Callable[[str], bool]) -> Path:
    """``log`` without the commands of its steps that are ``dropped``."""
    parts = read_save(log).text.split("\x1b")
    kept = [one for one in parts if not (one.startswith("LOG\t") and dropped(one[4:]))]
    with_text(log, made, "\x1b".join(kept))
    return made


def only_talk_of(log: Path, desk: Path) -> Path:
    return without_steps(log, desk / "turn-0.vlog", lambda one: not one.startswith("CHAT&lt;"))


def test_a_log_between_two_that_are_there_was_played_before_the_later(empty: Kept) -> None:
    """Named in the order of the alphabet, turn 10 comes before turn 2."""
    said = "turn-1.vlog: is named twice; expected each log once"
    assert said in empty.refused("add", TURN_1, TURN_1)
    first = only_talk_of(TURN_1, empty.desk)
    told = empty.refused("add", first, TURN_2, TURN_1)
    said = "turn-1.vlog: ends where turn-2.vlog begins, so it was played before it"
    assert said in told
    assert told.endswith("; name it before turn-2.vlog\n")
    assert not (empty.path / "logs").exists()
    empty.add(first, TURN_2)
    told = empty.refused("add", TURN_1)
    assert said in told
    assert told.endswith("take turn-2.vlog out of game.toml, then add both in order\n")


def test_logs_that_begin_with_other_positions_show_no_other_dice(empty: Kept) -> None:
    """A later log that has been added too early goes on from the same log, with pieces elsewhere."""

    def of_one_piece(command: str) -> bool:
        return command[:1] in "DM+" and "1790000000105" in command[:60]

    other = without_steps(TURN_1, empty.desk / "turn-1.vlog", of_one_piece)
    added = empty.add(only_talk_of(TURN_1, empty.desk), TURN_2, other)
    assert "set aside turn-2.vlog" in plain(added)
    assert "dice" not in added


def test_logs_that_begin_with_the_same_moved_pieces_show_other_dice(empty: Kept) -> None:
    again = rewritten(TURN_2, empty.desk / "again.vlog", ("2d6 = 11 ***", "2d6 = 4 ***"))
    told = plain(empty.add(only_talk_of(TURN_1, empty.desk), TURN_2, again))
    assert "goes on from an older log, turn-0.vlog; 11 pieces are not as it left" in told
    assert "set aside turn-2.vlog" in told
    assert (
        "turn-2.vlog begins with the same position, as far as everyone may see; from roll 1" in told
    )
