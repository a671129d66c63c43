"""A last step on credit, and fractions of an MP that are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import drawn
import handmade
import pytest
import twin
from handmade import WHOLE_MP, Paths, Walker, budget, row
from hypothesis import given
from hypothesis import strategies as st
from test_steps import hops_of, random_paths
from tiers import examples
from vassal_umpire.model.bill import Amount, Charge
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.validators.engine.allowance import Credit, policy_of
from vassal_umpire.validators.engine.asking import Log, Outcome
from vassal_umpire.validators.judge import Judgement
from vassal_umpire.validators.ruleset import (
    START,
    Breach,
    Budget,
    CostBreakdown,
    Step,
    Tag,
    WeightedFact,
)

MARKER = MissingFact("unit a debt", "what does the marker under a show?")


def test_of_a_bounded_credit_and_an_unbounded_one_either_may_hold() -> None:
    both = [Credit(Fraction(1), "LEFT", most, "MARKER") for most in (Amount.exactly(2), None)]
    assert policy_of(str, Outcome(tuple(both), (), Log())).excess == Amount(Fraction(2), None)
    assert policy_of(str, Outcome((both[1],), (), Log())).excess is None


def on_credit(amount: int, *excess: int | None, left: int = 1, **more: object) -> Budget:
    """An allowance with a last step on credit; ``excess``: least and most of it."""
    known = None
    if excess:
        least, most = excess
        known = Amount(Fraction(least or 0), None if most is None else Fraction(most))
    return budget(
        amount,
        overdraft=Fraction(left),
        overdraft_clause="X-CREDIT",
        excess=known,
        excess_clause="X-MARKER",
        excess_missing=(WeightedFact(MARKER),),
        **more,
    )


def go(table: Mapping[Any, Sequence[Step]], there: Budget, *hexes: str, **more: Any) -> Judgement:
    """The judgement on a move of ``a`` on a ground given by its steps."""
    return handmade.judge(Walker(Paths(table), there), *hexes, **more)


WADI = row({"0201": 2, "0301": 8})
"""1 MP, then 4."""


def test_a_last_step_on_credit_is_legal_and_on_the_bill() -> None:
    judgement = go(WADI, on_credit(2), "0101", "0301")
    judged = judgement.judged
    assert judged.verdict == "legal"
    assert not judgement.findings
    assert judged.remark == "3 MP of it on credit (X-CREDIT)"
    assert judged.bill.total == Amount.exactly(5)
    assert judged.bill.shortfall == 0
    assert judged.bill.credit.clause == "X-CREDIT"
    assert judged.bill.credit.hex == "0301"


def test_only_the_last_step_is_on_credit() -> None:
    (found,) = go(row({"0201": 8, "0301": 4}), on_credit(3), "0101", "0301").findings
    assert (found.kind, found.clause) == ("missed-mp-cost", "X-ALLOWANCE")
    assert found.explanation == (
        "A, 0101 to 0301: no path leaves 1 MP for its last step, not even the one that lacks least: it "
        "costs 6 MP, and the allowance of 3 is 2 too small"
    )
    assert found.bill.shortfall == 2
    assert found.remedy == "legal with an allowance of 5 MP"


def test_too_little_was_left_and_the_way_that_lacks_least_is_not_the_cheapest() -> None:
    """By the south 6 and 1, by the north 3 and 10 on credit."""
    table = {
        ("0101", START): [Step("0102", 12), Step("0201", 6)],
        ("0102", START): [Step("0202", 2)],
        ("0201", START): [Step("0202", 20)],
    }
    played = drawn.game(drawn.board("...", "..."), {"0101": drawn.unit("a")})
    (found,) = go(table, on_credit(3), "0101", "0202", played=played).findings
    assert found.bill.total == Amount.exactly(13)
    assert found.bill.shortfall == 1
    assert "costs 13 MP, and the allowance of 3 is 1 too small" in found.explanation
    assert "without" not in found.explanation  # no charge before the last step is 1


def test_a_charge_before_the_last_step_may_explain_what_was_not_left() -> None:
    (found,) = go(row({"0201": 2, "0301": 4, "0401": 4}), on_credit(3), "0101", "0401").findings
    assert found.explanation.endswith(
        "3 is 1 too small; the difference is exactly the charge for step at 0201 (1, X-STEP)"
    )


def test_a_marker_that_is_too_small_is_short_by_what_is_missing_on_it() -> None:
    (found,) = go(WADI, on_credit(2, 1, 1), "0101", "0301").findings
    assert (found.kind, found.clause) == ("missed-mp-cost", "X-MARKER")
    assert found.explanation.startswith(
        "A, 0101 to 0301: even the cheapest path costs 5 MP, 3 more than the allowance of 2, where 1 may "
        "be on credit: 2 too many"
    )
    assert found.remedy == "legal if 3 MP may be on credit"
    assert found.bill.shortfall == 2
    (found,) = go(WADI, on_credit(2, 0, 0), "0101", "0301").findings
    assert "where none may be on credit: 3 too many" in found.explanation
    assert found.bill.credit is None


def test_no_bill_shows_credit_beside_none_may_be_on_credit() -> None:
    """The allowance is 2 or 5/2: what is lacking is counted from the greater, and so is the credit."""
    there = replace(on_credit(2, 0, 0), amount=Amount(Fraction(2), Fraction(5, 2)))
    (found,) = go(WADI, there, "0101", "0301").findings
    assert "where none may be on credit: 2½ too many" in found.explanation
    assert (found.bill.credit, found.bill.shortfall) == (None, Fraction(5, 2))


@pytest.mark.parametrize(
    ("least", "most", "verdict"),
    [(3, 3, "legal"), (2, 3, "unverifiable"), (0, None, "unverifiable"), (0, 2, "illegal")],
)
def test_what_is_not_known_of_the_marker_is_asked_for(
    least: int, most: int | None, verdict: str
) -> None:
    judged = go(WADI, on_credit(2, least, most), "0101", "0301").judged
    assert judged.verdict == verdict
    assert judged.unknowns == ((MARKER,) if verdict == "unverifiable" else ())


def test_a_prohibition_is_blamed_where_no_credit_helps() -> None:
    wall = Breach("X-WALL", "climbs a wall", "0301")
    table = {**row({"0201": 2}), ("0201", START): [Step("0301", 8, breaks=(wall,))]}
    (found,) = go(table, on_credit(2, 3, 3), "0101", "0301").findings
    assert (found.kind, found.clause) == ("illegal-move", "X-WALL")
    assert found.bill.shortfall == 0


def test_declared_is_held_only_against_what_is_not_on_credit() -> None:
    walker = Walker(Paths(WADI), on_credit(2))
    assert not handmade.judge(walker, "0101", "0301", declared=Amount.exactly(2)).findings


def test_so_much_must_be_left_before_any_step_where_the_rules_say_so() -> None:
    halves = Paths(row({"0201": 2, "0301": 1, "0401": 1}))
    assert handmade.judge(Walker(halves, on_credit(2)), "0101", "0401").judged.verdict == "legal"
    mover = Walker(halves, on_credit(2, always=True))
    assert handmade.judge(mover, "0101", "0301").judged.verdict == "legal"
    (found,) = handmade.judge(mover, "0101", "0401").findings
    assert (found.kind, found.clause) == ("missed-mp-cost", "X-ALLOWANCE")
    assert found.bill.total == Amount.exactly(2)
    assert found.bill.shortfall == Fraction(1, 2)
    assert "costs 2 MP, and the allowance of 2 is ½ too small" in found.explanation
    assert found.remedy == "legal with an allowance of 2½ MP"


@examples(500)
@given(st.integers(0, 2**40), st.integers(1, 6), st.integers(1, 2), st.booleans())
def test_a_shortfall_is_the_least_that_makes_it_legal(
    seed: int, amount: int, left: int, always: bool
) -> None:
    paths = random_paths(Random(seed))
    for found in paths.table.values():
        found[:] = [s._replace(whole=False) for s in found]
    limit, overdraft = amount * handmade.SCALE, left * handmade.SCALE
    played = drawn.game(drawn.board("...."), {"0101": drawn.unit("a")})
    mover = Walker(paths, on_credit(amount, left=left, always=always))
    judgement = handmade.judge(mover, "0101", "0301", played=played)

    def least(more: int) -> int | None:
        hops = hops_of(paths)
        return twin.walk(hops, "0101", ("0301",), limit + more, overdraft, 99, always)

    assert (judgement.judged.verdict == "legal") == (least(0) is not None)
    accused = [f for f in judgement.findings if f.kind == "missed-mp-cost"]
    if not accused:
        return
    (told,) = accused
    if told.bill is None:  # no way leads there at all, and it is too far as the crow flies
        assert told.remedy == ""
        return
    short = int(told.bill.shortfall * handmade.SCALE)
    assert short > 0
    assert least(short - 1) is None
    assert least(short) is not None


# -- what is left of an MP and lost -----------------------------------------------------------------


BOARD = drawn.board("......")
HALF = Fraction(1, 2)

CHANGE = {
    ("0101", START): [Step("0201", 1, "good")],
    ("0201", "good"): [Step("0301", 1, "good"), Step("0301", 2, "bad", rounding=WHOLE_MP)],
    ("0301", "good"): [Step("0401", 2, "bad", rounding=WHOLE_MP)],
    ("0301", "bad"): [Step("0401", 2, "bad")],
}
"""A good road from 0101 to 0301 (half an MP a hex), a bad one from 0201 to 0401 (1 MP)."""


def test_the_bill_shows_what_was_lost_with_its_clause() -> None:
    walker = Walker(Paths(CHANGE), budget(3))
    judged = handmade.judge(walker, "0101", "0201", "0401").judged
    assert judged.verdict == "legal"
    assert judged.bill.total == Amount.exactly(2)
    assert [c.clause for c in judged.bill.charges] == ["X-STEP"] * 3
    early = {**CHANGE, ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)]}
    judged = go(early, budget(3), "0101", "0401").judged
    lost = Charge("0301", Amount.exactly(HALF), "X-LOST", "lost fraction of an MP", "0201")
    assert judged.bill.charges[1] == lost
    assert judged.bill.total == Amount.exactly(3)


def test_a_shortfall_may_be_just_what_was_lost_and_nothing_before_it_explains_it() -> None:
    table = {
        ("0101", START): [Step("0201", 1, "good")],
        ("0201", "good"): [Step("0301", 2, "bad", rounding=WHOLE_MP)],
        ("0301", "bad"): [Step("0401", 2, "bad")],
    }
    judgement = go(table, budget(Fraction(5, 2)), "0101", "0401")
    (found,) = judgement.findings
    assert found.kind == "missed-mp-cost"
    assert found.bill.shortfall == HALF
    assert "the charge for lost fraction of an MP at 0301 (½, X-LOST)" in found.explanation
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
    assert judged.bill.total.lo == 2
    assert all(c.amount.hi is not None and c.amount.lo <= c.amount.hi for c in judged.bill.charges)
