"""Runs a check over a whole game again for each completion of single open facts.

A check such as "who boarded what" reads many facts about many units, and reports nothing if one of them is
open. Here it is run again for each value that such a fact may have. What it finds in only some completions is
left open and names the fact. What it finds in every completion stays as it was found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from ..model.fact import UNKNOWN, Fact, MissingFact, Value, known
from ..model.finding import Finding
from ..model.game import Game, StateChange, StepRef
from ..model.unit import Unit
from .concepts import missing_facts
from .situation import DEAD
from .verdicts import left_open

MOST_FACTS, MOST_OPTIONS = 12, 4
"""The greatest number of open facts that are completed, and of values for each. If there are more facts, only
those of units that accusations depend on are completed."""
MOST_GAMES = MOST_FACTS * MOST_OPTIONS
"""The greatest number of combined completions. If there are more, the facts are completed one at a time."""

SIDE = "side"
Check = Callable[[Game], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that an open fact may have. ``dies``: the index of the event before which the unit dies, if it
    was alive at first; None: the fact is ``value`` until the game gives another one."""

    value: Value
    dies: int | None = None


@dataclass(frozen=True, slots=True)
class OpenFact:
    """An attribute of a unit (or its side) that is one of several values. ``at`` and ``index``: step and
    index of the event that gave it; None if it is from the opening."""

    unit: Unit
    name: str
    choices: tuple[Choice, ...]
    at: StepRef | None = None
    index: int | None = None

    @property
    def question(self) -> MissingFact:
        """The missing fact."""
        if self.name == SIDE:
            return missing_facts.of_side(self.unit)
        if self.at is not None:
            asked = missing_facts.of_unit_from(self.unit, self.name, self.at)
        else:
            asked = missing_facts.of_unit(self.unit, self.name)
        if self.name != DEAD:
            return asked
        since = f"{self.at.said} on" if self.at is not None else "the beginning"
        return replace(asked, question=f"was {self.unit.name} dead from {since}?")


def _told(game: Game, told: Iterable[tuple[OpenFact, Choice]]) -> Game:
    """``game`` with each open fact set to the value chosen for it."""
    units, events = dict(game.units), list(game.events)
    deaths: list[tuple[int, str]] = []
    for fact, choice in told:
        now, value = units[fact.unit.id], Fact((choice.value,))
        if fact.index is not None:
            events[fact.index] = replace(_change(events[fact.index]), after=value)
        elif fact.name == SIDE:
            units[now.id] = replace(now, side=str(choice.value))
        else:
            units[now.id] = replace(now, attributes={**now.attributes, fact.name: value})
        if choice.dies is not None:
            deaths.append((choice.dies, now.id))
    for index, unit in sorted(deaths, reverse=True):
        death = StateChange(events[index].at, unit, DEAD, known(False), known(True))
        events.insert(index, death)
    return replace(game, units=units, events=tuple(events))


def _change(event: object) -> StateChange:
    assert isinstance(event, StateChange)
    return event


def completed(
    game: Game, found: Iterable[Finding], check: Check, names: Sequence[str]
) -> Iterator[Finding]:
    """``found`` with everything left open that depends on open facts.

    ``found``: the findings of ``check`` in ``game``. ``names``: the attributes that the check reads. Only
    facts with a few possible values are completed: all in combination, or one at a time if there are too many
    combinations. If a fact is not known at all, the check itself must leave open what depends on it."""
    sure = {_key(finding): finding for finding in found if finding.verdict == "illegal"}
    rest = [finding for finding in found if finding.verdict != "illegal"]
    asked: dict[_Key, dict[MissingFact, None]] = {}
    perhaps: dict[_Key, Finding] = {}
    for facts in _together(game, names, sure.values()):
        in_each = {
            told: {
                _key(f): f
                for f in check(_told(game, zip(facts, told, strict=True)))
                if f.verdict == "illegal"
            }
            for told in product(*(fact.choices for fact in facts))
        }
        every = {**sure, **{key: f for one in in_each.values() for key, f in one.items()}}
        for key, finding in every.items():
            if not all(key in one for one in in_each.values()) or key not in sure:
                outcomes = {told: key in one for told, one in in_each.items()}
                matter = [f for n, f in enumerate(facts) if _matters(n, outcomes)]
                asked.setdefault(key, {}).update({f.question: None for f in matter or facts})
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


def _matters(number: int, outcomes: Mapping[tuple[Choice, ...], bool]) -> bool:
    """Whether changing fact ``number`` alone ever changes the outcome."""
    found: dict[tuple[Choice, ...], set[bool]] = defaultdict(set)
    for told, outcome in outcomes.items():
        found[told[:number] + told[number + 1 :]].add(outcome)
    return any(len(several) > 1 for several in found.values())


def _together(
    game: Game, names: Sequence[str], sure: Iterable[Finding]
) -> list[tuple[OpenFact, ...]]:
    """The open facts, in groups that are completed in combination. If there are too many, only facts of units
    that are accused or that an accusation depends on."""
    facts = _open_facts(game, names)
    if len(facts) > MOST_FACTS:
        accused = {unit for finding in sure for unit in (*finding.units, *finding.rests_on)}
        facts = [fact for fact in facts if fact.unit.id in accused][:MOST_FACTS]
    if not facts:
        return []
    if prod(len(fact.choices) for fact in facts) > MOST_GAMES:
        facts = [replace(f, choices=tuple(c for c in f.choices if c.dies is None)) for f in facts]
    if prod(len(fact.choices) for fact in facts) > MOST_GAMES:
        return [(fact,) for fact in facts]
    return [tuple(facts)]


def _open_facts(game: Game, names: Sequence[str]) -> list[OpenFact]:
    found: list[OpenFact] = []
    changes: dict[str, list[int]] = defaultdict(list)
    for index, event in enumerate(game.events):
        if isinstance(event, StateChange) and event.attribute in (*names, DEAD):
            changes[event.unit].append(index)
    for unit in game.units.values():
        if unit.kind != "unit":
            continue
        found += _of_unit(game, unit, (*names, DEAD), changes[unit.id])
        if unit.side is None and 1 < len(game.sides) <= MOST_OPTIONS:
            found.append(OpenFact(unit, SIDE, tuple(map(Choice, game.sides))))
    return found


def _of_unit(
    game: Game, unit: Unit, names: Iterable[str], changes: Sequence[int]
) -> Iterator[OpenFact]:
    """The open facts of a unit at the opening, and after each of its ``changes`` (indices of events)."""
    for name in names:
        own = [index for index in changes if _change(game.events[index]).attribute == name]
        for index, following in zip((None, *own), (*own, None), strict=True):
            event = None if index is None else _change(game.events[index])
            said = unit.fact(name) if event is None else event.after
            options = said.options or ()
            if name == DEAD and said == UNKNOWN and (event is not None or DEAD in unit.attributes):
                options = (False, True)
            if 1 < len(options) <= MOST_OPTIONS:
                choices = [Choice(option) for option in options]
                if name == DEAD and following is not None:
                    choices += _deaths(game, index, following)
                at = None if event is None else event.at
                yield OpenFact(unit, name, tuple(choices), at, index)


def _deaths(game: Game, index: int | None, following: int) -> Iterator[Choice]:
    """A choice for each step at whose start the unit may have died. The game gives its death at event
    ``following``; it may have been dead since event ``index`` (None: the opening)."""
    if not _change(game.events[following]).after.must_be(True):
        return
    first = 0 if index is None else index
    for event in range(first + 1, following):
        if game.events[event - 1].at < game.events[event].at < game.events[following].at:
            yield Choice(False, event)
