"""The ruleset tide-of-iron: its tables, what a unit did by its log, and what cases cannot say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import told
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.game import StateChange
from vassal_umpire.plugin.conformance import Outcome, run_case
from vassal_umpire.validators.engine.activation import of_phase
from vassal_umpire.validators.engine.objects import hex_named
from vassal_umpire.validators.rulesets.tide_of_iron import RULESET

NAMES = [f"{column:02}01" for column in range(1, 14)]
ROAD = [f"road: {' '.join(NAMES)}"]
BEND = " .       .\n     .\n .       -\n"
"""Three hexes in a row, and 0102 below the first."""


def case(units: list[str], *moves: str, board: str = "corridor", **keys: Any) -> Case:
    return told.case(
        "tide-of-iron", "TOI-MV-f", board=board, units=units, moves=list(moves), **keys
    )


def judged(units: list[str], *moves: str, **keys: Any) -> Outcome:
    return run_case(case(units, *moves, **keys), RULESET)


@pytest.mark.parametrize(("allowance", "hexes"), [("4", 12), ("11/3", 11), ("1/3", 1), ("2/3", 2)])
def test_a_truck_goes_three_road_hexes_for_an_mp_and_not_a_third_more(
    allowance: str, hexes: int
) -> None:
    truck = [f"t Red 0101 class=truck ma={allowance}"]
    far = judged(truck, f"t: 0101 {NAMES[hexes]}", lines=ROAD)
    assert (far.verdict, far.cost) == ("legal", Amount.exactly(Fraction(hexes, 3)))
    if hexes < 12:
        assert judged(truck, f"t: 0101 {NAMES[hexes + 1]}", lines=ROAD).verdict == "illegal"


def test_two_thirds_do_not_buy_a_hex_off_the_road() -> None:
    found = judged(
        ["t Red 0101 class=truck ma=2/3"],
        "t: 0101 0102",
        board=BEND,
        lines=["road: 0101 0201 0301"],
    )
    assert found.verdict == "illegal"


def test_a_chart_in_quarters_is_counted_exactly_beside_the_thirds() -> None:
    keys = {"lines": ["road: 0101 0201"], "rules": {"terrain": {"clear": "3/4"}}}
    found = judged(["t Red 0101 class=truck ma=13/12"], "t: 0101 0301", **keys)
    assert (found.verdict, found.cost) == ("legal", Amount.exactly(Fraction(13, 12)))
    assert RULESET.in_force(case(["a Red 0101"], "roll", **keys).game).scale % 12 == 0


def rides(of: Case) -> str:
    """How often a squad boarded and got out (``+``: it acted on), in its favour and against it."""
    game = of.game
    did = of_phase(RULESET.in_force(game).history, game.units["a"], (0, len(game.events)))
    found = [did.rides(world) for world in ("favourable", "adverse")]
    return " ".join(f"{r.boarded}{r.left}{'+' if r.acted_on else ''}" for r in found)


OWN_WAY, ITS_WAY = "a: 0101 0301", "t: 0101 0301"
BOARDS, GETS_OUT, WALKS = "flip a aboard=t", "flip a aboard=no", "a: 0101 0201"
RIDES: dict[str, tuple[str, list[str], str]] = {
    "boards after its way": ("no", [WALKS, BOARDS], "10 10"),
    "marked before the drag: perhaps it boarded after it": ("no", [BOARDS, WALKS], "10 11+"),
    "a die roll shows that it had boarded before it went on": (
        *("no", [BOARDS, "roll", WALKS]),
        "11+ 11+",
    ),
    "put right at once counts only against it": ("no", [BOARDS, GETS_OUT], "00 11+"),
    "undone never was": ("no", [BOARDS, f"{GETS_OUT} undone"], "00 00"),
    "who walks off has got out whatever its counter says": ("t", [WALKS], "01 01"),
    "its vehicle goes there afterwards": ("t", [OWN_WAY, ITS_WAY], "00 00"),
    "its vehicle went there before": ("t", [ITS_WAY, OWN_WAY], "00 00"),
    "nobody knows where it rode: perhaps all the time": ("?", [BOARDS], "00 11"),
}


@pytest.mark.parametrize(("aboard", "moves", "expected"), RIDES.values(), ids=RIDES)
def test_how_a_squad_rode(aboard: str, moves: list[str], expected: str) -> None:
    lines = [move.removesuffix(" undone") for move in moves]
    of = case([f"a Red 0101 aboard={aboard}", "t Red 0101 class=truck"], *lines)
    if lines != moves:  # the last change is an undo
        *events, last, end = of.game.events
        assert isinstance(last, StateChange)
        events += [replace(last, undo=True), end]
        of = replace(of, game=replace(of.game, events=tuple(events)))
    assert rides(of) == expected


def test_facts_may_name_a_hex_by_its_number() -> None:
    board = case(["a Red 0101"], "roll").game.board
    assert hex_named(board, Fraction(301)) == hex_named(board, "0301") == "0301"
    assert {hex_named(board, other) for other in (Fraction(9901), "no", None)} == {""}


def test_a_hidden_enemy_bars_nobody_for_certain() -> None:
    units = ["a Red 0101", "e Blue 0201 seen_by=Blue"]
    assert judged(units, "a: 0101 0301").verdict == "unverifiable"


@pytest.mark.parametrize(
    ("to", "verdict"), [("0401", "legal"), ("0501", "unverifiable"), ("0601", "illegal")]
)
def test_an_attribute_may_lie_between_two_numbers(to: str, verdict: str) -> None:
    assert judged(["a Red 0101 ma=3..4"], f"a: 0101 {to}").verdict == verdict


@pytest.mark.parametrize(("turn", "expected"), [("1", "illegal"), ("?", "unverifiable")])
def test_a_token_of_an_earlier_phase_may_be_left_over_where_no_turn_is_told(
    turn: str, expected: str
) -> None:
    """The tokens go at the end of a round: without turns nobody knows whether one has ended since."""
    earlier, now = (f"phase Movement of {side}, turn {turn}" for side in ("Blue", "Red"))
    moves = [earlier, "flip a token=fatigued", now, "a: 0101 0201"]
    assert judged(["a Red 0101"], *moves).verdict == expected


def test_boarding_is_charged_in_the_hex_of_the_vehicle_and_not_where_it_drives() -> None:
    units = ["t Red 0201 class=truck transport=2", "a Red 0101"]
    moves = ["a: 0101 0201", "flip a aboard=t", "roll", "t+a: 0201 0501"]
    walked, carried = (move.bill for move in judged(units, *moves).audit.moves)
    assert walked is not None
    assert carried is not None
    for bill in walked, carried:
        assert [c.hex for c in bill.charges if c.clause == "TOI-EE-b"] == ["0201"]
