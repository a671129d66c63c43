"""Clauses in Python: whatever the answers are to what is not known, what they say of a step is within what
is said of them. Of whole audits with such clauses: ``engine/test_worlds.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from tiers import SEED, by_tier
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.validators.cost_interval import ANYTHING, CostInterval
from vassal_umpire.validators.engine.asking import MOST_RUNS, Outcome, Run, outcome
from vassal_umpire.validators.engine.clauses import ClauseFunction, cost
from vassal_umpire.validators.engine.due import cost_of


@dataclass(frozen=True)
class Told:
    """A step of which only facts by number are asked: those of ``known``, or of ``domains``."""

    known: Mapping[int, int]
    domains: Mapping[int, tuple[int, ...]]
    run: Run | None = None

    def fact(self, number: int) -> int:
        if number in self.known:
            return self.known[number]
        assert self.run is not None
        asked = MissingFact(f"fact {number}", f"fact {number}?")
        domain = self.domains[number]
        choices = domain if len(domain) != 1 else (*domain, *domain)
        return int(self.run.choose(number, choices, [asked]))


def said(check: Any, step: Told) -> Outcome:
    return outcome(lambda run: check(replace(step, run=run)))


def costs(clause: ClauseFunction, step: Told) -> CostInterval:
    return cost_of(said(clause.run, step), clause, 1)


def random_check(rng: Random, facts: int, depth: int = 4) -> Any:
    """A clause that asks for facts and branches on what they say."""
    if depth == 0 or rng.random() < 0.2:
        amount = rng.randrange(4)
        return lambda _step: amount
    number, bound = rng.randrange(facts), rng.randrange(3)
    low, high = (random_check(rng, facts, depth - 1) for _ in range(2))
    return lambda step: high(step) if step.fact(number) > bound else low(step)


def test_it_says_all_that_some_answer_makes_it_say_and_nothing_else() -> None:
    facts = 4
    for number in range(by_tier(50, 60)):
        rng = Random(f"{SEED} own clause {number}")
        check = random_check(rng, facts)
        domains = {n: tuple(rng.sample(range(4), rng.choice((1, 2)))) for n in range(facts)}
        known = {n: rng.choice(domains[n]) for n in range(facts) if rng.random() < 0.3}
        found = said(check, Told(known, domains))
        open_ones = [n for n in range(facts) if n not in known]
        every = {
            check(Told({**known, **dict(zip(open_ones, answers, strict=True))}, {}))
            for answers in product(*(domains[n] for n in open_ones))
        }
        assert set(found.said or ()) == every, number
        due = costs(cost("X-1", "x")(check), Told(known, domains))
        assert (due.lo, due.hi, due.barred) == (min(every), max(every), False), number


def test_answers_that_cannot_be_counted_leave_it_open() -> None:
    def check(step: Told) -> int:
        return step.fact(0)

    found = said(check, Told({}, {0: ()}))
    assert (found.said, found.holds) == (None, None)
    assert [unknown.key for unknown in found.facts] == ["fact 0"]
    due = costs(cost("X-1", "x")(check), Told({}, {0: ()}))
    assert due == ANYTHING._replace(barred=False, whole=False)


def test_too_many_answers_leave_it_open_and_end() -> None:
    runs, facts = [], 30

    def check(step: Told) -> int:
        runs.append(step)
        return sum(step.fact(number) for number in range(facts))

    found = said(check, Told({}, dict.fromkeys(range(facts), (0, 1))))
    assert found.said is None
    assert len(runs) <= MOST_RUNS + facts


def test_a_cost_between_the_parts_of_an_mp_is_rounded_either_way() -> None:
    clause = cost("X-1", "x")(lambda _step: Fraction(1, 3))
    assert costs(clause, Told({}, {})) == CostInterval(0, 1)


def test_a_cost_below_0_is_a_fault_of_the_clause() -> None:
    with pytest.raises(ValueError, match="expected 0 or more"):
        costs(cost("X-1", "x")(lambda _step: -1), Told({}, {}))
