"""Nobody is acquitted on what nobody looked at: every "nothing was found" says of how many drags."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import done, report_of, umpire
from dark import IDS, DarkScribe, build, script
from sample_pack import CROSSROADS, pack_copy, put
from vassal_umpire.model.coverage import NO_PLACE, NO_SIDE, NOT_UNITS, WAITS, Coverage
from vassal_umpire.model.finding import Audit, Finding
from vassal_umpire.model.schemas import faults
from vassal_umpire.plugin.reports.phrases import all_clear, headline

NO_BOX = '[[box]]\nmap = "Eliminated"\n'
CLEAR = (
    "nothing was found",
    "nothing found",
    "none found",
    "nothing against the rules",
    "moves judged",
)
FORMATS = ("text", "markdown", "html", "csv", "json")
BLUE_2 = str(IDS["Blue 2 Inf"])
DRAGS = 11
"""Of turn-1.vlog, one of which is taken back."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """The sample's first log with a pack that was only begun: it names no units and no phases."""
    folder = tmp_path_factory.mktemp("begun")
    log, module = CROSSROADS / "turn-1.vlog", CROSSROADS / "crossroads.vmod"
    done("pack", "new", module, log, "-o", folder / "pack")
    return log, "--module", module, "--pack", folder / "pack"


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (Coverage(), "No piece was dragged on a map, so there was no move to judge."),
        (Coverage(passed=2),
         "No piece was moved on a map other than in combat or the like, so there was no move to judge."),
        (Coverage(unlooked=("stacking",)),
         "No piece was dragged on a map, so there was no move to judge. Stacking was not checked: the pack"
         " gives no limits, and does not say that there are none."),
        (Coverage(legal=1, unlooked=("stacking",)),
         "The one drag is judged. Stacking was not checked: the pack gives no limits, and does not say"
         " that there are none."),
        (Coverage(legal=1, open=3),
         "1 of 4 drags is judged, nothing illegal among them; 3 could not be judged: 3 waiting for an"
         " answer."),
        (Coverage(legal=3), "Nothing was found: every drag on the map is legal (3 in all)."),
        (Coverage(legal=3, unlooked=("stacking",)),
         "All 3 drags are judged. Stacking was not checked: the pack gives no limits, and does not say"
         " that there are none."),
        (Coverage(unjudged={NOT_UNITS: 57}),
         "0 of 57 drags could be judged: 57 of counters that the pack does not call units. Next: say in"
         " the pack which counters are units (units.csv, or the studio)."),
        (Coverage(open=5, phaseless=5),
         "0 of 5 drags could be judged: 5 in no known phase. Next: tell the phases (facts.toml, [phases]"
         " in pack.toml, or the studio)."),
        (Coverage(unjudged={"by follow-up, which these rules do not judge": 9, NO_SIDE: 2}),
         "0 of 11 drags could be judged: 9 by follow-up, which these rules do not judge, 2 of a side that"
         " is not known. Next: tell whose units they are ([units] in pack.toml, or facts.toml)."),
        (Coverage(legal=2, open=15, phaseless=12, unjudged={NOT_UNITS: 40}),
         "2 of 57 drags are judged, nothing illegal among them; 55 could not be judged: 12 in no known "
         "phase, 3 waiting for an answer, 40 of counters that the pack does not call units."),
        (Coverage(legal=2, illegal=1, open=1),
         "3 of 4 drags are judged; 1 could not be judged: 1 waiting for an answer."),
    ],
)  # fmt: skip
def test_what_is_said_where_nothing_is_held_against_anybody(coverage: Coverage, said: str) -> None:
    assert all_clear(coverage) == said
    assert sum(coverage.reasons.values()) + coverage.decided == coverage.drags


def test_what_is_open_besides_moves_is_no_all_clear() -> None:
    """A stack that may be too big, for example."""
    said = "All 3 drags are judged. Other questions are open."
    assert all_clear(Coverage(legal=3), asked=True) == said
    said = "No piece was dragged on a map, so there was no move to judge. Other questions are open."
    assert all_clear(Coverage(), asked=True) == said
    assert "Nothing was found" not in all_clear(Coverage(legal=2, illegal=1))


@pytest.mark.parametrize("form", FORMATS)
def test_a_pack_that_names_no_units_clears_nobody(begun: tuple[object, ...], form: str) -> None:
    found = umpire("audit", *begun, "--format", form)
    assert found.exit_code == 3
    assert found.stderr.startswith(f"umpire: 0 of {DRAGS} drags could be judged: ")
    told = " ".join(found.stdout.split())
    assert f"0 of {DRAGS} drags could be judged: {DRAGS} of counters that the pack does not" in told
    assert not [words for words in CLEAR if words in told.lower()]


