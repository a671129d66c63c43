"""What sides are to each other, by what is said of some of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from vassal_umpire.model.board import Board
from vassal_umpire.model.game import Game, Rules
from vassal_umpire.model.relations import Relation, attitudes, disagreements
from vassal_umpire.model.unit import Unit

THREE = ("German", "Italian", "Soviet")


def test_two_sides_are_enemies_and_three_are_not_known() -> None:
    assert attitudes((), THREE[:2]) == {("German", "Italian"): "enemy"}
    assert attitudes((), THREE) == {}


def test_two_sides_said_to_be_friends_are_no_enemies() -> None:
    assert attitudes([Relation(("Italian", "German"))], THREE[:2]) == {
        ("German", "Italian"): "friend"
    }


def test_friends_of_friends_are_friends_and_share_their_enemies() -> None:
    said = [Relation(("A", "B")), Relation(("B", "C")), Relation(("C", "X"), "enemies")]
    found = attitudes(said, ("A", "B", "C", "X", "Y"))
    assert found["A", "C"] == "friend"
    assert found["A", "X"] == "enemy"
    assert ("A", "Y") not in found


def test_a_neutral_leaves_the_other_two_enemies_only_if_it_is_neutral_to_both() -> None:
    one = [Relation(("German", "Italian"), "neutral")]
    assert attitudes(one, THREE) == {("German", "Italian"): "neutral"}
    both = [*one, Relation(("Soviet", "Italian"), "neutral")]
    assert attitudes(both, THREE)["German", "Soviet"] == "enemy"


@pytest.mark.parametrize(
    "said",
    [
        [Relation(("A", "B")), Relation(("B", "A"), "enemies")],
        [Relation(("A", "B"), "enemies"), Relation(("A", "B"), "neutral")],
        [Relation(("A", "B")), Relation(("B", "C")), Relation(("A", "C"), "neutral")],
        [Relation(("A", "C"), "enemies"), Relation(("B", "C")), Relation(("A", "B"))],
    ],
)
def test_what_is_said_in_two_ways_is_told_and_not_known(said: list[Relation]) -> None:
    found = list(disagreements(said))
    assert [index for index, _ in found] == [len(said) - 1]
    assert found[0][1] not in attitudes(said, ())


def test_what_agrees_is_no_disagreement() -> None:
    said = [Relation(("A", "B")), Relation(("B", "A")), Relation(("A", "C"), "enemies")]
    assert list(disagreements(said)) == []


def test_a_unit_whose_side_is_not_known_may_be_of_a_side_that_has_no_other() -> None:
    units = {"a": Unit("a", "a", "German"), "b": Unit("b", "b", "Italian")}
    game = Game("", Board("", {}), THREE, units, {}, (), Rules("generic"))
    assert game.relation("German", "Italian") == "enemy"
    stray = {**units, "c": Unit("c", "c", None)}
    assert replace(game, units=stray).relation("German", "Italian") is None
