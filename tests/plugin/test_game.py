"""``umpire game``: a game kept in a folder, from the first log to a ruling."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vassal_umpire.importers.game_folder.folder import read_game_folder
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import rewrite_save
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import seen_by
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.desk.opening import audit_folder
from vassal_umpire.plugin.desk.ruling import rule_on
from vassal_umpire.plugin.desk.status import status_of
from vassal_umpire.validators.offences import offences

CROSSROADS = Path(__file__).parents[2] / "samples" / "crossroads"
TURN_1, TURN_2 = CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog"


def umpire(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game's folder, with a blank in its name, without logs."""
    place = tmp_path / "wren and rook"
    begun = umpire(
        "game", "new", place, "--module", CROSSROADS / "crossroads.vmod", "--pack", CROSSROADS / "pack",
        "--title", "Round 1", "--player", "Blue=Wren", "--player", "Red=Tarn",
    )  # fmt: skip
    assert begun.exit_code == 0, begun.output
    return place


def other_dice(tmp_path: Path) -> Path:
    """Turn 2 with another roll: a second log from the same position."""
    fork = tmp_path / "turn-2-again.vlog"
    text = read_save(TURN_2).text.replace("2d6 = 11 ***", "2d6 = 4 ***")
    rewrite_save(fork, TURN_2, text)
    return fork


def test_from_the_first_log_to_a_ruling(folder: Path) -> None:
    first = umpire("game", "add", folder, TURN_1)
    assert first.exit_code == 0, first.output
    assert "turn-1.vlog: log 1 of Round 1" in first.output
    assert "goes on     from nothing: it is the first log" in first.output
    assert "by          Wren (Blue) 19 steps" in first.output
    assert "new         9 moves: 6 legal, 2 illegal, 1 open" in first.output
    second = umpire("game", "add", folder, TURN_2)
    assert "goes on     from the end of turn-1.vlog, piece by piece" in second.output
    assert "new         5 moves: 5 legal" in second.output
    status = umpire("game", "status", folder)
    assert "Round 1: Wren (Blue) against Tarn (Red)" in status.output
    assert "moves       14: 11 legal, 2 illegal, 1 open" in status.output
    ids = re.findall(r"\b[0-9a-f]{12}\b", status.output)
    assert len(ids) == 3
    ruled = umpire(
        "game", "rule", folder, ids[2][:6], "upheld", "--because", "the river was overlooked"
    )
    assert ruled.exit_code == 0, ruled.output
    again = umpire("game", "status", folder)
    assert "upheld: the river was overlooked" in again.output
    assert "look again" not in again.output


