"""The ruleset tide-of-iron: its tables, what a unit did by its log, and what cases cannot say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import counters
import drawn
import pytest
from counters import begins, drag, flip, in_a_row
from flat import place
from told import case
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.fact import UNKNOWN, between
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    PhaseStart,
    Rules,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.engine.activation import of_phase
from vassal_umpire.validators.engine.objects import hex_named
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.tide_of_iron import RULESET
from vassal_umpire.validators.situation import Situation

NAMES = [f"{column + 1:02}01" for column in range(13)]
SQUAD: dict[str, Any] = {
    "class": "squad", "ma": 4, "officers": 0, "engineer": False, "heavy_weapon": False,
    "action": "advance", "token": "none", "pinned": False, "disrupted": False, "damage": "none",
    "aboard": "no", "works": "none",
}  # fmt: skip
BEGUN = begins(1, "1", "Action", "Red")


def road(*, bends: bool = False) -> Board:
    """A road of thirteen hexes in the clear."""
    hexes = in_a_row(NAMES)
    if bends:
        hexes["0102"] = Hex("0102", from_offset(0, 1), ("clear",), 0)
    return Board("road", hexes, {}, (Line("road", tuple(NAMES)),))


def unit(name: str, side: str = "Red", **facts: Any) -> Unit:
    return counters.unit(name, side, SQUAD, **facts)


def game(board: Board, units: list[Unit], *events: Event, **tables: Any) -> Game:
    """Red's phase of actions, if no event begins it; the units of Blue stand in 0201."""
    opening = {u.id: place("0101" if u.side == "Red" else "0201") for u in units}
    by_id = {u.id: u for u in units}
    begun = events if events[:1] and isinstance(events[0], PhaseStart) else (BEGUN, *events)
    return Game("t", board, ("Red", "Blue"), by_id, opening, begun, Rules("tide-of-iron", tables))


def verdict(told: Game, target: str, step: int = 2) -> tuple[str, Amount | None]:
    """The verdict on a move of the first unit from 0101, and what it cost."""
    if not any(isinstance(event, Displacement) for event in told.events):
        dragged = drag(step, next(iter(told.units)), "0101", target)
        told = replace(told, events=(*told.events, dragged))
    situation, at = Situation(told), StepRef(1, step)
    situation.advance_before(at)
    move = drawn.move(next(iter(told.units)), "0101", target, at=at)
    judged = judge_move(move, situation, RULESET.in_force(told)).judged
    return judged.verdict, judged.bill.total if judged.bill is not None else None


@pytest.mark.parametrize(("allowance", "hexes"), [("4", 12), ("11/3", 11), ("1/3", 1), ("2/3", 2)])
def test_a_truck_goes_three_road_hexes_for_an_mp_and_not_a_third_more(
    allowance: str, hexes: int
) -> None:
    truck = unit("t", **{"class": "truck", "ma": Fraction(allowance)})
    told = game(road(), [truck])
    assert verdict(told, NAMES[hexes]) == ("legal", Amount.exactly(Fraction(hexes, 3)))
    if hexes < 12:
        assert verdict(told, NAMES[hexes + 1])[0] == "illegal"


def test_two_thirds_do_not_buy_a_hex_off_the_road() -> None:
    told = game(road(bends=True), [unit("t", **{"class": "truck", "ma": Fraction(2, 3)})])
    assert verdict(told, "0102")[0] == "illegal"


def test_a_chart_in_quarters_is_counted_exactly_beside_the_thirds() -> None:
    truck = unit("t", **{"class": "truck", "ma": Fraction(3, 4) + Fraction(1, 3)})
    board = road(bends=True)
    path = Board("path", board.hexes, {}, (Line("road", ("0101", "0201")),))
    told = game(path, [truck], terrain={"clear": "3/4"})
    assert RULESET.in_force(told).scale % 12 == 0
    assert verdict(told, "0301") == ("legal", Amount.exactly(Fraction(13, 12)))


def test_what_the_pages_do_not_say_stays_unknown() -> None:
    shipped = RULESET.printed()
    assert shipped["stacking"]["limit"] == "unknown"
    assert shipped["terrain"]["woods"]["others"] == "unknown"
    open_ones = ("beach", "rough", "marsh", "hedgerow", "crevasse", "balka", "minefield")
    assert {shipped["terrain"][name] for name in open_ones} == {"unknown"}


def test_open_readings_are_told_as_they_are_settled() -> None:
    told = game(road(), [unit("a")], hills={"combine": "sum"})
    assert RULESET.in_force(told).readings["rules.hills.combine"] == "sum"
    assert RULESET.in_force(told).readings["rules.hills.road_hex"] == "unknown"


