"""Checks quotas: resources that all units of a phase share.

A unit counts against a quota only if every form in which it can have gone where it went uses that quota.
Units are accused only if no assignment of forms to the units of the phase keeps within the quotas. The
finding names them all.

And the movement forms by which a unit can have made its move, for checks that look at a whole phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from ..model.fact import MissingFact
from ..model.finding import Finding
from ..model.game import Game
from .checks import form_unknown, listed, names_of
from .cost_interval import hull
from .moves import Track
from .ruleset import Assumption, Draw, Quota, RulesInForce, Scenario
from .scenarios import PathQuery, attempt, gets_there
from .unit_verdict import MOST_UNKNOWNS
from .verdicts import finding, left_open


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
            if sure or gets_there(Scenario((mover,)), query, "favourable"):
                row.append(LegalForm(mover.form, mover.budget.draws, sure))
        rows.append(tuple(row))
    return LegalForms(unit, tuple(rows), tuple(scenario.assumptions for scenario in scenarios))


_MOST_TRIED = 20_000
"""The greatest number of assignments tried. If there are more, it is asked who moved by which form."""

Option = dict[str, Fraction]
"""For each quota by name, the amount that one form uses."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A unit and its demand on quotas. ``options``: for each form, what it certainly uses; never empty."""

    unit: str
    phase_legal_forms: PhaseLegalForms
    options: tuple[Option, ...]

    def least(self, quota: str, *, perhaps: bool = False) -> Fraction:
        """The least that the unit uses of ``quota`` in any form. ``perhaps``: also count draws that are not
        certain."""
        every = self.phase_legal_forms.legal_forms.every if perhaps else ()
        options = [_option(legal_form, perhaps=True) for legal_form in every] or self.options
        return min(option.get(quota, Fraction(0)) for option in options)

    def missing(self, quota: str) -> Iterator[MissingFact]:
        """The missing facts that decide whether the unit uses ``quota``."""
        for draw in _draws(self.phase_legal_forms):
            if draw.quota.name == quota and draw.perhaps is not None:
                yield draw.perhaps

    def surely_least(self, quota: str) -> Fraction:
        """What the unit uses of ``quota`` under the most adverse completion: in each scenario the least of
        the forms that certainly work or, if none does, the most of those that may; then the greatest over all
        scenarios."""
        most = Fraction(0)
        for row in self.phase_legal_forms.legal_forms.scenarios:
            sure = [_of(legal_form, quota) for legal_form in row if legal_form.sure]
            others = [_of(legal_form, quota) for legal_form in row]
            most = max(most, min(sure) if sure else max(others, default=Fraction(0)))
        return most


def check_quotas(game: Game, phase_legal_forms: Sequence[PhaseLegalForms]) -> Iterator[Finding]:
    """The findings about quotas exceeded, phase by phase."""
    for _, found in groupby(phase_legal_forms, key=lambda entry: entry.track.phase_number):
        last = {entry.legal_forms.unit: entry for entry in found}
        quotas: dict[str, Quota] = {}
        for entry in last.values():
            for draw in _draws(entry):
                known = quotas.setdefault(draw.quota.name, draw.quota)
                quotas[known.name] = _merged(known, draw.quota)
        if quotas:
            claims = [_claim(unit, entry) for unit, entry in last.items()]
            yield from _in_phase(game, claims, quotas)


def _draws(entry: PhaseLegalForms) -> Iterator[Draw]:
    for legal_form in entry.legal_forms.every:
        yield from legal_form.draws


def _merged(one: Quota, other: Quota) -> Quota:
    """The same quota given twice; if the amounts differ, the range that covers both."""
    if one.most == other.most:
        return one
    return replace(one, most=hull(one.most, other.most), missing=one.missing + other.missing)


def _claim(unit: str, entry: PhaseLegalForms) -> _Claim:
    every = [_option(legal_form) for legal_form in entry.legal_forms.every]
    return _Claim(unit, entry, tuple(every) or ({},))


def _option(legal_form: LegalForm, *, perhaps: bool = False) -> Option:
    """What a form certainly uses of each quota. ``perhaps``: also count draws that are not certain."""
    found: Option = {}
    for draw in legal_form.draws:
        if draw.perhaps is not None and not perhaps:
            continue
        found[draw.quota.name] = found.get(draw.quota.name, Fraction(0)) + draw.amount
    return found


def _of(legal_form: LegalForm, quota: str) -> Fraction:
    return _option(legal_form, perhaps=True).get(quota, Fraction(0))


def _in_phase(game: Game, claims: list[_Claim], quotas: Mapping[str, Quota]) -> Iterator[Finding]:
    limits = {name: quota.most.hi for name, quota in quotas.items()}
    accused = False
    for name, quota in quotas.items():
        drawing = [claim for claim in claims if claim.least(name)]
        least = sum((claim.least(name) for claim in drawing), Fraction(0))
        limit = limits[name]
        if limit is not None and least > limit:
            accused = True
            yield _exceeded(game, drawing, quota, least)
        elif (worst := _at_worst(claims, name)) > quota.most.lo:
            yield from _perhaps(game, claims, quota, worst)
    met = accused or can_be_met([claim.options for claim in claims], limits)
    if met is None:
        yield _too_many(game, claims, quotas)
    elif not met:
        yield _jointly(game, _least_set(claims, limits), quotas)


