"""Numbers that are typed too dear are found by the moves that they make impossible, and right ones are not
complained of."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from charted import PROHIBITED, Chart, Played, a_chart, a_game
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.suspect import PackFact, Suspect
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.suspects import suspects
from vassal_umpire.validators.suspects.accused import accusations
from vassal_umpire.validators.suspects.candidates import Candidates
from vassal_umpire.validators.suspects.dear_numbers import dear_numbers
from vassal_umpire.validators.suspects.facts import cheaper
from vassal_umpire.validators.suspects.trying import Trial

CELLS = (("terrain", "forest"), ("terrain", "rough"), ("sides", "river"))


def told(played: Played, chart: Chart) -> tuple[tuple[Suspect, ...], int]:
    """The numbers that are too dear by the moves if ``chart`` is typed, and how many moves are illegal."""
    game, kept = played.by(chart), JudgementCache()
    found = audit(game, RULESET, judge=kept)
    accused = accusations(found, kept)
    trial = Trial(game, RULESET, kept, Candidates(game, frozenset()))
    return dear_numbers(trial, accused), len({one.step for one in accused})


def cell_of(table: str, name: str) -> str:
    return f"terrain > costs > {name}" if table == "terrain" else f"hexsides > {name} > cost"


@given(st.integers(0, 10**6))
@examples(15, default=2, proof=300)
def test_the_chart_that_was_played_by_gives_no_complaint(seed: int) -> None:
    random = Random(seed)
    played = a_game(random, a_chart(random), phases=5)
    assert told(played, played.chart) == ((), 0)


@given(st.integers(0, 10**6), st.sampled_from(CELLS))
@examples(12, default=2, proof=300)
def test_a_number_typed_one_too_dear_is_found_with_every_move_that_it_makes_impossible(
    seed: int, cell: tuple[str, str]
) -> None:
    random = Random(seed)
    played = a_game(random, a_chart(random), phases=5)
    numbers, illegal = told(played, played.chart.dearer(*cell))
    typed = str({**played.chart.terrain, **played.chart.sides}[cell[1]])
    found = {one.fact.cell: one for one in numbers}
    if not illegal:
        assert not numbers
        return
    one = found[cell_of(*cell)]
    assert (one.drags, one.at) == (illegal, ((typed, illegal),))
    assert all(other.drags == illegal for other in numbers)


@given(st.integers(0, 10**6))
@examples(6, default=1, proof=200)
def test_an_allowance_typed_too_small_is_found(seed: int) -> None:
    random = Random(seed)
    played = a_game(random, a_chart(random), phases=5)
    right = played.chart.allowance
    numbers, illegal = told(played, replace(played.chart, allowance=right - 1))
    assert illegal
    one = next(one for one in numbers if one.fact.cell == "allowance > by_class > foot")
    assert (one.drags, one.at[-1]) == (illegal, (str(right), illegal))


def test_it_is_among_the_suspects_with_the_cheaper_value_and_first() -> None:
    random = Random(3)
    played = a_game(
        random,
        Chart(
            {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 5
        ),
    )
    game, kept = played.by(played.chart.dearer("terrain", "clear")), JudgementCache()
    found = audit(game, RULESET, judge=kept)
    first = suspects(game, RULESET, found, kept).facts[0]
    assert (first.fact.cell, first.at[0][0]) == ("terrain > costs > clear", "1")
    assert first.at[0][1] == first.drags >= 3


@pytest.mark.parametrize(
    ("fact", "values"),
    [
        (PackFact("chart", "terrain > costs > forest", value="4"), ("3", "2", "1")),
        (
            PackFact("chart", "terrain > costs > forest > foot", value="prohibited"),
            ("8", "6", "5", "4", "3", "2", "1"),
        ),
        (PackFact("chart", "terrain > costs > fort", value="+2"), ("+1", "+0")),
        (PackFact("chart", "hexsides > river > cost", value="2"), ("1", "0")),
        (PackFact("chart", "roads > road > cost > foot", value="1"), ("1/2", "1/3", "1/4")),
        (PackFact("chart", "terrain > costs > track", value="3/2"), ("1", "1/2", "1/3", "1/4")),
        (PackFact("chart", "terrain > costs > clear", value="1"), ()),
        (PackFact("chart", "allowance > by_class > foot", value="4"), ("5", "6", "7")),
        (PackFact("unit", "1st Inf", name="ma", value="4"), ("5", "6", "7")),
        (PackFact("chart", "stacking > limit", value="2"), ()),
        (PackFact("chart", "zoc > exerted_by > 1 > least", value="2"), ()),
        (PackFact("chart", "zoc > stop", value="true"), ()),
    ],
)
def test_which_values_make_a_number_cheaper(fact: PackFact, values: tuple[str, ...]) -> None:
    assert cheaper(fact) == values
