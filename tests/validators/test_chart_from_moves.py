"""What the moves of drawn games say of numbers that their chart lacks: what is pinned is right, and nothing
is said of a row that no move needs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from charted import PROHIBITED, Chart, Cost, Played, a_chart, a_game
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.game import Rules
from vassal_umpire.validators.chart_from_moves.asking import CHEAPER_RULES, NO_ANCHOR, Asked, ask
from vassal_umpire.validators.chart_from_moves.fit import Fit, Trip
from vassal_umpire.validators.chart_from_moves.ground import NONE, SCALE, Number, ground_of
from vassal_umpire.validators.chart_from_moves.numbers import ClassFindings, findings_of
from vassal_umpire.validators.rulesets.generic import RULESET

FOREST, ROUGH = Number("terrain", "forest"), Number("terrain", "rough")
RIVER, ROAD = Number("hexsides", "river"), Number("roads", "road")
LAKE = Number("terrain", "lake")


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
    phases = [event["turn"] for event in played.plain["events"] if event["event"] == "phase"]
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
@examples(10, default=1, proof=400)
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
    random = Random(5)
    chart = Chart(
        {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 6
    )
    said = said_of(a_game(random, chart, phases=40, units=10), (FOREST, ROUGH))
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
    random = Random(5)
    chart = Chart(
        {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 6
    )
    (forest,) = said_of(a_game(random, chart, phases=20, units=10), (FOREST,)).findings
    assert not forest.is_pinned
    assert (forest.low, forest.high, forest.cheaper) == (SCALE, 2 * SCALE, None)


def test_of_a_row_that_no_move_needs_nothing_is_said() -> None:
    random = Random(7)
    chart = Chart(
        {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED},
        {"river": 1, "wall": PROHIBITED},
        1,
        5,
    )
    wall = Number("hexsides", "wall")
    said = said_of(a_game(random, chart, phases=20), (LAKE, wall))
    assert [(one.low, one.high, one.visits) for one in said.findings] == [(None, None, 0)] * 2


def test_moves_beyond_any_chart_withhold_the_pins_and_are_listed_by_how_far() -> None:
    random = Random(5)
    chart = Chart(
        {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 6
    )
    fit = fit_of(a_game(random, chart, phases=30, units=8), (FOREST,))
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
    random = Random(5)
    chart = Chart(
        {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 6
    )
    asked = asked_of(a_game(random, chart, phases=12, units=8), chart)
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
    random = Random(5)
    chart = Chart(
        {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 6
    )
    steps = [{"reason": "frost", "across": ["river"], "cost": 0, "instead_of": ["hexsides"]}]
    asked = asked_of(a_game(random, chart, phases=12, units=8), chart, steps=steps)
    (forest,) = asked.classes[0].findings
    assert not forest.is_pinned
    assert forest.withheld in ("", CHEAPER_RULES)
