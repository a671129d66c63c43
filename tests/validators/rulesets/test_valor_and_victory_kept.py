"""The ruleset valor-and-victory: what is kept from one move to the next does not outlive the facts it
rests on."""

from __future__ import annotations

from typing import Any

import pytest
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import UNKNOWN, known
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StateChange,
    StepRef,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.valor_and_victory import RULESET
from vassal_umpire.validators.rulesets.valor_and_victory.unit_history import UnitHistory

BARE: dict[str, Any] = {
    "weapon": "none",
    "assault": False,
    "pinned": False,
    "fired": False,
    "moved": False,
    "immobile": False,
    "aboard": "no",
}


def lane(**features: str) -> Board:
    """Eight hexes in a row, 0101 to 0108, of open ground; ``features``: by hex (h0103) what is in
    it."""
    names = [f"01{row + 1:02}" for row in range(8)]
    return Board(
        "lane",
        {
            name: Hex(
                name,
                from_offset(0, row),
                ("open",),
                0,
                tuple(f for hex_name, f in features.items() if hex_name == f"h{name}"),
            )
            for row, name in enumerate(names)
        },
    )


def unit(name: str, cls: str = "squad", side: str | None = "Red", **attributes: Any) -> Unit:
    told = {**BARE, "class": cls, **attributes}
    return Unit(name, name, side, attributes={key: known(value) for key, value in told.items()})


def drag(step: int, name: str, origin: str, target: str, actor: str = "Red") -> Displacement:
    places = Place("hex", origin), Place("hex", target)
    return Displacement(StepRef(1, step), name, *places, step, actor=actor)


def flip(step: int, name: str, attribute: str, value: Any) -> StateChange:
    return StateChange(StepRef(1, step), name, attribute, UNKNOWN, known(value), "Red")


def turn(step: int, number: str) -> tuple[Event, ...]:
    """The next turn of a side begins; between there was another's."""
    return (
        PhaseStart(StepRef(1, step), number, "Combat", "Blue"),
        PhaseStart(StepRef(1, step + 1), number, "Movement", "Red"),
    )


def game_of(
    board: Board, units: dict[str, tuple[Unit, str]], *events: Event, off: tuple[str, ...] = ()
) -> Game:
    """``units``: by id, with where they are at first. ``off``: clauses switched off."""
    return Game(
        title="a game",
        board=board,
        sides=("Red", "Blue"),
        units={name: of for name, (of, _) in units.items()},
        opening={name: Place("hex", at) for name, (_, at) in units.items()},
        events=(
            PhaseStart(StepRef(1, 1), "1", "Movement", "Red"),
            *events,
            PhaseStart(StepRef(1, 99), "9", "Combat", "Red"),
        ),
        rules=Rules("valor-and-victory", off=off),
        phases={"Movement": PhaseRule("Movement", "active", (), complete=True)},
    )


def verdicts(
    board: Board, units: dict[str, tuple[Unit, str]], *events: Event, off: tuple[str, ...] = ()
) -> list[str]:
    """What an audit says of the moves of Red."""
    found = audit(game_of(board, units, *events, off=off), RULESET).moves
    return [move.verdict for move in found if move.judged and move.move.actor == "Red"]


@pytest.mark.parametrize("turned", [1, -1])
def test_a_heavy_weapon_slows_its_bearer_and_not_the_squad_that_moves_next(turned: int) -> None:
    units = {"light": (unit("light"), "0101"), "heavy": (unit("heavy", weapon="heavy"), "0101")}
    order = ["light", "heavy"][::turned]
    events = [drag(5 * n, name, "0101", "0105") for n, name in enumerate(order, 1)]
    assert verdicts(lane(), units, *events) == ["legal", "illegal"][::turned]


def test_a_heavy_weapon_taken_up_between_two_moves_is_seen() -> None:
    units = {"squad": (unit("squad"), "0101")}
    there, back = drag(5, "squad", "0101", "0105"), drag(20, "squad", "0105", "0101")
    taken = flip(9, "squad", "weapon", "heavy")
    assert verdicts(lane(), units, there, *turn(10, "2"), back) == ["legal", "legal"]
    assert verdicts(lane(), units, there, taken, *turn(10, "2"), back) == ["legal", "illegal"]


