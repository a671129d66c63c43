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
from sample_pack import pack_copy
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.plugin.desk.appeal import read_appeal
from vassal_umpire.plugin.desk.ruling import rule_on
from vassal_umpire.plugin.desk.status import is_hidden, status_of
from vassal_umpire.validators.sealing import offences

from . import kit
from .kit import MODULE, PACK, TURN_1, TURN_2, Kept, done, refused, rewritten

OCS = kit.SAMPLES / "ocs" / "1-west.vlog"


def other_dice(desk: Path) -> Path:
    """Turn 2 with another roll: a second log from the same position."""
    return rewritten(TURN_2, desk / "turn-2-again.vlog", ("2d6 = 11 ***", "2d6 = 4 ***"))


def test_from_the_first_log_to_a_ruling(empty: Kept) -> None:
    first = empty.add(TURN_1)
    assert "turn-1.vlog: log 1 of Round 1" in first
    assert "goes on     from nothing: it is the first log" in first
    assert "by          Wren (Blue) 19 steps" in first
    assert "new         9 moves: 6 legal, 2 illegal, 1 open" in first
    second = empty.add(TURN_2)
    assert "goes on     from the end of turn-1.vlog, piece by piece" in second
    assert "new         5 moves: 5 legal" in second
    status = empty.status()
    assert "Round 1: Wren (Blue) against Tarn (Red)" in status
    assert "moves       14: 11 legal, 2 illegal, 1 open" in status
    ids = re.findall(r"\b[0-9a-f]{12}\b", status)
    assert len(ids) == 3
    empty.done("rule", ids[2][:6], "upheld", "--because", "the river was overlooked")
    again = empty.status()
    assert "upheld: the river was overlooked" in again
    assert "look again" not in again


def test_phases_that_the_chat_announces_are_offered_and_written_once_confirmed(
    empty: Kept, tmp_path: Path
) -> None:
    pack = pack_copy(tmp_path / "told")
    toml = (pack / "pack.toml").read_text("utf-8")
    without = re.sub(r"\[\[phases.from\]\]\n(.+\n)+", "", toml)  # no turn tracker
    (pack / "pack.toml").write_text(without, "utf-8")
    empty.edit(r'(?m)^pack = ".*"$', f'pack = "{pack}"')
    log = rewritten(
        TURN_1,
        tmp_path / "turn-1.vlog",
        ("Turn 1. Everyone to the bridge!", "Blue movement phase"),
        ("2 Tank attacks nobody yet; guns on the bridge", "No combat!"),
    )
    again = rewritten(log, tmp_path / "again.vlog", ("Blue movement phase", "Here we go"))
    forked = empty.copy("forked")
    forked.done("add", "--confirm-phases", log, again)
    assert load_facts(forked.path / "facts.toml").phases == ()  # of a log that was set aside
    unasked = empty.copy("asked").run("add", log)  # nobody is asked where there is no terminal
    assert "umpire: 1 phase not written; confirm in the studio's Phases view: " in unasked.stderr
    asked = kit.plain(unasked.stdout)
    said = "announced turn-1.vlog steps 1-14: turn 1, Movement, Blue (“Blue movement phase”)"
    assert said in asked
    assert "1 phase to be looked through in the studio" in asked  # "No combat!" begins none
    assert "10 in no known phase" in asked
    told_before = empty.copy("told before")
    told_before.write_facts('[[phase]]\nfirst = "turn-1.vlog:0"\nturn = "1"\n')
    assert "steps 1-14" not in kit.plain(told_before.add(log))
    told = kit.plain(empty.done("add", "--confirm-phases", log))
    assert "new 9 moves: 6 legal, 2 illegal, 1 open" in told
    (facts,) = load_facts(empty.path / "facts.toml").phases
    assert (facts.phase, facts.active, facts.steps) == (
        "Movement",
        "Blue",
        "turn-1.vlog:1-turn-1.vlog:14",
    )


