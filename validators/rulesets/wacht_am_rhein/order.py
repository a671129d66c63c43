"""In which order units move in a phase, and units that are dragged together (5.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....model.finding import Finding
from ...engine.one_by_one import check_one_by_one
from ...engine.rules import Rules
from ...moves import Track
from ...ruleset import OrderRule
from ...situation import Situation
from .terms import ASSAULT, EXPLOITATION, ROAD, ROADS, STRATEGIC, TACTICAL

IN_ORDER = {STRATEGIC: "5.0-l1", ROAD: "5.0-l2", TACTICAL: "5.0-l3", ASSAULT: "5.0-l4"}
"""The forms of movement in their order, each with its clause."""


def ranks(rules: Rules) -> OrderRule:
    """First units move strategically, then by road, then tactically, then in Prepared Assault. Whether this
    order binds the exploitation phase, and whether a unit may be dragged on later, is open."""
    there = rules.options["order_in_exploitation"]
    exploiting = [name for name, kind in rules.phase_kinds.items() if kind == EXPLOITATION]
    later = rules.options["dragged_on_later"]
    return OrderRule(
        ranks={
            form: (rank, rules.full(clause))
            for rank, (form, clause) in enumerate(IN_ORDER.items(), 1)
            if rules.applies(clause)
        },
        unranked=frozenset(exploiting if there == "no" else ()),
        perhaps_ranked=dict.fromkeys(
            exploiting if there == "undecided" else (),
            rules.reading_question("order_in_exploitation"),
        ),
        interleaved=None if later == "yes" else rules.reading_question("dragged_on_later"),
        uninterrupted=later == "no",
    )


def one_by_one(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """Units move one by one (5.0-f): of some that were dragged together one may stand in another's way where
    it ends, or where it sets out."""
    yield from check_one_by_one(rules, tracks, may_obstruct)


def may_obstruct(rules: Rules, situation: Situation, units: Sequence[str]) -> bool:
    """Whether units may obstruct each other: they set out on a road (5.3.4, 5.6.3), or may belong to
    different formations (5.3.5)."""
    start = situation.where(units[0]).hex
    if any(line.kind in ROADS and start in line.hexes for line in situation.board.lines):
        return True
    formations = [situation.fact(unit, "formation") for unit in units]
    alike = len({fact.value for fact in formations}) == 1 and formations[0].is_known
    return rules.applies("5.3.5-a") and not alike
