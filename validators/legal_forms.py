"""By which forms a unit can have made its move: for what is judged over a phase, not of one move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .moves import Track
from .ruleset import Assumption, Draw, Mover, RulesInForce, Scenario
from .scenarios import PathQuery, attempt
from .search import GaveUp


@dataclass(frozen=True, slots=True)
class LegalForm:
    """A form that takes a unit where it went in the favourable world; ``sure``: in the adverse one too.
    ``draws``: what it takes of quotas."""

    form: str
    draws: tuple[Draw, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class LegalForms:
    """The forms open to a unit for a move, one row for each completion of what is not known of it,
    which rests on ``assumptions``."""

    unit: str
    scenarios: tuple[tuple[LegalForm, ...], ...]
    assumptions: tuple[tuple[Assumption, ...], ...] = ()

    @property
    def every(self) -> tuple[LegalForm, ...]:
        """The forms open in any completion: what may be told in a unit's favour."""
        return tuple(legal_form for row in self.scenarios for legal_form in row)


@dataclass(frozen=True, slots=True)
class PhaseLegalForms:
    """The legal_forms of a unit for all it did in a phase up to the end of ``track``. ``before``: the moves
    (by id) that ``track`` goes on from. ``whole``: nothing of the phase is missing from it."""

    track: Track
    legal_forms: LegalForms
    before: tuple[int, ...] = ()
    whole: bool = True


def are_asked_for(rules: RulesInForce, scenarios: Sequence[Scenario]) -> bool:
    """Whether anything is judged by the forms open to a unit: it takes a search for each."""
    if rules.order.ranks:
        return True
    return any(mover.budget.draws for scenario in scenarios for mover in scenario.movers)


def legal_forms(unit: str, scenarios: Sequence[Scenario], job: PathQuery) -> LegalForms:
    """The legal_forms of ``unit`` for ``job``; movers that were tried for the verdict are not tried again."""
    rows = []
    for scenario in scenarios:
        row = []
        for mover in scenario.movers:
            sure = attempt(mover, job, "adverse") is not None
            if sure or _may_get_there(mover, job):
                row.append(LegalForm(mover.form, mover.budget.draws, sure))
        rows.append(tuple(row))
    return LegalForms(unit, tuple(rows), tuple(scenario.assumptions for scenario in scenarios))


def _may_get_there(mover: Mover, job: PathQuery) -> bool:
    try:
        return attempt(mover, job, "favourable") is not None
    except GaveUp:
        return True
