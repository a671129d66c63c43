"""Numbers that can be written again as they were read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal.numbers import long_number, number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-12", -12),
        ("2147483647", 2147483647),
        ("2147483648", "2147483648"),
        ("-2147483648", -2147483648),
        ("-2147483649", "-2147483649"),
        ("007", "007"),
        ("-0", "-0"),
        ("+5", "+5"),
        ("", ""),
        ("-", "-"),
        ("NaN", "NaN"),
        ("1_000", "1_000"),
        (" 1", " 1"),
        ("٣", "٣"),
        ("²", "²"),
        ("99999999999999999999", "99999999999999999999"),
    ],
)
def test_number(text: str, value: int | str) -> None:
    assert number(text) == value
    assert type(number(text)) is type(value)


def test_long_number() -> None:
    assert long_number("1795262786566") == 1795262786566
    assert long_number("9223372036854775808") == "9223372036854775808"


@given(st.text(alphabet="-0123456789 x٣", max_size=22))
def test_numbers_write_back(text: str) -> None:
    assert str(number(text)) == text
    assert str(long_number(text)) == text
