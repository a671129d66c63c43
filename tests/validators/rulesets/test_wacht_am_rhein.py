"""The ruleset wacht-am-rhein: its tables and options, and allowances reckoned by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import ceil
from typing import Any

import pytest
import told
from cases import cases
from vassal_umpire.model.bill import Amount
from vassal_umpire.plugin.conformance import Outcome, run_case
from vassal_umpire.validators.rulesets.wacht_am_rhein import RULESET

ARMOR = "class=mech type=armor"
LEFT_OPEN = "class=? type=? mode=? motor=?"
ON_ROAD = {"lines": ["primary: 0101 0201"]}


def judged(units: str | list[str], *moves: str, board: str = "long", **keys: Any) -> Outcome:
    """What is said of moves of ``a``, a German counter in 0101 of whom ``units`` tells, if it is a text."""
    several = [f"a German 0101 {units}"] if isinstance(units, str) else units
    keys = {"board": board, "units": several, "moves": list(moves), **keys}
    return run_case(told.case("wacht-am-rhein", "WAR-5.0-j", **keys), RULESET)


def allowance(of: str, **keys: Any) -> Amount | None:
    """What a unit may spend on a step into clear terrain."""
    return judged(of, "a: 0101 0201", **keys).allowance


def exactly(number: int) -> Amount:
    return Amount.exactly(number)


def between(low: int, high: int) -> Amount:
    return Amount(Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("class=mech type=m5 nation=us", exactly(14)),
        ("class=mech type=humber nation=british", exactly(14)),
        ("class=mech type=heavy-armor nation=us", exactly(12)),
        ("class=mech type=bridge-column nation=german", exactly(9)),
        ("class=mech nation=german ma=12 fatigue=true supply=out", between(2, 5)),
    ],
)
def test_allowances_that_no_case_reckons(kind: str, expected: Amount) -> None:
    assert allowance(kind) == expected


def test_frozen_ground_adds_one_off_the_road_alone() -> None:
    rules = {"grounds": {"frozen": {"factor": 1, "plus": 1, "chart": True}}}
    for lines, most in ((ON_ROAD, exactly(5)), ({}, between(5, 6))):
        keys = {**lines, "rules": rules, "facts": ["ground=frozen"]}
        assert allowance(f"{ARMOR} nation=german supply=out ma=9", **keys) == most


def test_every_way_to_reckon_lies_within_the_bounds() -> None:
    """Halves and the raise by a half in any order, rounded each time or once."""
    half, raised = Fraction(1, 2), Fraction(3, 2)
    keys = {**ON_ROAD, "options": {"strat_factor": "3/2"}}
    for base in range(5, 15):
        for cuts, states in enumerate(("", "supply=out", "supply=out resting=true")):
            found = allowance(f"{ARMOR} nation=german mode=strategic ma={base} {states}", **keys)
            assert found is not None
            assert found.hi is not None
            factors = [half] * cuts + [raised]
            ways = {ceil(base * half**cuts * raised)}
            for order in permutations(factors):
                number = Fraction(base)
                for factor in order:
                    number = Fraction(ceil(number * factor))
                if order[0] == raised or order[-1] == raised:
                    ways.add(int(number))
            assert (found.lo, found.hi) == (min(ways), max(ways)), (base, cuts)


def test_what_is_not_known_of_the_kind_widens_the_base() -> None:
    mech = f"{ARMOR} nation=german designation=?"
    assert allowance(mech) == between(12, 14)
    found = judged(mech, "a: 0101 0801")
    assert (found.verdict, found.unknowns) == ("unverifiable", {"unit a designation"})


def test_who_is_moved_on_has_not_stopped() -> None:
    """Towed artillery next to an enemy (5.8.5)."""
    units = ["a German 0101 nation=german type=artillery", "e US 0401"]
    found = judged(units, "a: 0101 0301")
    assert (found.verdict, found.codes) == ("illegal", {"WAR-5.8.5"})
    assert judged(units, "a: 0101 0301", "a: 0301 0201").verdict == "legal"


def test_a_type_that_the_tables_do_not_name_is_held_against_nobody() -> None:
    """Artillery would stop next to the enemy."""
    found = judged(["a German 0101 nation=german type=zeppelin", "e US 0401"], "a: 0101 0301")
    assert (found.verdict, found.unknowns) == ("unverifiable", {"unit a type"})


def test_of_whom_next_to_nothing_is_known_nobody_is_accused() -> None:
    """So many kinds of unit are possible that none is tried."""
    found = judged(f"{LEFT_OPEN} nation=?", "a: 0101 2601")
    assert found.verdict == "unverifiable"
    assert found.unknowns >= {"unit a class", "unit a type"}


def test_the_form_that_would_have_done_is_named() -> None:
    """On foot 10 of 6; by the trucks of the division 5/2, but not next to an enemy (vector U05)."""
    found = run_case(cases("wacht-am-rhein")["U05"], RULESET).audit
    (wrong,) = (one for one in found.findings if one.verdict == "illegal")
    said = "otherwise it costs 2½ of 6 MP, but then it comes next to an enemy on trucks at 0601"
    assert said in wrong.explanation


def test_every_reading_has_a_default_among_its_choices() -> None:
    readings = [r for clause in RULESET.clauses().values() for r in clause.readings]
    assert readings
    for reading in readings:
        assert reading.default in reading.choices