def test_a_leader_who_leads_one_squad_does_not_lead_the_next() -> None:
    units = {
        "chief": (unit("chief", "leader"), "0101"),
        "led": (unit("led"), "0101"),
        "alone": (unit("alone"), "0101"),
    }
    together = drag(5, "led", "0101", "0107"), drag(5, "chief", "0101", "0107")
    after = drag(20, "alone", "0101", "0107")
    assert verdicts(lane(), units, *together, *turn(10, "2"), after) == ["legal", "illegal"]


def test_enemies_that_come_and_go_between_two_moves_are_seen() -> None:
    foe = unit("foe", side="Blue")
    units = {"a": (unit("a"), "0101"), "b": (unit("b"), "0101"), "foe": (foe, "0108")}
    first, last = drag(5, "a", "0101", "0104"), drag(20, "b", "0101", "0104")
    came, went = (
        drag(n, "foe", *p, "Blue") for n, p in ((8, ("0108", "0103")), (9, ("0103", "0108")))
    )
    assert verdicts(lane(), units, first, *turn(10, "2"), last) == ["legal", "legal"]
    assert verdicts(lane(), units, first, came, *turn(10, "2"), last) == ["legal", "illegal"]
    assert verdicts(lane(), units, first, came, went, *turn(10, "2"), last) == ["legal", "legal"]


def test_who_may_be_an_enemy_in_one_hex_bars_no_other_for_certain() -> None:
    """What enemies ask is kept by who is where and by the hex."""
    units = {
        "a": (unit("a"), "0101"),
        "b": (unit("b"), "0101"),
        "stranger": (unit("stranger", side=None), "0103"),
        "foe": (unit("foe", side="Blue"), "0108"),
    }
    first, last = drag(5, "a", "0101", "0104"), drag(20, "b", "0101", "0104")
    came = drag(8, "foe", "0108", "0103", "Blue")
    assert verdicts(lane(), units, first, *turn(10, "2"), last) == ["unverifiable"] * 2
    assert verdicts(lane(), units, first, came, *turn(10, "2"), last) == ["unverifiable", "illegal"]


@pytest.mark.parametrize("turned", [1, -1])
def test_enemies_in_a_fortification_bar_it_where_others_bar_nothing(turned: int) -> None:
    """Where 6.8 is switched off, 20.3 still holds."""
    units = {
        "a": (unit("a"), "0101"),
        "b": (unit("b"), "0105"),
        "foe": (unit("foe", side="Blue"), "0102"),
        "dug in": (unit("dug in", side="Blue"), "0106"),
    }
    board = lane(h0106="bunker")
    moves = [("a", "0101", "0103"), ("b", "0105", "0107")]
    events = [drag(5 * n, *of) for n, of in enumerate(moves[::turned], 1)]
    found = verdicts(board, units, *events, off=("VV-6.8-a", "VV-20.3-a"))
    assert found == ["legal", "illegal"][::turned]


def test_units_dragged_together_have_drags_of_their_own() -> None:
    units = {"a": (unit("a"), "0101"), "b": (unit("b"), "0101")}
    game = game_of(lane(), units, drag(5, "a", "0101", "0103"), drag(5, "b", "0101", "0103"))
    (judged,) = audit(game, RULESET).moves
    unit_history = UnitHistory(game)
    assert [unit_history.of_move(name, judged.move) for name in ("a", "b", "a")] == [[1], [2], [1]]


def test_each_move_of_a_unit_is_read_by_its_own_drags() -> None:
    units = {"squad": (unit("squad"), "0101"), "other": (unit("other"), "0101")}
    there, back = drag(5, "squad", "0101", "0105"), drag(20, "squad", "0105", "0101")
    marked = flip(15, "squad", "pinned", True), drag(25, "other", "0101", "0105")
    assert verdicts(lane(), units, there, *turn(10, "2"), back, marked[1]) == ["legal"] * 3
    early = flip(8, "squad", "pinned", True)
    found = verdicts(lane(), units, there, early, *turn(10, "2"), back, marked[1])
    assert found[0] == found[2] == "legal"
    assert found[1] != "legal"
