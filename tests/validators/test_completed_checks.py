"""What a check finds in some completions of an open fact alone is left open, and names the fact."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.finding import Finding
from vassal_umpire.model.game import Game, Rules, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.completed_checks import MOST_FACTS, completed


def game(*classes: Fact) -> Game:
    units = {
        f"u{n}": Unit(f"u{n}", f"u{n}", "Red", attributes={"class": c})
        for n, c in enumerate(classes)
    }
    return Game("", Board("", {}), ("Red", "Blue"), units, {}, (), Rules("x"))


def trucks(found: Game, *, heedless: bool = False) -> Iterator[Finding]:
    """Accuses every unit that is a truck for certain; ``heedless``: or may be one."""
    for name, unit in found.units.items():
        fact = unit.fact("class")
        if fact.must_be("truck") or (heedless and fact.may_be("truck")):
            at = (StepRef(1, 1),)
            yield Finding(
                "X", "X", "illegal-move", "illegal", (name,), (name,), (), at, "is a truck"
            )


TRUCK, EITHER = Fact(("truck",)), Fact(("squad", "truck"))


def said(of: Game, *, heedless: bool = False) -> list[tuple[str, str, list[str]]]:
    found = completed(of, trucks(of, heedless=heedless), trucks, ("class",))
    return [(f.units[0], f.verdict, [u.key for u in f.unknowns]) for f in found]


def test_what_is_known_is_found_as_it_was() -> None:
    assert said(game(TRUCK, Fact(("squad",)))) == [("u0", "illegal", [])]


def test_what_rests_on_an_open_fact_is_left_open() -> None:
    assert said(game(EITHER)) == [("u0", "unverifiable", ["unit u0 class"])]


def test_an_accusation_that_an_open_fact_belies_is_taken_back() -> None:
    assert said(game(EITHER), heedless=True) == [("u0", "unverifiable", ["unit u0 class"])]


def test_others_are_accused_all_the_same() -> None:
    assert said(game(TRUCK, EITHER)) == [
        ("u0", "illegal", []),
        ("u1", "unverifiable", ["unit u1 class"]),
    ]


@pytest.mark.parametrize("open_facts", [MOST_FACTS, MOST_FACTS + 1])
def test_more_open_facts_than_can_be_told_apart_are_not_tried(open_facts: int) -> None:
    assert len(said(game(*[EITHER] * open_facts))) == (
        open_facts if open_facts == MOST_FACTS else 0
    )
