"""What the lines of a bill and the sentence on the difference say, and what they must not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import drawn
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import Condition, StepRef

RIVER = {"0101-0201": "river"}


def found(played: Any, target: str, **more: Any) -> Any:
    (finding,) = drawn.judge(played, drawn.move("a", "0101", target), **more).findings
    return finding


def test_the_bill_of_a_broken_prohibition_shows_the_prohibited_step() -> None:
    wheels = drawn.unit("a", **{"class": "wheels"})
    finding = found(drawn.game(drawn.board("..", sides=RIVER), {"0101": wheels}), "0201")
    assert finding.kind == "illegal-move"
    lines = [(c.hex, c.amount.lo, c.clause, c.forbidden) for c in finding.bill.charges]
    assert lines == [("0201", 1, "GEN-TERRAIN", False), ("0201", 0, "GEN-HEXSIDE-PROHIBITED", True)]
    assert finding.bill.charges[1].reason.startswith("not allowed: crosses an unbridged river")
    assert finding.bill.total == Amount.exactly(1)


def test_a_required_stop_that_was_ignored_stands_where_it_was_ignored() -> None:
    tables = {"zoc": {"stop": True}, "enemy_hex": {"cost": 0}}
    units = {"0101": drawn.unit("a", ma=9), "0301": drawn.unit("e", "Blue")}
    finding = found(drawn.game(drawn.board("....."), units, tables), "0501")
    assert [(c.hex, c.clause) for c in finding.bill.charges if c.forbidden] == [
        ("0201", "GEN-ZOC-STOP")
    ]


def test_a_difference_that_two_charges_explain_alike_is_not_explained() -> None:
    """2 of the way too many: either forest could be it."""
    played = drawn.game(drawn.board(".ff"), {"0101": drawn.unit("a", ma=2)})
    assert "difference" not in found(played, "0301").explanation


def test_a_difference_of_three_charges_is_not_explained() -> None:
    played = drawn.game(drawn.board("....."), {"0101": drawn.unit("a", ma=1)})
    assert "difference" not in found(played, "0501").explanation


def test_what_a_fact_says_was_spent_before_is_not_called_coming_onto_the_map() -> None:
    tables = {"entering": {"spent": "terrain"}}
    played = drawn.game(drawn.board("..."), {"0101": drawn.unit("a", ma=2)}, tables)
    said = Condition("spent before leaving 0101", known(2), StepRef(1, 1), unit="a")
    asked = replace(played, conditions=(said,))
    for game, reason in ((played, "coming onto the map"), (asked, "spent before in the phase")):
        first = found(game, "0201", before=2).bill.charges[0]
        assert (first.hex, first.amount.lo, first.reason) == ("0101", 2, reason)
