"""What the moves of drawn games say of numbers that their chart lacks: what is pinned is right, and nothing
is said of a row that no move needs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from charted import PROHIBITED, Chart, Cost, Played, a_chart, a_game
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.game import PhaseStart, Rules
from vassal_umpire.model.suspect import PackFact, Suspect
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.chart_from_moves.asking import CHEAPER_RULES, NO_ANCHOR, Asked, ask
from vassal_umpire.validators.chart_from_moves.fit import Fit, Trip
from vassal_umpire.validators.chart_from_moves.ground import NONE, SCALE, Number, ground_of
from vassal_umpire.validators.chart_from_moves.numbers import ClassFindings, findings_of
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.suspects import suspects
from vassal_umpire.validators.suspects.accused import accusations
from vassal_umpire.validators.suspects.candidates import Candidates
from vassal_umpire.validators.suspects.dear_numbers import dear_numbers
from vassal_umpire.validators.suspects.facts import cheaper
from vassal_umpire.validators.suspects.trying import Trial

FOREST, ROUGH = Number("terrain", "forest"), Number("terrain", "rough")
RIVER, ROAD = Number("hexsides", "river"), Number("roads", "road")
LAKE = Number("terrain", "lake")


GROUND = {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}
CHART = Chart(GROUND, {"river": 1, "wall": 2}, 1, 6)


def value(cost: Cost) -> int:
    return -1 if isinstance(cost, str) else cost * SCALE


def right(chart: Chart) -> dict[Number, int]:
    """The chart as the search writes it."""
    return {
        **{Number("terrain", name): value(cost) for name, cost in chart.terrain.items()},
        **{Number("hexsides", name): value(cost) for name, cost in chart.sides.items()},
        ROAD: chart.road * SCALE,
    }


def fit_of(played: Played, unknown: tuple[Number, ...]) -> Fit:
    """The search for ``unknown``; all other numbers of the chart are told."""
    game = played.by(played.chart)
    ground = ground_of(game.board, game.rules.tables)
    phases = [event for event in played.game.events if isinstance(event, PhaseStart)]
    each = len(played.moves) // len(phases)
    allowance = played.chart.allowance * SCALE
    trips = [
        Trip(number // each, ground.index[a], ground.index[b], allowance, str(number))
        for number, (a, b) in enumerate(played.moves)
    ]
    known = {number: cost for number, cost in right(played.chart).items() if number not in unknown}
    return Fit(ground, trips, known, [number for number in ground.numbers if number in unknown])


def said_of(played: Played, unknown: tuple[Number, ...]) -> ClassFindings:
    return findings_of("foot", fit_of(played, unknown))


@given(st.integers(0, 10**6))
@examples(3, default=1, proof=400)
def test_a_number_that_is_pinned_is_right_and_an_interval_holds_it(seed: int) -> None:
    random = Random(seed)
    played = a_game(random, a_chart(random), phases=random.choice((10, 40)), units=10)
    truth = right(played.chart)
    said = said_of(played, (FOREST, ROUGH, RIVER, ROAD, LAKE))
    assert len(said.unexplained) < 3
    for one in said.findings:
        if one.is_pinned:
            assert one.low == truth[one.number], one
        elif one.low is not None and one.high is not None:
            assert one.low <= truth[one.number], one
            assert truth[one.number] <= one.high or one.high in (PROHIBITED, NONE, -1), one
    lake = next(one for one in said.findings if one.number == LAKE)
    assert not lake.is_pinned


def test_with_moves_enough_the_numbers_are_pinned_with_evidence_of_both_sides() -> None:
    said = said_of(a_game(Random(5), CHART, phases=40, units=10), (FOREST, ROUGH))
    found = {one.number: one for one in said.findings}
    assert {number: one.low for number, one in found.items() if one.is_pinned} == {
        FOREST: 2 * SCALE,
        ROUGH: 3 * SCALE,
    }
    forest = found[FOREST]
    assert forest.dearer is not None
    assert forest.cheaper is not None
    assert forest.dearer.value == 3 * SCALE
    assert forest.dearer.moves >= 3
    assert forest.dearer.phases >= 2
    assert forest.cheaper.value == SCALE
    assert forest.cheaper.missed >= 5


def test_of_few_moves_only_hard_evidence_counts() -> None:
    (forest,) = said_of(a_game(Random(5), CHART, phases=20, units=10), (FOREST,)).findings
    assert not forest.is_pinned
    assert (forest.low, forest.high, forest.cheaper) == (SCALE, 2 * SCALE, None)


def test_of_a_row_that_no_move_needs_nothing_is_said() -> None:
    random = Random(7)
    wall = Number("hexsides", "wall")
    chart = Chart(GROUND, {"river": 1, "wall": PROHIBITED}, 1, 5)
    said = said_of(a_game(random, chart, phases=20), (LAKE, wall))
    assert [(one.low, one.high) for one in said.findings] == [(None, None)] * 2


def test_moves_beyond_any_chart_withhold_the_pins_and_are_listed_by_how_far() -> None:
    fit = fit_of(a_game(Random(5), CHART, phases=30, units=8), (FOREST,))
    far = [
        trip._replace(allowance=trip.allowance // 3, phase=trip.phase + 100) for trip in fit.unique
    ]
    some = Fit(fit.ground, [*fit.unique, *far[::6]], fit.known, fit.wanted)
    said = findings_of("foot", some)
    (forest,) = said.findings
    assert not forest.is_pinned
    assert "do not fit any chart" in forest.withheld or forest.low != forest.high
    over = [one.over for one in said.unexplained if one.over is not None]
    assert over == sorted(over, reverse=True)
    assert over[0] > 0


def test_the_moves_are_asked_for_what_the_charts_of_the_pack_lack() -> None:
    asked = asked_of(a_game(Random(5), CHART, phases=12, units=8), CHART)
    (foot,) = asked.classes
    assert [one.number for one in foot.findings] == [FOREST]
    assert foot.moves > 50
    assert foot.phases >= 11
    assert foot.findings[0].high in (2 * SCALE, 3 * SCALE)


def asked_of(played: Played, chart: Chart, **more: object) -> Asked:
    tables = {**chart.tables(), **more}
    del tables["terrain"]["costs"]["forest"]
    game = played.by(chart)
    return ask(replace(game, rules=Rules("generic", tables)), RULESET, tables)


def test_without_a_cost_to_begin_with_nothing_is_asked() -> None:
    random = Random(5)
    played = a_game(random, a_chart(random), phases=2)
    tables = {**played.chart.tables(), "terrain": {"costs": {"lake": PROHIBITED}}}
    game = replace(played.by(played.chart), rules=Rules("generic", tables))
    asked = ask(game, RULESET, tables)
    assert (asked.classes, asked.not_asked) == ((), {"foot": NO_ANCHOR})


def test_rules_that_make_steps_cheaper_withhold_the_pins() -> None:
    steps = [{"reason": "frost", "across": ["river"], "cost": 0, "instead_of": ["hexsides"]}]
    asked = asked_of(a_game(Random(5), CHART, phases=12, units=8), CHART, steps=steps)
    (forest,) = asked.classes[0].findings
    assert not forest.is_pinned
    assert forest.withheld in ("", CHEAPER_RULES)


# -- numbers that are typed too dear are found by the moves that they make impossible ---------------

CELLS = (("terrain", "forest"), ("terrain", "rough"), ("sides", "river"))


def told(played: Played, chart: Chart) -> tuple[tuple[Suspect, ...], int]:
    """The numbers that are too dear by the moves if ``chart`` is typed, and how many moves are illegal."""
    game, kept = played.by(chart), JudgementCache()
    found = audit(game, RULESET, judge=kept)
    accused = accusations(found, kept)
    trial = Trial(game, RULESET, kept, Candidates(game, frozenset()))
    return tuple(dear_numbers(trial, accused)), len({one.step for one in accused})


def cell_of(table: str, name: str) -> str:
    return f"terrain > costs > {name}" if table == "terrain" else f"hexsides > {name} > cost"


@given(st.integers(0, 10**6))
@examples(6, default=1, proof=300)
def test_the_chart_that_was_played_by_gives_no_complaint(seed: int) -> None:
    random = Random(seed)
    played = a_game(random, a_chart(random), phases=5)
    assert told(played, played.chart) == ((), 0)


@given(st.integers(0, 10**6), st.sampled_from(CELLS))
@examples(4, default=1, proof=300)
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
@examples(2, default=1, proof=200)
def test_an_allowance_typed_too_small_is_found(seed: int) -> None:
    random = Random(seed)
    played = a_game(random, a_chart(random), phases=5)
    right = played.chart.allowance
    numbers, illegal = told(played, replace(played.chart, allowance=right - 1))
    assert illegal
    one = next(one for one in numbers if one.fact.cell == "allowance > by_class > foot")
    assert (one.drags, one.at[-1]) == (illegal, (str(right), illegal))


@pytest.mark.ci
def test_it_is_among_the_suspects_with_the_cheaper_value_and_first() -> None:
    random = Random(3)
    played = a_game(random, replace(CHART, allowance=5))
    game, kept = played.by(played.chart.dearer("terrain", "clear")), JudgementCache()
    found = audit(game, RULESET, judge=kept)
    first = suspects(game, RULESET, found, kept).facts[0]
    assert (first.fact.cell, first.at[0][0]) == ("terrain > costs > clear", "1")
    assert first.at[0][1] == first.drags >= 3


@pytest.mark.ci
def test_where_a_number_explains_more_than_any_place_can_nothing_else_is_suspected() -> None:
    """If ``lake`` or ``rough`` were not known, these moves would be open as well; but no cheaper value of
    them makes any of them possible."""
    random = Random(3)
    played = a_game(random, a_chart(random), phases=5)
    game, kept = played.by(played.chart.dearer("terrain", "clear")), JudgementCache()
    found = audit(game, RULESET, judge=kept)
    (clear,) = suspects(game, RULESET, found, kept).facts
    assert (clear.fact.cell, clear.drags, clear.legal) == ("terrain > costs > clear", 8, 12)
    assert clear.at == (("1", 8),)


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
        (PackFact("chart", "roads", name="complete", value="yes"), ()),
    ],
)
def test_which_values_make_a_number_cheaper(fact: PackFact, values: tuple[str, ...]) -> None:
    assert cheaper(fact) == values
