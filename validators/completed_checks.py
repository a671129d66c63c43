"""Checks over a whole game, run on what it may be where single facts of it are open.

A check such as "who boarded what" reads many facts of many units, and says nothing where one of them is open.
Here it is run once more for each thing that such a fact may be: what it finds in some completions alone is
left open, and names the fact; what it finds whatever the fact is stays as it was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..model.fact import Fact, Unknown, Value
from ..model.finding import Finding
from ..model.game import Game
from ..model.unit import Unit
from .concepts import questions
from .situation import DEAD
from .verdicts import left_open

MOST_FACTS, MOST_OPTIONS = 12, 4
"""So many facts that are open are completed, each of so many values; where there are more, none is."""

SIDE = "side"
Check = Callable[[Game], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class OpenFact:
    """An attribute (or the side) of a unit that is one of several values."""

    unit: Unit
    name: str
    options: tuple[Value, ...]

    def told(self, game: Game, value: Value) -> Game:
        """``game`` where it is ``value``."""
        now = game.units[self.unit.id]
        if self.name == SIDE:
            now = replace(now, side=str(value))
        else:
            now = replace(now, attributes={**now.attributes, self.name: Fact((value,))})
        return replace(game, units={**game.units, now.id: now})

    @property
    def question(self) -> Unknown:
        """What to ask."""
        if self.name == SIDE:
            return questions.of_side(self.unit)
        return questions.of_unit(self.unit, self.name)


def completed(
    game: Game, found: Iterable[Finding], check: Check, names: Sequence[str]
) -> Iterator[Finding]:
    """``found``, what ``check`` finds in ``game``, with what rests on open facts left open.

    ``names``: the attributes that the check reads. Only facts that are one of a few values are completed,
    one at a time; of what is not known at all the check itself has to leave open what rests on it."""
    sure = {_key(finding): finding for finding in found if finding.verdict == "illegal"}
    rest = [finding for finding in found if finding.verdict != "illegal"]
    asked: dict[_Key, dict[Unknown, None]] = {}
    perhaps: dict[_Key, Finding] = {}
    for fact in _open_facts(game, names):
        in_each = [
            {_key(f): f for f in check(fact.told(game, value)) if f.verdict == "illegal"}
            for value in fact.options
        ]
        every = {**sure, **{key: f for one in in_each for key, f in one.items()}}
        for key, finding in every.items():
            if not all(key in one for one in in_each) or key not in sure:
                asked.setdefault(key, {})[fact.question] = None
                perhaps.setdefault(key, finding)
    open_already = {_key(finding) for finding in rest}
    yield from rest
    yield from (finding for key, finding in sure.items() if key not in asked)
    for key, finding in perhaps.items():
        if key not in open_already:
            yield left_open(finding, *asked[key])


_Key = tuple[str, tuple[str, ...], tuple[str, ...]]


def _key(finding: Finding) -> _Key:
    return finding.code, tuple(sorted(finding.units)), finding.hexes


def _open_facts(game: Game, names: Sequence[str]) -> list[OpenFact]:
    found: list[OpenFact] = []
    for unit in game.units.values():
        if unit.kind != "unit":
            continue
        for name in (*names, DEAD):
            options = unit.fact(name).options or ()
            if 1 < len(options) <= MOST_OPTIONS:
                found.append(OpenFact(unit, name, options))
        if unit.side is None and 1 < len(game.sides) <= MOST_OPTIONS:
            found.append(OpenFact(unit, SIDE, game.sides))
    return found if len(found) <= MOST_FACTS else []
