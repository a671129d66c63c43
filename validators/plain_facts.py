"""Facts in the form in which a ruleset reads them, and questions in the ruleset's own wording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..model.fact import Fact, MissingFact, Value
from ..model.finding import Finding, JudgedMove
from ..model.game import Game, StateChange
from .allowed_facts import Allowed, AllowedFacts, allowed_for, number_in
from .answers import NO, YES

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
        if kind == "condition" and rest in self._of_game:
            return replace(unknown, question=self._of_game[rest])
        for name, question in self._of_units.items() if kind == "unit" else ():
            unit = rest.removesuffix(f" {name}")
            # A question of another kind may be about an attribute, too.
            asked = not unknown.stanza or "attributes = { " in unknown.stanza
            if asked and unit != rest and unit in self._names:
                return replace(unknown, question=question.format(self._names[unit]))
        return unknown
