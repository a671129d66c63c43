"""How far an open move goes beyond what its ordinary form allows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..model.finding import Overdrawn
from .explain import attempt_cost_breakdown, overspent
from .ruleset import Scenario
from .scenarios import PathQuery, gets_there


def overdrawn(scenarios: Sequence[Scenario], query: PathQuery) -> Overdrawn | None:
    """What a unit is short of that moved by the ordinary form, the first of those it may use, through every
    place where it was put down, with all else in its favour: costs, enemies, its class. None if it could make
    the move so, or if no other form and no stop in doubt keeps the move open."""
    if not scenarios or not all(scenario.movers for scenario in scenarios):
        return None
    ordinary = scenarios[0].movers[0].form
    forms = {
        mover.form: None for one in scenarios for mover in one.movers if mover.form != ordinary
    }
    loose = [name for name in query.all_stops if name not in query.witnessed]
    if not forms and not loose:
        return None
    plain = _by(scenarios, ordinary)
    dragged = replace(query, witnessed=query.all_stops, tried={})
    if _gets_there(plain, dragged):
        return None
    over = overspent(plain, dragged)
    if over is None:
        return None
    bill = attempt_cost_breakdown(over, dragged).bill
    if not bill.shortfall:
        return None
    return Overdrawn(
        ordinary,
        bill,
        tuple(form for form in forms if _gets_there(_by(scenarios, form), query)),
        tuple(dict.fromkeys(loose)) if loose and _gets_there(plain, query) else (),
    )


def _by(scenarios: Sequence[Scenario], form: str) -> list[Scenario]:
    return [
        replace(one, movers=tuple(mover for mover in one.movers if mover.form == form))
        for one in scenarios
    ]


def _gets_there(scenarios: Iterable[Scenario], query: PathQuery) -> bool:
    return any(gets_there(one, query, "favourable") for one in scenarios)
