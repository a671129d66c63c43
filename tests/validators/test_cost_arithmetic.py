"""Costs that are not exactly known: whatever each of several costs turns out to be, what becomes of them
together lies within the interval that is worked out for them. And the concepts that rulesets share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import drawn
import pytest
from handmade import Made, Plain, Walker, budget
from tiers import SEED
from vassal_umpire.model.bill import ZERO
from vassal_umpire.validators import scenarios
from vassal_umpire.validators.concepts.charts import ChartReader, cheapest, class_cost, dearest
from vassal_umpire.validators.concepts.logic import both, negation, some
from vassal_umpire.validators.cost_interval import (
    ANYTHING,
    BARRED,
    WHOLE,
    CostInterval,
    total,
    union_all,
)
from vassal_umpire.validators.engine.graph import ClauseGraph
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.quotas import legal_forms
from vassal_umpire.validators.ruleset import CostBreakdown, Scenario, Step, Tag
from vassal_umpire.validators.scenarios import attempt, gets_there, path_query
from vassal_umpire.validators.search import GaveUp
from vassal_umpire.validators.situation import Situation

DRAWS = 1500
Outcome = int | str
"""A number, ``bar`` (prohibited) or ``all`` (the whole allowance)."""


def any_cost(rng: Random) -> CostInterval:
    low = rng.randrange(4)
    number = CostInterval(
        low,
        rng.choice((low, low + 1, low + 2, None)),
        rng.choice((False, False, None)),
        rng.choice((False, False, None)),
    )
    return rng.choice((BARRED, WHOLE, ANYTHING, *[number] * 7))


def outcomes(cost: CostInterval) -> Iterator[Outcome]:
    """All that a cost may turn out to be; of one without an upper bound a few numbers."""
    if cost.barred is not False:
        yield "bar"
    if cost.barred is True:
        return
    if cost.whole is not False:
        yield "all"
    if cost.whole is not True:
        yield from range(cost.lo, (cost.lo + 4 if cost.hi is None else cost.hi) + 1)


def within(outcome: Outcome, cost: CostInterval) -> bool:
    if outcome == "bar":
        return cost.barred is not False
    if outcome == "all":
        return cost.barred is not True and cost.whole is not False
    assert isinstance(outcome, int)
    bounded = cost.lo <= outcome and (cost.hi is None or outcome <= cost.hi)
    return cost.barred is not True and cost.whole is not True and bounded


def combined(each: Sequence[Outcome], numbers: Callable[[list[int]], int]) -> set[Outcome]:
    """Several costs that are all due: a prohibition goes before the whole allowance, that before numbers."""
    for word in ("bar", "all"):
        if word in each:
            return {word}
    return {numbers([one for one in each if isinstance(one, int)])}


def of_choice(each: Sequence[Outcome]) -> set[Outcome]:
    """Several costs of which the mover pays one: the least number, or the whole allowance."""
    numbers = [one for one in each if isinstance(one, int)]
    found: set[Outcome] = {min(numbers)} if numbers else set()
    return found | ({"all"} if "all" in each else set()) or {"bar"}


@pytest.mark.parametrize(
    ("worked_out", "meant"),
    [
        (total, lambda each: combined(each, sum)),
        (dearest, lambda each: combined(each, max)),
        (cheapest, of_choice),
        (union_all, set),
    ],
    ids=["total", "dearest", "cheapest", "one of them"],
)
def test_nothing_that_may_come_of_it_lies_outside(
    worked_out: Callable[[Sequence[CostInterval]], CostInterval],
    meant: Callable[[Sequence[Outcome]], set[Outcome]],
) -> None:
    rng = Random(f"{SEED} cost arithmetic")
    for _ in range(DRAWS):
        costs = [any_cost(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
        found = worked_out(costs)
        for each in product(*map(outcomes, costs)):
            assert all(within(one, found) for one in meant(each)), (costs, each, found)


# -- charts and three-valued logic ------------------------------------------------------------------


TWO, FIVE = CostInterval(2, 2), CostInterval(5, 5)
PERHAPS_BARRED = CostInterval(2, 2, None)


def test_not_known_decides_only_where_nothing_else_does() -> None:
    pairs = ((True, True), (True, False), (None, False), (None, True))
    assert [both(*pair) for pair in pairs] == [True, False, False, None]
    assert [some(each) for each in (*pairs, ())] == [True, True, None, True, False]
    assert negation(None) is None


@pytest.mark.parametrize(
    ("costs", "least", "most"),
    [
        ((TWO, FIVE), TWO, FIVE),
        ((TWO, BARRED), TWO, BARRED),
        ((BARRED, BARRED), BARRED, BARRED),
        ((PERHAPS_BARRED, FIVE), CostInterval(2, 5), CostInterval(5, 5, None)),
        ((PERHAPS_BARRED, BARRED), PERHAPS_BARRED, BARRED),
    ],
)
def test_cheapest_and_dearest(
    costs: tuple[CostInterval, ...], least: CostInterval, most: CostInterval
) -> None:
    assert cheapest(costs) == least
    assert dearest(costs) == most


def test_what_the_chart_leaves_open_may_be_cheaper_and_may_be_dearer() -> None:
    assert cheapest((TWO, CostInterval(0, None)))[:2] == (0, 2)
    assert dearest((TWO, CostInterval(0, None)))[:2] == (2, None)


def test_a_clause_switched_off_takes_its_part_out_of_the_chart() -> None:
    raw = {"foot": "3/2", "wheels": "prohibited"}
    whole = ChartReader(("foot", "wheels"), frozenset())
    costs = whole.costs(raw, "COST", "BAR")
    assert whole.scale == 2
    assert class_cost(costs, ("foot",), 2) == CostInterval(3, 3)
    assert class_cost(costs, ("wheels",), 2) == BARRED
    free = ChartReader(("foot", "wheels"), frozenset({"COST", "BAR"})).costs(raw, "COST", "BAR")
    assert class_cost(free, ("foot",), 2) == class_cost(free, ("wheels",), 2) == CostInterval()
    assert class_cost(whole.costs("unknown", "COST"), ("foot",), 2) == ANYTHING


# -- Where there are more ways than can be looked through nothing is said ---------------------------

BOARD = drawn.board(*["........"] * 8)
WALLED = frozenset(BOARD.neighbours("0808"))
MOVE = drawn.move("a", "0101", "0808")
PLAIN = Plain({}, board=BOARD)


@dataclass
class UnitHistory(Plain):
    """A tag holds all hexes passed, each in its turn: as many labels as there are ways."""

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        passed = tag if isinstance(tag, tuple) else ()
        steps = super().edges_with_violations(hex_name, None)
        return [s._replace(tag=(*passed, s.to)) for s in steps if s.to not in passed]

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        return super().cost_breakdown(hex_name, None, step)


def verdict(*movers: Walker) -> str:
    played = drawn.game(BOARD, {"0101": drawn.unit("a")})
    return judge_move(MOVE, Situation(played), Made(lambda *_: movers)).judged.verdict


def query():
    return path_query(MOVE, BOARD, 2, ZERO)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "_FEWEST_LABELS", 500)


@pytest.mark.usefixtures("few")
def test_nothing_is_said_where_too_many_ways_end_nowhere() -> None:
    assert verdict(Walker(Plain({}, board=BOARD, barred=WALLED), budget(12))) == "illegal"
    walled = UnitHistory({}, board=BOARD, barred=WALLED)
    assert verdict(Walker(walled, budget(12))) == "unverifiable"
    assert verdict(Walker(PLAIN, budget(14), walled)) == "unverifiable"
    assert verdict(Walker(walled, budget(12), PLAIN)) == "legal"


@pytest.mark.usefixtures("few")
def test_a_search_that_was_ended_stands_for_a_way_that_may_be_there() -> None:
    walled = UnitHistory({}, board=BOARD, barred=WALLED)
    mover = Walker(walled, budget(12))
    assert attempt(mover, query(), "adverse") is None
    with pytest.raises(GaveUp):
        attempt(mover, query(), "favourable")
    assert gets_there(Scenario((mover,)), query(), "favourable")
    assert not gets_there(Scenario((mover,)), query(), "adverse")
    found = legal_forms("a", [Scenario((mover,))], query()).every
    assert [(o.form, o.sure) for o in found] == [("", False)]


# -- targets walled in on large boards --------------------------------------------------------------


def into_the_lake(side: int) -> Judgement:
    """From 1010 four hexes into a lake of one hex, on a board of so many hexes a side."""
    rows = ["." * side] * side
    rows[9] = f"{'.' * 13}#{'.' * (side - 14)}"
    played = drawn.game(drawn.board(*rows), {"1010": drawn.unit("a", ma=2)})
    return drawn.judge(played, drawn.move("a", "1010", "1410"))


@pytest.mark.usefixtures("few")
def test_a_target_walled_in_is_not_looked_for_all_over_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: Counter[int] = Counter()
    steps = ClauseGraph.steps
    size = 0

    def counted(graph: ClauseGraph, hex_name: str, tag: Tag) -> Sequence[Step]:
        asked[size] += 1
        return steps(graph, hex_name, tag)

    monkeypatch.setattr(ClauseGraph, "steps", counted)
    said = []
    for size in (30, 90):
        [found] = into_the_lake(size).findings
        said.append((found.verdict, found.explanation, found.bill))
    assert said[0] == said[1]
    assert said[0][0] == "illegal"
    assert 0 < asked[90] <= asked[30] * 1.1
