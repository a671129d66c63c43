"""Enemies of a mover, and the tests that clauses put to them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.board import Board
from ...model.fact import Fact, MissingFact
from ...model.finding import Move
from ...model.unit import Unit
from ..answers import answer, went_ahead
from ..concepts import sides
from ..concepts.logic import both, negation, some
from ..concepts.sides import of_unclear_place
from ..concepts.zones import Presence, Zones
from ..ruleset import Circumstances, Requirement
from ..situation import Situation as Played
from ..timeline import either
from .asking import Bounds, Outcome, outcome
from .enemy import Enemy, Test, Work, ask, least_and_most
from .locality import Found, Locality, LocalTest

if TYPE_CHECKING:
    from .rules import Rules


class Near(NamedTuple):
    """Whether there are enemies of which a test holds; None: not known. ``facts``: what would decide it."""

    holds: bool | None
    facts: tuple[MissingFact, ...] = ()


NOBODY_NEAR = Near(False)
SURE = {True: Near(True), False: NOBODY_NEAR}


class EnemyZones(Zones):
    """The enemies of a side under one set of circumstances, shared by all units of a move."""

    def __init__(self, circumstances: Circumstances, rules: Rules, side: str | None) -> None:
        self._rules = rules
        self._passed = 0
        self._of_now: dict[object, Any] = {}
        self._empty: dict[str, bool] = {}
        move = circumstances.move
        self._ends = () if move is None else (move.origin.name, move.target.name)
        self._circumstances = circumstances
        zones = rules.declared.zones
        self.looks_beside = rules.declared.looks_beside or bool(zones)
        first = zones[0] if zones else (None, None)
        super().__init__(
            circumstances, side, first[0], rules.declared.enemies, self._ending(first[1])
        )
        self._others_by_rule = tuple(
            Zones(circumstances, side, zone, None, self._ending(reach)) for zone, reach in zones[1:]
        )
        self._lasting = self._what_lasts()
        if self._lasting is not self._of_now:
            self._here = self._lasting.setdefault("here", {})
        self.share_enemies(self._others_by_rule)

    def _what_lasts(self) -> dict[object, Any]:
        """What is known of enemies, kept from move to move as long as nothing happens to counters of other
        sides; else what is kept for now."""
        rules, side, situation = self._rules, self._side, self._situation
        if side is None or not isinstance(situation, Played):
            return self._of_now
        if {rules.game.units[unit].side for unit in self._moving} != {side}:
            return self._of_now
        now = situation.since_others_stirred(side)
        if now is None or (rules.declared.late_for_all and self._set_late):
            return self._of_now
        kept = rules.memo.get(("lasting", side))
        if kept is None or kept[0] != now or kept[1] is not self._board:
            kept = rules.memo["lasting", side] = now, self._board, {}
        found: dict[object, Any] = kept[2]
        return found

    def passes(self) -> None:
        """What is being worked out may be otherwise for the next move."""
        self._passed += 1

    def once(self, key: object, work: Callable[[], Any]) -> Any:
        """What ``work`` gives, worked out once for ``key``: for this move if it read what may be otherwise in
        the next one, else as long as it lasts. It must not give None."""
        lasting = self._lasting
        found = lasting.get(key)
        if found is not None:
            return found
        found = self._of_now.get(key)
        if found is not None:
            self._passed += 1
            return found
        before = self._passed
        found = work()
        kept = lasting if self._passed == before else self._of_now
        kept[key] = found
        return found

    def _ending(self, test: Test | None) -> Reaching | None:
        return None if test is None else Reaching(self, test)

    def by_rule(self, number: int) -> Zones:
        """The zones of control by the rule with that number, from 0."""
        return self._others_by_rule[number - 1] if number else self

    def _with_others(self) -> Any:
        beside = self.looks_beside
        situation = self._situation
        return (situation.others_beside if beside else situation.others_in)(self._side)

    def who(self, name: str, beside: bool, test: Test) -> Near:
        """Whether enemies of which ``test`` holds are in a hex, or in a neighbouring one. Only what counts as
        an enemy at all (``Declared.enemies``) is tested."""
        others = self.others
        if others is not None and name not in others:
            return NOBODY_NEAR
        found: Near = self.once(("who", name, beside, test), partial(self._who, name, beside, test))
        return found

    def _who(self, name: str, beside: bool, test: Test) -> Near:
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
        found = some(holds)
        return Near(found, tuple(dict.fromkeys(facts)) if found is None else ())

    def tested(self, unit: str, origin: str, target: str, test: Test) -> Outcome:
        """What a test says of a unit in one hex, which asks about another."""
        work = partial(outcome, partial(ask, test, self, unit, origin, target))
        placed: set[Any] = self._rules.memo.setdefault("placed", set())
        found: Outcome
        if test not in placed:
            found = self.once(("test", unit, test), work)
            if not found.log.placed:
                return found
            placed.add(test)
        found = self.once(("test", unit, origin, target, test), work)
        return found

    def at(self, name: str) -> Presence:
        found: Presence = self.once(("at", name), partial(self._at, name))
        return found

    def _at(self, name: str) -> Presence:
        if self.may_be_negated:
            self.passes()
        return super().at(name)

    def zone(self, name: str, number: int) -> Near:
        """Whether a hex is in a zone of control by the rule with that number."""
        if self.others is not None and name not in self.others:
            return NOBODY_NEAR
        found: Near = self.once(("zone", name, number), partial(self._zone, name, number))
        return found

    def _zone(self, name: str, number: int) -> Near:
        zones = self.by_rule(number)
        found = zones.at(name).zoc
        if found is None or zones.may_be_negated:
            self.passes()
        if found is not None:
            return SURE[found]
        return _open(zones.missing_rule() or zones.missing_over(name))

    def asked_in(self, name: str, needs: tuple[Requirement, ...]) -> Near:
        """What would decide whether enemies that meet ``needs`` bar a hex."""
        found: Near = self.once(("in", name, needs), lambda: _open(self.missing_in(name, needs)))
        return found

    def foes(self, name: str, beside: bool, needs: tuple[Requirement, ...]) -> Near:
        """Whether enemies that meet ``needs``, whether or not they bar a hex, are in a hex or beside it."""
        if self.others is not None and name not in self.others:
            return NOBODY_NEAR
        found: Near = self.once(
            ("foes", name, beside, needs), partial(self._foes, name, beside, needs)
        )
        return found

    def _foes(self, name: str, beside: bool, needs: tuple[Requirement, ...]) -> Near:
        around = self._board.neighbours(name) if beside else (name,)
        found = some(self.enemy_who(near, needs) for near in around)
        if found is not None:
            return SURE[found]
        return _open(
            asked
            for near in around
            for unit, sure in self.enemies(near)
            if both(sure, self.meets(unit, needs)) is None
            for asked in self._questions(unit, near, needs)
        )

    def friends(
        self, name: str, needs: tuple[Requirement, ...], unit: Unit, move: Move | None
    ) -> Near:
        """Whether friendly units that meet ``needs`` are in a hex before ``unit``: those that stay there, or
        move along and go ahead of it."""
        along = some(self.meets(other, needs) for other in self._moving - {unit.id})
        first = went_ahead(unit, move.steps[-1] if move is not None else None)
        ahead = answer(self._situation.game, first) if along is not False else True
        found = some((self._friends(name, needs), both(along, negation(ahead))))
        if found is not None:
            return SURE[found]
        asked = [q for u in self._staying(name) for q in self._questions(u, name, needs)]
        if along is None and ahead is not True:
            asked += [q for u in sorted(self._moving - {unit.id}) for q in self.unmet(u, needs)]
        if ahead is None:
            asked.append(first.unknown())
        return Near(None, tuple(dict.fromkeys(asked)))

    def _friends(self, name: str, needs: tuple[Requirement, ...]) -> bool | None:
        sure = self._situation.surely_in(name)
        return some(
            both(
                self.meets(unit, needs), both(self._friendly(unit), True if unit in sure else None)
            )
            for unit in self._staying(name)
        )

    def said(self, name: str, topic: str) -> Fact:
        """What the facts say of a hex under a topic."""
        found: Fact = self.once(("said", name, topic), partial(self._said, name, topic))
        return found

    def _said(self, name: str, topic: str) -> Fact:
        self.passes()
        return self._situation.condition(topic.format(name))

    def tally(
        self, name: str, where: str, work: Work, apart: tuple[str, ...] = ()
    ) -> tuple[Bounds, ...]:
        """For each enemy that may be in a hex, or beside it, what ``work`` makes of it: a whole number, or
        None if it may be any. ``where``: "over" the hex are those in it and beside it; "out of" it those in
        it, for a hex beside it. ``apart``: the sides that do not count."""
        others = self.others
        if others is not None and name not in others:
            return ()
        return self._tallied(name, where, work, apart)[0]

    def tally_number(self, name: str, where: str, work: Work) -> int:
        """What stands for a tally in a key: 0 for one of nobody."""
        others = self.others
        if others is not None and name not in others:
            return 0
        return self._tallied(name, where, work, ())[1]

    def _tallied(
        self, name: str, where: str, work: Work, apart: tuple[str, ...]
    ) -> tuple[tuple[Bounds, ...], int]:
        found: tuple[tuple[Bounds, ...], int] = self.once(
            ("tally", name, where, work, apart), partial(self._tally, name, where, work, apart)
        )
        return found

    def _tally(
        self, name: str, where: str, work: Work, apart: tuple[str, ...]
    ) -> tuple[tuple[Bounds, ...], int]:
        over = where == "over"
        hexes = (name, *self._board.neighbours(name)) if over else (name,)
        tally = tuple(
            self._bounds(unit, sure, near, name if over else "", work)
            for near in hexes
            for unit, sure in self.enemies(near)
            if self._rules.game.units[unit].side not in apart
        )
        numbers = self._rules.common.setdefault("tallies", {(): 0})
        return tally, numbers.setdefault(tally, len(numbers))

    def _bounds(self, unit: str, sure: bool | None, near: str, target: str, work: Work) -> Bounds:
        tried = self.tested(unit, near, target, work)  # type: ignore[arg-type]
        asked = tuple(self._questions(unit, near, ())) if sure is None else ()
        if tried.said is None or None in tried.said:
            return Bounds(0, None, (*asked, *tried.facts))
        ends = [least_and_most(one) for one in tried.said]
        least, tops = min(lo for lo, _ in ends), [hi for _, hi in ends if hi is not None]
        most = max(tops) if len(tops) == len(ends) else None
        return Bounds(least if sure else 0, most, (*asked, *tried.facts))

    def friends_who(self, name: str, test: Test) -> tuple[bool, bool]:
        """Whether friends of which ``test`` holds, and that do not move along, are certainly in a hex, and
        whether they may be. In the hexes where a stack sets out and ends, units of it may be; a unit whose
        place cannot be told may be anywhere."""
        found: tuple[bool, bool] = self.once(
            ("friends who", name, test), partial(self._friends_who, name, test)
        )
        return found

    def _friends_who(self, name: str, test: Test) -> tuple[bool, bool]:
        self.passes()
        sure, every = self._situation.surely_in(name), self._situation.possibly_in(name)
        staying = [unit for unit in every if unit not in self._moving]
        holds = {unit: self._is_friend_who(unit, test) for unit in staying}
        surely = any(holds[unit] and unit in sure for unit in staying)
        perhaps = any(one is not False for one in holds.values())
        strays = self._strays(test) or (name in self._ends and self._may_wait(test))
        return surely, surely or perhaps or strays

    def left_after_a_roll(self, name: str, test: Test) -> tuple[bool, bool]:
        """Whether a friend of which ``test`` holds was certainly put in a hex in the phase, lay there when
        dice were rolled and left it; and whether one may have been there at a roll."""
        self.passes()
        history, at = self._rules.history, self._situation.at
        first = history.first_event(at)
        units = [u for u in history.lay_at_a_roll(name, first) if u not in self._moving]
        friends = [unit for unit in units if self._friendly(unit) is not False]
        surely = any(
            self._is_friend_who(unit, test) and self._situation.where(unit).hex != name
            for unit in friends
        )
        return surely, bool(friends)

    def held_beside(self, name: str, test: Test, besides: Container[str]) -> Bounds:
        """In how many hexes beside one there are enemies of which ``test`` holds."""
        near = (one for one in self._board.neighbours(name) if one not in besides)
        found = [self.who(one, False, test) for one in near]
        surely = sum(one.holds is True for one in found)
        perhaps = sum(one.holds is not False for one in found)
        return Bounds(surely, perhaps, tuple(dict.fromkeys(q for one in found for q in one.facts)))

    def _is_friend_who(self, unit: str, test: Test) -> bool | None:
        tried = outcome(partial(ask, test, self, unit, "", ""))
        return both(self._friendly(unit), tried.holds)

    def _strays(self, test: Test) -> bool:
        found: tuple[bool] = self.once(("strays", test), lambda: (self._stray(test),))
        return found[0]

    def _stray(self, test: Test) -> bool:
        self.passes()
        units = (u for u in of_unclear_place(self._situation) if u not in self._moving)
        return any(self._is_friend_who(unit, test) is not False for unit in units)

    def _may_wait(self, test: Test) -> bool:
        """Whether one of several units that were dragged at once may wait for another, or come before it."""
        many = len(self._moving) > 1
        tried = (outcome(partial(ask, test, self, u, "", "")).holds for u in sorted(self._moving))
        return many and any(holds is not False for holds in tried)

    def stays(self, name: str) -> Near:
        """Whether a friendly unit that does not move along is in a hex."""
        found: Near = self.once(("stays", name), partial(self._stays, name))
        return found

    def _stays(self, name: str) -> Near:
        found = self._friends(name, ())
        if found is not None:
            return SURE[found]
        return _open(q for u in self._staying(name) for q in self._questions(u, name, ()))

    def may_be_joined(self, name: str) -> bool:
        """Whether friendly units may have moved along into a hex, or waited in it to move on together."""
        along, begun = self._joining
        return along or name in begun

    @cached_property
    def _joining(self) -> tuple[bool, frozenset[str]]:
        move = self._circumstances.move
        assert move is not None
        return self._rules.history.joining(move, self._side)

    def fact(self, unit: str, about: str) -> Fact:
        """What is known of a unit, with what was set just after the move where that may have been so."""
        if self._rules.game.units[unit].side == self._side:
            self._passed += 1
        found = super().fact(unit, about)
        if not self._rules.declared.late_for_all:
            return found
        later = self._set_late.get((unit, about))
        return found if later is None else either([found, *later])

    @cached_property
    def _set_late(self) -> dict[tuple[str, str], list[Fact]]:
        """What was set of each unit after the move, before others saw that."""
        move, history = self._circumstances.move, self._rules.history
        if move is None:
            return {}
        return history.set_after(move, move.actor or self._side)

    # -- what is asked of a hex and those around it once for all movers ------------------------------

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._rules

    @property
    def board(self) -> Board:
        """The board at that time."""
        return self._board

    def locally(self, name: str, test: LocalTest) -> Found:
        """What a test says of a hex and the units in it and beside it."""
        found: Found = self.once(("locally", name, test), partial(self._locally, name, test))
        return found

    def _locally(self, name: str, test: LocalTest) -> Found:
        tried = outcome(lambda run: test(Locality(run, self, name)))
        return Found(tried.said, tried.facts)

    def any_along(self, unit: str) -> bool:
        """Whether units move along with one."""
        return bool(self._moving - {unit})

    def along_from(self, names: tuple[str, ...], unit: str, test: Test) -> Near:
        """Whether a unit of which ``test`` holds moves along with one and begins in one of some hexes."""
        others = (u for u in sorted(self._moving - {unit}) if self._situation.where(u).hex in names)
        tried = [outcome(partial(ask, test, self, u, "", "")) for u in others]
        found = some(one.holds for one in tried)
        return Near(
            found, tuple(dict.fromkeys(f for one in tried for f in one.facts if found is None))
        )

    def may_hold(self, name: str, test: Test) -> bool:
        """Whether a unit of which ``test`` holds, or may, is in a hex or may be, of any side."""
        found: tuple[bool] = self.once(
            ("may hold", name, test), lambda: (self._may_hold(name, test),)
        )
        return found[0]

    def _may_hold(self, name: str, test: Test) -> bool:
        self.passes()
        units = self._situation.possibly_in(name)
        return any(outcome(partial(ask, test, self, u, "", "")).holds is not False for u in units)

    def marked_with(self, name: str, words: tuple[str, ...]) -> bool:
        """Whether a marker with one of these words in its name lies in a hex."""
        units = self._situation.game.units
        there = self._situation
        markers = (
            units.get(unit) for unit in (there.units_in(name) if isinstance(there, Played) else ())
        )
        return any(
            one is not None
            and one.kind == "marker"
            and any(word in one.name.lower() for word in words)
            for one in markers
        )

    def mates(self, name: str) -> list[tuple[str, bool | None]]:
        """The friends that are in a hex (True), or may be (None), and do not move along."""
        sure = self._situation.surely_in(name)
        every = ((u, both(self._friendly(u), u in sure or None)) for u in self._staying(name))
        return [(unit, there) for unit, there in every if there is not False]

    def crowd(self, name: str, work: Callable[[Enemy], Any]) -> Bounds:
        """What ``work`` makes of all friends in a hex, with those that move along and are there."""
        along = ((u, True) for u in sorted(self._moving) if self._situation.where(u).hex == name)
        every = [self._bounds(u, sure, name, name, work) for u, sure in (*self.mates(name), *along)]
        most = None if any(one.hi is None for one in every) else sum(one.hi or 0 for one in every)
        asked = dict.fromkeys(fact for one in every for fact in one.asked)
        return Bounds(sum(one.lo for one in every), most, tuple(asked))

    def is_empty(self, name: str) -> bool:
        """Whether certainly nobody is in a hex but those who move along."""
        found = self._empty.get(name)
        if found is None:
            found = self._empty[name] = not any(True for _ in self._staying(name))
        return found

    def enemies_on_map(self, about: str, values: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """The units, with their hexes, that may be enemies and of which an attribute may have a value."""
        for unit in self._rules.may_be(about, values):
            place = self._situation.where(unit)
            if place.kind == "hex" and unit in dict(self.enemies(place.name)):
                yield unit, place.name

    def _questions(
        self, unit: str, name: str, requirements: Sequence[Requirement]
    ) -> Iterator[MissingFact]:
        """What would decide whether a unit is an enemy that meets some requirements, in a hex. Where it is
        can wait until it is known whose it is (``Declared.whose_first``)."""
        game = self._situation.game
        movers = [game.units[one] for one in sorted(self._moving)]
        if unit not in self._situation.surely_in(name):
            self.passes()  # the question names the moment
        whose = tuple(sides.missing(game, self._side, game.units[unit], movers))
        if whose and self._rules.declared.whose_first:
            return iter(whose)
        return super()._questions(unit, name, requirements)

    def asked_of(self, unit: str, name: str) -> tuple[MissingFact, ...]:
        """What would decide whether a unit is in a hex."""
        return tuple(self._questions(unit, name, ()))

    def bounds_of(
        self, unit: str, sure: bool | None, name: str, target: str, work: Callable[[Enemy], Any]
    ) -> Bounds:
        """What ``work`` makes of a unit, as far as it is known; from 0 if it may not be there."""
        return self._bounds(unit, sure, name, target, work)

    def _staying(self, name: str) -> Iterator[str]:
        self.passes()
        return (unit for unit in self._situation.possibly_in(name) if unit not in self._moving)


class Reaching(NamedTuple):
    """Zones of control that end where a test of the enemy fails. See :class:`..concepts.zones.Reach`."""

    zones: EnemyZones
    test: Test

    def reaches(self, unit: str, origin: str, target: str, /) -> bool | None:
        """Whether an enemy's zone extends to a neighbouring hex; None: not known."""
        return self.zones.tested(unit, origin, target, self.test).holds

    def missing(self, unit: str, origin: str, target: str, /) -> Iterator[MissingFact]:
        """The facts that would decide :meth:`reaches`."""
        yield from self.zones.tested(unit, origin, target, self.test).facts


def _open(asked: Iterable[MissingFact]) -> Near:
    """An answer that is not known, with what would decide it."""
    return Near(None, tuple(dict.fromkeys(asked)))
