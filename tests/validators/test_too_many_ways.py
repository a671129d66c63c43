"""Where there are more ways than can be looked through nothing is said, and histories come last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import drawn
import pytest
from handmade import Made, Plain, Walker, budget
from vassal_umpire.model.bill import ZERO
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import Game, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators import scenarios
from vassal_umpire.validators.engine.graph import ClauseGraph
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.legal_forms import legal_forms
from vassal_umpire.validators.ruleset import CostBreakdown, Scenario, Step, Tag
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.scenarios import attempt, gets_there, path_query
from vassal_umpire.validators.search import GaveUp
from vassal_umpire.validators.situation import Situation

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


@dataclass
class Remembering(UnitHistory):
    """The same, and it knows of the ground without history: a hex may not be entered twice."""

    def forgetting(self) -> Plain:
        return Plain({}, board=self.board, barred=self.barred)

    def allows(self, steps: Sequence[Step]) -> bool:
        return len({step.to for step in steps}) == len(steps)


def verdict(*movers: Walker) -> str:
    played = drawn.game(BOARD, {"0101": drawn.unit("a")})
    return judge_move(MOVE, Situation(played), Made(lambda *_: movers)).judged.verdict


def query():
    return path_query(MOVE, BOARD, 2, ZERO)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "_FEWEST_LABELS", 500)


def test_nothing_is_said_where_too_many_ways_end_nowhere() -> None:
    assert verdict(Walker(Plain({}, board=BOARD, barred=WALLED), budget(12))) == "illegal"
    walled = UnitHistory({}, board=BOARD, barred=WALLED)
    assert verdict(Walker(walled, budget(12))) == "unverifiable"
    assert verdict(Walker(PLAIN, budget(14), walled)) == "unverifiable"
    assert verdict(Walker(walled, budget(12), PLAIN)) == "legal"


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


def test_what_is_open_without_history_is_looked_at_first() -> None:
    walled = Walker(Remembering({}, board=BOARD, barred=WALLED), budget(12))
    assert attempt(walled, query(), "favourable") is None
    assert attempt(Walker(Remembering({}, board=BOARD), budget(14)), query(), "favourable")


def test_a_way_that_its_own_history_bars_is_looked_for_with_it() -> None:
    mover = Walker(Remembering({}, board=BOARD), budget(6))
    back = drawn.move("a", "0101", "0201", "0301", "0201", "0101", "0102")
    assert attempt(mover, path_query(back, BOARD, 2, ZERO), "adverse") is None
    once = drawn.move("a", "0101", "0201", "0301", "0202", "0102")
    assert attempt(mover, path_query(once, BOARD, 2, ZERO), "adverse")


# -- targets walled in on large boards --------------------------------------------------------------


TABLES = {
    "classes": {"names": ["foot"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1, "lake": "prohibited"}},
}


def into_the_lake(side: int) -> Judgement:
    """From 1010 four hexes into a lake of one hex, on a board of so many hexes a side."""
    board = Board(
        "field",
        MappingProxyType(
            {
                f"{c:02}{r:02}": Hex(
                    f"{c:02}{r:02}",
                    from_offset(c, r),
                    ("lake",) if (c, r) == (14, 10) else ("clear",),
                )
                for c in range(side)
                for r in range(side)
            }
        ),
    )
    here, there = Place("hex", "1010"), Place("hex", "1410")
    unit = Unit("u", "1 Inf", "Red", attributes={"ma": known(2)})
    game = Game(
        "field", board, ("Red",), {"u": unit}, {"u": here}, (), Rules("generic", tables=TABLES)
    )
    phase = PhaseView("1", "Movement", "Red")
    move = Move(0, ("u",), here, there, (here, there), (True, True), (StepRef(1, 1),), phase)
    return judge_move(move, Situation(game), RULESET.in_force(game))


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
