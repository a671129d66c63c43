"""Cells as wargamers write them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from vassal_umpire.importers.pack.cells import cell_fact, exact_number
from vassal_umpire.model.fact import Fact, between, known, one_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", Fraction(7)),
        (" 7 ", Fraction(7)),
        ("-3", Fraction(-3)),
        ("3.5", Fraction(7, 2)),
        ("3,5", Fraction(7, 2)),
        ("0.1", Fraction(1, 10)),
        ("7/2", Fraction(7, 2)),
        ("3½", Fraction(7, 2)),
        ("½", Fraction(1, 2)),
        ("-1½", Fraction(-3, 2)),
        (".5", Fraction(1, 2)),
    ],
)
def test_numbers_are_exact(text: str, number: Fraction) -> None:
    assert exact_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "x", "7/0", "1e9", "--1", "7/", "/2", "1 2", "٣", "inf", "9" * 40]
)
def test_what_is_no_number(text: str) -> None:
    assert exact_number(text) is None


@pytest.mark.parametrize(
    ("cell", "fact"),
    [
        ("6", known(6)),
        ("6|8", one_of(6, 8)),
        ("6|6", known(6)),
        ("6..8", between(6, 8)),
        ("8..6", None),
        ("?", Fact()),
        ("", None),
        ("many", None),
        ("6|many", None),
    ],
)
def test_a_cell_may_leave_things_open(cell: str, fact: Fact | None) -> None:
    assert cell_fact(cell, None, True, "") == fact


def test_a_map_leaves_out_what_it_does_not_name() -> None:
    assert cell_fact("INF|ARM", {"INF": "foot", "ARM": "track"}, False, "") == one_of(
        "foot", "track"
    )
    assert cell_fact("HQ", {"INF": "foot"}, False, "") is None