def test_ids_are_of_the_drag_and_not_of_what_the_pack_says(begun: Kept) -> None:
    before = set(re.findall(r"\b[0-9a-f]{12}\b", begun.status()))
    pack = begun.desk / "pack"
    shutil.copytree(PACK, pack)
    rivers = pack / "lines.csv"
    lines = rivers.read_text("utf-8").splitlines(True)
    rivers.write_text("".join(line for line in lines if "river" not in line), "utf-8")
    begun.edit(r'pack = ".*"', f'pack = "{pack.as_posix()}"')
    stands, news = begun.status().split("\n  questions")
    after = set(re.findall(r"\b[0-9a-f]{12}\b", stands))
    assert before - after == set(re.findall(r"\b[0-9a-f]{12}\b", news))
    assert 0 < len(after) < len(before)
    assert after < before


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (kit.NO_RIVER, "{}  upheld: no longer found"),
        (kit.FEWER_MPS, "upheld: the river.*look again"),
    ],
    ids=["no longer found", "found otherwise"],
)
def test_a_ruling_is_kept_when_what_is_found_changes(begun: Kept, facts: str, said: str) -> None:
    river = begun.offence()
    begun.done("rule", river, "upheld", "--because", "the river")
    begun.write_facts(facts)
    assert re.search(said.format(river), begun.status(), re.S)


def test_a_ruling_on_an_id_of_an_earlier_version_is_still_read(begun: Kept) -> None:
    former = "cc2bc8b6e6bb"
    begun.edit(
        r"\Z", f'\n[[ruling]]\noffence = "{former}"\ndecision = "waived"\nbecause = "both"\n'
    )
    told = begun.status()
    assert "waived" in told
    assert "no longer found" not in told
    assert former not in told
    assert begun.offence() in begun.done("told", former[:6])


def test_who_may_not_see_all_of_an_offence_is_not_told_that_it_changed(begun: Kept) -> None:
    game = begun.read()
    opened, audited = begun.audited()
    river = next(one for one in audited.findings if one.names == ("Blue 4 Inf",))
    secret = replace(river, explanation="a hidden unit", follows_from=None)
    whole = replace(audited, findings=(*audited.findings, secret))
    offence = next(one for one in offences(whole) if one.names == ("Blue 4 Inf",))
    assert len(offence.findings) == 2
    assert is_hidden(offence, audited)
    rule_on(game, offence, "upheld", "the river", "Kite", hidden=True)
    status = status_of(begun.read(), opened.game, audited, whole, datetime.date(2026, 1, 1))
    ruled = next(one for one in status.offences if one.ruling is not None)
    assert (ruled.offence.id, ruled.changed) == (offence.id, False)


def test_a_fork_sets_the_other_branch_aside_and_keeps_it(played: Kept) -> None:
    fork = other_dice(played.desk)
    added = played.add(fork)
    assert "goes on     from an older log, turn-1.vlog, piece by piece" in added
    assert "set aside   turn-2.vlog" in added
    assert (
        "turn-2.vlog begins with the same position, as far as everyone may see; from roll 1"
        in kit.plain(added)
    )
    game = played.read()
    assert [log.name for log in game.line] == ["turn-1.vlog", "turn-2-again.vlog"]
    assert [log.name for log in game.set_aside] == ["turn-2.vlog"]
    assert (played.path / "logs" / "turn-2.vlog").is_file()
    assert "is in the game already, as log 2" in played.refused("add", fork)
    said = "turn-2.vlog: is in the game already, set aside; to play on from it again"
    assert said in played.refused("add", TURN_2)


def test_facts_of_a_log_set_aside_are_of_no_log_of_the_game(played: Kept) -> None:
    """Its SHA-256 tells it from the log in its place, as in an appeal. No other name does so."""
    played.add(other_dice(played.desk))
    judged, moved = "moves       14: ", '[[displacement]]\nlog = "{}"\nform = "other"\n'
    assert judged in played.status()
    for log, stays in (("turn-2.vlog", True), ("turn-2-again.vlog", False)):
        played.write_facts(moved.format(log))
        assert (judged in played.status()) is stays
    phase = '[[phase]]\nphase = "Combat"\nlog = '
    played.write_facts(f'{phase}"turn-2.vlog"\n')
    assert judged in played.status()
    logs = (TURN_1, played.desk / "turn-2-again.vlog")
    assert "in both" in done("game", "rerun", appealed(played), *logs, "--module", MODULE)
    played.write_facts(f'{phase}"turn-3.vlog"\n')
    said = played.refused("status")
    assert "expected log turn-3.vlog among the logs here; found turn-1.vlog, which" in said


