"""The completions of what is not known about a mover; each becomes one scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from ...model.fact import Fact
from ...model.unit import Unit
from ..ruleset import Assumption, Situation
from .requirements import FORM, fact_about, question

MOST_SCENARIOS = 48
"""If there are more completions than this, none is enumerated: cost intervals then cover all of them."""

Facts = dict[str, Fact]
"""What is known, by the name of the attribute or condition."""
Options = Callable[[str, Fact], tuple[Fact, ...]]
"""(name, fact) → the completions of the fact to enumerate; empty if its bounds are to be kept as bounds."""


def gather(abouts: tuple[str, ...], unit: str, situation: Situation) -> Facts:
    """What is known of each of ``abouts``: attributes of a unit and conditions of the game for it. The
    movement form is left out."""
    return {about: fact_about(situation, unit, about) for about in abouts if about != FORM}


def completions(
    unit: Unit, facts: Mapping[str, Fact], options: Options
) -> Iterator[tuple[Facts, tuple[Assumption, ...]]]:
    """Every completion of ``facts``, with the assumptions it makes.

    Only ``facts`` itself, without assumptions, if nothing is to be enumerated or there would be more than
    :data:`MOST_SCENARIOS`.
    """
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
