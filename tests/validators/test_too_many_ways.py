"""Where there are more ways than can be looked through nothing is said, and histories come last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import drawn
import pytest
from handmade import Made, Plain, Walker, budget
from vassal_umpire.model.bill import ZERO
from vassal_umpire.validators import scenarios
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.legal_forms import legal_forms
from vassal_umpire.validators.ruleset import CostBreakdown, Scenario, Step, Tag
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