@pytest.mark.ci
@pytest.mark.usefixtures("unsuspected")
def test_what_was_moved_between_logs_is_listed(begun: Kept) -> None:
    moved = ("Main Map;280;115;", "Main Map;225;147;")
    added = begun.add(rewritten(TURN_2, begun.desk / "turn-2.vlog", moved))
    assert re.search(r"from turn-1.vlog; \d+ pieces? (?:is|are) not as", added), added
    assert re.search(r"between     \S.*: .* before, .* after", added), added
    assert f'\n  on the map  umpire game report "{begun.path}" -o report.html\n' in added
    page = begun.desk / "report.html"
    begun.done("report", "-o", page)
    assert re.search(r'class="move between".*Blue Recon: 0502 → 0402', page.read_text("utf-8"))
    assert '(<a href="#step-2-0">on the map</a>)' in page.read_text("utf-8")


def test_bad_input_is_one_line_and_leaves_the_folder_as_it_was(begun: Kept) -> None:
    broken = begun.desk / "broken.vlog"
    broken.write_bytes(TURN_2.read_bytes()[:2000])
    for wrong, said in (
        ((broken,), "broken.vlog"),
        ((TURN_2, broken), "broken.vlog"),
        ((TURN_1,), "turn-1.vlog: is in the game already, as log 1"),
        ((begun.desk / "none.vlog",), "none.vlog"),
        ((OCS,), "is of the module 'Kelme Crossing'"),
    ):
        assert said in begun.refused("add", *wrong)


def test_paths_with_backslashes_and_line_ends_of_windows_are_read(begun: Kept) -> None:
    text = begun.toml.read_text("utf-8").replace('"logs/turn-1.vlog"', "'logs\\turn-1.vlog'")
    begun.toml.write_bytes(text.replace("\n", "\r\n").encode())
    begun.status()
    begun.add(TURN_2)
    assert b"\r\n[[log]]" in begun.toml.read_bytes()


def test_what_was_read_of_logs_may_be_deleted_and_no_log_changed(begun: Kept) -> None:
    shutil.rmtree(begun.path / ".umpire")
    assert "from the end of turn-1.vlog, piece by piece" in begun.add(TURN_2)
    shutil.copy(TURN_2, begun.path / "logs" / "turn-1.vlog")
    assert "is not the log that was added" in begun.refused("status")


def test_no_id_of_a_player_is_written(played: Kept) -> None:
    for file, data in played.files().items():
        assert file.suffix == ".vlog" or b"crossroads-key-of" not in data, file


def test_a_desk_finds_the_game_of_a_log(begun: Kept) -> None:
    done("game", "new", begun.desk / "other", "--module", MODULE, "--title", "Other")
    rows = re.sub(r"\n {21}", " ", done("desk", begun.desk)).splitlines()
    assert [row.split()[0] for row in rows] == ["game", "other", "wren"]
    assert "has no logs yet" in rows[1]
    assert re.search(r"wren and rook \(Roun… +1  turn-1.vlog +Red +90% +3 +1", rows[2]), rows[2]
    done("desk", "add", begun.desk, TURN_2)
    assert [log.name for log in begun.read().line] == ["turn-1.vlog", "turn-2.vlog"]
    again = refused("desk", "add", begun.desk, TURN_2)
    assert "is in the game 'Round 1' already" in again
    assert "goes on from none of the games" in refused("desk", "add", begun.desk, OCS)


def test_a_desk_says_what_is_past_due_and_asks_where_a_log_fits_two_games(begun: Kept) -> None:
    begun.edit(r"\[players\]", 'due = "2020-01-01"\n\n[players]')
    assert "2020-01-01 (past)" in done("desk", begun.desk)
    assert "2020-01-01 (past)" in begun.status()
    begun.copy("twin")
    asked = refused("desk", "add", begun.desk, TURN_2)
    assert "goes on from several games: twin, wren and rook" in asked


