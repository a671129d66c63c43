"""What lies where and what is known of it, at a step and over a span of steps."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import drawn
import pytest
from flat import new_game
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model.board import Board
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.fact import UNKNOWN, Fact, between, either, known, one_of
from vassal_umpire.model.game import NOWHERE, Condition, Displacement, Game, Place, Rules, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.timeline import Timeline


def step(number: int) -> StepRef:
    return StepRef(1, number)


def test_over_a_span_who_surely_and_who_possibly_lies_there():
    s = new_game("a Red 0101", "b Red 0101", "c Red 0201").marker("m", "0101").move()
    s.drag("a", "0301").drag("c", "0101").drag("c", "0201").drag("b", "0301")
    situation = Situation(s.game())
    situation.advance_before(step(2))
    span = situation.over(step(4))
    assert span.surely_in("0101") == ("b",)
    assert span.possibly_in("0101") == ("a", "b", "c")
    assert span.surely_in("0201") == ()
    assert situation.surely_in("0101") == ("a", "b")


@pytest.mark.parametrize("changes", [(), (BoardChange(StepRef(1, 2)),)], ids=["still", "changed"])
def test_what_is_assumed_of_a_game_holds_on_all_its_boards(
    changes: tuple[BoardChange, ...],
) -> None:
    s = new_game("a Red 0101", "b Red 0101").move().drag("a", "0301").drag("b", "0301")
    whole = s.game()
    whole = replace(whole, events=(*whole.events[:2], *changes, *whole.events[2:]))
    assumed = replace(whole, units={**whole.units, "b": replace(whole.units["b"], side="Blue")})
    situation = Situation(assumed, Timeline(whole))
    situation.advance_before(step(3))
    for one in (situation, situation.over(step(4))):
        assert one.game.units == assumed.units
        assert one.game is one.game.on_board(0, 0).on_board(one.applied, one.applied)


FACTS = st.one_of(
    st.lists(st.integers(-3, 9), min_size=1, max_size=3).map(lambda v: one_of(*v)),
    st.tuples(st.none() | st.integers(-3, 3), st.none() | st.integers(4, 9)).map(
        lambda b: between(*b)
    ),
)


@given(st.lists(FACTS, min_size=1, max_size=4), st.integers(-5, 12))
def test_either_allows_what_one_allows(facts, number):
    value = Fraction(number)
    if any(fact.may_be(value) for fact in facts):
        assert either(facts).may_be(value)


def test_either_keeps_true_apart_from_one():
    assert either([known(True), known(1)]).options == (True, Fraction(1))


STEPS = st.builds(StepRef, st.integers(1, 2), st.integers(0, 5))


@st.composite
def conditions(draw):
    number = draw(st.integers(0, 8))
    made = []
    for n in range(number):
        first, last = draw(STEPS), draw(st.none() | STEPS)
        made.append(Condition("weather", known(n), first, last, draw(st.sampled_from(["", "a"]))))
    return tuple(made)


@given(conditions(), STEPS, st.sampled_from(["", "a", "b"]))
def test_conditions_as_the_game_itself_answers(found, at, unit):
    game = Game("t", Board("b", {}), (), {}, {}, (), Rules("flat"), conditions=found)
    assert Timeline(game).condition("weather", at, unit) == game.condition("weather", at, unit)


@given(conditions(), STEPS, STEPS, STEPS, st.sampled_from(["", "a"]))
def test_conditions_over_a_span_allow_what_held_within(found, first, moment, last, unit):
    first, moment, last = sorted((first, moment, last))
    game = Game("t", Board("b", {}), (), {}, {}, (), Rules("flat"), conditions=found)
    over = Timeline(game).condition_between("weather", first, last, unit)
    held: Fact = game.condition("weather", moment, unit)
    if held == UNKNOWN:
        assert (over.options, over.lo, over.hi) == (None, None, None)
    else:
        assert over.may_be(held.value)


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [((1, 2), (1, 1), (1, 2)), ((1, 4), (1, 3), (1, 5)), ((2, 1), (2, 1), (2, 2))],
)
def test_a_stretch_ends_with_the_phase_or_the_log(asked, first, last):
    s = new_game("a Red 0101").drag("a", "0102").drag("a", "0103").phase(None, None, None)
    s.drag("a", "0104").drag("a", "0105").new_log().drag("a", "0106").drag("a", "0107")
    assert Timeline(s.game()).stretch(StepRef(*asked)) == (StepRef(*first), StepRef(*last))


@pytest.mark.parametrize(
    ("dead", "sure", "possible"),
    [
        *((known(yes), False, False) for yes in (True, "true", "1")),
        *((known(no), True, True) for no in (False, "false", "0")),
        *((open_, False, True) for open_ in (one_of(True, False), between(0, 1), UNKNOWN)),
        (known("perhaps"), False, True),
    ],
)
def test_who_is_in_play(dead, sure, possible):
    situation = Situation(new_game().unit("a", "Red", "0101", attributes={"dead": dead}).game())
    assert situation.surely_in("0101") == (("a",) if sure else ())
    assert situation.possibly_in("0101") == (("a",) if possible else ())


def test_who_dies_in_a_span_is_in_play_for_a_part_of_it():
    played = new_game("a Red 0101", "b Red 0102").move().drag("b", "0103")
    played.flip("a", "dead", UNKNOWN, known(True)).drag("b", "0104")
    situation = Situation(played.game())
    assert situation.surely_in("0101") == ("a",)
    span = situation.over(StepRef(1, 4))
    assert (span.surely_in("0101"), span.possibly_in("0101")) == ((), ("a",))
    situation.advance_after(StepRef(1, 3))
    assert situation.possibly_in("0101") == ()


# -- who is beside a hex ----------------------------------------------------------------------------


BOARD = drawn.board(*["...."] * 4, links=frozenset({("0101", "0404")}))
SIDES = ("Red", "Blue", None)
PLACES = (*(Place("hex", name) for name in BOARD.hexes), Place("hex", "off the map"), NOWHERE)
DRAGS = st.lists(st.tuples(st.sampled_from(("r", "b", "n", "m")), st.sampled_from(PLACES)))
UNITS = {
    "r": Unit("r", "r", "Red"),
    "b": Unit("b", "b", "Blue"),
    "n": Unit("n", "n", None),
    "m": Unit("m", "m", "Blue", kind="marker"),
}


OPENINGS = st.tuples(*(st.sampled_from(PLACES) for _ in UNITS))
Where = dict[str, Place]


def dragged(opening: tuple[Place, ...], drags: list[tuple[str, Place]]) -> tuple[Game, list[Where]]:
    """A game of a drag in each step, and where everybody is after each."""
    where = [dict(zip(UNITS, opening, strict=True))]
    events = []
    for step, (unit, target) in enumerate(drags, 1):
        events.append(Displacement(StepRef(1, step), unit, where[-1][unit], target))
        where.append({**where[-1], unit: target})
    sides, rules = ("Red", "Blue"), Rules("generic")
    return Game("g", BOARD, sides, UNITS, where[0], tuple(events), rules), where


def not_of(side: str | None) -> list[str]:
    return [u for u in "rbn" if side is None or UNITS[u].side != side]


@given(OPENINGS, DRAGS, st.sampled_from(SIDES), st.booleans())
def test_nobody_is_beside_a_hex_with_no_count(opening, drags, side, early) -> None:
    game, where = dragged(opening, drags)
    situation, now = Situation(game), where[-1]
    if early:  # asked for before anything happens, it is counted on
        situation.others_beside(side)
        situation.others_in(side)
    situation.advance_after(StepRef(1, len(drags)))
    counted, within = situation.others_beside(side), situation.others_in(side)
    for name in BOARD.hexes:
        around = {name, *BOARD.neighbours(name)}
        near = [u for u in not_of(side) if now[u].kind == "hex" and now[u].name in around]
        assert counted.get(name, 0) == len(near)
        assert within.get(name, 0) == sum(now[u].name == name for u in near)


@given(OPENINGS, DRAGS, st.sampled_from(SIDES), st.integers(0, 5), st.integers(0, 5))
def test_over_a_span_everybody_counts_who_is_there_at_some_time(
    opening, drags, side, start, more
) -> None:
    game, where = dragged(opening, drags)
    situation = Situation(game)
    situation.advance_after(StepRef(1, start))
    span = situation.over(StepRef(1, start + more))
    seen = where[min(start, len(drags)) : start + more + 1]
    for name in BOARD.hexes:
        around = {name, *BOARD.neighbours(name)}
        lay = {t[u].name for t in seen for u in not_of(side) if t[u].kind == "hex"}
        assert (name in span.others_beside(side)) == bool(lay & around)
        assert (name in span.others_in(side)) == (name in lay)
    # the span has not spoilt what is counted on
    assert dict(situation.others_in(side)) == dict(after(game, start).others_in(side))


def after(game: Game, step: int) -> Situation:
    situation = Situation(game)
    situation.advance_after(StepRef(1, step))
    return situation


def stirred(script: Any, *conditions: Condition) -> list[Any]:
    """What Red keeps of other sides' counters, before each of the first steps of a game."""
    situation = Situation(replace(script.game(), conditions=conditions))
    found = []
    for number in range(2, 6):
        situation.advance_before(step(number))
        found.append(situation.since_others_stirred("Red"))
    return found


