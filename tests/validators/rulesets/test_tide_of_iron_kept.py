"""The ruleset tide-of-iron: what is kept from one move to the next does not outlive the facts it rests on."""

from __future__ import annotations

from typing import Any

import pytest
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import UNKNOWN, known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    PhaseStart,
    Place,
    Rules,
    StateChange,
    StepRef,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.tide_of_iron import RULESET
from vassal_umpire.validators.situation import Situation

PHASE = PhaseView("1", "Action", "Red")
SQUAD: dict[str, Any] = {
    "class": "squad",
    "ma": 4,
    "officers": 0,
    "engineer": False,
    "heavy_weapon": False,
    "action": "advance",
    "token": "none",
    "pinned": False,
    "disrupted": False,
    "damage": "none",
    "aboard": "no",
    "works": "none",
}


def unit(name: str, side: str = "Red", **facts: Any) -> Unit:
    attributes = {key: known(value) for key, value in {**SQUAD, **facts}.items()}
    return Unit(name, name, side, "unit", attributes)


def lane(**features: str) -> Board:
    """Seven hexes in a row, 0101 to 0701; ``features``: by hex (h0301) what is in it."""
    names = [f"{column + 1:02}01" for column in range(7)]
    return Board(
        "lane",
        {
            name: Hex(
                name,
                from_offset(column, 0),
                ("clear",),
                0,
                tuple(f for hex_name, f in features.items() if hex_name == f"h{name}"),
            )
            for column, name in enumerate(names)
        },
    )


def flip(step: int, name: str, attribute: str, value: Any) -> StateChange:
    return StateChange(StepRef(1, step), name, attribute, UNKNOWN, known(value), "Red")


def put(step: int, name: str, origin: str, target: str) -> Displacement:
    return Displacement(StepRef(1, step), name, Place("hex", origin), Place("hex", target), 1)


def verdicts(
    board: Board,
    units: dict[str, tuple[Unit, str]],
    moves: list[tuple[int, str, str, str]],
    *events: Event,
) -> list[str]:
    """What is said of moves (step, unit, from, to), one after the other, by the same rules.
    ``units``: by id, with where they are at first."""
    game = Game(
        "t",
        board,
        ("Red", "Blue"),
        {name: of for name, (of, _) in units.items()},
        {name: Place("hex", at) for name, (_, at) in units.items()},
        (PhaseStart(StepRef(1, 1), "1", "Action", "Red"), *events),
        Rules("tide-of-iron", {}),
    )
    rules, situation = RULESET.in_force(game), Situation(game)
    found = []
    for number, (step, name, origin, target) in enumerate(moves):
        at = StepRef(1, step)
        situation.advance_before(at)
        places = (Place("hex", origin), Place("hex", target))
        move = Move(number + 1, (name,), *places, places, (True, True), (at,), PHASE)
        found.append(judge_move(move, situation, rules).judged.verdict)
    return found


WIRED = lane(h0301="razor wire")


def test_wire_stops_who_is_no_engineer_after_one_who_is() -> None:
    """Steps into obstacles are shared by all squads, but not by engineers and others (X-RW-a)."""
    units = {"sapper": (unit("sapper", engineer=True), "0101"), "rifles": (unit("rifles"), "0101")}
    first = [(2, "sapper", "0101", "0401"), (3, "rifles", "0101", "0401")]
    assert verdicts(WIRED, units, first) == ["legal", "illegal"]
    assert verdicts(WIRED, units, first[::-1]) == ["illegal", "legal"]


def test_a_squad_that_lost_its_engineers_is_stopped_where_it_was_not_before() -> None:
    units = {"squad": (unit("squad", engineer=True), "0101")}
    moves = [(2, "squad", "0101", "0401"), (9, "squad", "0101", "0401")]
    assert verdicts(WIRED, units, moves) == ["legal", "legal"]
    assert verdicts(WIRED, units, moves, flip(5, "squad", "engineer", False)) == [
        "legal",
        "illegal",
    ]