def test_ids_are_of_the_drag_and_not_of_what_the_pack_says(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    before = set(re.findall(r"\b[0-9a-f]{12}\b", umpire("game", "status", folder).output))
    pack = tmp_path / "pack"
    shutil.copytree(CROSSROADS / "pack", pack)
    rivers = pack / "lines.csv"
    rivers.write_text(
        "".join(line for line in rivers.read_text("utf-8").splitlines(True) if "river" not in line),
        "utf-8",
    )
    game = folder / "game.toml"
    text = game.read_text("utf-8")
    game.write_text(re.sub(r'pack = ".*"', f'pack = "{pack.as_posix()}"', text), "utf-8")
    status = umpire("game", "status", folder)
    assert status.exit_code == 0, status.output
    stands, news = status.output.split("\n  questions")
    after = set(re.findall(r"\b[0-9a-f]{12}\b", stands))
    assert before - after == set(re.findall(r"\b[0-9a-f]{12}\b", news))
    assert 0 < len(after) < len(before)
    assert after < before


def test_a_ruling_is_kept_when_nothing_is_found_any_more(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    status = umpire("game", "status", folder).output
    river = re.findall(r"([0-9a-f]{12})  Blue 4 Inf", status)[0]
    umpire("game", "rule", folder, river, "upheld", "--because", "the river")
    facts = folder / "facts.toml"
    facts.write_text('[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n', "utf-8")
    output = umpire("game", "status", folder).output
    assert f"{river}  upheld: no longer found" in output


def test_a_changed_finding_wants_a_second_look(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    river = re.findall(r"([0-9a-f]{12})  Blue 4 Inf", umpire("game", "status", folder).output)[0]
    umpire("game", "rule", folder, river, "upheld", "--because", "the river")
    facts = folder / "facts.toml"
    facts.write_text('[[unit]]\nunit = "1790000000108"\nattributes = { ma = 3 }\n', "utf-8")
    output = umpire("game", "status", folder).output
    assert "upheld: the river" in output
    assert "look again" in output


def test_a_reader_who_may_not_see_all_of_an_offence_is_not_told_that_it_changed(
    folder: Path,
) -> None:
    umpire("game", "add", folder, TURN_1)
    game = read_game_folder(folder)
    opened, audited = audit_folder(game, EVERYONE, DEFAULT_LIMITS)
    river = next(one for one in audited.findings if one.names == ("Blue 4 Inf",))
    secret = replace(river, explanation="a hidden unit", visible_to=("Blue",), follows_from=None)
    whole = replace(audited, findings=(*audited.findings, secret))
    offence = next(one for one in offences(whole) if one.names == ("Blue 4 Inf",))
    assert len(offence.findings) == 2
    rule_on(game, offence, "upheld", "the river", "Kite")
    shown = seen_by(whole, EVERYONE)
    assert secret not in shown.findings
    now = read_game_folder(folder)
    status = status_of(now, opened.game, whole, shown, datetime.date(2026, 1, 1))
    ruled = next(one for one in status.offences if one.ruling is not None)
    assert (ruled.offence.id, ruled.changed) == (offence.id, False)


def test_a_ruling_needs_a_reason(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    river = re.findall(r"([0-9a-f]{12})  Blue 4 Inf", umpire("game", "status", folder).output)[0]
    before = (folder / "game.toml").read_bytes()
    ruled = umpire("game", "rule", folder, river, "upheld", "--because", " ")
    assert ruled.exit_code == 2
    assert "the reason is missing" in ruled.output
    assert (folder / "game.toml").read_bytes() == before


def test_a_fork_sets_the_other_branch_aside_and_keeps_it(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    added = umpire("game", "add", folder, other_dice(tmp_path))
    assert added.exit_code == 0, added.output
    assert "goes on     from an older log, turn-1.vlog, piece by piece" in added.output
    assert "set aside   turn-2.vlog" in added.output
    assert "turn-2.vlog begins with the same position; from roll 1" in added.output
    game = read_game_folder(folder)
    assert [log.name for log in game.line] == ["turn-1.vlog", "turn-2-again.vlog"]
    assert [log.name for log in game.set_aside] == ["turn-2.vlog"]
    assert (folder / "logs" / "turn-2.vlog").is_file()


@pytest.mark.ci
def test_what_was_moved_between_logs_is_listed(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    between = tmp_path / "turn-2.vlog"
    save = read_save(TURN_2)
    moved = save.text.replace("Main Map;280;115;", "Main Map;225;147;")
    assert moved != save.text
    rewrite_save(between, TURN_2, moved)
    added = umpire("game", "add", folder, between)
    assert re.search(r"from turn-1.vlog; \d+ pieces? lies? elsewhere", added.output), added.output
    assert re.search(r"between     \S.*: .* before, .* after", added.output), added.output
    assert f'\n  on the map  umpire game report "{folder}" -o report.html\n' in added.output
    page = tmp_path / "report.html"
    assert umpire("game", "report", folder, "-o", page).exit_code == 0
    assert re.search(r'class="move between".*Blue Recon: 0502 → 0402', page.read_text("utf-8"))
    assert '(<a href="#step-2-0">on the map</a>)' in page.read_text("utf-8")


def test_bad_input_is_one_line_and_leaves_the_folder_as_it_was(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1)
    before = {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    broken = tmp_path / "broken.vlog"
    broken.write_bytes(TURN_2.read_bytes()[:2000])
    for wrong, said in (
        ((broken,), "broken.vlog"),
        ((TURN_2, broken), "broken.vlog"),
        ((TURN_1,), "turn-1.vlog: is in the game already, as log 1"),
        ((tmp_path / "none.vlog",), "none.vlog"),
        ((CROSSROADS.parent / "ocs" / "1-west.vlog",), "is of the module 'Kelme Crossing'"),
    ):
        refused = umpire("game", "add", folder, *wrong)
        assert refused.exit_code == 2, (wrong, refused.output)
        assert said in refused.output
        assert "Traceback" not in refused.output
        assert {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()} == before


def test_a_log_that_was_changed_in_the_folder_is_not_taken(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    shutil.copy(TURN_2, folder / "logs" / "turn-1.vlog")
    refused = umpire("game", "status", folder)
    assert refused.exit_code == 2
    assert "is not the log that was added" in refused.output


def test_paths_with_backslashes_and_line_ends_of_windows_are_read(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    game = folder / "game.toml"
    text = game.read_text("utf-8").replace('"logs/turn-1.vlog"', "'logs\\turn-1.vlog'")
    game.write_bytes(text.replace("\n", "\r\n").encode())
    status = umpire("game", "status", folder)
    assert status.exit_code == 0, status.output
    added = umpire("game", "add", folder, TURN_2)
    assert added.exit_code == 0, added.output
    assert b"\r\n[[log]]" in game.read_bytes()


def test_what_was_read_of_logs_may_be_deleted(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    shutil.rmtree(folder / ".umpire")
    added = umpire("game", "add", folder, TURN_2)
    assert "from the end of turn-1.vlog, piece by piece" in added.output


def test_no_id_of_a_player_is_written(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix != ".vlog":
            assert b"crossroads-key-of" not in file.read_bytes(), file


def test_a_desk_finds_the_game_of_a_log(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    umpire("game", "new", other, "--module", CROSSROADS / "crossroads.vmod", "--title", "Other")
    umpire("game", "add", folder, TURN_1)
    desk = umpire("desk", tmp_path)
    assert desk.exit_code == 0, desk.output
    rows = re.sub(r"\n {21}", " ", desk.output).splitlines()
    assert [row.split()[0] for row in rows] == ["game", "other", "wren"]
    assert "has no logs yet" in rows[1]
    assert re.search(r"wren and rook \(Roun… +1  turn-1.vlog +Red +90% +3 +1", rows[2]), rows[2]
    added = umpire("desk", "add", tmp_path, TURN_2)
    assert added.exit_code == 0, added.output
    assert [log.name for log in read_game_folder(folder).line] == ["turn-1.vlog", "turn-2.vlog"]
    again = umpire("desk", "add", tmp_path, TURN_2)
    assert again.exit_code == 2
    assert "is in the game 'Round 1' already" in again.output
    ocs = umpire("desk", "add", tmp_path, CROSSROADS.parent / "ocs" / "1-west.vlog")
    assert ocs.exit_code == 2
    assert "goes on from none of the games" in ocs.output


def test_a_log_that_fits_two_games_is_asked_about(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    shutil.copytree(folder, tmp_path / "twin")
    refused = umpire("desk", "add", tmp_path, TURN_2)
    assert refused.exit_code == 2
    assert "goes on from several games: twin, wren and rook" in refused.output


def test_what_is_past_due_is_said(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1)
    game = folder / "game.toml"
    game.write_text(
        game.read_text("utf-8").replace("[players]", 'due = "2020-01-01"\n\n[players]'), "utf-8"
    )
    assert "2020-01-01 (past)" in umpire("desk", tmp_path).output
    assert "2020-01-01 (past)" in umpire("game", "status", folder).output


@pytest.mark.ci
def test_what_is_mailed_holds_what_its_readers_may_see(folder: Path, tmp_path: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    river = re.findall(r"([0-9a-f]{12})  Blue 4 Inf", umpire("game", "status", folder).output)[0]
    umpire("game", "rule", folder, river, "upheld", "--because", "the river was <overlooked>")
    written = umpire("game", "mail", folder, "-o", tmp_path / "mail.zip")
    assert written.exit_code == 0, written.output
    with zipfile.ZipFile(tmp_path / "mail.zip") as zipped:
        files = {name.removeprefix("mail/"): zipped.read(name) for name in zipped.namelist()}
    pages = {"all.html", "all.md", "Blue.html", "Blue.md", "Red.html", "Red.md"}
    assert files.keys() == {*pages, "annotated-turn-2.vlog"}
    for name in pages:
        text = files[name].decode()
        assert "crossroads-key-of" not in text
        assert river in text
        assert "Of 14 moves looked at, 11 are legal, 2 cannot be legal, and of 1 nobody" in text
    page = files["all.html"].decode()
    assert "the river was &lt;overlooked&gt;" in page
    assert page.count('<svg class="cutout"') == 3
    assert "<script" not in page
    assert len(page) < 100_000
    again = umpire("game", "mail", folder, "-o", tmp_path / "mail.zip")
    assert again.exit_code == 0, again.output  # our own zip is replaced
    (tmp_path / "other.zip").write_bytes(b"PK mine")
    kept = umpire("game", "mail", folder, "-o", tmp_path / "other.zip")
    assert kept.exit_code == 2
    assert (tmp_path / "other.zip").read_bytes() == b"PK mine"


def test_a_log_that_is_there_is_told_by_its_number_or_as_set_aside(
    folder: Path, tmp_path: Path
) -> None:
    fork = other_dice(tmp_path)
    umpire("game", "add", folder, TURN_1, TURN_2, fork)
    assert "is in the game already, as log 2" in umpire("game", "add", folder, fork).output
    aside = umpire("game", "add", folder, TURN_2)
    assert aside.exit_code == 2
    assert (
        "turn-2.vlog: is in the game already, set aside; it is played on from again" in aside.output
    )


@pytest.mark.ci
def test_the_report_of_a_game_is_that_of_its_audit_with_its_rulings(folder: Path) -> None:
    umpire("game", "add", folder, TURN_1, TURN_2)
    report = json.loads(umpire("game", "report", folder, "--format", "json").stdout)
    assert len(report.pop("rulings")["offences"]) == 3
    logs = [folder / "logs" / name for name in ("turn-1.vlog", "turn-2.vlog")]
    named = ["--module", CROSSROADS / "crossroads.vmod", "--pack", CROSSROADS / "pack"]
    named += ["--facts", folder / "facts.toml", "--fail-on", "never", "--format", "json"]
    assert report == json.loads(umpire("audit", *logs, *named).stdout)


@pytest.mark.ci
def test_verdicts_that_a_changed_pack_changes_are_listed_before_anything_is_mailed(
    folder: Path, tmp_path: Path
) -> None:
    umpire("game", "add", folder, TURN_1)
    quiet = umpire("game", "mail", folder, "-o", tmp_path / "mail.zip")
    assert quiet.stdout == "", quiet.output
    (folder / "facts.toml").write_text('[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n', "utf-8")
    named = "Blue 4 Inf 0408 → 0808 (Turn 1, Movement, Blue; step 11 of log 1): illegal before, legal now"
    for _ in range(2):  # telling how it stands changes nothing
        status = umpire("game", "status", folder).output
        assert named in " ".join(status.split()), status
    mailed = umpire("game", "mail", folder, "-o", tmp_path / "mail.zip")
    assert named in " ".join(mailed.output.split()), mailed.output
    assert "changed" not in umpire("game", "status", folder).output
    assert re.search(r"not found .*[0-9a-f]{12}  Blue 4 Inf", mailed.output, re.S), mailed.output
    assert "changed     2 verdicts on earlier moves" in mailed.output
    assert "illegal before, legal now" in mailed.output


def test_extensions_that_are_not_here_are_named(folder: Path, tmp_path: Path) -> None:
    text = read_save(TURN_1).text
    with_one = text.replace("begin_save\x1b", "begin_save\x1bEXT\tWinter\t2.1\x1b", 1)
    assert with_one != text
    log = tmp_path / "turn-1.vlog"
    rewrite_save(log, TURN_1, with_one)
    added = umpire("game", "add", folder, log)
    assert "it was made with the extension Winter 2.1" in re.sub(r"\s+", " ", added.output)


def test_a_side_that_the_module_does_not_have_is_refused(tmp_path: Path) -> None:
    begun = umpire(
        "game", "new", tmp_path / "game", "--module", CROSSROADS / "crossroads.vmod",
        "--player", "Green=Wren",
    )  # fmt: skip
    assert begun.exit_code == 2
    assert "'Green' is no side of the module; expected one of Blue, Red" in " ".join(
        begun.output.split()
    )
    assert not (tmp_path / "game").exists()