def test_a_check_clears_nobody_either(begun: tuple[object, ...]) -> None:
    checked = umpire("check", *begun)
    assert checked.exit_code == 3
    said = f"0 of {DRAGS} drags could be judged: {DRAGS} of counters that the pack does not call units. "
    said += "Next: say in the pack which counters are units (units.csv, or the studio)."
    assert checked.stderr == f"umpire: {said}\n"
    assert said in " ".join(checked.stdout.split())
    assert not [words for words in CLEAR if words in checked.output.lower()]
    told = json.loads(umpire("check", *begun, "--format", "json").stdout)
    assert faults("check", told) == ()
    assert told["coverage"]["not_decided"] == {NOT_UNITS: DRAGS}


def test_a_look_at_a_save_clears_nobody_either(begun: tuple[object, ...], tmp_path: Path) -> None:
    log, *named = begun
    pack = pack_copy(tmp_path / "pack", ("<turn>Turn", "<turn>Day"), ("limit = 3", "limit = 9"))
    known = ("--module", CROSSROADS / "crossroads.vmod", "--pack", pack)
    units = (
        "No counter is a unit by this pack, so nothing was looked at. Next: say in the pack which"
    )
    phases = "0 of 5 units that moved could be checked. Next: tell the phases (facts.toml"
    for words, said in ((named, units), (known, phases)):
        found = umpire("check", CROSSROADS / "midway.vsav", "--after", log, *words)
        assert found.exit_code == 3, found.output
        assert said in " ".join(found.stdout.split())
        assert found.stderr.startswith(f"umpire: {said}")
        assert not [words for words in CLEAR if words in found.output.lower()]


def test_a_game_kept_in_a_folder_clears_nobody_either(
    begun: tuple[object, ...], tmp_path: Path
) -> None:
    log, _, module, _, pack = begun
    folder = tmp_path / "game"
    done("game", "new", folder, "--module", module, "--pack", pack)
    added = umpire("game", "add", folder, log)
    assert added.exit_code == 0
    mail = umpire("game", "mail", folder, "-o", tmp_path / "mail.zip")
    status, desk = umpire("game", "status", folder), umpire("desk", tmp_path)
    told = umpire("game", "report", folder)
    for shown in (mail, status, told):
        assert shown.exit_code == 3, shown.output
        assert f"umpire: 0 of {DRAGS} drags could be judged: " in shown.stderr
    assert "Offences: nothing could be judged." in told.stdout
    assert "offences    nothing could be judged" in status.stdout
    assert desk.exit_code == 0
    with zipfile.ZipFile(tmp_path / "mail.zip") as made:
        written = [made.read(name).decode() for name in made.namelist() if name.endswith("all.md")]
    assert written
    for text in (added.output, status.output, told.output, *written):
        assert f"0 of {DRAGS} drags could be judged" in " ".join(text.split())
        assert not [words for words in (*CLEAR, "0 offences") if words in text.lower()]
    assert "0%" in desk.output


def test_the_exit_code_of_what_is_decided_too_little(begun: tuple[object, ...]) -> None:
    assert umpire("audit", *begun, "--fail-on", "never").exit_code == 0
    log = CROSSROADS / "turn-1.vlog"  # 9 of 10 drags are decided
    for least, code in ((90, 0), (90.1, 1)):
        asked = ("audit", log, "--fail-on", "never", "--least-decided", least)
        assert umpire(*asked).exit_code == code, least
    assert umpire("audit", log, "--least-decided", 101).exit_code == 2


@pytest.mark.usefixtures("unsuspected")
def test_a_counter_that_the_pack_forgets_stays_counted(tmp_path: Path) -> None:
    """Each of its drags was judged or open before; now it is one of a counter that is not a unit, until the
    pack says so."""
    log, pack = CROSSROADS / "turn-1.vlog", pack_copy(tmp_path / "pack")

    def told(*changes: tuple[str, str]) -> dict[str, Any]:
        for old, new in changes:
            put(pack / "pack.toml", old, new)
        return dict(report_of(log, "--pack", tmp_path / "pack", codes=(0, 1, 3))["coverage"])

    before = told()
    after = told(
        ('values = ["foot", "motor"]', 'values = ["foot"]'), ('"units", "command"', '"command"')
    )
    assert after["drags"] == before["drags"]
    assert after["not_decided"][NOT_UNITS] == 5
    assert after["legal"] < before["legal"]
    assert after["illegal"] < before["illegal"]
    without = told(
        ("[units]\n", '[[units.not]]\nproperty = "Class"\nvalues = ["motor"]\n\n[units]\n')
    )
    assert NOT_UNITS not in without["not_decided"]
    assert without["drags"] < before["drags"]


def _put_elsewhere(scribe: DarkScribe) -> None:
    scribe.off(BLUE_2)
    scribe.back(BLUE_2, "0109")


def _undone(scribe: DarkScribe) -> None:
    scribe.drag(str(IDS["Blue Recon"]), "0305")
    scribe.off(BLUE_2)
    scribe.undo_off(BLUE_2, "0206")


def _put_back(scribe: DarkScribe) -> None:
    scribe.off(BLUE_2)
    scribe.back(BLUE_2, "0206")