def test_an_assault_declared_after_a_move_closes_wire_to_the_next() -> None:
    units = {
        "squad": (unit("squad", engineer=True), "0101"),
        "other": (unit("other", engineer=True), "0101"),
        "foe": (unit("foe", "Blue"), "0501"),
    }
    moves = [(2, "squad", "0101", "0401"), (9, "other", "0101", "0401")]
    assert verdicts(WIRED, units, moves) == ["legal", "legal"]
    assert verdicts(WIRED, units, moves, flip(5, "other", "assaults", "0501")) == [
        "legal",
        "illegal",
    ]


@pytest.mark.parametrize("turn", [1, -1])
def test_a_tank_trap_is_open_to_who_starts_next_to_it_alone(turn: int) -> None:
    board = lane(h0301="tank trap")
    truck = {"class": "truck", "ma": 6}
    units = {"far": (unit("far", **truck), "0101"), "near": (unit("near", **truck), "0201")}
    moves = [(2, "near", "0201", "0301"), (3, "far", "0101", "0301")]
    assert verdicts(board, units, moves[::turn]) == ["legal", "illegal"][::turn]


def test_a_marker_of_wire_that_is_put_down_between_two_moves_is_seen() -> None:
    wire = Unit("w", "razor wire", None, "marker", {"type": known("razor wire")})
    units = {"a": (unit("a"), "0101"), "b": (unit("b"), "0101"), "w": (wire, "0701")}
    moves = [(2, "a", "0101", "0401"), (9, "b", "0101", "0401")]
    drags = put(2, "a", "0101", "0401"), put(9, "b", "0101", "0401")
    there, gone = put(5, "w", "0701", "0301"), put(6, "w", "0301", "0701")
    assert verdicts(lane(), units, moves, *drags) == ["legal", "legal"]
    assert verdicts(lane(), units, moves, drags[0], there, drags[1]) == ["legal", "illegal"]
    assert verdicts(lane(), units, moves, drags[0], there, gone, drags[1]) == ["legal", "legal"]
    trapped = lane(h0301="tank trap")
    assert verdicts(trapped, units, moves, *drags) == ["legal", "legal"]
    assert verdicts(trapped, units, moves, drags[0], there, drags[1]) == ["legal", "illegal"]


def test_enemies_that_come_and_go_between_two_moves_are_seen() -> None:
    units = {"squad": (unit("squad"), "0101"), "foe": (unit("foe", "Blue"), "0701")}
    moves = [(2, "squad", "0101", "0401"), (9, "squad", "0101", "0401")]
    came, went = put(5, "foe", "0701", "0301"), put(6, "foe", "0301", "0701")
    assert verdicts(WIRED, units, moves, came) == ["illegal", "illegal"]
    assert verdicts(lane(), units, moves, came) == ["legal", "illegal"]
    assert verdicts(lane(), units, moves, came, went) == ["legal", "legal"]


def test_one_who_may_be_an_enemy_and_goes_between_two_moves_is_seen_to_go() -> None:
    stranger = Unit("stranger", "stranger", None, "unit", {"class": known("squad")})
    units = {"a": (unit("a"), "0101"), "b": (unit("b"), "0101"), "stranger": (stranger, "0301")}
    moves = [(2, "a", "0101", "0401"), (9, "b", "0101", "0401")]
    drags = put(2, "a", "0101", "0401"), put(9, "b", "0101", "0401")
    went, came = put(5, "stranger", "0301", "0701"), put(6, "stranger", "0701", "0301")
    trapped = lane(h0301="tank trap")
    assert verdicts(trapped, units, moves, drags[0], went, drags[1]) == ["unverifiable", "legal"]
    assert verdicts(trapped, units, moves, drags[0], went, came, drags[1]) == ["unverifiable"] * 2
