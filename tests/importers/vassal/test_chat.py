"""Chat lines, dice, players and who did what; turn trackers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_files import golden_rows
from vassal_umpire.importers.vassal.actors import name_actors
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.chat import ChatReader
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.module import (
    DiceButton,
    Module,
    SymbolicDice,
)
from vassal_umpire.importers.vassal.roster import OBSERVER, Roster
from vassal_umpire.importers.vassal.turns import CounterLevel, ListLevel, TurnTracker
from vassal_umpire.model.dice import DiceKind
from vassal_umpire.model.table import Actor, Participant, Step

SECRET = "correct horse"  # a player's id is his password


def dice_module(report_format: str) -> Module:
    button = DiceButton("2d6", "2", "6", "0", False, report_format)
    return Module("M", "1", "3.7", "", "m.vmod", "", "buildFile.xml", dice=(button,))


@pytest.mark.parametrize(
    ("text", "kind", "author"),
    [
        ("<Joe> - hello", "player", "Joe"),
        ("&lt;Joe &amp; Co&gt; - hello <b>there</b>", "player", "Joe & Co"),
        ("&lt;Joe&gt; - * Tank moves 0101 -> 0102 *", "player", "Joe"),
        ("<(anonymous)> - hi", "player", "(anonymous)"),
        ("* Tank moves 0101 -> 0102 *", "report", ""),
        ("* UNDO: * Tank moves 0101 -> 0102 *", "undo", ""),
        ("- Game saved", "system", ""),
        ("", "system", ""),
        ("*** 2d6 = 7 *** <Joe>", "roll", ""),
        ("** 2d6 = 3, 4 *** &lt;Joe&gt;", "roll", ""),
    ],
)
def test_kinds_of_lines(text: str, kind: str, author: str) -> None:
    line, roll = ChatReader().read(text)
    assert (line.kind, line.author) == (kind, author)
    assert (roll is not None) == (kind == "roll")
    assert line.text == text


PLAIN = "** $name$ = $result$ *** &lt;$PlayerName$&gt;"
DICE = "* $PlayerName$ rolls $name$ ($nDice$ dice): $result$!"


@pytest.mark.parametrize(
    ("reader", "text", "told"),
    [
        (ChatReader(), "** 2d6 = 3,4 *** &lt;Joe &lt;x&gt;", ("2d6", ("3", "4"), "Joe <x")),
        (
            ChatReader(dice_module(DICE)),
            "* Joe rolls 2d6 (2 dice): 3, 4!",
            ("2d6", ("3", "4"), "Joe"),
        ),
        (ChatReader(dice_module('{"* " + result}')), "* 7", None),
        (ChatReader(dice_module(PLAIN)), "** 2d6 = 7 *** <Joe>", ("2d6", ("7",), "Joe")),
        (ChatReader(dice_module(PLAIN)), "** luck = 7 *** <Joe>", None),  # of other dice
    ],
)
def test_a_roll_is_told_die_by_die(reader: ChatReader, text: str, told: object) -> None:
    _, roll = reader.read(text)
    assert (roll and (roll.dice, roll.results, roll.player)) == told


@given(st.text())
def test_any_line_can_be_read(text: str) -> None:
    line, _ = ChatReader(dice_module("* $name$ $result$")).read(text)
    assert line.text == text


def test_a_very_long_line_costs_no_search() -> None:
    line, roll = ChatReader().read("*" * 200_000 + " = ")
    assert (line.kind, roll) == ("report", None)


def test_labels_go_by_first_mention_and_stay() -> None:
    roster = Roster()
    roster.sit(SECRET, "Joe", "Red")
    roster.sit("b", "Ann", OBSERVER)
    roster.clear_table()
    roster.sit("b", "Ann", "Blue")
    assert roster.seated == (Participant("player 2", "Ann", "Blue"),)
    assert roster.participant(SECRET) == Participant("player 1", "Joe", "Red")
    roster.leave("b")
    assert roster.seated == ()
    assert roster.owners("b") == {"player 2", "Blue"}
    assert roster.participant("") is None
    assert roster.participant(None) is None


def test_a_roster_never_shows_an_id() -> None:
    roster = Roster()
    roster.sit(SECRET, "Joe", "Red")
    shown = f"{roster!r} {roster} {roster.seated!r} {roster.participant(SECRET)!r}"
    shown += repr(vars(roster)["_seats"][SECRET])
    assert SECRET not in shown


def test_a_name_two_players_bear_names_neither() -> None:
    roster = Roster()
    roster.sit("a", "Joe", "Red")
    assert roster.named("Joe") == Participant("player 1", "Joe", "Red")
    roster.sit("b", "Joe", "Blue")
    assert roster.named("Joe") is None
    assert roster.named("") is None


RED, BLUE = Participant("player 1", "Joe", "Red"), Participant("player 2", "Ann", "Blue")


def steps(*actors: Actor | None) -> list[Step]:
    return [Step(1, number, number, actor) for number, actor in enumerate(actors, start=1)]


def test_who_did_a_step_that_does_not_say() -> None:
    red, blue = Actor(RED, "move"), Actor(BLUE, "move")
    told = name_actors(steps(None, red, None, red, None, blue, None))
    assert [step.actor for step in told] == [
        Actor(RED, "neighbours"), red, Actor(RED, "neighbours"), red, Actor(RED, "log"), blue,
        Actor(BLUE, "neighbours"),
    ]  # fmt: skip
    assert name_actors(steps(None, None))[0].actor is None


def button(**told: object) -> DiceButton:
    given = {"dice": "2", "sides": "6", "plus": "0", "report_total": False, **told}
    return DiceButton("2d6", report_format="", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({}, DiceKind(2, 6)),
        ({"report_total": True, "add": "3"}, DiceKind(2, 6, total=True, add=3)),
        ({"add": "3"}, DiceKind(2, 6)),
        ({"dice": "1", "sides": "10", "plus": "-1"}, DiceKind(1, 10, 0)),
        ({"fixed": False}, None),
        ({"dice": "$Attackers$"}, None),
        ({"sides": ""}, None),
        ({"sides": "1"}, None),
        ({"dice": "999999"}, None),
    ],
)
def test_which_dice_a_button_throws(told: dict[str, object], kind: DiceKind | None) -> None:
    assert button(**told).kind == kind


def test_which_dice_with_pictures_a_button_throws() -> None:
    hit, other = ("hit", "miss"), ("up", "down")
    assert SymbolicDice("0", "Fire", (hit, hit)).kind == DiceKind(2, 2, 0, faces=hit)
    assert SymbolicDice("0", "Fire", (hit, other)).kind is None
    assert SymbolicDice("0", "Fire", ()).kind is None


def test_a_roll_is_read_from_the_property_it_sets() -> None:
    reader = ChatReader(dice_module("{$name$ + $result$}"))
    assert reader.read("* 2d6 3,4")[1] is None
    roll = reader.kept("2d6_result", "3,4")
    assert roll is not None
    assert (roll.dice, roll.results, roll.kind) == ("2d6", ("3", "4"), DiceKind(2, 6))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("2d6_result", ""),
        ("2d6_result", "0"),  # somebody set it back
        ("2d6_result", "3,7"),
        ("2d6_total", "7"),
        ("luck_result", "3,4"),
        ("2d6", "3,4"),
    ],
)
def test_a_property_that_holds_no_roll_of_these_dice_is_none(name: str, value: str) -> None:
    assert ChatReader(dice_module("")).kept(name, value) is None


# -- Turn trackers: what a saved state says --------------------------------------------------------

VALUE = parse_format("$value$")
PHASES = ListLevel("Phase", ("Move", "Fire", "Rally"), VALUE)
TURNS = CounterLevel("Turn", 1, parse_format("Turn $value$"), (PHASES,))
NIGHT = ListLevel("Night", ("Dusk", "Dark"), parse_format("* $value$"))


def _tracker(text: str = "$level1$ $level2$") -> TurnTracker:
    return TurnTracker("TurnTracker0", "T", parse_format(text), (TURNS, NIGHT))


def test_a_state_names_the_active_chain_of_levels() -> None:
    state = _tracker().state(r"0|4;0;false;-1;2\;0\;0\;true,true,true|1;0;0;true,true")
    assert dict(state.properties) == {"Turn": "4", "Phase": "Rally", "Night": "Dark"}


@pytest.mark.parametrize(
    ("shown", "state", "text"),
    [
        (
            "$level1$ $level2$",
            r"0|4;0;false;-1;2\;0\;0\;true,true,true|1;0;0;true,true",
            "Turn 4 Rally",
        ),
        ("$level1$/$level2$", r"1|4;0;false;-1;2\;0\;0\;|0;0;0;true,true", "* Dusk/"),
        ("$level1$ $level2$", "0|x;0", "Turn 1 Fire"),  # a list shares the counters' default of 1
        ("$level1$ $level2$", "9|7", " "),
        ("$level1$ $level2$", "0|1;0;false;-1;77", "Turn 1 "),
        ("{level1 + 1}", "0|1", None),  # not guessed at
    ],
)
def test_what_a_tracker_shows(shown: str, state: str, text: str | None) -> None:
    assert _tracker(shown).state(state).text == text


LOGS = [
    ("engine-written/drill-1-red/drill.vmod", "engine-written/drill-1-red/drill-1-red.vlog", 3),
    ("engine-written/drill-2-blue/drill.vmod", "engine-written/drill-2-blue/drill-2-blue.vlog", 4),
    ("kassala/Kassala.vmod", "engine-written/kassala-1-moslem/kassala-1-moslem.vlog", 1),
    ("hexncounters/ragnarok.vmod", "engine-written/ragnarok-2-jotun/ragnarok-2-jotun.vlog", 1),
    ("synthetic/rich.vmod", "synthetic/rich", 2),
]


@pytest.mark.parametrize(("name", "log", "count"), LOGS)
def test_the_engine_reads_the_same_turn_from_each_state(
    name: str, log: str, count: int, corpus: Path
) -> None:
    (tracker,) = open_module(corpus / name).turn_trackers
    told = {
        (turn["state"], turn["value"])
        for row in golden_rows(corpus / f"{log}.replay.jsonl.gz")
        for turn in row.get("turns") or ()
        if turn.get("value")
    }
    assert {(state, tracker.state(state).text) for state, _ in told} == told
    assert len(told) >= count
