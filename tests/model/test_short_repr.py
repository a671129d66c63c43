"""A repr of one short line."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from vassal_umpire.model.bill import Amount
from vassal_umpire.model.game import Place, StepRef
from vassal_umpire.model.short_repr import WIDTH, Short


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
    for held, told in (
        (("a", "b"), "['a', 'b']"),
        (tuple("abcd"), "<4>"),
        ({"a": "b"}, "<1>"),
        (frozenset("a"), "<1>"),
        ((Thing("b"),), "<1>"),
        (Thing("b"), "<Thing name='b', number=0>"),
    ):
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
