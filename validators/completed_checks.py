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
from ..model.game import Displacement, Game, StateChange, StepRef
from ..model.unit import Unit
from .checks import FACTS, names_of
from .concepts import missing_facts
from .situation import DEAD
from .unit_verdict import MOST_UNKNOWNS
from .verdicts import left_open

MOST_FACTS, MOST_OPTIONS = 12, 4
"""The greatest number of open facts that are completed one at a time, and of values for each."""
MOST_GAMES = MOST_FACTS * MOST_OPTIONS
"""The greatest number of combined completions of facts. If all open facts have more, only those of units that
an accusation depends on are combined, and all others are taken to be not known at all."""

SIDE = "side"
Check = Callable[[Game], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that an open fact may have. ``dies``: the index of the event before which the unit dies, if it
    was alive at first; None: the fact is ``value`` until the game gives another one."""

    value: Value
    dies: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
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


def _told(game: Game, told: Iterable[tuple[OpenFact, Choice | None]]) -> Game:
    """``game`` with each open fact set to the value chosen for it; None: it is not known at all."""
    units, events = dict(game.units), list(game.events)
    deaths: list[tuple[int, str]] = []
    for fact, choice in told:
        now = units[fact.unit.id]
        value = UNKNOWN if choice is None else Fact((choice.value,))
        if fact.index is not None:
            events[fact.index] = replace(_change(events[fact.index]), after=value)
        elif fact.name == SIDE:
            units[now.id] = replace(now, side=None if choice is None else str(choice.value))
        else:
            units[now.id] = replace(now, attributes={**now.attributes, fact.name: value})
        if choice is not None and choice.dies is not None:
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
    facts with a few possible values are completed. If a fact is not known at all, the check itself must leave
    open what depends on it. If there are too many completions, an accusation stands only if it holds under
    all completions of the facts of its own units while nothing is known of the others; and one finding says
    that not all was tried."""
    found = tuple(found)
    sure = {_key(finding): finding for finding in found if finding.verdict == "illegal"}
    rest = {_key(finding) for finding in found if finding.verdict != "illegal"}
    facts = _open_facts(game, names)
    tried = _Completions(game, check, facts, sure.values()) if facts else None
    standing = [key for key, finding in sure.items() if tried is None or tried.confirms(finding)]
    yield from (finding for finding in found if finding.verdict != "illegal")
    yield from (sure[key] for key in standing)
    if tried is None:
        return
    for key, finding in {**tried.found, **sure}.items():
        if key not in rest and not any(_covers(key, one) for one in standing):
            yield left_open(finding, *tried.asked(finding))
    if not tried.whole and any(isinstance(event, Displacement) for event in game.events):
        yield _not_all_tried(game, facts)


_Key = tuple[str, tuple[str, ...], tuple[str, ...]]


def _key(finding: Finding) -> _Key:
    return finding.code, tuple(sorted(finding.units)), finding.hexes


def _covers(key: _Key, other: _Key) -> bool:
    """Whether an accusation holds against all that ``other`` holds against: of the same, and perhaps of
    more units."""
    return (key[0], key[2]) == (other[0], other[2]) and set(other[1]) <= set(key[1])


@dataclass(frozen=True, slots=True)
class _Trial:
    """What a check found in one completion. ``told``: the choices made, by fact; the other open facts were
    not known at all or, with ``alone``, as in the game."""

    told: Mapping[OpenFact, Choice]
    found: Mapping[_Key, Finding]
    alone: bool = False

    def holds(self, key: _Key) -> bool:
        return any(_covers(one, key) for one in self.found)


class _Completions:
    """What a check finds in completions of open facts. ``whole``: in all completions of all of them."""

    def __init__(
        self, game: Game, check: Check, facts: Sequence[OpenFact], sure: Iterable[Finding]
    ) -> None:
        self._game, self._check, self._facts = game, check, facts
        self.whole = _number(facts) <= MOST_GAMES
        self._groups = [tuple(facts)] if self.whole else _groups(facts, sure)
        self._trials = [*self._together()]
        if not self.whole and len(facts) <= MOST_FACTS:
            self._trials += self._one_by_one()

    @property
    def found(self) -> dict[_Key, Finding]:
        """All that is found in any of the completions."""
        return {key: f for trial in self._trials for key, f in trial.found.items()}

    def confirms(self, finding: Finding) -> bool:
        """Whether an accusation holds under all completions."""
        own, key = _own(finding, self._facts), _key(finding)
        too_many = (group for group in self._groups if _number(group) > MOST_GAMES)
        return all(map(own.isdisjoint, too_many)) and all(t.holds(key) for t in self._trials)

    def asked(self, finding: Finding) -> list[MissingFact]:
        """The missing facts that decide an accusation; never empty."""
        own, key = _own(finding, self._facts), _key(finding)
        groups = (group for group in self._groups if self.whole or not own.isdisjoint(group))
        near = [fact for group in groups for fact in group]
        together = {
            tuple(trial.told[fact] for fact in near): trial.holds(key)
            for trial in self._trials
            if not trial.alone and all(fact in trial.told for fact in near)
        }
        matter = [fact for number, fact in enumerate(near) if _matters(number, together)]
        for fact in self._facts:
            told = {t.holds(key) for t in self._trials if t.alone and fact in t.told}
            if len(told) > 1 and fact not in matter:
                matter.append(fact)
        about = matter or near or sorted(self._facts, key=lambda fact: fact not in own)
        return list(dict.fromkeys(fact.question for fact in about[:MOST_FACTS]))

    def _together(self) -> Iterator[_Trial]:
        """A trial for each combination of the facts of each group. Groups do not affect one another, so each
        trial completes all of them at once. Facts of no group, and of groups with too many combinations, are
        not known."""
        groups = [group for group in self._groups if _number(group) <= MOST_GAMES]
        choices = [list(product(*(fact.choices for fact in group))) for group in groups]
        others: dict[OpenFact, Choice | None] = dict.fromkeys(self._facts)
        for number in range(max(map(len, choices), default=1)):
            told: dict[OpenFact, Choice] = {}
            for group, every in zip(groups, choices, strict=True):
                told.update(zip(group, every[number % len(every)], strict=True))
            yield self._tried(told, {**others, **told})

    def _one_by_one(self) -> Iterator[_Trial]:
        """A trial for each value of each fact alone, but not for each step at which a unit may have died."""
        for fact in self._facts:
            for choice in fact.choices:
                if choice.dies is None:
                    yield self._tried({fact: choice}, {fact: choice}, alone=True)

    def _tried(
        self,
        told: Mapping[OpenFact, Choice],
        every: Mapping[OpenFact, Choice | None],
        *,
        alone: bool = False,
    ) -> _Trial:
        found = self._check(_told(self._game, every.items()))
        return _Trial(told, {_key(f): f for f in found if f.verdict == "illegal"}, alone)


def _groups(facts: Sequence[OpenFact], sure: Iterable[Finding]) -> list[tuple[OpenFact, ...]]:
    """The facts of the units that accusations depend on. Facts that the same accusation depends on are in
    one group."""
    groups: list[set[OpenFact]] = []
    for finding in sure:
        own = _own(finding, facts)
        own |= {fact for group in groups if not group.isdisjoint(own) for fact in group}
        groups = [group for group in groups if group.isdisjoint(own)] + ([own] if own else [])
    return [tuple(fact for fact in facts if fact in group) for group in groups]


def _own(finding: Finding, facts: Iterable[OpenFact]) -> set[OpenFact]:
    units = {*finding.units, *finding.others}
    return {fact for fact in facts if fact.unit.id in units}


def _number(facts: Iterable[OpenFact]) -> int:
    return prod(len(fact.choices) for fact in facts)


def _matters(number: int, outcomes: Mapping[tuple[Choice, ...], bool]) -> bool:
    """Whether changing fact ``number`` alone ever changes the outcome."""
    found: dict[tuple[Choice, ...], set[bool]] = defaultdict(set)
    for told, outcome in outcomes.items():
        found[told[:number] + told[number + 1 :]].add(outcome)
    return any(len(several) > 1 for several in found.values())


def _not_all_tried(game: Game, facts: Sequence[OpenFact]) -> Finding:
    """The finding that more is open than could be looked through."""
    asked = tuple(dict.fromkeys(fact.question for fact in facts))[:MOST_UNKNOWNS]
    units = tuple(dict.fromkeys(fact.unit.id for fact in facts[:MOST_UNKNOWNS]))
    last = next(event for event in reversed(game.events) if isinstance(event, Displacement))
    said = (
        f"{len(facts)} facts about units are open, too many to look through all that they may be: "
        "what the rules say of boarding, turning and the like may be broken where nothing is told"
    )
    return Finding(
        code=FACTS,
        clause=FACTS,
        kind="unverifiable",
        verdict="unverifiable",
        units=units[:1],
        names=names_of(game, units[:1]),
        hexes=(),
        steps=(last.at,),
        explanation=said,
        unknowns=asked,
        remedy=asked[0].question,
        others=units,
    )


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
