"""The completions of what is not known of a mover, one scenario each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from ...model.fact import Fact
from ...model.unit import Unit
from ..ruleset import Assumption, Situation
from .requirements import FORM, fact_about, question

MOST_SCENARIOS = 48
"""More completions of the mover's unknowns are not enumerated: hulls cover them all at once."""

Facts = dict[str, Fact]
Options = Callable[[str, Fact], tuple[Fact, ...]]
"""The completions of a fact to tell apart, by its name; none: its bounds are kept as bounds."""


def gather(abouts: tuple[str, ...], unit: str, situation: Situation) -> Facts:
    """What is known of each of ``abouts``: attributes of a unit, and conditions for it."""
    return {about: fact_about(situation, unit, about) for about in abouts if about != FORM}


def completions(
    unit: Unit, facts: Mapping[str, Fact], options: Options
) -> Iterator[tuple[Facts, tuple[Assumption, ...]]]:
    """Every completion of ``facts``, with the assumptions it rests on."""
    open_facts = [
        (about, choices)
        for about, fact in facts.items()
        if not fact.is_known and (choices := options(about, fact))
    ]
    count = 1
    for _, choices in open_facts:
        count *= len(choices)
    if not open_facts or count > MOST_SCENARIOS:
        yield dict(facts), ()
        return
    for choice in product(*(choices for _, choices in open_facts)):
        completed = dict(facts)
        assumptions = []
        for (about, _), fact in zip(open_facts, choice, strict=True):
            completed[about] = fact
            shown = str(fact.value) if fact.is_known else "something else"
            assumptions.append(Assumption(question(unit, about), shown))
        yield completed, tuple(assumptions)
