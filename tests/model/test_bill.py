"""The sum of a bill."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import add

from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model.bill import ZERO, Amount, Charge, total

_MP = st.fractions(-4, 12, max_denominator=6)
_AMOUNTS = st.builds(
    lambda lo, more: Amount(lo, None if more is None else lo + abs(more)), _MP, st.none() | _MP
)


@given(st.lists(_AMOUNTS, max_size=8))
def test_a_total_is_what_adding_up_one_by_one_comes_to(amounts: list[Amount]) -> None:
    charges = (Charge("0101", amount, "X-1", "clear") for amount in amounts)
    assert total(charges) == reduce(add, amounts, ZERO)


def test_a_total_has_no_upper_bound_where_one_charge_has_none() -> None:
    open_end = Charge("0101", Amount(Fraction(1), None), "X-1", "marsh")
    assert total((open_end, Charge("0102", Amount.exactly(2), "X-1", "clear"))) == Amount(
        Fraction(3), None
    )
    assert total(()) == ZERO
