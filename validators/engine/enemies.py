"""Enemies of a mover, and the tests that clauses apply to units near it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ...model.fact import Fact, MissingFact
from ..answers import Decided
from ..concepts.logic import both, some
from ..concepts.zones import Presence, Reach, Zones
from ..ruleset import Circumstances, Requirement
from .asking import NO_LOG, Bounds, Outcome, outcome, sum_of
from .friends import SURE, Friends, Near, answered, kept, kept_near
from .locality import Locality, LocalTest
from .other_unit import Enemy, Test, Work, ask, least_and_most

if TYPE_CHECKING:
    from .rules import Rules


class EnemyZones(Friends):
    """The enemies of a side under one set of circumstances, shared by all units of a move."""

    def __init__(self, circumstances: Circumstances, rules: Rules, side: str | None) -> None:
        zones = rules.declared.zones
        self.looks_beside = rules.declared.looks_beside or bool(zones)
        first = zones[0] if zones else (None, None)
        super().__init__(circumstances, rules, side, first[0], self._ending(first[1]))
        self._others_by_rule = tuple(
            Zones(circumstances, side, zone, None, self._ending(reach)) for zone, reach in zones[1:]
        )
        for zones_ in self._others_by_rule:  # all rules share the places of units
            zones_._here = self._here

    def _ending(self, test: Test | None) -> Reach | None:
        """A limit on zones of control, which end where a test of the enemy fails."""
        if test is None:
            return None

        def extends(unit: str, origin: str, target: str) -> Decided:
            tried = self.tested(unit, origin, target, test)
            return tried.facts if tried.holds is None else tried.holds

        return extends

    def by_rule(self, number: int) -> Zones:
        """The zones of control by rule ``number``, from 0."""
        return self._others_by_rule[number - 1] if number else self

    def _with_others(self) -> Mapping[str, int]:
        near = self._situation.others_beside if self.looks_beside else self._situation.others_in
        return near(self._side)

    @kept_near
    def who(self, name: str, beside: bool, test: Test) -> Near:
        """Whether enemies for which ``test`` holds are in a hex; if ``beside``, in a neighbouring one. Only
        units that count as enemies at all (``Declared.enemies``) are tested."""
        holds: list[bool | None] = []
        facts: list[MissingFact] = []
        needs = self._rules.declared.enemies or ()
        for near in self._board.neighbours(name) if beside else (name,):
            for unit, sure in self.enemies(near):
                tried = self.tested(unit, near, name, test)
                one = both(both(sure, self.meets(unit, needs)), tried.holds)
                holds.append(one)
                if one is None:
                    facts += self._questions(unit, near, needs)
                    facts += tried.facts if tried.holds is None else ()
        return answered(some(holds), facts)

    def tested(self, unit: str, origin: str, target: str, test: Test) -> Outcome:
        """The result of a test of a unit in hex ``origin``, about hex ``target``."""
        work = partial(outcome, partial(ask, test, self, unit, origin, target))
        placed: set[Any] = self._rules.memo.setdefault("placed", set())
        if test not in placed:
            found = self.once(("test", unit, test), work)
            if not found.log.placed:
                return found
            placed.add(test)
        return self.once(("test", unit, origin, target, test), work)

    @kept
    def at(self, name: str) -> Presence:
        if self.may_be_negated:
            self.passes()
        return super().at(name)

    @kept_near
    def zone(self, name: str, number: int) -> Near:
        """Whether a hex is in a zone of control by rule ``number``."""
        zones = self.by_rule(number)
        found = zones.at(name).zoc
        if found is None or zones.may_be_negated:
            self.passes()
        if found is not None:
            return SURE[found]
        return answered(None, zones.missing_rule() or zones.missing_over(name))

    @kept
    def asked_in(self, name: str, needs: tuple[Requirement, ...]) -> Near:
        """The facts that would decide whether enemies that meet ``needs`` bar a hex."""
        return answered(None, self.missing_in(name, needs))

    @kept_near
    def foes(self, name: str, beside: bool, needs: tuple[Requirement, ...]) -> Near:
        """Whether enemies that meet ``needs`` are in a hex (if ``beside``, in a neighbouring one), even if
        they do not bar it."""
        around = self._board.neighbours(name) if beside else (name,)
        asked = (
            fact
            for near in around
            for unit, sure in self.enemies(near)
            if both(sure, self.meets(unit, needs)) is None
            for fact in self._questions(unit, near, needs)
        )
        return answered(some(self.enemy_who(near, needs) for near in around), asked)

    @kept
    def said(self, name: str, topic: str) -> Fact:
        """The fact about a hex under a topic."""
        self.passes()
        return self._situation.condition(topic.format(name))

    def tally(
        self, name: str, where: str, work: Work, apart: tuple[str, ...] = ()
    ) -> tuple[Bounds, ...]:
        """The result of ``work`` for each enemy that may be in a hex, or beside it: a whole number, or None
        for any. ``where``: "over": those in the hex and beside it; "out of": those in it, about a hex beside
        it. ``apart``: the sides that do not count."""
        return self._tally(name, where, work, apart)[0] if name in self.others else ()

    def tally_number(self, name: str, where: str, work: Work) -> int:
        """The number of a tally, for keys; 0 for one without enemies."""
        return self._tally(name, where, work, ())[1] if name in self.others else 0

    @kept
    def _tally(
        self, name: str, where: str, work: Work, apart: tuple[str, ...]
    ) -> tuple[tuple[Bounds, ...], int]:
        over = where == "over"
        hexes = (name, *self._board.neighbours(name)) if over else (name,)
        tally = tuple(
            self.bounds_of(unit, sure, near, name if over else "", work)
            for near in hexes
            for unit, sure in self.enemies(near)
            if self._rules.game.units[unit].side not in apart
        )
        numbers = self._rules.common.setdefault("tallies", {(): 0})
        return tally, numbers.setdefault(tally, len(numbers))

    def bounds_of(
        self, unit: str, sure: bool | None, near: str, target: str, work: Callable[[Enemy], Any]
    ) -> Bounds:
        """The bounds of the result of ``work`` for a unit; from 0 if it may not be there."""
        tried = self.tested(unit, near, target, work)
        asked = tuple(self._questions(unit, near, ())) if sure is None else ()
        if tried.said is None or None in tried.said:
            return Bounds(0, None, (*asked, *tried.facts))
        ends = [least_and_most(one) for one in tried.said]
        least, tops = min(lo for lo, _ in ends), [hi for _, hi in ends if hi is not None]
        most = max(tops) if len(tops) == len(ends) else None
        return Bounds(least if sure else 0, most, (*asked, *tried.facts))

    def held_beside(self, name: str, test: Test, besides: Container[str]) -> Bounds:
        """The number of hexes beside one, without ``besides``, that have enemies for which ``test`` holds."""
        near = (one for one in self._board.neighbours(name) if one not in besides)
        found = [self.who(one, False, test) for one in near]
        surely = sum(one.holds is True for one in found)
        perhaps = sum(one.holds is not False for one in found)
        return Bounds(surely, perhaps, tuple(dict.fromkeys(q for one in found for q in one.facts)))

    @kept
    def locally(self, name: str, test: LocalTest) -> Outcome:
        """The result of a test of a hex and the units in it and beside it, without a log, so that results can
        be compared."""
        return outcome(lambda run: test(Locality(run, self, name)))._replace(log=NO_LOG)

    def marked_with(self, name: str, words: tuple[str, ...]) -> bool:
        """Whether a marker with one of ``words`` in its name is in a hex."""
        markers = map(self._situation.game.units.get, self._situation.units_in(name))
        return any(
            one is not None
            and one.kind == "marker"
            and any(word in one.name.lower() for word in words)
            for one in markers
        )

    def crowd(self, name: str, work: Callable[[Enemy], Any]) -> Bounds:
        """The sum of ``work`` over all friends in a hex, including those that move along and are there."""
        along = ((u, True) for u in sorted(self._moving) if self._situation.where(u).hex == name)
        every = (*self.mates(name), *along)
        return sum_of([self.bounds_of(u, sure, name, name, work) for u, sure in every])

    def enemies_on_map(self, about: str, values: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """(unit, hex) for each possible enemy whose attribute ``about`` may have one of ``values``."""
        for unit in self._rules.may_be(about, values):
            place = self._situation.where(unit)
            if place.kind == "hex" and unit in dict(self.enemies(place.name)):
                yield unit, place.name
