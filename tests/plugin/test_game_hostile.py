"""A game's folder among odd files: nothing of others is lost, nothing is written elsewhere, and
every fault is one line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from vassal_umpire.importers.game_folder.folder import file_name, read_game_folder, shell_word
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import rewrite_save

from .test_game import CROSSROADS, TURN_1, TURN_2, folder, umpire

__all__ = ["folder"]


def files(place: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}


def edit(folder: Path, pattern: str, new: str) -> None:
    game = folder / "game.toml"
    text = game.read_text("utf-8")
    changed = re.sub(pattern, new, text)
    assert changed != text
    game.write_text(changed, "utf-8")


def test_no_name_of_a_log_leads_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    strange = tmp_path / "..\\..\\..\\x.vlog"
    shutil.copy(TURN_1, strange)
    added = umpire("game", "add", folder, strange)
    assert added.exit_code == 0, added.output
    (log,) = read_game_folder(folder).logs
    assert (folder / log.file).resolve().parent == folder / "logs"
    assert (folder / log.file).read_bytes() == TURN_1.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == [strange.name, folder.name]


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


def test_logs_whose_names_differ_in_case_alone_are_both_kept(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "d" / "Turn-1.vlog"
    other.parent.mkdir()
    shutil.copy(TURN_2, other)
    added = umpire("game", "add", folder, TURN_1, other)
    assert added.exit_code == 0, added.output
    assert [log.name for log in read_game_folder(folder).logs] == ["turn-1.vlog", "Turn-1-2.vlog"]


def test_what_stops_the_writing_leaves_no_logs_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(folder)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("vassal_umpire.plugin.desk.adding.replace_own", stop)
        stopped = umpire("game", "add", folder, TURN_1)
        assert stopped.exit_code == 130
        assert files(folder) == before
        assert not (folder / "logs").exists()
    (folder / "logs").mkdir()
    shutil.copy(TURN_1, folder / "logs")  # as a program that was killed leaves it
    assert umpire("game", "add", folder, TURN_1).exit_code == 0
    assert [log.file for log in read_game_folder(folder).logs] == ["logs/turn-1.vlog"]


def test_a_log_played_before_the_first_is_refused(folder: Path) -> None:
    before = files(folder)
    refused = umpire("game", "add", folder, TURN_2, TURN_1)
    assert refused.exit_code == 2
    assert "turn-1.vlog: ends where turn-2.vlog begins" in refused.output
    assert files(folder) == before


def test_a_game_that_is_begun_anew_sets_all_aside(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.vlog"
    rewrite_save(again, TURN_1, read_save(TURN_1).text.replace("2d6 = 9 ***", "2d6 = 4 ***"))
    umpire("game", "add", folder, TURN_1, TURN_2)
    added = umpire("game", "add", folder, again)
    assert added.exit_code == 0, added.output
    assert "goes on     from where turn-1.vlog began: the game is begun anew" in added.output
    assert "set aside   turn-1.vlog, turn-2.vlog" in added.output
    assert "turn-1.vlog begins with the same position; from roll 1" in added.output
    assert [log.name for log in read_game_folder(folder).line] == ["again.vlog"]


@pytest.mark.parametrize("follows", ["0" * 64, "itself", "each other"])
def test_a_log_follows_one_above_it(folder: Path, follows: str) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    second = read_game_folder(folder).logs[1].sha256
    if follows == "each other":
        edit(folder, r'(turn-1.vlog"\n)', rf'\1follows = "{second}"\n')
    else:
        edit(folder, 'follows = ".*"', f'follows = "{second if follows == "itself" else follows}"')
    status = umpire("game", "status", folder)
    assert status.exit_code == 2
    assert "expected the sha256 of a log above it" in status.output
    assert status.output.count("\n") == 1


def test_a_log_is_there_once(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    edit(folder, r"(?s)(\[\[log\]\].*)", r"\1\n\1")
    assert "logs/turn-1.vlog is there twice" in umpire("game", "status", folder).output


def test_facts_that_are_named_and_not_there_are_told(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    (folder / "facts.toml").unlink()
    status = umpire("game", "status", folder)
    assert status.exit_code == 2
    assert "facts.toml: the facts are not there" in status.output


def test_a_procedure_of_ones_own_is_found_from_the_folder(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_text(
        'name = "ours"\ntitle = "Our ladder"\n[movement]\nseal = "roll"\ncorrection = "Anew."\n'
        '[combat]\nseal = "roll"\ncorrection = "Anew."\n'
    )
    umpire("game", "add", folder, TURN_1)
    edit(folder, 'procedure = "plain"', r'procedure = "..\\\\ours.toml"')
    status = umpire("game", "status", folder)
    assert status.exit_code == 0, status.output
    other = tmp_path / "deep"
    named = ["--module", CROSSROADS / "crossroads.vmod", "--procedure", own]
    assert umpire("game", "new", other, *named).exit_code == 0
    assert read_game_folder(other).procedure == "../ours.toml"
    own.unlink()
    assert "ours.toml: cannot be read" in umpire("game", "status", folder).output


def test_one_odd_game_leaves_the_others_on_the_desk(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    odd = tmp_path / "odd"
    shutil.copytree(folder, odd)
    edit(odd, 'module = ".*"', f'module = "{"m" * 5000}"')
    desk = umpire("desk", tmp_path)
    assert desk.exit_code == 0, desk.output
    assert "Round 1" in desk.output


def test_what_lies_there_under_our_names_is_kept(folder: Path) -> None:
    (folder / ".umpire").write_text("mine")
    (folder / "audited.json").write_text("mine, too")
    assert umpire("game", "add", folder, TURN_1).exit_code == 0
    assert (folder / ".umpire").read_text() == "mine"
    assert (folder / "audited.json").read_text() == "mine, too"
    (folder / "logs" / "turn-1.vlog").rename(folder / "turn-1.vlog")
    (folder / "logs").rmdir()
    (folder / "logs").write_text("mine as well")
    edit(folder, "logs/turn-1.vlog", "turn-1.vlog")
    refused = umpire("game", "add", folder, TURN_2)
    assert refused.exit_code == 2
    assert "logs: is a file; expected a folder for the logs" in refused.output


def test_a_ruling_without_a_reason_is_refused(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    before = files(folder)
    river = re.findall(r"([0-9a-f]{12})  Blue 4 Inf", umpire("game", "status", folder).output)[0]
    for reason in ("", " "):
        refused = umpire("game", "rule", folder, river, "upheld", "--because", reason)
        assert refused.exit_code == 2
        assert "the reason is missing" in refused.output
    assert files(folder) == before


@pytest.mark.parametrize("command", ["mail", "appeal", "report"])
def test_nothing_is_written_over_the_game_itself(
    folder: Path, tmp_path: Path, command: str
) -> None:
    again = tmp_path / "again.vlog"
    rewrite_save(again, TURN_1, read_save(TURN_1).text.replace("2d6 = 9 ***", "2d6 = 4 ***"))
    umpire("game", "add", folder, TURN_1, again)
    before = files(folder)
    for kept in (folder / "game.toml", folder / "logs" / "turn-1.vlog"):
        refused = umpire("game", command, folder, "-o", kept, "--force")
        assert refused.exit_code == 2, refused.output
        assert "is an input, and inputs are never written to" in refused.output
    assert files(folder) == before


def test_a_desk_passes_over_a_game_that_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    for number, text in enumerate(("[game", "[game]\ntitle = 1", '[game]\ntitle=""\nmodule="m"')):
        (tmp_path / f"odd {number}").mkdir()
        (tmp_path / f"odd {number}" / "game.toml").write_text(text)
    added = umpire("desk", "add", tmp_path, TURN_2)
    assert added.exit_code == 0, added.output
    assert len(read_game_folder(folder).logs) == 2


def test_the_desk_keeps_to_80_columns(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    edit(folder, "Round 1", "The last round of a tournament with a long title")
    edit(folder, r"\[players\]", 'due = "2020-01-01"\n[players]')
    rows = umpire("desk", tmp_path).output.splitlines()
    assert len(rows) == 2
    assert max(map(len, rows)) <= 80


def test_a_game_file_saved_as_cp1252_is_read_and_written_as_utf_8(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    game = folder / "game.toml"
    text = game.read_text("utf-8").replace("Round 1", "Runde für Zoë – 1").replace("\n", "\r\n")
    game.write_bytes(text.encode("cp1252"))
    assert read_game_folder(folder).title == "Runde für Zoë – 1"
    status = umpire("game", "status", folder)
    assert "Runde für Zoë – 1: Wren (Blue)" in status.output
    assert game.read_bytes() == text.encode("cp1252")
    river = re.findall(r"([0-9a-f]{12})  Blue 4 Inf", status.output)[0]
    ruled = umpire(
        "game", "rule", folder, river, "upheld", "--because", "le gué – là", "--who", "Zoë"
    )
    assert ruled.exit_code == 0, ruled.output
    assert umpire("game", "told", folder, river).exit_code == 0
    assert umpire("game", "add", folder, TURN_2).exit_code == 0
    now = game.read_bytes()
    assert now.decode("utf-8").startswith(text)
    assert now.count(b"\n") == now.count(b"\r\n")
    assert "upheld: le gué – là (Zoë" in umpire("game", "status", folder).output


@pytest.mark.parametrize(
    "data", ["\ufeff[game]".encode("utf-16-le"), b"[game]\ntitle = '\x81'", b"\xff\xfe"]
)
def test_what_is_neither_is_told(folder: Path, data: bytes) -> None:
    (folder / "game.toml").write_bytes(data)
    status = umpire("game", "status", folder)
    assert status.exit_code == 2
    assert "is not UTF-8 text" in status.output


@pytest.mark.parametrize("due", ["soon", "2026-02-30", "1.12.2026", "2026-12-1"])
def test_a_day_that_is_none_is_told(folder: Path, due: str) -> None:
    """It would never be past."""
    edit(folder, r"\[players\]", f'due = "{due}"\n[players]')
    status = umpire("game", "status", folder)
    assert status.exit_code == 2, status.output
    assert 'game.toml line 11: game.due: expected a day such as "2026-12-01"' in status.output
    assert status.output.count("\n") == 1


def test_a_desk_tells_which_verdicts_a_changed_pack_changes_game_by_game(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1)
    twin = tmp_path / "twin"
    shutil.copytree(folder, twin)
    edit(twin, "Round 1", "Round 2")
    quiet = umpire("desk", tmp_path).output
    assert len(quiet.splitlines()) == 3
    (twin / "facts.toml").write_text('[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n', "utf-8")
    told = umpire("desk", tmp_path).output
    assert told.startswith(quiet.splitlines()[0])
    _, after = told.split("\ntwin (Round 2), since it was added to or mailed last\n")
    assert "Round 1" not in after
    assert "2 verdicts on earlier moves" in after
    assert "not found" in after
    assert re.search(r" [0-9a-f]{12}  Blue 4 Inf", after)
    assert max(map(len, told.splitlines())) <= 80


def test_games_of_one_title_are_told_apart_on_the_desk(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    shutil.copytree(folder, tmp_path / "twin")
    names = [row[:20].strip() for row in umpire("desk", tmp_path).output.splitlines()[1:]]
    assert names == ["twin (Round 1)", "wren and rook (Roun…"]


def test_what_is_wrong_with_a_game_keeps_to_80_columns_on_the_desk(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1)
    (folder / "logs" / "turn-1.vlog").write_bytes(TURN_2.read_bytes())
    rows = umpire("desk", tmp_path).output.splitlines()
    assert rows[1].startswith(
        "wren and rook (Roun… logs/turn-1.vlog: is not the log that was added"
    )
    assert max(map(len, rows)) <= 80
    assert all(row.startswith(" " * 21) for row in rows[2:])


def test_one_log_that_fits_none_keeps_no_other_off_the_desk(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    torn = tmp_path / "torn.vlog"
    torn.write_bytes(TURN_2.read_bytes()[:900])
    added = umpire("desk", "add", tmp_path, torn, TURN_1, TURN_2)
    assert added.exit_code == 2
    assert "torn.vlog: not a complete zip file" in added.output
    assert "turn-1.vlog: is in the game 'Round 1' already" in added.output
    assert len(read_game_folder(folder).logs) == 2


def test_a_day_needs_no_quotes(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    edit(folder, r"\[players\]", "due = 2020-01-01\n[players]")
    edit(folder, 'added = ".*"', "added = 2020-01-01")
    status = umpire("game", "status", folder)
    assert status.exit_code == 0, status.output
    assert "added 2020-01-01" in status.output
    assert "due         2020-01-01 (past)" in status.output


def test_a_path_of_windows_in_double_quotes_is_told_for_that(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    edit(folder, 'pack = ".*"', r'pack = "C:\\packs\\crossroads"')
    status = umpire("game", "status", folder)
    assert status.exit_code == 2
    assert "expected paths with / instead of \\, or in 'single quotes'" in status.output
    edit(folder, 'pack = "(.*)"', r"pack = '\1'")
    assert "single quotes" not in umpire("game", "status", folder).output


@pytest.mark.parametrize("command", ["rule", "told"])
def test_a_day_on_the_command_line_is_asked_for_in_plain_words(folder: Path, command: str) -> None:
    umpire("game", "add", folder, TURN_1)
    before = files(folder)
    options = ("waived", "--because", "x", "--when") if command == "rule" else ("--date",)
    refused = umpire("game", command, folder, "cc2bc8", *options, "1.12.2026")
    assert refused.exit_code == 2
    assert "'1.12.2026' is no day; expected year, month and day, such as 2026-11-20" in re.sub(
        r"\s+", " ", refused.output
    )
    assert files(folder) == before


def test_a_side_has_one_player(tmp_path: Path) -> None:
    place = tmp_path / "new"
    refused = umpire(
        "game", "new", place, "--module", CROSSROADS / "crossroads.vmod",
        "--player", "Blue=Wren", "--player", "Blue=Rook",
    )  # fmt: skip
    assert refused.exit_code == 2
    assert "'Wren' and 'Rook' play 'Blue'; expected one name for a side" in refused.output
    assert not place.exists()


@pytest.mark.parametrize(
    ("name", "typed"),
    [("a", "a"), ("a b", '"a b"'), ("a&b", '"a&b"'), ("x(1)", '"x(1)"'), ("ä-1.2_3", "ä-1.2_3")],
)
def test_a_folder_is_told_as_it_may_be_typed(name: str, typed: str, tmp_path: Path) -> None:
    assert shell_word(Path(name)) == typed
    refused = umpire("game", "status", tmp_path / name)
    assert f"umpire game new {shell_word(tmp_path / name)} --module" in refused.output


def test_a_log_named_twice_is_told_for_that(folder: Path) -> None:
    refused = umpire("game", "add", folder, TURN_1, TURN_1)
    assert refused.exit_code == 2
    assert "turn-1.vlog: is named twice; expected each log once" in refused.output
    assert not (folder / "logs").exists()


def test_a_pack_that_is_not_there_is_told_for_that(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    edit(folder, 'pack = ".*"', 'pack = "../gone"')
    status = umpire("game", "status", folder)
    assert status.exit_code == 2
    assert "../gone: the pack is not there; put it there, or write its new path" in status.output


def test_long_names_keep_to_80_columns(folder: Path) -> None:
    edit(folder, "Round 1", "The semi-final of a tournament with a long title")
    edit(folder, "Wren", "Christopher Robinson the Younger")
    added = umpire("game", "add", folder, TURN_1).output.splitlines()
    status = umpire("game", "status", folder).output.splitlines()
    lines = [line for line in (*added, *status) if str(folder) not in line]
    assert max(map(len, lines)) <= 80
    head = " ".join(line.strip() for line in status[:2])
    assert head.endswith("title: Christopher Robinson the Younger (Blue) against Tarn (Red)")
