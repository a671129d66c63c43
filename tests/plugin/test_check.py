"""``umpire check``: only what no roll has sealed, in plain words, and never that all is well."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result
from tiers import by_tier
from vassal_umpire.importers.vassal.commands import encode_stream
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.game import Witness
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.commands.schema import schema_text
from vassal_umpire.plugin.desk.check import check_game
from vassal_umpire.plugin.desk.procedures import procedure_named, procedures
from vassal_umpire.plugin.reading import Named

from .kit import (
    CROSSROADS,
    LOGS,
    MODULE,
    PACK,
    SAMPLES,
    TURN_1,
    TURN_2,
    Kept,
    rewritten,
    umpire,
    with_text,
)
from .outputs import refused


def check(*words: object) -> Result:
    return umpire("check", *(CROSSROADS / w if str(w).startswith("turn-") else w for w in words))


def test_before_you_send_by_another_procedure() -> None:
    text = check("turn-1.vlog", "--procedure", "the-russian-campaign").output
    assert "http://www.russiancampaign.net/errorres.htm" in text
    assert "Can be corrected until Red's next move." in text
    assert "To correct: The turn is played again from the impulse of the error on" in text


def test_before_you_roll_and_what_a_roll_has_sealed() -> None:
    """Red looks at Blue's turn: Blue's own roll in it seals nothing."""
    text = check("turn-1.vlog", "--as", "Red").output
    send, roll = text.split("Before you roll")
    assert "what Red did (since the roll of Blue in step 17)" in send
    assert "There is no move of units to check." in send
    assert "what Blue did (nobody has rolled against Blue yet)" in roll
    assert "3 offences found:" in roll
    found = check("turn-1.vlog", "turn-2.vlog")
    assert found.exit_code == 0
    assert "checked for Red" in found.output
    assert "Checked 5 of 5 moves." in found.output
    assert "what Red did (since the roll of Blue in log 1 step 17)" in found.output
    assert "what Blue did" not in found.output
    assert "In what could be checked, nothing against the rules was found." in found.output


def test_no_output_says_that_all_is_well() -> None:
    for words in (("turn-1.vlog",), ("turn-1.vlog", "turn-2.vlog"), ("turn-2.vlog",)):
        text = check(*words).output
        assert "Only movement and stacking are checked" in text
        assert "all well" not in text.lower()


def test_what_is_open_is_not_called_perhaps_an_error(tmp_path: Path) -> None:
    facts = tmp_path / "facts.toml"
    counts = "attributes = { battalions = { from = 0, to = 2 } }"
    facts.write_text(f'[[unit]]\nunit = "Blue 3 Inf"\n{counts}\n', "utf-8")
    text = " ".join(check("turn-1.vlog", "--facts", facts).output.split())
    assert "because something is not known: Blue may have too much in 0505 (how much" in text
    assert "Perhaps against the rules" not in text


def test_a_roll_of_nobody_known_closes_nothing() -> None:
    """Blue's moves are still looked at, and it is open whether that roll sealed them."""
    named = Named(LOGS)
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
def test_wrong_usage_gets_one_line(words: tuple[str, ...], said: str) -> None:
    refused(check(*words), said)


def test_without_a_pack_there_is_no_check(log: Path) -> None:
    found = umpire("check", log)
    assert found.exit_code == 3
    assert len(found.output.splitlines()) == 1


# -- umpire check: logs that are no line of one game are refused; and what it says as JSON ---------


NAMED = ("--module", MODULE, "--pack", PACK)


def test_files_that_make_no_line_of_a_game_are_refused(tmp_path: Path) -> None:
    said = "turn-1.vlog: ends where turn-2.vlog begins, so it was played before it"
    refused(check(TURN_2, TURN_1), said)
    refused(check("--after", TURN_2, "--after", TURN_1, CROSSROADS / "midway.vsav"), said)
    before = tmp_path / "before.vsav"
    with_text(TURN_2, before, encode_stream(list(read_save(TURN_2).opening), []))
    said = "before.vsav: is the position with which turn-2.vlog begins, so it was saved before it"
    refused(check(before, "--after", TURN_1, "--after", TURN_2, *NAMED), said)
    again = rewritten(TURN_2, tmp_path / "again.vlog", ("2d6 = 11 ***", "2d6 = 4 ***"))
    said = "again.vlog: begins where turn-2.vlog began: only one of them is part of the game"
    refused(check(TURN_1, TURN_2, again, *NAMED), said)


def test_a_line_of_logs_with_a_gap_is_taken(tmp_path: Path) -> None:
    """What was moved while no log was written is told; it is not a wrong order."""
    moved = ("Main Map;280;115;", "Main Map;225;147;")
    between = rewritten(TURN_2, tmp_path / "turn-2.vlog", moved)
    found = check(TURN_1, between, *NAMED)
    assert found.exit_code in (0, 1), found.output
    assert "checked for Red" in found.output


