"""Metamorphic tests: no case of any ruleset changes its verdict if it is drawn differently."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from cases import RULESETS, audit_of, draw, outcome, outcome_with
from play.turned import renamed, split, turned, with_a_far_unit
from tiers import PROOF, SEED, by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.game import Game
from vassal_umpire.plugin.conformance import Outcome

TURNS = [(sixths, mirrored) for sixths in range(6) for mirrored in (False, True)][1:]
Drawing = Callable[[Case], Iterator[Game]]


def turned_and_mirrored(case: Case) -> Iterator[Game]:
    for sixths, mirrored in TURNS if PROOF else [Random(f"{case.id} {SEED}").choice(TURNS)]:
        yield turned(case.game, sixths, mirrored=mirrored)


def with_other_names_of_hexes(case: Case) -> Iterator[Game]:
    yield renamed(case.game)


def with_a_unit_far_away(case: Case) -> Iterator[Game]:
    yield with_a_far_unit(case.game)


def with_drags_split_into_steps(case: Case) -> Iterator[Game]:
    game, drags = split(case.game, audit_of(case).moves)
    if drags:
        yield game


DRAWN = {
    turned_and_mirrored: by_tier(3, ci=24, proof=10_000),
    with_other_names_of_hexes: by_tier(3, ci=12, proof=10_000),
    with_a_unit_far_away: by_tier(3, ci=12, proof=10_000),
    with_drags_split_into_steps: by_tier(3, ci=12, proof=10_000),
}
"""How many cases of each ruleset are drawn so."""


def told(found: Outcome, so: Drawing) -> tuple[object, ...]:
    """What the audit says about a case, without names of hexes and numbers of steps."""
    if so is with_drags_split_into_steps:
        return found.verdict, found.verdicts
    return (
        found.verdict, found.verdicts, found.codes, found.notes, found.cost, found.allowance,
        found.short, found.form, found.failures,
    )  # fmt: skip


@pytest.mark.parametrize("so", DRAWN, ids=lambda so: so.__name__)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_case_drawn_differently_says_the_same(ruleset: str, so: Drawing) -> None:
    changed = [
        f"{case.id}: {told(found, so)}, not {told(outcome(case), so)}"
        for case in draw(ruleset, Random(SEED), DRAWN[so])
        for game in so(case)
        if told(found := outcome_with(case, game), so) != told(outcome(case), so)
    ]
    assert changed == []
