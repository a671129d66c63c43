"""What is left of an MP is lost before a step is paid: in the search, in the bill, in what is said."""

from __future__ import annotations

from fractions import Fraction

import drawn
import handmade
import pytest
from handmade import WHOLE_MP, Paths, Walker, budget
from vassal_umpire.model.bill import Amount, Charge
from vassal_umpire.validators.ruleset import START, CostBreakdown, Step, Tag
from vassal_umpire.validators.search import SpendingLimit, cheapest, least_broken, reachable

BOARD = drawn.board("......")
HALF = Fraction(1, 2)

CHANGE = {
    ("0101", START): [Step("0201", 1, "good")],
    ("0201", "good"): [Step("0301", 1, "good"), Step("0301", 2, "bad", rounding=WHOLE_MP)],
    ("0301", "good"): [Step("0401", 2, "bad", rounding=WHOLE_MP)],
    ("0301", "bad"): [Step("0401", 2, "bad")],
}
"""A good road from 0101 to 0301 (half an MP a hex), a bad one from 0201 to 0401 (1 MP)."""


def test_what_is_left_of_an_mp_is_lost_before_the_step_is_paid() -> None:
    route = cheapest(BOARD, Paths(CHANGE), "0101", ("0301", "0401"), SpendingLimit(None))
    assert route is not None
    assert [leg.step.tag for leg in route.legs] == ["good", "good", "bad"]
    assert route.spent == 4  # a half, a half, nothing lost, 1
    early = {**CHANGE, ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)]}
    route = cheapest(BOARD, Paths(early), "0101", ("0401",), SpendingLimit(None))
    assert route is not None
    assert route.spent == 6  # a half, a half lost, 1, 1


@pytest.mark.parametrize(("limit", "reached"), [(5, False), (6, True)])
def test_every_search_reckons_the_loss(limit: int, reached: bool) -> None:
    early = {**CHANGE, ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)]}
    spending_limit = SpendingLimit(limit)
    assert (cheapest(BOARD, Paths(early), "0101", ("0401",), spending_limit) is not None) == reached
    assert (
        least_broken(BOARD, Paths(early), "0101", ("0401",), spending_limit) is not None
    ) == reached
    assert ("0401" in reachable(Paths(early), "0101", spending_limit)) == reached


def test_the_bill_shows_what_was_lost_with_its_clause() -> None:
    walker = Walker(Paths(CHANGE), budget(3))
    judged = handmade.judge(walker, "0101", "0201", "0401").judged
    assert judged.verdict == "legal"
    assert judged.bill is not None
    assert judged.bill.total == Amount.exactly(2)
    assert [c.clause for c in judged.bill.charges] == ["X-STEP"] * 3
    early = {**CHANGE, ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)]}
    judged = handmade.judge(Walker(Paths(early), budget(3)), "0101", "0401").judged
    assert judged.bill is not None
    lost = Charge("0301", Amount.exactly(HALF), "X-LOST", "lost fraction of an MP", "0201")
    assert judged.bill.charges[1] == lost
    assert judged.bill.total == Amount.exactly(3)


def test_a_shortfall_may_be_just_what_was_lost_and_nothing_before_it_explains_it() -> None:
    table = {
        ("0101", START): [Step("0201", 1, "good")],
        ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)],
        ("0301", "bad"): [Step("0401", 2, "bad")],
    }
    judgement = handmade.judge(Walker(Paths(table), budget(Fraction(5, 2))), "0101", "0401")
    (found,) = judgement.findings
    assert found.kind == "missed-mp-cost"
    assert found.bill is not None
    assert found.bill.shortfall == HALF
    assert "the charge for lost fraction of an MP at 0301 (1/2, X-LOST)" in found.explanation
    assert "at 0201" not in found.explanation


class Vague(Paths):
    """The first step costs from half an MP to a whole one."""

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step) -> CostBreakdown:
        if hex_name != "0101":
            return super().cost_breakdown(hex_name, tag, step)
        return CostBreakdown(
            (Charge(step.to, Amount(HALF, Fraction(1)), "X-STEP", "step", hex_name),)
        )


def test_of_an_amount_not_known_the_least_total_is_exact() -> None:
    table = {
        ("0101", START): [Step("0201", 1, "good")],
        ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)],
    }
    judged = handmade.judge(Walker(Vague(table), budget(2)), "0101", "0301").judged
    assert judged.bill is not None
    assert judged.bill.total.lo == 2
    assert all(c.amount.hi is not None and c.amount.lo <= c.amount.hi for c in judged.bill.charges)