@pytest.mark.ci
def test_the_mail_runs_nothing_and_replaces_its_own_zip_alone(played: Kept) -> None:
    other = played.desk / "other.zip"
    played.done("rule", played.offence(), "upheld", "--because", "the river was <overlooked>")
    page = [played.mailed()["all.html"] for _ in range(2)][1].decode()
    assert "the river was &lt;overlooked&gt;" in page
    assert "<script" not in page
    assert len(page) < 100_000
    other.write_bytes(b"PK mine")
    played.refused("mail", "-o", other)
    assert other.read_bytes() == b"PK mine"


@pytest.mark.ci
def test_the_report_of_a_game_is_that_of_its_audit_with_its_rulings(played: Kept) -> None:
    report = json.loads(played.run("report", "--format", "json").stdout)
    assert len(report.pop("rulings")["offences"]) == 3
    logs = [played.path / "logs" / name for name in ("turn-1.vlog", "turn-2.vlog")]
    named = ["--module", MODULE, "--pack", PACK, "--facts", played.path / "facts.toml"]
    how = ["--fail-on", "never", "--format", "json"]
    assert report == json.loads(kit.umpire("audit", *logs, *named, *how).stdout)


@pytest.mark.ci
def test_verdicts_that_a_changed_pack_changes_are_listed_before_the_mail(begun: Kept) -> None:
    mail = begun.desk / "mail.zip"
    quiet = begun.run("mail", "-o", mail)
    assert quiet.stdout == "", quiet.output
    begun.write_facts(kit.NO_RIVER)
    named = "Blue 4 Inf 0408 → 0808 (Turn 1, Movement, Blue; step 11 of log 1): illegal before, legal now"
    for _ in range(2):  # telling how it stands changes nothing
        assert named in " ".join(begun.status().split())
    mailed = begun.done("mail", "-o", mail)
    assert named in " ".join(mailed.split()), mailed
    assert "changed" not in begun.status()
    assert re.search(r"not found .*[0-9a-f]{12}  Blue 4 Inf", mailed, re.S), mailed
    assert "changed     2 verdicts on earlier moves" in mailed
    assert "illegal before, legal now" in mailed


def test_extensions_that_are_not_here_are_named(empty: Kept) -> None:
    with_one = ("begin_save\x1b", "begin_save\x1bEXT\tWinter\t2.1\x1b")
    added = empty.add(rewritten(TURN_1, empty.desk / "turn-1.vlog", with_one))
    assert "it was made with the extension Winter 2.1" in kit.plain(added)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (["Green=Wren"], "'Green' is not a side of the module; expected one of Blue, Red"),
        (["Blue=Wren", "Blue=Rook"], "'Wren' and 'Rook' play 'Blue'; expected one name for a side"),
    ],
)
def test_a_side_of_the_module_has_one_player(tmp_path: Path, players: list[str], said: str) -> None:
    named = [word for player in players for word in ("--player", player)]
    assert said in kit.plain(refused("game", "new", tmp_path / "game", "--module", MODULE, *named))
    assert not (tmp_path / "game").exists()


# -- Offences of which not everyone may know: told to nobody by the commands that add and mail -----


@pytest.mark.usefixtures("hidden")
def test_a_log_that_is_added_tells_what_everyone_may_know(empty: Kept) -> None:
    told = empty.copy("told")
    added = empty.add(TURN_1, TURN_2)
    assert "Blue 4 Inf" not in added
    assert "hidden" not in added
    assert re.search(
        r"hidden +1 offence that some players may not know of",
        told.done("add", TURN_1, TURN_2, "--director"),
    )
    assert "Blue 4 Inf" not in (empty.path / "audited.json").read_text("utf-8")
    assert "Blue 4 Inf" not in empty.status()
    assert "Blue 4 Inf" in empty.status("--director")


@pytest.mark.ci
@pytest.mark.usefixtures("hidden")
def test_each_page_of_the_mail_tells_what_its_readers_may_know(played: Kept) -> None:
    played.done("rule", "4d787a", "upheld", "--because", "the river was overlooked")
    pages = {name: page.decode("utf-8", "replace") for name, page in played.mailed().items()}
    for name in ("all.html", "all.md", "Blue.html", "Blue.md"):
        # on the map everyone sees it lie there
        told = re.sub(r"<svg.*?</svg>", "", pages[name], flags=re.S)
        assert "Blue 2 Tank" in told
        for secret in ("4 Inf", "overlooked", "4d787a62018b", "0808"):
            assert secret not in told, (name, secret)
    for name in ("Red.html", "Red.md"):
        assert "4 Inf" in pages[name]
        assert "overlooked" in pages[name]


