"""Facts are read alike however they are written, and asked for in the ruleset's words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import Fact, MissingFact, Value
from vassal_umpire.model.finding import JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Condition, Game, Place, Rules, StateChange, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.allowed_facts import NUMBER, TEXT, YES_NO, AllowedFacts, words
from vassal_umpire.validators.plain_facts import Wording, plainly

AT = StepRef(1, 1)
ALLOWED = AllowedFacts(
    attributes={
        "class": words("squad", "truck").asked("is {} a squad or a truck?"),
        "pinned": YES_NO,
        "ma": NUMBER,
        "aboard": TEXT,
    },
    conditions={"stream": words("shallow", "deep").asked("how deep are the streams?")},
)


def game(**attributes: Value) -> Game:
    unit = Unit(
        "7", "3/7", "Red", attributes={name: Fact((value,)) for name, value in attributes.items()}
    )
    changes = tuple(
        StateChange(AT, "7", name, Fact((value,)), Fact((value,)))
        for name, value in attributes.items()
    )
    told = (Condition("stream", Fact(("Deep",)), AT),)
    return Game("", Board("", {}), (), {"7": unit}, {}, changes, Rules("x"), conditions=told)


@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("pinned", "yes", True),
        ("pinned", "No", False),
        ("pinned", "true", True),
        ("pinned", True, True),
        ("class", "Truck", "truck"),
        ("ma", "7/2", Fraction(7, 2)),
        ("aboard", "No", "No"),
        ("colour", "Yes", "Yes"),
    ],
)
def test_a_fact_is_read_as_the_ruleset_has_it(name: str, written: Value, read: Value) -> None:
    found = plainly(game(**{name: written}), ALLOWED)
    (change,) = found.events
    assert isinstance(change, StateChange)
    assert found.units["7"].attributes[name].options == (read,)
    assert change.before.options == change.after.options == (read,)
    assert found.conditions[0].fact.options == ("deep",)


@pytest.mark.parametrize(
    ("name", "written"), [("pinned", "perhaps"), ("class", "sqad"), ("ma", "x")]
)
def test_a_value_that_the_ruleset_does_not_know_says_nothing(name: str, written: Value) -> None:
    found = plainly(game(**{name: written}), ALLOWED)
    (change,) = found.events
    assert isinstance(change, StateChange)
    told = (found.units["7"].attributes[name], change.before, change.after)
    assert all(fact.options is None for fact in told)


def test_a_game_whose_facts_are_so_already_is_not_copied() -> None:
    plain = plainly(game(pinned=True, ma=Fraction(4)), ALLOWED)
    assert plainly(plain, ALLOWED) is plain


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("unit 7 class", "is 3/7 a squad or a truck?"),
        ("unit 7 ma", "?"),
        ("unit 8 class", "?"),
        ("condition stream", "how deep are the streams?"),
        ("hex 0101 terrain", "?"),
    ],
)
def test_questions_are_in_the_words_of_the_ruleset(key: str, asked: str) -> None:
    here = Place("hex", "0101")
    move = Move(1, ("7",), here, here, (here, here), (True, True), (AT,), PhaseView())
    judged = JudgedMove(move, "unverifiable", unknowns=(MissingFact(key, "?"),))
    (found,) = Wording(game(), ALLOWED).of_move(judged).unknowns
    assert (found.key, found.question) == (key, asked)
