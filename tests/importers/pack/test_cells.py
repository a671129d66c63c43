"""Cells as wargamers write them: numbers and words; hexes, ranges, chains and hexsides."""

from __future__ import annotations

from fractions import Fraction

import pytest
from vassal_umpire.importers.pack.cells import cell_fact, exact_number
from vassal_umpire.importers.pack.hexnames import NotOnBoard, chain_of, hexes_of, hexsides_of
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


# -- Hexes, ranges, chains and hexsides in spreadsheets --------------------------------------------

NAMES = {f"{c:02d}{r:02d}": None for c in (1, 2) for r in range(1, 12)} | {"A-1": None, "A-2": None}


def near(a: str, b: str) -> bool:
    """For the test, two hexes adjoin if their numbers differ by one."""
    if a.startswith("A") or b.startswith("A"):
        return a.startswith("A") and b.startswith("A")
    return abs(int(a) - int(b)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0101", ["0101"]),
        ("0101 0103, 0105", ["0101", "0103", "0105"]),
        ("0109-0202", ["0109", "0110", "0111", "0201", "0202"]),
        ("A-1", ["A-1"]),
        ("A-*", ["A-1", "A-2"]),
        ("020?", [f"02{r:02d}" for r in range(1, 10)]),
        ("*", list(NAMES)),
    ],
)
def test_the_hexes_of_a_cell(text: str, found: list[str]) -> None:
    assert hexes_of(text, NAMES) == found


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("9999", "found 9999"),
        ("101", "is 0101 meant"),
        ("0105-0101", "goes up"),
        ("0101-A-1", "a range such as"),
        ("X*", "none that fit"),
    ],
)
def test_what_is_not_on_the_board_is_told(text: str, what: str) -> None:
    with pytest.raises(NotOnBoard, match=what):
        hexes_of(text, NAMES)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("4.3", r"found 4\.3 \(is 04\.03 meant\?\)"),
        ("4.1", r"found 4\.1 \(is 04\.10 meant\?\)"),  # a number to a spreadsheet
        ("0403", r"found 0403 \(its hexes are called 04\.03 and the like\)"),
        ("99.99", r"found 99\.99$"),
    ],
)
def test_how_hexes_without_numbers_are_called_is_told(text: str, what: str) -> None:
    with pytest.raises(NotOnBoard, match=what):
        hexes_of(text, {"04.03": None, "04.10": None})


@pytest.mark.parametrize(
    "text", ["0101 0102 0103", "0101-0102-0103", "0101 - 0102 - 0103", "0101>0102→0103"]
)
def test_chains_may_be_written_in_many_ways(text: str) -> None:
    assert chain_of(text, NAMES, near) == ["0101", "0102", "0103"]


def test_names_with_dashes_may_be_chained_with_dashes_and_a_gap_is_told() -> None:
    assert chain_of("A-1-A-2", NAMES, near) == ["A-1", "A-2"]
    with pytest.raises(NotOnBoard, match="0102 and 0104"):
        chain_of("0101 0102 0104", NAMES, near)


def test_hexsides_are_sorted_pairs() -> None:
    assert hexsides_of("0102/0101 0102/0103", NAMES, near) == [("0101", "0102"), ("0102", "0103")]


@pytest.mark.parametrize(
    ("text", "what"),
    [("0101/0103", "next to each other"), ("0101", "a hexside"), ("0101/9", "a hexside")],
)
def test_what_is_no_hexside_is_told(text: str, what: str) -> None:
    with pytest.raises(NotOnBoard, match=what):
        hexsides_of(text, NAMES, near)


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("0101-0104", ["0101", "0103", "0104"]),  # those of the board alone
        ("0101-9999", ["0101", "0103", "0104", "0110"]),  # a range wider than the board
        ("A01-A03", ["A01", "A03"]),
        ("1-9", ["1", "9"]),  # numbers of as many digits only
    ],
)
def test_a_range_is_the_hexes_of_the_board_whose_numbers_lie_between(
    told: str, found: list[str]
) -> None:
    names = ["0101", "0103", "0104", "0110", "010", "9999x", "A01", "A03", "a02", "1", "9", "9999"]
    wanted = [*found, "9999"] if told == "0101-9999" else found
    assert hexes_of(told, names) == wanted
