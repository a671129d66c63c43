"""Whose dice fell, by what the report of a roll says."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from vassal_umpire.importers.pack.events import Rollers
from vassal_umpire.model.game import Game, Witness
from vassal_umpire.model.table import Actor, DieRoll, LogHistory, Participant, Step, Table

RED, BLUE = Participant("player 1", "Ann", "Red"), Participant("player 2", "Bob", "Blue")
WATCHER = Participant("player 3", "Cy")


def log(*players: Participant, later: tuple[Participant, ...] = ()) -> LogHistory:
    nothing = MappingProxyType({})
    tables = [Table(nothing, nothing, nothing, nothing, nothing, p) for p in (players, later)]
    return LogHistory("a.vlog", "", "", "", "", tables[0], (Step(1, 1, 1),), tables[1])


def roll(player: str) -> DieRoll:
    return DieRoll("2d6", ("7",), player)


def test_a_roll_is_the_side_s_of_the_player_it_names() -> None:
    rollers = Rollers(log(RED, BLUE, later=(RED, BLUE)))
    assert rollers.side(roll("Bob"), None) == "Blue"
    assert rollers.side(roll("Ann"), Actor(BLUE, "neighbours")) == "Red"


def test_a_player_may_sit_down_later() -> None:
    assert Rollers(log(RED, later=(RED, BLUE))).side(roll("Bob"), None) == "Blue"


@pytest.mark.parametrize(
    ("players", "later", "name"),
    [
        ((RED, BLUE), (), "Dee"),  # nobody of that name
        ((RED, BLUE), (), ""),  # the report names nobody
        ((RED, Participant("player 2", "Ann", "Blue")), (), "Ann"),  # two of that name
        ((RED, Participant("player 3", "Ann")), (), "Ann"),  # one of them only watches
        ((RED,), (Participant("player 1", "Ann", "Blue"),), "Ann"),  # changed sides
        ((RED, WATCHER), (), "Cy"),  # of no side
    ],
)
def test_it_is_nobody_s_where_that_is_unclear(
    players: tuple[Participant, ...], later: tuple[Participant, ...], name: str
) -> None:
    assert Rollers(log(*players, later=later)).side(roll(name), None) is None


def test_the_mover_of_the_same_step_has_a_say() -> None:
    rollers = Rollers(log(RED, BLUE))
    assert rollers.side(roll(""), Actor(RED, "move")) == "Red"
    assert rollers.side(roll("Ann"), Actor(RED, "move")) == "Red"
    assert rollers.side(roll("Bob"), Actor(RED, "move")) is None
    assert rollers.side(roll(""), Actor(RED, "neighbours")) is None


def test_the_rolls_of_a_real_log_have_owners(game: Game) -> None:
    rolls = [e for e in game.events if isinstance(e, Witness) and e.kind == "roll"]
    assert rolls
    assert {e.actor for e in rolls} <= set(game.sides)