def of_both() -> Any:
    return new_game("a Red 0101 4", "e Blue 0105 4").move()


@pytest.mark.parametrize(
    ("script", "changes"),
    [
        (of_both().drag("a", "0102").drag("a", "0103").drag("a", "0104"), [False] * 3),
        (of_both().flip("a", "ma", known(4), known(2)).drag("a", "0103"), [False] * 3),
        (of_both().drag("a", "0102").drag("e", "0106").drag("a", "0104"), [False, True, False]),
        (of_both().drag("a", "0102").flip("e", "ma", known(4), known(2)), [False, True, False]),
    ],
)
def test_what_is_kept_of_enemies_lasts_until_something_happens_to_them(
    script: Any, changes: list[bool]
) -> None:
    told = stirred(script)
    assert [one != other for one, other in pairwise(told)] == changes


def test_what_is_kept_of_enemies_ends_where_a_condition_begins_or_ends() -> None:
    script = of_both().drag("a", "0102").drag("a", "0103").drag("a", "0104")
    dead = Condition("dead", known(True), StepRef(1, 3), StepRef(1, 3), "e")
    told = stirred(script, dead)
    assert [one != other for one, other in pairwise(told)] == [True, True, False]


def test_nothing_is_kept_of_enemies_to_whom_something_happens_in_the_span() -> None:
    situation = Situation(of_both().drag("a", "0102").drag("e", "0106").game())
    situation.advance_before(step(2))
    assert situation.over(step(2)).since_others_stirred("Red") is not None
    assert situation.over(step(3)).since_others_stirred("Red") is None
    assert situation.over(step(3)).since_others_stirred("Blue") is None