def _lost(scribe: DarkScribe) -> None:
    scribe.drag(str(IDS["Blue Recon"]), "0305")
    scribe.off(BLUE_2)


@pytest.mark.parametrize(
    ("play", "drags", "reasons", "passed"),
    [
        (_put_elsewhere, 2, {WAITS: 1, NO_PLACE: 1}, 0),
        (_undone, 1, {}, 2),
        (_put_back, 0, {}, 2),
        (_lost, 2, {NO_PLACE: 1}, 0),
    ],
)
def test_a_drag_to_a_place_that_the_pack_does_not_name_is_counted_once(
    play: Callable[[DarkScribe], None],
    drags: int,
    reasons: dict[str, int],
    passed: int,
    tmp_path: Path,
) -> None:
    """As open, as taken back, or as of such a place; the pack names no box."""

    def until_combat(scribe: DarkScribe) -> None:
        play(scribe)
        scribe.advance(script.turn(1, 0, 1), "Turn 1, Blue Movement", "Turn 1, Blue Combat")

    _, logs = build(tmp_path, until_combat)
    put(tmp_path / "pack" / "pack.toml", NO_BOX, "")
    document = tmp_path / "game.json"
    named = *logs, "--pack", tmp_path / "pack"
    done("convert", *named, "-o", document)
    for asked in (named, (document,)):
        told = report_of(*asked, codes=(0, 1, 3))["coverage"]
        assert (told["drags"], told["not_decided"]) == (drags, reasons)
        assert told["not_movement"] == passed


def test_python_says_it_too(small_audit: Audit) -> None:
    import vassal_umpire as vu

    found = vu.audit(CROSSROADS / "turn-1.vlog")
    said = "9 of 10 drags are judged; 1 could not be judged: 1 waiting for an answer."
    assert repr(found).startswith("<Audit of Crossroads, as everyone may see it: 1 illegal move, ")
    assert said in repr(found)
    assert said in found._repr_html_()
    assert small_audit.coverage == Coverage(legal=1, illegal=1, open=1, passed=1)


LIMITS = '[rules.stacking]\nlimit = 3\nsize = "battalions"\nchecked = "phase-end"\n'
ENDS = "Stacking was not checked: the pack gives no limits, and does not say that there are none."


def test_the_headline_says_beside_what_was_found_what_nobody_looked_at(small_audit: Audit) -> None:
    before, moves = headline(small_audit), small_audit.moves
    assert " found; " in before
    asked = Finding("X", "X", "unverifiable", "unverifiable", (), (), (), (), "perhaps too many")
    stack = replace(asked, kind="overstack", verdict="illegal", explanation="too many")
    put_back = tuple(one for one in moves if not one.judged)
    legal = tuple(one for one in moves if one.verdict != "illegal")
    for changes, said in (
        ({"unlooked": ("stacking",)}, f"{before} {ENDS}"),
        ({"findings": (*small_audit.findings, asked)}, f"{before} Other questions are open."),
        ({"moves": (), "findings": (stack,)},
         "1 overstack found; no piece was dragged on a map."),
        ({"moves": put_back, "findings": (stack,)},
         "1 overstack found; no piece was moved on a map other than in combat or the like."),
        ({"moves": legal, "findings": (stack,)},  # the drags are not called free of offences
         "1 overstack found; 1 of 2 drags is judged; 1 could not be judged: 1 waiting for an answer."),
    ):  # fmt: skip
        assert headline(replace(small_audit, **changes)) == said


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize(
    ("limits", "ends"), [("", ENDS), (LIMITS, "Other questions are open.")], ids=["none", "open"]
)
def test_no_stack_is_cleared_by_a_pack_that_does_not_tell_all_limits(
    tmp_path: Path, limits: str, ends: str
) -> None:
    """With all limits the stack in 0405 is too big; all else is legal where a river costs nothing."""
    pack_copy(
        tmp_path / "pack",
        ('cost = { foot = 2, motor = "prohibited" }', "cost = 0"),
        ('"stacking", "order"', '"order"'),
        (LIMITS, limits),
    )
    asked = (CROSSROADS / "turn-1.vlog", "--pack", tmp_path / "pack")
    said = report_of(*asked)["coverage"]["said"]
    assert said.endswith(ends)
    if not limits:
        midway = (CROSSROADS / "midway.vsav", "--after", *asked)
        for words in (asked, midway):
            assert ENDS in " ".join(umpire("check", *words).stdout.split())
            told = json.loads(umpire("check", *words, "--format", "json").stdout)
            assert faults("check", told) == ()
            assert told["not_looked_at"] == ["stacking"]
        game = tmp_path / "game"
        module = CROSSROADS / "crossroads.vmod"
        done("game", "new", game, "--module", module, "--pack", tmp_path / "pack")
        done("game", "add", game, asked[0])
        status = " ".join(umpire("game", "status", game).stdout.split())
        assert ENDS in status
        assert "none found" not in status