# -- umpire game appeal and rerun: an audit run again with what another has ------------------------


def appealed(game: Kept) -> Path:
    appeal = game.desk / "appeal.zip"
    game.done("appeal", "-o", appeal)
    return appeal


def with_facts(appeal: Path, facts: str) -> Path:
    """The appeal with other facts in it."""
    with zipfile.ZipFile(appeal) as zipped:
        (name,) = (name for name in zipped.namelist() if name.endswith("facts.toml"))
    return kit.zip_with(appeal, appeal.with_name("other.zip"), {name: facts})


def test_an_appeal_finds_the_same_elsewhere(played: Kept) -> None:
    appeal = appealed(played)
    with zipfile.ZipFile(appeal) as zipped:
        names = {Path(name).name for name in zipped.namelist()}
    assert names == {"appeal.json", "pack.zip", "facts.toml"}
    same = (
        "Round 1: 3 offences found in both audits\n  moves in both: 11 legal, 2 illegal, 1 open\n"
    )
    for logs in ((TURN_1, TURN_2), (TURN_2, TURN_1)):
        assert done("game", "rerun", appeal, *logs, "--module", MODULE) == same


def test_an_appeal_knows_its_logs_under_names_that_the_other_player_gave_them(
    played: Kept,
) -> None:
    played.write_facts('[[displacement]]\nlog = "turn-1.vlog"\nsteps = "11"\nform = "other"\n')
    appeal = appealed(played)
    mine = [Path(shutil.copy(TURN_1, played.desk / "sent-by-wren.vlog")), TURN_2]
    told = done("game", "rerun", appeal, *mine, "--module", MODULE)
    assert told.startswith("Round 1: 2 offences found in both audits\n")


def test_an_appeal_that_was_changed_is_found_out(begun: Kept) -> None:
    other = with_facts(appealed(begun), kit.NO_RIVER)
    rerun = kit.umpire("game", "rerun", other, TURN_1, "--module", MODULE)
    assert rerun.exit_code == 1, rerun.output
    assert re.search(r"  [0-9a-f]{12}  only in the appeal: .*Blue 4 Inf", rerun.output)
    for wrong in (b"", b"PK", b"no zip at all"):
        other.write_bytes(wrong)
        refused("game", "rerun", other, TURN_1, "--module", MODULE)
    assert "is not an appeal" in refused("game", "rerun", TURN_1, TURN_1, "--module", MODULE)


def test_files_that_are_others_or_missing_are_named(played: Kept) -> None:
    appeal, ocs = appealed(played), kit.SAMPLES / "ocs" / "ocs.vmod"
    said = refused("game", "rerun", appeal, other_dice(played.desk), TURN_1, "--module", ocs)
    assert said == (
        "umpire: appeal.zip: turn-2-again.vlog is not a log of the appeal; its log turn-2.vlog is not here;"
        " ocs.vmod is not its module; expected the files themselves (by their SHA-256)\n"
    )
    said = refused("game", "rerun", appeal, TURN_1, "--module", MODULE)
    assert "appeal.zip: its log turn-2.vlog is not here; expected" in said


@pytest.mark.parametrize("where", ["in the appeal", "beside the module"])
def test_other_extensions_are_named(empty: Kept, where: str) -> None:
    """They may change what a move costs, and nobody would know why the ids differ."""
    plain, extended = empty.desk / "plain", empty.desk / "extended"
    for place in (plain, extended):
        place.mkdir()
        shutil.copy(MODULE, place)
    flags = extended / "crossroads_ext" / "flags.vmdx"
    flags.parent.mkdir()
    done("extension", MODULE, "-o", flags)
    one, other = (extended, plain) if where == "in the appeal" else (plain, extended)
    empty.edit('module = ".*"', f'module = "{(one / MODULE.name).as_posix()}"')
    empty.add(TURN_1)
    appeal = appealed(empty)
    done("game", "rerun", appeal, TURN_1, "--module", one / MODULE.name)
    said = refused("game", "rerun", appeal, TURN_1, "--module", other / MODULE.name)
    assert "flags.vmdx" in said
    assert "beside the module" in said
    assert said.count("\n") == 1