def said(step: int, before: Any, after: Any, *, undo: bool = False) -> StateChange:
    return flip(step, "a", "aboard", after, before, undo=undo)


def rides(told: Game) -> str:
    """How often a squad boarded and got out (``+``: it acted on), in its favour and against it."""
    history = RULESET.in_force(told).history
    did = of_phase(history, told.units["a"], (0, len(told.events)))
    found = [did.rides(world) for world in ("favourable", "adverse")]
    return " ".join(f"{r.boarded}{r.left}{'+' if r.acted_on else ''}" for r in found)


OWN_WAY, ITS_WAY = ("a", "0101", "0301"), ("t", "0101", "0301")
BOARDS, WALKS = said(2, "no", "t"), ("a", "0101", "0201")
RIDES: dict[str, tuple[Any, list[Event], str]] = {
    "boards after its way": ("no", [drag(2, *WALKS), said(3, "no", "t")], "10 10"),
    "marked before the drag: perhaps it boarded after it": (
        "no",
        [BOARDS, drag(3, *WALKS)],
        "10 11+",
    ),
    "a die roll shows that it had boarded before it went on": (
        *("no", [BOARDS, Witness(StepRef(1, 4), "roll"), drag(5, *WALKS)]),
        "11+ 11+",
    ),
    "put right at once counts only against it": ("no", [BOARDS, said(3, "t", "no")], "00 11+"),
    "undone never was": ("no", [BOARDS, said(3, "t", "no", undo=True)], "00 00"),
    "who walks off has got out whatever its counter says": ("t", [drag(2, *WALKS)], "01 01"),
    "its vehicle goes there afterwards": ("t", [drag(2, *OWN_WAY), drag(3, *ITS_WAY)], "00 00"),
    "its vehicle went there before": ("t", [drag(2, *ITS_WAY), drag(3, *OWN_WAY)], "00 00"),
    "nobody knows where it rode: perhaps all the time": (UNKNOWN, [said(2, UNKNOWN, "t")], "00 11"),
}


@pytest.mark.parametrize(("aboard", "events", "expected"), RIDES.values(), ids=RIDES)
def test_how_a_squad_rode(aboard: Any, events: list[Event], expected: str) -> None:
    units = [unit("a", aboard=aboard), unit("t", **{"class": "truck"})]
    assert rides(game(road(), units, *events)) == expected


def test_facts_may_name_a_hex_by_its_number() -> None:
    board = road()
    assert hex_named(board, Fraction(301)) == "0301"
    assert hex_named(board, "0301") == "0301"
    assert (
        hex_named(board, Fraction(9901)) == hex_named(board, "no") == hex_named(board, None) == ""
    )


def test_a_hidden_enemy_bars_nobody_for_certain() -> None:
    hidden = replace(unit("e", "Blue"), seen_by=("Blue",))
    assert verdict(game(road(), [unit("a"), hidden]), "0301")[0] == "unverifiable"


def test_an_attribute_may_lie_between_two_numbers() -> None:
    told = game(road(), [unit("a", ma=between(3, 4))])
    found = [verdict(told, name)[0] for name in ("0401", "0501", "0601")]
    assert found == ["legal", "unverifiable", "illegal"]


@pytest.mark.parametrize(("turn", "expected"), [("1", "illegal"), (None, "unverifiable")])
def test_a_token_of_an_earlier_phase_may_be_left_over_where_no_turn_is_told(
    turn: str | None, expected: str
) -> None:
    """The tokens go at the end of a round: without turns nobody knows whether one has ended since."""
    events = (
        begins(1, turn, "Action", "Red"),
        flip(2, "a", "token", "fatigued", "none"),
        begins(3, turn, "Status", "Red"),
        begins(4, turn, "Action", "Red"),
        drag(5, "a", "0101", "0201"),
    )
    assert verdict(game(road(), [unit("a")], *events), "0201", step=5)[0] == expected


def test_boarding_is_charged_in_the_hex_of_the_vehicle_and_not_where_it_drives() -> None:
    told = case(
        "tide-of-iron",
        "TOI-EE-b",
        board="corridor",
        units=["t Red 0201 class=truck transport=2", "a Red 0101"],
        moves=["a: 0101 0201", "flip a aboard=t", "roll", "t+a: 0201 0501"],
    )
    walked, carried = (move.bill for move in run_case(told, RULESET).audit.moves)
    assert walked is not None
    assert carried is not None
    for bill in walked, carried:
        assert [c.hex for c in bill.charges if c.clause == "TOI-EE-b"] == ["0201"]
