"""What a clause reads of a hex is noted, whether or not the facts say anything of it."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from vassal_umpire.model.fact import known
from vassal_umpire.validators.engine import questions
from vassal_umpire.validators.engine.hex_view import HexView
from vassal_umpire.validators.engine.mover import ClauseMover
from vassal_umpire.validators.engine.questions import INTO


@pytest.mark.parametrize("told", [None, True, False])
def test_what_the_facts_may_say_of_friends_in_a_hex_is_noted(told: bool | None) -> None:
    """The facts may speak of one of two hexes that are alike in all else."""
    noted: list[Any] = []
    mover = SimpleNamespace(
        board=None, friends_who=lambda *_: (False, True), told_now=lambda *_: told
    )
    step: Any = SimpleNamespace(
        mover_=mover, note=lambda ask, about: noted.append((ask, about)), rules=None
    )
    found = HexView(step, "0101", INTO).friends_who(lambda _: True, "friends in {}")
    assert found == (told is True, told is not False)
    assert (questions.told_now, (INTO, "friends in {}")) in noted


def test_true_and_1_are_different_answers() -> None:
    """A clause may read a fact as a word, and these are spelled otherwise."""
    answers = []
    for value in (True, Fraction(1)):
        mover: Any = SimpleNamespace(facts=SimpleNamespace(known={"dug": known(value)}), _keys={})
        mover.fact_key = lambda about, mover=mover: ClauseMover.fact_key(mover, about)
        answers.append(questions.fact(SimpleNamespace(mover_=mover), "dug"))  # type: ignore[arg-type]
    assert answers[0] != answers[1]