def test_other_verdicts_are_told_where_the_same_offences_are_found(begun: Kept) -> None:
    """Where nothing is found in either audit, the ids alone would say that all is alike."""
    begun.write_facts('[[hex]]\nhex = "0110"\nterrain = ["clear"]\n')
    other = with_facts(appealed(begun), "")
    rerun = kit.umpire("game", "rerun", other, TURN_1, "--module", MODULE)
    assert rerun.exit_code == 1, rerun.output
    assert rerun.output == (
        "Round 1: 3 offences found in both audits\n"
        "  moves here: 6 legal, 2 illegal, 1 open; in the appeal: 7 legal, 2 illegal, 0 open\n"
    )


# -- a player whose password, and so whose id, is new ----------------------------------------------


NEW_ID = "a-new-key-of-tarn"


def from_a_new_id(desk: Path) -> Path:
    """Turn 2, moved by Tarn with another password than he sits down with."""
    moved = ("/null/crossroads-key-of-tarn", f"/null/{NEW_ID}")
    return rewritten(TURN_2, desk / "turn-2.vlog", moved)


def test_whose_a_new_id_is_is_asked_and_told(begun: Kept) -> None:
    told = begun.add(from_a_new_id(begun.desk))
    asked = "".join(f"{'':14}{line}\n" for line in (
        "[[same_player]]", 'log = "logs/turn-2.vlog"', 'is = "?"'
    ))  # fmt: skip
    assert "somebody without a seat moves counters, and Wren as Blue and Tarn" in told
    assert asked in told
    assert NEW_ID not in told
    assert "side not known 5 of 5" in begun.status()
    text = begun.toml.read_text("utf-8")
    begun.toml.write_text(text + asked.replace("?", "Red"), "utf-8")
    assert "decided     Blue 8 of 9, Red 5 of 5" in begun.status()
    checked = done("check", begun.path)
    assert "checked for Red" in checked
    assert "Checked 5 of 5 moves." in checked
    assert "a side that is not known" not in checked
    appeal = appealed(begun)
    same = (
        "Round 1: 3 offences found in both audits\n  moves in both: 11 legal, 2 illegal, 1 open\n"
    )
    logs = begun.path / "logs"
    mine = (logs / "turn-1.vlog", logs / "turn-2.vlog")
    assert done("game", "rerun", appeal, *mine, "--module", MODULE) == same
    assert read_appeal(appeal).same_players == {begun.read().logs[1].sha256: ["Red"]}


def test_an_id_is_not_asked_about_in_logs_in_which_nothing_is_new(empty: Kept) -> None:
    assert "password" not in empty.add(TURN_1, TURN_2)


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize("who", ["Green", "?"])
def test_nobody_is_taken_for_whom_there_is_not(begun: Kept, who: str) -> None:
    begun.add(from_a_new_id(begun.desk))
    text = begun.toml.read_text("utf-8")
    begun.toml.write_text(
        f'{text}\n[[same_player]]\nlog = "logs/turn-2.vlog"\nis = "{who}"\n', "utf-8"
    )
    assert "side not known 5 of 5" in begun.status()
    problems = [
        one["message"] for one in json.loads(begun.done("report", "--format", "json"))["problems"]
    ]
    why = "expected the side or the name of one player who has a seat there"
    assert f'[[same_player]] is = "{who}": {why}' in problems


def test_a_log_that_is_not_there_can_have_no_new_id(begun: Kept) -> None:
    text = begun.toml.read_text("utf-8")
    begun.toml.write_text(f'{text}\n[[same_player]]\nlog = "turn-1.vlog"\nis = "Red"\n', "utf-8")
    line = text.count("\n") + 3
    assert (
        f"game.toml line {line}: same_player[1].log: expected the file of a [[log]]"
        in begun.refused("status")
    )
