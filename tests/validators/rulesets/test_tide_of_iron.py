"""The ruleset tide-of-iron: its tables, what a unit did by its log, and what cases cannot say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.fact import Fact, known
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
    Witness,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.tide_of_iron import RULESET
from vassal_umpire.validators.rulesets.tide_of_iron.tables import defaults, read_tables
from vassal_umpire.validators.rulesets.tide_of_iron.terrain_graph import hex_of
from vassal_umpire.validators.rulesets.tide_of_iron.unit_actions import read_legs
from vassal_umpire.validators.rulesets.tide_of_iron.unit_history import UnitHistory
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.timeline import Timeline

NAMES = [f"{column + 1:02}01" for column in range(13)]
AT = StepRef(1, 1)
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


def road(*, bends: bool = False) -> Board:
    """A road of thirteen hexes in the clear."""
    hexes = {
        name: Hex(name, from_offset(column, 0), ("clear",), 0) for column, name in enumerate(NAMES)
    }
    if bends:
        hexes["0102"] = Hex("0102", from_offset(0, 1), ("clear",), 0)
    return Board("road", hexes, {}, (Line("road", tuple(NAMES)),))


def unit(name: str, **facts: Any) -> Unit:
    attributes = {key: known(value) for key, value in {**SQUAD, **facts}.items()}
    return Unit(name, name, "Red", "unit", attributes)


def game(board: Board, units: list[Unit], events: tuple[Event, ...] = (), **tables: Any) -> Game:
    opening = {u.id: Place("hex", "0101") for u in units}
    start = PhaseStart(AT, "1", "Action", "Red")
    rules = Rules("tide-of-iron", tables)
    whole = (start, *events)
    return Game("t", board, ("Red", "Blue"), {u.id: u for u in units}, opening, whole, rules)


def verdict(told: Game, target: str) -> tuple[str, Amount | None]:
    """The verdict on a move of the first unit from 0101, and what it cost."""
    first = next(iter(told.units))
    places = (Place("hex", "0101"), Place("hex", target))
    move = Move(1, (first,), *places, places, (True, True), (StepRef(1, 2),), PhaseView())
    judged = judge_move(move, Situation(told), RULESET.in_force(told)).judged
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
    tables = read_tables({"terrain": {"clear": "3/4"}})
    assert tables.scale % 12 == 0
    truck = unit("t", **{"class": "truck", "ma": Fraction(3, 4) + Fraction(1, 3)})
    board = road(bends=True)
    path = Board("path", board.hexes, {}, (Line("road", ("0101", "0201")),))
    told = game(path, [truck], terrain={"clear": "3/4"})
    assert verdict(told, "0301") == ("legal", Amount.exactly(Fraction(13, 12)))


def test_what_the_pages_do_not_say_stays_unknown() -> None:
    shipped = defaults()
    assert shipped["stacking"]["limit"] == "unknown"
    assert shipped["terrain"]["woods"]["others"] == "unknown"
    open_ones = ("beach", "rough", "marsh", "hedgerow", "crevasse", "balka", "minefield")
    assert {shipped["terrain"][name] for name in open_ones} == {"unknown"}


@pytest.mark.parametrize(
    ("plain", "where"),
    [
        ({"terrain": {"woods": "dear"}}, "rules.terrain.woods"),
        ({"terrain": {"woods": {"horse": 2}}}, "rules.terrain.woods"),
        ({"wadi": {"played": True}}, "rules.wadi.played"),
        ({"types": {"truck": {"class": "cart"}}}, "rules.types.truck.class"),
        ({"stacking": {"limit": -1}}, "rules.stacking.limit"),
    ],
)
def test_faults_of_a_pack_are_named_with_their_place(plain: dict[str, Any], where: str) -> None:
    with pytest.raises(WrongPack) as caught:
        read_tables(plain)
    assert caught.value.problems[0].where == where


def test_a_clause_or_option_there_is_none_of_is_a_fault_of_the_pack() -> None:
    told = game(road(), [unit("a")])
    for rules in (
        Rules("tide-of-iron", off=("TOI-XX",)),
        Rules("tide-of-iron", options={"speed": 2}),
    ):
        with pytest.raises(WrongPack):
            RULESET.in_force(Game("t", told.board, (), {}, {}, (), rules))


def test_open_readings_are_told_as_they_are_settled() -> None:
    told = game(road(), [unit("a")], hills={"combine": "sum"})
    assert RULESET.in_force(told).readings["rules.hills.combine"] == "sum"
    assert RULESET.in_force(told).readings["rules.hills.road_hex"] == "unknown"


def said(step: int, attribute: str, before: str, after: str, *, undo: bool = False) -> StateChange:
    return StateChange(
        StepRef(1, step), "a", attribute, known(before), known(after), "Red", undo=undo
    )


def dragged(step: int, name: str, origin: str, target: str) -> Displacement:
    places = (Place("hex", origin), Place("hex", target))
    return Displacement(StepRef(1, step), name, *places, 1, "drag", "Red")


def rides(*events: Event, aboard: str = "no") -> tuple[tuple[int, int, bool], ...]:
    """How often a squad boarded and got out, and whether it acted on: in its favour, and against it."""
    told = game(road(), [unit("a", aboard=aboard), unit("t", **{"class": "truck"})], events)
    unit_history = UnitHistory(Timeline(told))
    unit_actions = read_legs("a", "Red", (0, len(told.events)), unit_history)
    found = [unit_actions.rides(world) for world in ("favourable", "adverse")]
    return tuple((r.boarded, r.left, r.acted_on) for r in found)


ROLL = Witness(StepRef(1, 4), "roll")


def test_a_squad_that_boards_after_its_way_has_boarded_once() -> None:
    way = dragged(2, "a", "0101", "0201")
    assert rides(way, said(3, "aboard", "no", "t")) == ((1, 0, False),) * 2


def test_marked_before_the_drag_it_may_have_boarded_after_it() -> None:
    events = (said(2, "aboard", "no", "t"), dragged(3, "a", "0101", "0201"))
    assert rides(*events) == ((1, 0, False), (1, 1, True))


def test_a_die_roll_shows_that_it_had_boarded_before_it_went_on() -> None:
    events = (said(2, "aboard", "no", "t"), ROLL, dragged(5, "a", "0101", "0201"))
    assert rides(*events) == ((1, 1, True),) * 2


def test_what_is_put_right_at_once_counts_only_against_it() -> None:
    events = (said(2, "aboard", "no", "t"), said(3, "aboard", "t", "no"))
    assert rides(*events) == ((0, 0, False), (1, 1, True))


def test_what_is_undone_never_was() -> None:
    events = (said(2, "aboard", "no", "t"), said(3, "aboard", "t", "no", undo=True))
    assert rides(*events) == ((0, 0, False),) * 2


def test_a_squad_that_walks_off_has_got_out_whatever_its_counter_says() -> None:
    assert rides(dragged(2, "a", "0101", "0201"), aboard="t") == ((0, 1, False),) * 2


def test_a_squad_that_goes_where_its_vehicle_goes_is_carried_before_it_or_after() -> None:
    own, other = dragged(2, "a", "0101", "0301"), dragged(3, "t", "0101", "0301")
    for events in ((own, other), (dragged(2, "t", "0101", "0301"), dragged(3, *own_way()))):
        assert rides(*events, aboard="t") == ((0, 0, False),) * 2


def own_way() -> tuple[str, str, str]:
    return "a", "0101", "0301"


def test_facts_may_name_a_hex_by_its_number() -> None:
    board = road()
    assert hex_of(board, Fraction(301)) == "0301"
    assert hex_of(board, "0301") == "0301"
    assert hex_of(board, Fraction(9901)) == hex_of(board, "no") == hex_of(board, None) == ""


def test_a_hidden_enemy_bars_nobody_for_certain() -> None:
    seen = Unit("e", "e", "Blue", "unit", unit("e").attributes, ("Blue",))
    told = game(road(), [unit("a")])
    units = {**told.units, "e": seen}
    opening = {**told.opening, "e": Place("hex", "0201")}
    hidden = Game("t", told.board, told.sides, units, opening, told.events, told.rules)
    assert verdict(hidden, "0301")[0] == "unverifiable"


def test_an_attribute_may_lie_between_two_numbers() -> None:
    mixed = unit("a")
    attributes = {**mixed.attributes, "ma": Fact(None, Fraction(3), Fraction(4))}
    told = game(road(), [Unit("a", "a", "Red", "unit", attributes)])
    assert [verdict(told, name)[0] for name in ("0401", "0501", "0601")] == [
        "legal",
        "unverifiable",
        "illegal",
    ]


def test_where_it_rode_before_is_not_known_it_may_have_been_aboard_all_the_time() -> None:
    events = (StateChange(StepRef(1, 2), "a", "aboard", Fact(), known("t"), "Red"),)
    told = game(road(), [unit("a"), unit("t", **{"class": "truck"})], events)
    attributes = {**told.units["a"].attributes, "aboard": Fact()}
    unsure = {**told.units, "a": Unit("a", "a", "Red", "unit", attributes)}
    told = Game("t", told.board, told.sides, unsure, told.opening, told.events, told.rules)
    unit_actions = read_legs("a", "Red", (0, len(told.events)), UnitHistory(Timeline(told)))
    assert [unit_actions.rides(world).boarded for world in ("favourable", "adverse")] == [0, 1]


@pytest.mark.parametrize(("turn", "expected"), [("1", "illegal"), (None, "unverifiable")])
def test_a_token_of_an_earlier_phase_may_be_left_over_where_no_turn_is_told(
    turn: str | None, expected: str
) -> None:
    """The tokens go at the end of a round: without turns nobody knows whether one has ended since."""
    name, spent = "a", known("fatigued")
    events = (
        PhaseStart(StepRef(1, 1), turn, "Action", "Red"),
        StateChange(StepRef(1, 2), name, "token", known("none"), spent),
        PhaseStart(StepRef(1, 3), turn, "Status", "Red"),
        PhaseStart(StepRef(1, 4), turn, "Action", "Red"),
        Displacement(StepRef(1, 5), name, Place("hex", "0101"), Place("hex", "0201")),
    )
    whose = unit(name)
    opening = {name: Place("hex", "0101")}
    rules = Rules("tide-of-iron", {})
    told = Game("t", road(), ("Red", "Blue"), {name: whose}, opening, events, rules)
    places = (Place("hex", "0101"), Place("hex", "0201"))
    move = Move(1, (name,), *places, places, (True, True), (StepRef(1, 5),), PhaseView())
    situation = Situation(told)
    situation.advance_before(StepRef(1, 5))
    assert judge_move(move, situation, RULESET.in_force(told)).judged.verdict == expected
