"""The text of accusations: neutral, short, with the clauses cited; and facts in the form in which a ruleset
reads them, with questions in its own wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ..model.bill import Amount, Bill, Charge, written
from ..model.fact import Fact, MissingFact, Value
from ..model.finding import Finding, JudgedMove
from ..model.game import Game, StateChange
from .allowed_facts import Allowed, AllowedFacts, allowed_for, number_in
from .answers import NO, YES
from .concepts.missing_facts import of_condition
from .explain import Offence, forgotten
from .ruleset import Breach, Budget


def accusation(wrong: Offence) -> str:
    """The explanation of an offence. It continues the line ``Blue 4 Inf, 0408 to 0808:``."""
    if wrong.route_breakdown is None and not wrong.breaches:
        budget = wrong.mover.budget
        most = None if budget.amount is None else budget.amount.hi
        assert most is not None  # else nothing is too far
        return (
            f"farther than an allowance of {written(most)} {budget.unit}{_stages(budget)} carries"
            f" over any ground: at least {written(wrong.shortfall)} {budget.unit} short"
        )
    if wrong.route_breakdown is None:
        return f"it {_broken(wrong.breaches)}, which bars the move whatever its path"
    bill = wrong.route_breakdown.bill
    if not wrong.breaches:
        return _overspent(wrong, bill)
    said = f"{_where(wrong)} {_broken(wrong.breaches)}"
    if wrong.shortfall:
        said += f", and costs {bill.total.written} {bill.unit}, {_more(wrong, bill)}"
    if wrong.instead_short is not None:
        said += (
            f"; a path that breaks nothing exists, but exceeds the allowance by "
            f"{written(wrong.instead_short)} {bill.unit}"
        )
    return said


def _where(wrong: Offence) -> str:
    allowance = wrong.route_breakdown.bill.allowance if wrong.route_breakdown else None
    if wrong.shortfall or allowance is None or allowance.hi is None:
        return "every path breaks a prohibition; the best one"
    return "every path within the allowance breaks a prohibition; the best one"


def _overspent(wrong: Offence, bill: Bill) -> str:
    said = f"even the cheapest path costs {bill.total.written} {bill.unit}, {_more(wrong, bill)}"
    if wrong.cited:
        said = _owed(wrong, bill)
    elif (needed := wrong.mover.budget.policy.overdraft) is not None:
        said = _nothing_left(wrong, bill, needed)
    explained = forgotten(wrong)
    if explained:
        said += f"; the difference is exactly the charge for {_charges(explained)}"
    if wrong.instead:
        said += f"; or within the allowance, but then it {_broken(wrong.instead)}"
    if wrong.otherwise is not None and wrong.otherwise.route_breakdown is not None:
        other = wrong.otherwise.route_breakdown.bill
        said += (
            f"; otherwise it costs {other.total.written} of {written(_most(other))} {other.unit}, but then it"
            f" {_broken(wrong.otherwise.breaches)}"
        )
    return said


def _more(wrong: Offence, bill: Bill) -> str:
    least = "" if bill.total.is_exact else "at least "
    return f"{least}{written(wrong.shortfall)} more than {_allowance(wrong, bill)}"


def _owed(wrong: Offence, bill: Bill) -> str:
    """The text for a last step on credit that costs more MPs than may be on credit."""
    excess = wrong.shortfall + (bill.credit.amount.lo if bill.credit is not None else 0)
    may = excess - wrong.shortfall
    return (
        f"even the cheapest path costs {bill.total.written} {bill.unit}, {written(excess)} more than"
        f" {_allowance(wrong, bill)}, where {written(may) if may else 'none'} may be on credit:"
        f" {written(wrong.shortfall)} too many"
    )


def _nothing_left(wrong: Offence, bill: Bill, needed: Fraction) -> str:
    """The text for a mover that had too few MPs left to take its last step on credit."""
    return (
        f"no path leaves {written(needed)} {bill.unit} for its last step, not even the one that lacks"
        f" least: it costs {bill.total.written} {bill.unit}, and {_allowance(wrong, bill)} is"
        f" {written(wrong.shortfall)} too small"
    )


def _allowance(wrong: Offence, bill: Bill) -> str:
    return f"the allowance of {written(_most(bill))}{_stages(wrong.mover.budget)}"


def _stages(budget: Budget) -> str:
    """The stages in which an allowance was computed, with their clauses, in brackets; empty if there are
    none."""
    stages = ", ".join(f"{reason} ({clause})" for clause, reason in budget.stages)
    return f" [{stages}]" if stages else ""


def _charges(group: Iterable[Charge]) -> str:
    return _listed(f"{c.reason} at {c.hex} ({c.amount.written}, {c.clause})" for c in group)


def _broken(breaches: Iterable[Breach], *, cited: bool = True) -> str:
    """The broken prohibitions, each once, with all its hexes; ``cited``: with its clause."""
    alike: dict[tuple[str, str], dict[str, None]] = {}
    for breach in breaches:
        named = not breach.hex or breach.hex in re.findall(r"\w+", breach.text)
        hexes = alike.setdefault((breach.text, breach.clause), {})
        hexes.update({} if named else {breach.hex: None})
    return _listed(
        f"{text}{f' at {_listed(hexes)}' if hexes else ''}{f' ({clause})' if cited else ''}"
        for (text, clause), hexes in alike.items()
    )


def _listed(texts: Iterable[str]) -> str:
    every = list(texts)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"


def remedy_of(wrong: Offence) -> str:
    """The text that says what would make the move legal; empty if no single thing would."""
    if not wrong.breaches and wrong.route_breakdown is not None:
        bill = wrong.route_breakdown.bill
        if wrong.cited:
            lacks = f"{written(bill.total.lo - _most(bill))} {bill.unit}"
            least = f"not legal unless at least {lacks} may be on credit"
            return f"legal if {lacks} may be on credit" if bill.total.is_exact else least
        on_credit = wrong.mover.budget.policy.overdraft is not None
        enough = written(_most(bill) + wrong.shortfall if on_credit else bill.total.lo)
        if not bill.total.is_exact:
            return f"not legal with an allowance below {enough} {bill.unit}"
        return f"legal with an allowance of {enough} {bill.unit}"
    if not wrong.breaches:
        return ""
    what = _broken(wrong.breaches, cited=False)
    return f"legal only if the rules make an exception for a unit that {what}"


def _most(bill: Bill) -> Fraction:
    hi = bill.allowance.hi if bill.allowance is not None else None
    return hi if hi is not None else Fraction(0)


def declared_short(declared: Amount, least: Fraction, bill: Bill) -> str:
    """The text that sets the MPs declared against the least MPs due."""
    return (
        f"declared {declared.written} {bill.unit}, due at least {written(least)} {bill.unit} by the"
        " cheapest path"
    )


_Table = Mapping[str, Allowed]


def plainly(game: Game, allowed: AllowedFacts) -> Game:
    """``game`` with every fact in the form in which the ruleset reads it: yes/no words as booleans, words in
    the ruleset's spelling, numbers written as text as numbers. A fact with a value that is not allowed (such
    as a misspelt word) becomes unknown. Returns ``game`` itself if nothing changes."""
    changed = False

    def read(table: _Table, name: str, fact: Fact) -> Fact:
        nonlocal changed
        wanted = allowed_for(table, name)
        if wanted is None:
            return fact
        if not wanted.takes_bounds(fact):
            changed = True
            return Fact(source=fact.source)
        if not fact.options:
            return fact
        if not wanted.reads_others and not all(map(wanted.takes, fact.options)):
            changed = True
            return Fact(source=fact.source)
        options = tuple([_value(option, wanted) for option in fact.options])
        if all(a is b for a, b in zip(options, fact.options, strict=True)):
            return fact
        changed = True
        return replace(fact, options=tuple(dict.fromkeys(options)))

    attributes, conditions = allowed.attributes, allowed.conditions
    units = {
        key: replace(
            unit, attributes={n: read(attributes, n, f) for n, f in unit.attributes.items()}
        )
        for key, unit in game.units.items()
    }
    events = tuple(
        replace(
            event,
            before=read(attributes, event.attribute, event.before),
            after=read(attributes, event.attribute, event.after),
        )
        if isinstance(event, StateChange)
        else event
        for event in game.events
    )
    told = tuple(replace(c, fact=read(conditions, c.key, c.fact)) for c in game.conditions)
    if not changed:
        return game
    return replace(game, units=units, events=events, conditions=told)


def _value(value: Value, allowed: Allowed) -> Value:
    """``value`` as the ruleset reads it; the same object if it is in that form already."""
    if isinstance(value, bool) and allowed.kind == "yes-no":
        return value
    said = str(value).strip().lower()
    for word in allowed.words:
        if said == word.lower():
            return value if value == word else word
    if allowed.kind == "yes-no" and said in YES | NO:
        return said in YES
    if allowed.kind == "number" and isinstance(value, str):
        number = number_in(said)
        return value if number is None else number
    return value


class Wording:
    """Rewords the questions of one game with the ruleset's own texts."""

    def __init__(self, game: Game, allowed: AllowedFacts) -> None:
        self._names = {key: unit.name for key, unit in game.units.items()}
        self._of_units = {n: a.question for n, a in allowed.attributes.items() if a.question}
        self._of_game = {n: a.question for n, a in allowed.conditions.items() if a.question}
        self._choices = {
            of_condition(n).question: _choice(n, a) for n, a in allowed.conditions.items()
        }

    def of_move(self, move: JudgedMove) -> JudgedMove:
        """``move`` with its questions reworded."""
        return replace(move, unknowns=self._all(move.unknowns)) if move.unknowns else move

    def of_finding(self, finding: Finding) -> Finding:
        """``finding`` with its questions reworded, and its remedy too if it is one of them."""
        if not finding.unknowns:
            return finding
        worded = self._all(finding.unknowns)
        said = dict(zip((u.question for u in finding.unknowns), worded, strict=True))
        remedy = said[finding.remedy].question if finding.remedy in said else finding.remedy
        return replace(finding, unknowns=worded, remedy=remedy)

    def _all(self, unknowns: Iterable[MissingFact]) -> tuple[MissingFact, ...]:
        return tuple(self._one(unknown) for unknown in unknowns)

    def _one(self, unknown: MissingFact) -> MissingFact:
        kind, _, rest = unknown.key.partition(" ")
        if kind == "condition":
            plain = self._choices.get(unknown.question) or unknown.question
            return replace(unknown, question=self._of_game.get(rest, plain))
        for name, question in self._of_units.items() if kind == "unit" else ():
            unit = rest.removesuffix(f" {name}")
            # A question of another kind may be about an attribute, too.
            asked = not unknown.stanza or "attributes = { " in unknown.stanza
            if asked and unit != rest and unit in self._names:
                return replace(unknown, question=question.format(self._names[unit]))
        return unknown


def _choice(condition: str, allowed: Allowed) -> str:
    """The question of a condition of the game that can be one of a few values; empty: it may be anything."""
    if allowed.kind == "yes-no" or set(allowed.words) == {"yes", "no"}:
        return f"“{condition}”: was it so at that time, yes or no?"
    if len(allowed.words) == 1:
        return f"“{condition}”: was it {allowed.words[0]} at that time?"
    return (
        f"“{condition}”: which was it at that time, {_any_of(allowed.words)}?"
        if allowed.words
        else ""
    )


def _any_of(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
