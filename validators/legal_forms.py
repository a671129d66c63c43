"""The movement forms by which a unit can have made its move, for checks that look at a whole phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .moves import Track
from .ruleset import Assumption, Draw, Mover, RulesInForce, Scenario
from .scenarios import PathQuery, attempt
from .search import GaveUp


@dataclass(frozen=True, slots=True)
class LegalForm:
    """A form in which a unit can have gone where it went in the favourable world. ``sure``: in the adverse
    world too. ``draws``: what the form uses of quotas."""

    form: str
    draws: tuple[Draw, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class LegalForms:
    """The legal forms of a unit for a move: one row for each scenario. ``assumptions``: those of each
    scenario, in the same order."""

    unit: str
    scenarios: tuple[tuple[LegalForm, ...], ...]
    assumptions: tuple[tuple[Assumption, ...], ...] = ()

    @property
    def every(self) -> tuple[LegalForm, ...]:
        """The legal forms of all scenarios together, with repeats."""
        return tuple(legal_form for row in self.scenarios for legal_form in row)


@dataclass(frozen=True, slots=True)
class PhaseLegalForms:
    """The legal forms of a unit for all that it did in a phase up to the end of ``track``. ``before``: the
    ids of the moves that ``track`` continues. ``whole``: whether nothing that the unit did in the phase is
    missing."""

    track: Track
    legal_forms: LegalForms
    before: tuple[int, ...] = ()
    whole: bool = True


def are_asked_for(rules: RulesInForce, scenarios: Sequence[Scenario]) -> bool:
    """Whether any check needs the legal forms. Finding them takes a search for each form."""
    if rules.order.ranks:
        return True
    return any(mover.budget.draws for scenario in scenarios for mover in scenario.movers)


def legal_forms(unit: str, scenarios: Sequence[Scenario], query: PathQuery) -> LegalForms:
    """The legal forms of ``unit`` for ``query``. Results of searches made for the verdict are reused. A form
    counts as legal, but not ``sure``, if the search in the favourable world gives up."""
    rows = []
    for scenario in scenarios:
        row = []
        for mover in scenario.movers:
            sure = attempt(mover, query, "adverse") is not None
            if sure or _may_get_there(mover, query):
                row.append(LegalForm(mover.form, mover.budget.draws, sure))
        rows.append(tuple(row))
    return LegalForms(unit, tuple(rows), tuple(scenario.assumptions for scenario in scenarios))


def _may_get_there(mover: Mover, query: PathQuery) -> bool:
    try:
        return attempt(mover, query, "favourable") is not None
    except GaveUp:
        return True
