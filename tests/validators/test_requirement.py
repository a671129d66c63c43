"""What a fact must be: of a number of which one bound is known, that bound alone may decide."""

from __future__ import annotations

from fractions import Fraction

import pytest
from vassal_umpire.model.fact import Fact
from vassal_umpire.validators.phase_rules import Requirement

TWO, THREE = Fraction(2), Fraction(3)
AT_LEAST_3, AT_MOST_2 = Requirement("steps", least=THREE), Requirement("steps", most=TWO)


@pytest.mark.parametrize(
    ("fact", "is_3_or_more", "is_2_or_less"),
    [
        (Fact(lo=THREE), True, False),
        (Fact(hi=TWO), False, True),
        (Fact(lo=TWO), None, None),
        (Fact(hi=THREE), None, None),
        (Fact(), None, None),
    ],
)
def test_one_bound_decides_where_it_can(
    fact: Fact, is_3_or_more: bool | None, is_2_or_less: bool | None
) -> None:
    assert AT_LEAST_3.met(fact) is is_3_or_more
    assert AT_MOST_2.met(fact) is is_2_or_less
