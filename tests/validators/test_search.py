"""The search on grounds made by hand: what no table of the ruleset generic reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import drawn
import pytest
from vassal_umpire.validators.ruleset import Breach, CostBreakdown, Step, Tag
from vassal_umpire.validators.search import GaveUp, SpendingLimit, cheapest, least_broken, reachable

BOARD = drawn.board(".....")
WALL = Breach("X-WALL", "climbs a wall", "")
HALT = Breach("X-HALT", "goes on after a halt", "")


@dataclass
class Corridor:
    """A row of hexes; ``costs`` per hex, ``walls`` and ``halts`` by hex."""

    costs: dict[str, int] = field(default_factory=dict)
    walls: frozenset[str] = frozenset()
    halts: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    least: int = 1

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        return [
            Step(
                to,
                self.costs.get(to, 1),
                stops=HALT if to in self.halts else None,
                whole=to in self.whole,
                breaks=(WALL,) if to in self.walls else (),
            )
            for to in BOARD.neighbours(hex_name)
        ]

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        return [step for step in self.edges_with_violations(hex_name, tag) if not step.breaks]

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        return CostBreakdown(())


def spent(graph: Corridor, spending_limit: SpendingLimit, *stops: str) -> int | None:
    route = cheapest(BOARD, graph, "0101", stops, spending_limit)
    return None if route is None else route.spent


def test_waypoints_are_passed_in_order() -> None:
    assert spent(Corridor(), SpendingLimit(None), "0301") == 2
    assert spent(Corridor(), SpendingLimit(None), "0401", "0201") == 5
    assert spent(Corridor(), SpendingLimit(4), "0401", "0201") is None
    assert spent(Corridor(), SpendingLimit(None), "0101") == 0


@pytest.mark.parametrize(
    ("limit", "overdraft", "found"), [(3, None, None), (3, 1, 7), (2, 1, None), (3, 2, None)]
)
def test_a_last_step_may_overdraw_if_enough_is_left(
    limit: int, overdraft: int | None, found: int | None
) -> None:
    graph = Corridor({"0401": 5})
    assert spent(graph, SpendingLimit(limit, overdraft=overdraft), "0401") == found


def test_only_the_last_step_may_overdraw() -> None:
    graph = Corridor({"0201": 5})
    assert spent(graph, SpendingLimit(3, overdraft=1), "0201") == 5
    assert spent(graph, SpendingLimit(3, overdraft=1), "0301") is None


def test_the_whole_allowance_is_taken_only_while_nothing_is_spent() -> None:
    graph = Corridor({"0201": 0}, whole=frozenset({"0201"}))
    assert spent(graph, SpendingLimit(6), "0201") == 6
    assert spent(graph, SpendingLimit(6, spent=1), "0201") is None
    assert spent(graph, SpendingLimit(6), "0301") is None


def test_what_was_spent_before_counts_against_the_limit() -> None:
    assert spent(Corridor(), SpendingLimit(4, spent=2), "0301") == 4
    assert spent(Corridor(), SpendingLimit(3, spent=2), "0301") is None


def test_a_halt_ends_the_move() -> None:
    graph = Corridor(halts=frozenset({"0301"}))
    assert spent(graph, SpendingLimit(None), "0301") == 2
    assert spent(graph, SpendingLimit(None), "0401") is None
    assert spent(graph, SpendingLimit(None), "0301", "0201") is None


def test_fewest_prohibitions_first_then_least_cost() -> None:
    graph = Corridor({"0201": 3}, walls=frozenset({"0301"}), halts=frozenset({"0201", "0401"}))
    route = least_broken(BOARD, graph, "0101", ("0501",), SpendingLimit(4), ceiling=None)
    assert [b.clause for b in route.broken] == ["X-HALT", "X-WALL"]  # the halt counts once
    assert route.spent == 6
    assert least_broken(BOARD, graph, "0101", ("0501",), SpendingLimit(4)) is None
    assert least_broken(BOARD, graph, "0101", ("0501",), SpendingLimit(6)) is not None


def test_nothing_is_concluded_from_a_search_given_up() -> None:
    with pytest.raises(GaveUp):
        least_broken(BOARD, Corridor(), "0101", ("0501",), SpendingLimit(9), most_labels=2)
    with pytest.raises(GaveUp):
        cheapest(BOARD, Corridor(), "0101", ("0501",), SpendingLimit(9), most_labels=2)


def test_reach() -> None:
    graph = Corridor(halts=frozenset({"0301"}))
    assert reachable(graph, "0101", SpendingLimit(9)) == {"0101": 0, "0201": 1, "0301": 2}
