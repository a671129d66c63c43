"""The sum of a bill; values that are shown shortly, frozen, and what sides are to each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field, make_dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import add
from types import MappingProxyType
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model import boards, fact, game
from vassal_umpire.model.bill import ZERO, Amount, Charge, total
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.frozen_values import Damaged, FrozenValues, classes_of
from vassal_umpire.model.game import Game, Place, Rules, StateChange, StepRef
from vassal_umpire.model.relations import Relation, attitudes, disagreements
from vassal_umpire.model.short_repr import WIDTH, Short
from vassal_umpire.model.unit import Unit

_MP = st.fractions(-4, 12, max_denominator=6)
_AMOUNTS = st.builds(
    lambda lo, more: Amount(lo, None if more is None else lo + abs(more)), _MP, st.none() | _MP
)


@given(st.lists(_AMOUNTS, max_size=8))
def test_a_total_is_what_adding_up_one_by_one_comes_to(amounts: list[Amount]) -> None:
    charges = (Charge("0101", amount, "X-1", "clear") for amount in amounts)
    assert total(charges) == reduce(add, amounts, ZERO)


def test_a_total_has_no_upper_bound_where_one_charge_has_none() -> None:
    amounts = Amount(Fraction(1), None), Amount.exactly(2)
    assert total(Charge("0101", one, "X-1", "marsh") for one in amounts) == Amount(
        Fraction(3), None
    )


# -- A repr of one short line ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Thing(Short):
    name: str
    at: StepRef | None = None
    cost: Amount | Fraction | None = None
    held: object = ()
    number: int = 0
    secret: str = field(default="password", repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Chosen(Short):
    shown: ClassVar = ("twice", "name")
    name: str
    more: str = "more"

    @property
    def twice(self) -> str:
        return self.name * 2


def test_what_is_empty_is_left_out_and_nothing_that_is_kept_back_is_told() -> None:
    assert repr(Thing("a")) == "<Thing name='a', number=0>"
    assert repr(Thing("a", StepRef(1, 17), Fraction(7, 2))) == (
        "<Thing name='a', at=1:17, cost=7/2, number=0>"
    )


def test_short_lists_are_told_and_long_ones_are_counted() -> None:
    shown = {
        ("a", "b"): "['a', 'b']", tuple("abcd"): "<4>", frozenset("a"): "<1>", (Thing("b"),): "<1>",
        Thing("b"): "<Thing name='b', number=0>",
    }  # fmt: skip
    for held, told in [*shown.items(), ({"a": "b"}, "<1>")]:
        assert repr(Thing("a", held=held)) == f"<Thing name='a', held={told}, number=0>"


def test_it_may_say_what_is_told() -> None:
    assert repr(Chosen("a")) == "<Chosen twice='aa', name='a'>"


def test_it_is_one_line_that_disturbs_no_terminal_and_no_longer_than_may_be() -> None:
    told = repr(Thing("a\n\x1b[31m\u202eb" * 9, held=("\x07",)))
    assert told.isprintable()
    assert repr(Thing("a", held=Place("hex", "\x1b[31m"))).isprintable()
    assert len(told) <= WIDTH
    assert repr(Thing("x" * 200, held=("y" * 200,) * 3)).endswith("…>")
    assert len(repr(Thing("x" * 200, held=("y" * 200,) * 3))) == WIDTH


# -- What sides are to each other, by what is said of some of them ---------------------------------

THREE = ("German", "Italian", "Soviet")


FRIENDS = [Relation(("A", "B")), Relation(("B", "C")), Relation(("C", "X"), "enemies")]
NEUTRAL = [Relation(("German", "Italian"), "neutral")]


@pytest.mark.parametrize(
    ("said", "sides", "found"),
    [
        ([], THREE[:2], {"German Italian": "enemy"}),
        ([], THREE, {"German Italian": None, "German Soviet": None}),
        ([Relation(("Italian", "German"))], THREE[:2], {"German Italian": "friend"}),
        (FRIENDS, tuple("ABCXY"), {"A C": "friend", "A X": "enemy", "A Y": None}),
        (NEUTRAL, THREE, {"German Italian": "neutral", "German Soviet": None}),
        ([*NEUTRAL, Relation(("Soviet", "Italian"), "neutral")], THREE, {"German Soviet": "enemy"}),
    ],
    ids=["two", "three", "friends", "friends of friends", "a neutral to one", "a neutral to both"],
)
def test_what_sides_are_to_each_other(
    said: list[Relation], sides: tuple[str, ...], found: dict[str, str | None]
) -> None:
    told = attitudes(said, sides)
    assert {pair: told.get(tuple(pair.split())) for pair in found} == found  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "said",
    [
        [Relation(("A", "B")), Relation(("B", "A"), "enemies")],
        [Relation(("A", "B"), "enemies"), Relation(("A", "B"), "neutral")],
        [Relation(("A", "B")), Relation(("B", "C")), Relation(("A", "C"), "neutral")],
        [Relation(("A", "C"), "enemies"), Relation(("B", "C")), Relation(("A", "B"))],
    ],
)
def test_what_is_said_in_two_ways_is_told_and_not_known_and_what_agrees_is_not_told(
    said: list[Relation],
) -> None:
    found = list(disagreements(said))
    assert [index for index, _ in found] == [len(said) - 1]
    assert found[0][1] not in attitudes(said, ())
    said = [Relation(("A", "B")), Relation(("B", "A")), Relation(("A", "C"), "enemies")]
    assert list(disagreements(said)) == []


def test_a_unit_whose_side_is_not_known_may_be_of_a_side_that_has_no_other() -> None:
    units = {"a": Unit("a", "a", "German"), "b": Unit("b", "b", "Italian")}
    game = Game("", Board("", {}), THREE, units, {}, (), Rules("generic"))
    assert game.relation("German", "Italian") == "enemy"
    stray = {**units, "c": Unit("c", "c", None)}
    assert replace(game, units=stray).relation("German", "Italian") is None


# -- Frozen values are read as they were written, and nothing else is ------------------------------

VALUES = FrozenValues(classes_of(boards, fact, game))
CHANGE = StateChange(
    StepRef(1, 2), "1", "ma", Fact((True,)), Fact((Fraction(1), "1"), Fraction(1, 3))
)


@pytest.mark.parametrize(
    "value",
    [
        (None, True, 1, 1.0, 0.1, 1e-300, Fraction(1), "1", "\udc80 é", 10**40, -1),
        [(), [], {}, {"a": [1]}, {(1, 2): "b"}],
        CHANGE,
        {Place("hex", "0101"): CHANGE},
        frozenset((Place("hex", "0101"), "0101", 1)),
    ],
    ids=["plain", "nested", "a change", "by a place", "a set"],
)
def test_what_was_written_is_read(value: Any) -> None:
    read = VALUES.read(VALUES.write(value))
    assert read == value
    assert repr(read) == repr(value) or isinstance(value, frozenset)


def test_a_true_and_a_1_are_told_apart() -> None:
    one, true, text = (VALUES.digest(Fact((some,))) for some in (Fraction(1), True, "1"))
    assert len({one, true, text}) == 3
    assert VALUES.read(VALUES.write((True, 1, Fraction(1)))) == (True, 1, Fraction(1))
    assert [type(some) for some in VALUES.read(VALUES.write((True, 1)))] == [bool, int]
    assert VALUES.digest(MappingProxyType({"a": 1})) == VALUES.digest({"a": 1})


def test_a_digest_is_the_same_in_every_process() -> None:
    code = (
        "from vassal_umpire.model import game; from vassal_umpire.model.frozen_values import *;"
        "print(FrozenValues(()).digest({frozenset('abcdefgh'): frozenset((1, 'x', (2, 'y')))}))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(said) == 1


OTHER_PLACE = make_dataclass("Place", (), namespace={"__module__": "elsewhere.game"})()


@pytest.mark.parametrize("value", [1j, object(), FrozenValues(()), b"bytes", len, OTHER_PLACE])
def test_anything_else_is_not_written(value: object) -> None:
    with pytest.raises(TypeError, match="is not among the classes"):
        VALUES.write((value,))


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"[]",
        {"classes": [], "nodes": []},
        {"classes": [], "nodes": [[0, 5]]},
        {"classes": [], "nodes": [[9]]},
        {"classes": [], "nodes": [1, [3, 0]]},
        {"classes": ["game.Place"], "nodes": [[5]]},
        {"classes": ["os.system"], "nodes": [[5]]},
        {"classes": ["builtins.eval"], "nodes": ["1", [5, 0]]},
        {"classes": [], "nodes": [[4, 1, 0]]},
    ],
)
def test_what_was_not_so_written_is_refused(plain: Any) -> None:
    with pytest.raises(Damaged):
        VALUES.read(plain if isinstance(plain, bytes) else json.dumps(plain).encode())
