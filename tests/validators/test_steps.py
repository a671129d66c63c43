"""Steps that stay in the hex, waypoints met only by what follows, and the search against the walker."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import drawn
import handmade
import pytest
import twin
from handmade import Paths, Walker, budget
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.validators.ruleset import START, Breach, Rounding, Step, Tag
from vassal_umpire.validators.search import (
    GaveUp,
    Route,
    SpendingLimit,
    cheapest,
    least_broken,
)

BOARD = drawn.board("....")
HALT = Breach("X-HALT", "goes on after boarding", "")
TAGS: tuple[Tag, ...] = (START, "a", "b")


def random_paths(rng: Random) -> Paths:
    """Steps of every kind between four hexes in a row and within them."""
    table: dict[tuple[str, Tag], list[Step]] = {}
    for name in BOARD.hexes:
        for tag in TAGS:
            targets = [*BOARD.neighbours(name), *BOARD.neighbours(name), name]
            table[name, tag] = [
                Step(
                    to,
                    rng.choice([0, 0, 1, 1, 2, 3, 5])
                    if to == name
                    else rng.choice([1, 1, 2, 3, 5]),
                    rng.choice(TAGS),
                    stops=HALT if rng.random() < 0.15 else None,
                    whole=rng.random() < 0.1,
                    rounding=Rounding(rng.choice([2, 3]), "X-LOST") if rng.random() < 0.3 else None,
                    passing=rng.random() < 0.2,
                )
                for to in rng.sample(targets, rng.randint(0, len(targets)))
            ]
    return Paths(table, least=rng.choice([0, 1]))


def hops_of(paths: Paths) -> twin.Hops:
    def hops(name: str, memory: object) -> list[twin.Hop]:
        return [
            (
                step.to,
                step.cost,
                step.tag,
                step.stops is not None,
                step.whole,
                step.rounding.quantum if step.rounding else 0,
                step.passing,
            )
            for step in paths.steps(name, memory)
        ]

    return hops


@examples(1500)
@given(
    st.integers(0, 2**40),
    st.integers(0, 9),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 0, 1, 3]),
    st.booleans(),
)
def test_the_search_finds_the_cheapest_of_all_ways(
    seed: int, limit: int, overdraft: int | None, excess: int | None, always: bool
) -> None:
    rng = Random(seed)
    paths = random_paths(rng)
    stops = [rng.choice(sorted(BOARD.hexes)) for _ in range(rng.randint(1, 3))]
    stops = [s for i, s in enumerate(stops) if s != (stops[i - 1] if i else "0101")] or ["0201"]
    most = None if excess is None else limit + excess
    bound = 99 if most is None else most
    least = twin.walk(hops_of(paths), "0101", tuple(stops), limit, overdraft, bound, always)
    spending_limit = SpendingLimit(limit, overdraft=overdraft, most=most, always=always)
    route = cheapest(BOARD, paths, "0101", stops, spending_limit)
    assert (None if route is None else route.spent) == least
    kind = least_broken(BOARD, paths, "0101", stops, spending_limit)
    if least is not None:
        assert (kind.spent, kind.broken) == (least, ())
    else:
        assert kind is None or kind.broken


BOARDING = {
    ("0101", START): [Step("0201", 2, passing=True)],
    ("0201", START): [Step("0201", 4, "aboard", stops=HALT, entry="boarding"), Step("0301", 2)],
    ("0201", "aboard"): [Step("0301", 0, "aboard")],
}
"""Into 0201, where it is seen aboard: 2 MPs more than the hex."""


def route(*stops: str, table: dict[tuple[str, Tag], list[Step]] = BOARDING) -> Route | None:
    return cheapest(BOARD, Paths(table), "0101", stops, SpendingLimit(9))


def test_a_target_is_met_only_when_all_is_as_it_is_seen_there() -> None:
    there = route("0201")
    assert there.spent == 6
    assert there.hexes("0101") == ("0101", "0201")
    assert [leg.step.entry for leg in there.legs] == [None, "boarding"]
    beyond = route("0301")
    assert beyond.spent == 4
    assert route("0201", "0301") is None  # seen aboard on the way: boarding ends the move


def test_what_is_done_in_a_hex_is_on_the_bill_and_in_the_explanation() -> None:
    judged = handmade.judge(Walker(Paths(BOARDING), budget(3)), "0101", "0201").judged
    assert judged.verdict == "legal"
    assert [(c.hex, c.reason, c.amount.lo) for c in judged.bill.charges] == [
        ("0201", "step", 1),
        ("0201", "boarding", 2),
    ]
    (found,) = handmade.judge(Walker(Paths(BOARDING), budget(1)), "0101", "0201").findings
    assert found.kind == "missed-mp-cost"
    assert (
        "the difference is exactly the charge for boarding at 0201 (2, X-STEP)" in found.explanation
    )
    (found,) = handmade.judge(Walker(Paths(BOARDING), budget(9)), "0101", "0201", "0301").findings
    assert found.explanation.endswith("the best one goes on after boarding (X-HALT)")


def test_a_minimum_move_reaches_no_hex_it_only_passes() -> None:
    mover = Walker(Paths(BOARDING), budget(1, minimum_move="X-MINIMUM"))
    assert handmade.judge(mover, "0101", "0201").judged.verdict == "illegal"


@pytest.mark.parametrize("end", ["0301", "0401"])
def test_turning_for_nothing_comes_to_an_end(end: str) -> None:
    table = {
        ("0101", tag): [
            Step("0101", 0, other) for other in ("north", "south", "west") if other != tag
        ]
        for tag in (START, "north", "south", "west")
    }
    table["0101", "west"].append(Step("0201", 1, "west"))
    table["0201", "west"] = [Step("0201", 0, "west"), Step("0301", 1, "west")]
    found = cheapest(BOARD, Paths(table), "0101", (end,), SpendingLimit(None))
    assert (found is not None) == (end == "0301")
    broken = least_broken(BOARD, Paths(table), "0101", (end,), SpendingLimit(None), most_labels=50)
    assert (broken is not None) == (end == "0301")


def test_a_tag_that_never_ends_is_given_up() -> None:
    class Endless(Paths):
        def edges_with_violations(self, hex_name: str, tag: Tag) -> list[Step]:
            return [Step(hex_name, 0, (tag, "again"))]

    with pytest.raises(GaveUp):
        cheapest(BOARD, Endless({}), "0101", ("0201",), SpendingLimit(9), most_labels=50)


def paid(route: Route, limit: int) -> int:
    """What the steps of a route cost a unit with another allowance."""
    spent = 0
    for leg in route.legs:
        step = leg.step
        if step.rounding is not None:
            spent += -spent % step.rounding.quantum
        spent = max(limit, step.cost) if step.whole else spent + step.cost
    return spent


@examples(300)
@given(st.integers(0, 2**40), st.integers(0, 6), st.integers(0, 5))
def test_where_the_poorest_of_a_stack_can_go_all_can_by_the_same_path(
    seed: int, limit: int, more: int
) -> None:
    """So each may be judged by itself although they keep together, if steps cost them the same."""
    paths = random_paths(Random(seed))
    found = cheapest(BOARD, paths, "0101", ("0301", "0201"), SpendingLimit(limit))
    if found is not None:
        assert paid(found, limit + more) <= limit + more


# -- the search on a corridor -----------------------------------------------------------------------


ROW = drawn.board(".....")
WALL = Breach("X-WALL", "climbs a wall", "")
STOP = Breach("X-STOP", "goes on after a halt", "")


def corridor(
    costs: Mapping[str, int] | None = None, *, walls: str = "", halts: tuple[str, ...] = ()
) -> Paths:
    """A row of hexes, each at 1 if ``costs`` does not say otherwise; ``walls``: a hex that is barred."""

    def into(name: str) -> Step:
        cost, stops = (costs or {}).get(name, 1), STOP if name in halts else None
        return Step(name, cost, stops=stops, breaks=(WALL,) if name == walls else ())

    table = {(name, START): [into(to) for to in ROW.neighbours(name)] for name in ROW.hexes}
    return Paths(table, least=1)


def test_fewest_prohibitions_first_then_least_cost() -> None:
    graph = corridor({"0201": 3}, walls="0301", halts=("0201", "0401"))
    route = least_broken(ROW, graph, "0101", ("0501",), SpendingLimit(4), ceiling=None)
    assert [b.clause for b in route.broken] == ["X-STOP", "X-WALL"]  # the halt counts once
    assert route.spent == 6
    assert least_broken(ROW, graph, "0101", ("0501",), SpendingLimit(4)) is None
    assert least_broken(ROW, graph, "0101", ("0501",), SpendingLimit(6)) is not None


def test_nothing_is_concluded_from_a_search_given_up() -> None:
    with pytest.raises(GaveUp):
        least_broken(ROW, corridor(), "0101", ("0501",), SpendingLimit(9), most_labels=2)
    with pytest.raises(GaveUp):
        cheapest(ROW, corridor(), "0101", ("0501",), SpendingLimit(9), most_labels=2)