def can_be_met(
    units: Iterable[Sequence[Option]], limits: Mapping[str, Fraction | None]
) -> bool | None:
    """Whether every unit can be given one of its options without exceeding a limit; a limit of None means
    unlimited. None: there are too many assignments to try."""
    choices = sorted((options for options in units if {} not in options), key=len)
    tried = 0

    def goes(number: int, used: Option) -> bool:
        nonlocal tried
        tried += 1
        if number == len(choices) or tried > _MOST_TRIED:
            return True
        return any(
            goes(number + 1, after)
            for option in choices[number]
            if (after := _taken(used, option, limits)) is not None
        )

    found = goes(0, {})
    return None if tried > _MOST_TRIED else found


def _taken(used: Option, option: Option, limits: Mapping[str, Fraction | None]) -> Option | None:
    after = dict(used)
    for name, amount in option.items():
        after[name] = after.get(name, Fraction(0)) + amount
        limit = limits[name]
        if limit is not None and after[name] > limit:
            return None
    return after


def _least_set(claims: list[_Claim], limits: Mapping[str, Fraction | None]) -> list[_Claim]:
    """A minimal set of claims that exceeds the quotas: without any one of them the quotas can be met."""
    kept = list(claims)
    for claim in claims:
        others = [other for other in kept if other is not claim]
        if can_be_met([other.options for other in others], limits) is False:
            kept = others
    return kept


def _at_worst(claims: list[_Claim], quota: str) -> Fraction:
    return sum((claim.surely_least(quota) for claim in claims), Fraction(0))


def _exceeded(game: Game, drawing: list[_Claim], quota: Quota, least: Fraction) -> Finding:
    said = f"they need at least {least} {quota.name}, {quota.most.hi} allowed in the phase"
    return _told(game, drawing, quota, said)


def _jointly(game: Game, drawing: list[_Claim], quotas: Mapping[str, Quota]) -> Finding:
    names = dict.fromkeys(name for claim in drawing for option in claim.options for name in option)
    allowed = listed(tuple(f"{quotas[name].most.hi} {name}" for name in names))
    said = f"however they went, they need more than is allowed in the phase: {allowed}"
    return _told(game, drawing, quotas[next(iter(names))], said)


def _too_many(game: Game, claims: list[_Claim], quotas: Mapping[str, Quota]) -> Finding:
    drawing = [claim for claim in claims if {} not in claim.options]
    said = "there are too many ways in which they may have gone to tell whether they keep within the quotas"
    names = (name for claim in drawing for option in claim.options for name in option)
    told = _told(game, drawing, quotas[next(names)], said)
    return left_open(told, *(_which_form(game, claim) for claim in drawing[:MOST_UNKNOWNS]))


def _perhaps(game: Game, claims: list[_Claim], quota: Quota, worst: Fraction) -> Iterator[Finding]:
    """A finding that ``quota`` is exceeded if the facts are adverse; nothing if there is nothing to ask."""
    drawing = [claim for claim in claims if claim.surely_least(quota.name)]
    unknowns = [missing_fact.unknown for missing_fact in quota.missing if not quota.most.is_exact]
    unknowns += [missing_fact for claim in drawing for missing_fact in claim.missing(quota.name)]
    unknowns += [
        _which_form(game, claim)
        for claim in drawing
        if claim.least(quota.name, perhaps=True) != claim.surely_least(quota.name)
    ]
    if unknowns:
        said = f"they may need {worst} {quota.name}, {quota.most} allowed in the phase"
        yield left_open(_told(game, drawing, quota, said), *unknowns)


def _which_form(game: Game, claim: _Claim) -> MissingFact:
    steps = claim.phase_legal_forms.track.move.steps
    forms = dict.fromkeys(
        legal_form.form for legal_form in claim.phase_legal_forms.legal_forms.every
    )
    name = names_of(game, (claim.unit,))[0]
    return form_unknown(claim.unit, name, steps[0], steps[-1], filter(None, forms))


def _told(game: Game, drawing: list[_Claim], quota: Quota, said: str) -> Finding:
    """The finding about the claims ``drawing``, with all their units and moves."""
    tracks = [claim.phase_legal_forms.track for claim in drawing]
    units = tuple(claim.unit for claim in drawing)
    move = replace(tracks[-1].move, units=units)
    text = f"{listed(names_of(game, units), 12)}: {said}"
    told = finding(game, move, quota.clause, "illegal-move", "illegal", text)
    hexes = (place.name for track in tracks for place in track.move.waypoints)
    before = (
        number
        for claim in drawing
        for number in (*claim.phase_legal_forms.before, claim.phase_legal_forms.track.move.id)
    )
    return replace(
        told,
        hexes=tuple(dict.fromkeys(hexes)),
        steps=tuple(sorted({step for track in tracks for step in track.move.steps})),
        moves=tuple(sorted(set(before))),
    )
