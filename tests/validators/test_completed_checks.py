"""What a check finds in some completions of an open fact alone is left open, and names the fact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import UNKNOWN, Fact, known
from vassal_umpire.model.finding import Finding
from vassal_umpire.model.game import Displacement, Game, Place, Rules, StateChange, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.completed_checks import MOST_FACTS, completed


def game(*classes: Fact) -> Game:
    units = {
        f"u{n}": Unit(f"u{n}", f"u{n}", "Red", attributes={"class": c})
        for n, c in enumerate(classes)
    }
    return Game("", Board("", {}), ("Red", "Blue"), units, {}, (), Rules("x"))


def trucks(found: Game, *, careless: bool = False) -> Iterator[Finding]:
    """Accuses every unit that is a truck for certain; ``careless``: or may be one."""
    for name, unit in found.units.items():
        fact = unit.fact("class")
        if fact.must_be("truck") or (careless and fact.may_be("truck")):
            about = (name,), (name,), (), (StepRef(1, 1),), "is a truck"
            yield Finding("X", "X", "illegal-move", "illegal", *about)


TRUCK, EITHER = Fact(("truck",)), Fact(("squad", "truck"))


def said(of: Game, *, careless: bool = False) -> list[tuple[str, str, list[str]]]:
    found = completed(of, trucks(of, careless=careless), trucks, ("class",))
    return [(f.units[0], f.verdict, [u.key for u in f.unknowns]) for f in found]


def test_what_is_known_is_found_as_it_was() -> None:
    assert said(game(TRUCK, Fact(("squad",)))) == [("u0", "illegal", [])]


def test_what_rests_on_an_open_fact_is_left_open() -> None:
    assert said(game(EITHER)) == [("u0", "unverifiable", ["unit u0 class"])]


def test_an_accusation_that_an_open_fact_belies_is_taken_back() -> None:
    assert said(game(EITHER), careless=True) == [("u0", "unverifiable", ["unit u0 class"])]


def test_others_are_accused_all_the_same() -> None:
    assert said(game(TRUCK, EITHER)) == [
        ("u0", "illegal", []),
        ("u1", "unverifiable", ["unit u1 class"]),
    ]


def moving(of: Game) -> Game:
    """The game, with a step in it."""
    stir = Displacement(StepRef(1, 1), "u0", Place("nowhere"), Place("nowhere"))
    return replace(of, events=(stir,))


@pytest.mark.parametrize("open_facts", [5, MOST_FACTS, MOST_FACTS + 1])
def test_of_more_open_facts_than_can_be_told_apart_it_is_said_that_not_all_was_tried(
    open_facts: int,
) -> None:
    found = said(moving(game(*[EITHER] * open_facts)))
    one_by_one = open_facts if open_facts <= MOST_FACTS else 0
    assert len(found) == one_by_one + (open_facts > 5)
    if open_facts > 5:
        assert found[-1] == ("u0", "unverifiable", [f"unit u{n} class" for n in range(5)])


def test_where_nothing_happens_nothing_was_missed() -> None:
    assert said(game(*[EITHER] * (MOST_FACTS + 1))) == []


@pytest.mark.parametrize("more", [0, 4, MOST_FACTS])
def test_what_two_open_facts_belie_only_together_is_left_open(more: int) -> None:
    def unless_both(found: Game) -> Iterator[Finding]:
        first = [found.units[name].fact("class") for name in ("u0", "u1")]
        if not all(fact.must_be("squad") for fact in first):
            yield from (
                replace(f, others=("u0", "u1")) for f in trucks(found) if f.units == ("u2",)
            )

    of = game(EITHER, EITHER, TRUCK, *[EITHER] * more)
    found = list(completed(of, unless_both(of), unless_both, ("class",)))
    assert [f.verdict for f in found if f.units == ("u2",)] == ["unverifiable"]
    asked = [u.key for f in found if f.units == ("u2",) for u in f.unknowns]
    assert asked == ["unit u0 class", "unit u1 class"]


@pytest.mark.parametrize("more", [0, 4, MOST_FACTS])
def test_what_rests_on_a_fact_that_it_does_not_name_is_left_open(more: int) -> None:
    """A check that is careless unless the fact is not known at all."""

    def careless(found: Game) -> Iterator[Finding]:
        first = found.units["u0"].fact("class")
        if first.options is not None and first.may_be("truck"):
            yield from (f for f in trucks(found) if f.units == ("u1",))

    of = game(EITHER, TRUCK, *[EITHER] * more)
    found = completed(of, careless(of), careless, ("class",))
    assert [f.verdict for f in found if f.units == ("u1",)] == ["unverifiable"]


@pytest.mark.parametrize("more", [0, 4, MOST_FACTS])
def test_however_much_is_open_what_rests_on_none_of_it_stands(more: int) -> None:
    found = said(game(TRUCK, *[EITHER] * more))
    assert found[0] == ("u0", "illegal", [])


def test_who_is_accused_together_with_more_is_accused_all_the_same() -> None:
    """Two trucks are too many whatever the third is; it is accused with them if it is one."""

    def together(found: Game) -> Iterator[Finding]:
        several = [f.units[0] for f in trucks(found)]
        if len(several) > 1:
            yield replace(next(trucks(found)), units=tuple(several))

    of = game(TRUCK, TRUCK, EITHER)
    (found,) = completed(of, together(of), together, ("class",))
    assert (found.units, found.verdict) == (("u0", "u1"), "illegal")


def test_of_too_many_open_facts_those_are_tried_that_accusations_rest_on() -> None:
    many = game(*[EITHER] * MOST_FACTS, TRUCK, EITHER)
    last = f"u{MOST_FACTS + 1}"

    def some(found: Game) -> Iterator[Finding]:
        careless = [f for f in trucks(found, careless=True) if f.units == (last,)]
        sure = found.units[last].fact("class").must_be("squad")
        return iter(() if sure else careless)

    (kept,) = completed(many, some(many), some, ("class",))
    assert (kept.units[0], kept.verdict) == (last, "unverifiable")
    assert [u.key for u in kept.unknowns] == [f"unit {last} class"]


def test_two_open_facts_of_which_both_are_needed_are_both_named() -> None:
    def both(found: Game) -> Iterator[Finding]:
        several = list(trucks(found))
        return iter(several[:1] if len(several) == 2 else ())

    of = game(EITHER, EITHER)
    (found,) = completed(of, both(of), both, ("class",))
    assert found.verdict == "unverifiable"
    assert [u.key for u in found.unknowns] == ["unit u0 class", "unit u1 class"]


def dying(perhaps: Fact) -> Game:
    """A truck that may be dead from step 2 on, and is in step 5; somebody moves in each step."""
    steps = [StepRef(1, number) for number in range(1, 6)]
    moves = [Displacement(at, "u1", Place("nowhere"), Place("nowhere")) for at in steps]
    told = {2: perhaps, 5: known(True)}
    events = []
    for move in moves:
        if move.at.step in told:
            events.append(StateChange(move.at, "u0", "dead", UNKNOWN, told[move.at.step]))
        events.append(move)
    return replace(game(TRUCK, TRUCK), events=tuple(events))


def alive(found: Game, step: int) -> bool:
    told = [e for e in found.events if isinstance(e, StateChange) and e.at.step <= step]
    return not told or told[-1].after.must_be(False)


@pytest.mark.parametrize("perhaps", [Fact((False, True)), UNKNOWN])
@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_a_unit_may_have_died_at_any_step_in_between(perhaps: Fact, last: int) -> None:
    def lived_until(found: Game) -> Iterator[Finding]:
        lived = alive(found, last) and not alive(found, last + 1)
        return trucks(replace(found, units={"u0": found.units["u0"]})) if lived else iter(())

    of = dying(perhaps)
    (found,) = completed(of, lived_until(of), lived_until, ("class",))
    assert found.verdict == "unverifiable"
    (asked,) = found.unknowns
    assert asked.key == "unit u0 dead from 1:2"
    assert 'first = "1:2"' in asked.stanza


def test_what_its_death_does_not_matter_to_is_found_as_it_was() -> None:
    of = dying(UNKNOWN)
    assert [v for _, v, _ in said(of)] == ["illegal", "illegal"]
