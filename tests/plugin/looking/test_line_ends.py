"""Lines that stop short, on a strip of hexes drawn by hand; and what a cell's value may be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from vassal_umpire.model.provenance import Layer
from vassal_umpire.plugin.looking.shown_file import value_fault

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

from vassal_umpire.model.hexgrid import DIRECTIONS, Axial
from vassal_umpire.plugin.looking.line_ends import led_to, stops_short

AT = {f"{q}{r}": Axial(q, r) for q in range(8) for r in range(8)}
NAME = {at: name for name, at in AT.items()}
NEAR = {
    name: tuple(n for dq, dr in DIRECTIONS if (n := NAME.get(Axial(at.q + dq, at.r + dr))))
    for name, at in AT.items()
}


def road(*hexes: str) -> set[tuple[str, str]]:
    return {tuple(sorted(pair)) for pair in pairwise(hexes)}  # type: ignore[misc]


def found(steps: set[tuple[str, str]], goals: set[str], *bridges: tuple[str, str]) -> set[str]:
    return {"/".join(sorted(side)) for side in stops_short(NEAR, steps, goals, set(bridges))}


def test_a_road_that_stops_one_hex_short_of_a_town_leads_into_it() -> None:
    assert found(road("11", "21", "31", "41"), {"11", "51"}) == {"41/51"}


def test_a_crossing_that_was_missed_lies_between_two_ends() -> None:
    assert found(road("11", "21", "31") | road("41", "51", "61"), {"11", "61"}) == {"31/41"}


def test_a_road_that_ends_at_a_bridge_leads_over_it() -> None:
    assert found(road("11", "21", "31"), {"11"}, ("31", "32")) == {"31/32"}


def test_a_road_that_ends_in_the_open_may_go_on_anywhere() -> None:
    rest = {"/".join(sorted(("31", near))) for near in NEAR["31"] if near != "21"}
    assert len(rest) == 5
    assert found(road("11", "21", "31"), {"11"}) == rest


def test_a_road_may_end_in_a_town_and_at_the_edge() -> None:
    assert found(road("01", "11", "21", "31"), {"31"}) == set()


def test_ends_with_a_reason_come_first() -> None:
    steps = road("55", "45", "35") | road("11", "21", "31")
    sides = stops_short(NEAR, steps, {"11", "55", "41"})
    assert frozenset(sides[0]) == {"31", "41"}
    assert len(sides) == 6


def test_lines_lead_to_the_kinds_that_have_them_more_often_than_not() -> None:
    kinds = dict.fromkeys(("11", "12", "13", "14"), "town") | dict.fromkeys(AT, "clear")
    kinds |= dict.fromkeys(("51", "52", "53", "54"), "town")
    assert led_to(kinds, {"51", "52", "53", "33"}) == {"51", "52", "53", "54"}
    assert led_to(kinds, {"51", "52"}) == set()


# -- the value of a cell in a file of examples, and in what is typed on the sheets ------------------


@pytest.mark.parametrize(
    ("layer", "value", "says"),
    [
        ("terrain", "woods", ""),
        ("terrain", "woods+hill", ""),
        ("terrain", "none", "expected names joined by"),
        ("terrain", "woods+?", "expected names joined by"),
        ("hexsides", "none", ""),
        ("hexsides", "river+none", "expected names joined by"),
        ("lines", "", "expected a name"),
        ("lines", "ro\nad", "expected a name"),
    ],
)
def test_a_value_is_names_of_what_is_there(layer: Layer, value: str, says: str) -> None:
    fault = value_fault(layer, value)
    assert fault.startswith(says)
    assert bool(fault) is bool(says)