def document(*words: object) -> dict[str, Any]:
    found = check(*words, "--format", "json")
    assert found.exit_code in (0, 1), found.output
    told: dict[str, Any] = json.loads(found.output)
    jsonschema.validate(told, json.loads(schema_text("check")))
    return told


def test_a_check_and_what_a_roll_closed_as_json() -> None:
    told = document(TURN_1)
    assert (told["checked"], told["side"], told["eyes"]) == ("logs", "Blue", "everyone")
    assert told["procedure"]["name"] == "plain"
    (part,) = told["parts"]
    assert (part["side"], part["own"], part["since"]) == ("Blue", True, None)
    assert part["moves"] == {"all": 9, "checked": 8}
    (cannot,) = part["cannot_be_checked"]
    assert cannot["why"] == "What terrain is in hex 0110?"
    assert [(m["log"], m["step"]) for m in cannot["moves"]] == [(1, 13)]
    kinds = [one["kind"] for one in part["offences"]]
    assert kinds == ["illegal-move", "overstack", "missed-mp-cost"]
    river = part["offences"][2]
    assert river["units"] == [{"id": "1790000000108", "name": "Blue 4 Inf"}]
    assert river["clause"] == "GEN-ALLOWANCE"
    assert river["standing"]["state"] == "correctable"
    assert river["standing"]["why"] == "can be corrected until Red's next roll or move"
    assert len(part["to_correct"]) == 1
    (part,) = document(*LOGS)["parts"]
    assert (part["side"], part["rolled_by"]) == ("Red", "Blue")
    assert part["since"] == {"log": 1, "step": 17}
    assert part["offences"] == []
    assert [one["moves"] for one in part["not_movement"]] != []


def test_the_ids_are_those_of_the_desk(tmp_path: Path) -> None:
    game = Kept(tmp_path / "g")
    game.done("new", *NAMED)
    game.add(TURN_1)
    status = game.status()
    for one in document(TURN_1)["parts"][0]["offences"]:
        assert one["id"] in status


@pytest.mark.parametrize("more", by_tier([()], [(), ("--as", "Blue")]))
def test_a_save_as_json_and_a_log_of_another_module(more: Sequence[str]) -> None:
    told = document(CROSSROADS / "midway.vsav", "--after", TURN_1, *more)
    assert (told["checked"], told["others"]) == ("save", 0)
    verdicts = [one["verdict"] for one in told["units"]]
    assert verdicts.count("illegal") == 1
    accused = next(one for one in told["units"] if one["verdict"] == "illegal")
    assert (accused["from"], accused["to"]) == ("0803", "0403")
    assert accused["findings"][0]["clause"] == "GEN-ALLOWANCE"
    assert {stack["hex"] for stack in told["stacks"]} == {"0505", "0806"}
    # Nothing of it can be checked, and nobody is to think that it was.
    result = check(SAMPLES / "ocs" / "1-west.vlog", *NAMED, *more)
    assert "1-west.vlog: it is a game of the module 'Kelme Crossing'" in result.stderr


# -- The error procedures that ship, and those in files of one's own -------------------------------


OWN = """
name = "ours"
title = "Ours"
[movement]
seal = "move"
correction = "Again."
[combat]
seal = "roll"
correction = "Again."
"""


def test_those_that_ship() -> None:
    assert [(one.name, one.movement, one.combat) for one in procedures()] == [
        ("plain", "roll or move", "roll or move"),
        ("bitter-woods", "roll", "roll"),
        ("bpa-anzio", "roll", "roll"),
        ("the-russian-campaign", "move", "move"),
    ]
    for one in procedures()[1:]:  # each cites its text
        assert one.source.startswith("http://"), one.name
        assert one.movement_correction.endswith("."), one.name
        assert one.combat_correction.endswith("."), one.name


def test_one_of_your_own_and_a_name_that_none_has(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode())
    found = procedure_named(str(file))
    assert (found.name, found.seal("movement"), found.seal("combat")) == ("ours", "move", "roll")
    assert found.source == ""
    said = "no error procedure 'bitterwoods'; expected one of plain"
    with pytest.raises(UmpireError, match=said):
        procedure_named("bitterwoods")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OWN.replace('"move"', '"dice"'), "movement.seal"),
        (OWN.replace('seal = "roll"\n', ""), "combat: expected the key seal"),
        ("name = [", "is not valid TOML"),
        ("\udcff", "is not valid TOML"),
        ("x" * 100_001, "is longer than"),
    ],
)
def test_what_is_no_procedure_gets_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UmpireError) as error:
        procedure_named(str(file))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
