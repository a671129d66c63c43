"""Enemies of a mover: occupied hexes and zones of control, looked up hex by hex.

None means not known: true in the adverse world, false in the favourable one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...model.board import Edge, edge, may_be
from ...model.fact import Fact, MissingFact
from ...model.unit import Unit
from ..answers import Decided, answer, counts_unseen, open_in
from ..ruleset import Circumstances, Requirement, all_met
from . import missing_facts, sides
from .lines import about_hex, about_side
from .logic import both, negation, some
from .requirements import fact_about, question


@dataclass(frozen=True, slots=True)
class ZoneRule:
    """A rule on zones of control.

    ``exerted_by``: the requirements for a unit to exert one. ``not_across`` (hexside features) and
    ``not_into`` (terrains or features of a hex) keep it out. ``across``, ``into``, ``out_of``: it reaches
    only across such a hexside, into such a hex, out of such a hex; empty: any. ``negated``: a friendly unit
    in a hex negates it there. ``missing_fact``: the question whether the rule is complete; a zone is then
    never certain. None: the rule is complete.
    """

    exerted_by: tuple[Requirement, ...] = ()
    not_across: frozenset[str] = frozenset()
    not_into: frozenset[str] = frozenset()
    negated: bool = False
    across: frozenset[str] = frozenset()
    into: frozenset[str] = frozenset()
    out_of: frozenset[str] = frozenset()
    missing_fact: MissingFact | None = None


Reach = Callable[[str, str, str], Decided]
"""Whether the zone of control of a unit extends from its hex to a neighbouring one: unit, hex, neighbour."""


class Presence(NamedTuple):
    """Enemy presence in a hex; None: not known.

    ``enemy``: an enemy that bars the hex is in it. ``zoc``: an enemy zone of control covers it.
    """

    enemy: bool | None
    zoc: bool | None


NO_ENEMY = Presence(False, False)


class Zones:
    """Enemy presence for a mover of one side, under one set of circumstances.

    ``side`` None: not known. ``zone`` None: there are no zones of control. ``barred_by``: the requirements
    for an enemy to make a hex count as occupied; None: no enemy does. ``reach``: a further limit on zones;
    None: there is none.
    """

    def __init__(
        self,
        circumstances: Circumstances,
        side: str | None,
        zone: ZoneRule | None,
        barred_by: Sequence[Requirement] | None = (),
        reach: Reach | None = None,
    ) -> None:
        self._rule = zone
        self._barred_by = barred_by
        self._reach = reach
        self._situation = circumstances.situation
        self._board = circumstances.situation.game.board
        self._moving = frozenset(circumstances.moving)
        self._side = side
        self._here: dict[str, tuple[tuple[str, bool | None], ...]] = {}
        self._exerts: dict[str, bool | None] = {}
        self.others = self._with_others()
        """The hexes that hold a unit that may be an enemy, and, if there are zones of control, their
        neighbours. All other hexes are free of enemies."""

    def _with_others(self) -> Mapping[str, int]:
        near = self._situation.others_in if self._rule is None else self._situation.others_beside
        return near(self._side)

    def at(self, name: str) -> Presence:
        """Enemy presence in a hex."""
        return self._look(name) if name in self.others else NO_ENEMY

    def _look(self, name: str) -> Presence:
        rule = self._barred_by
        enemy: bool | None = False
        if rule is not None:
            here = self.enemies(name)
            if here:
                enemy = some(both(sure, self.meets(unit, rule)) for unit, sure in here)
        zoc = self._zoc(name) if self._rule is not None else False
        return Presence(enemy, zoc)

    def _zoc(self, name: str) -> bool | None:
        zoc: bool | None = False
        for _, found in self.exerters(name):
            zoc = found
            if found:
                break
        if zoc is not False and self._rule is not None and self._rule.missing_fact is not None:
            zoc = None
        return False if zoc is False else both(zoc, negation(self.negated(name)))

    def enemies(self, name: str) -> tuple[tuple[str, bool | None], ...]:
        """Units in a hex that are enemies (True) or may be (None)."""
        found = self._here.get(name)
        if found is None:
            possible = self._situation.possibly_in(name) if name in self.others else ()
            found = self._here[name] = tuple(self._find_enemies(name, possible)) if possible else ()
        return found

    def _find_enemies(
        self, name: str, possible: tuple[str, ...]
    ) -> Iterator[tuple[str, bool | None]]:
        sure = self._situation.surely_in(name)
        for unit in possible:
            if unit in self._moving:
                continue
            hostile = self._hostile(unit)
            seen = self._seen(unit)
            if hostile is not False and seen is not False:
                yield unit, True if hostile and unit in sure and seen else None

    def _hostile(self, unit: str) -> bool | None:
        """Whether a unit is an enemy of the mover's side; None: not known."""
        return sides.is_enemy(self._situation.game, self._side, self._unit(unit).side)

    def _friendly(self, unit: str) -> bool | None:
        """Whether a unit is of the mover's side or an ally's; None: not known."""
        return sides.is_friend(self._situation.game, self._side, self._unit(unit).side)

    def _seen(self, unit: str) -> bool | None:
        """Whether a unit counts although the mover may not have seen it. True: he could see it, or the facts
        say that it counts. False: the facts say that it does not count. None: not known."""
        whose = self._unit(unit)
        if whose.seen_by is None or self._side in whose.seen_by:
            return True
        return answer(self._situation.game, counts_unseen(unit, whose.name))

    def _unit(self, unit: str) -> Unit:
        return self._situation.game.units[unit]

    def exerters(self, name: str) -> Iterator[tuple[str, bool | None]]:
        """Enemy units whose zone of control reaches a hex (True) or may reach it (None), before negation."""
        rule = self._rule
        if rule is None:
            return
        known = self._here
        for near in self._board.neighbours(name):
            enemies = known.get(near)
            if enemies is None:
                enemies = self.enemies(near)
            for unit, sure in enemies:
                zoc = both(sure, self.exerts(unit))
                if zoc is not False:
                    zoc = both(zoc, self._reaches(rule, unit, near, name))
                if zoc is not False:
                    yield unit, zoc

    def exerts(self, unit: str) -> bool | None:
        """Whether a unit exerts a zone of control at all; None: not known."""
        if unit not in self._exerts:
            rule = self._rule
            self._exerts[unit] = self.meets(unit, rule.exerted_by) if rule else False
        return self._exerts[unit]

    def meets(self, unit: str, requirements: Sequence[Requirement]) -> bool | None:
        """Whether a unit meets all requirements; None: not known."""
        if not requirements:
            return True
        if len(requirements) == 1:
            need = requirements[0]
            return need.met(self.fact(unit, need.attribute))
        facts = {r.attribute: self.fact(unit, r.attribute) for r in requirements}
        return all_met(requirements, facts)

    def fact(self, unit: str, about: str) -> Fact:
        """A unit's attribute, or a condition of the game for it."""
        return fact_about(self._situation, unit, about)

    def _reaches(self, rule: ZoneRule, unit: str, origin: str, target: str) -> bool | None:
        found = both(self._passes(rule, origin, target), self._covers(rule, target))
        if rule.out_of:
            found = both(found, self._board.has(origin, rule.out_of))
        if found is False or self._reach is None:
            return found
        reaches = self._reach(unit, origin, target)
        return both(found, reaches if isinstance(reaches, bool) else None)

    def _passes(self, rule: ZoneRule, origin: str, target: str) -> bool | None:
        if not rule.not_across and not rule.across:
            return True
        side = edge(origin, target)
        open_side = negation(self._lies_on(side, rule.not_across))
        return both(open_side, self._lies_on(side, rule.across)) if rule.across else open_side

    def _lies_on(self, side: Edge, names: frozenset[str]) -> bool | None:
        """Whether one of these features lies on a hexside; None: not known."""
        if names.intersection(self._board.sides.get(side, ())):
            return True
        maybe = self._board.maybe_on(side)
        return None if any(may_be(name, maybe) for name in names) else False

    def _covers(self, rule: ZoneRule, target: str) -> bool | None:
        found: bool | None = True
        if rule.not_into:
            found = negation(self._board.has(target, rule.not_into))
        return both(found, self._board.has(target, rule.into)) if rule.into else found

    @property
    def may_be_negated(self) -> bool:
        """Whether friendly units in a hex negate zones of control there."""
        return self._rule is not None and self._rule.negated

    def negated(self, name: str) -> bool | None:
        """Whether a friendly unit in a hex negates zones of control there; None: not known."""
        if not self.may_be_negated:
            return False
        sure = self._situation.surely_in(name)
        answers = []
        for unit in self._situation.possibly_in(name):
            if unit not in self._moving:
                answers.append(both(self._friendly(unit), True if unit in sure else None))
        return some(answers)

    def enemy_who(self, name: str, needs: Sequence[Requirement]) -> bool | None:
        """Whether an enemy in a hex meets all of ``needs``; None: not known."""
        return some(both(sure, self.meets(unit, needs)) for unit, sure in self.enemies(name))

    def missing_in(self, name: str, also: Sequence[Requirement] = ()) -> tuple[MissingFact, ...]:
        """The facts that would tell which enemies bar a hex, or meet ``also`` there."""
        needs = (*(self._barred_by or ()), *also)
        return tuple(q for u, _ in self.enemies(name) for q in self._questions(u, name, needs))

    def missing_rule(self) -> tuple[MissingFact, ...]:
        """The question whether the rule is complete; empty: it is."""
        rule = self._rule
        return () if rule is None or rule.missing_fact is None else (rule.missing_fact,)

    def missing_over(self, name: str) -> tuple[MissingFact, ...]:
        """The facts that would tell whether zones of control cover a hex."""
        rule = self._rule
        if rule is None:
            return ()
        found: list[MissingFact] = []
        if rule.missing_fact is not None and self.at(name).zoc is None:
            found.append(rule.missing_fact)
        for near in self._board.neighbours(name):
            for unit, sure in self.enemies(near):
                if both(sure, self.exerts(unit)) is None:
                    found += self._questions(unit, near, rule.exerted_by)
                elif self._reaches(rule, unit, near, name) is None:
                    found += self._reach_questions(rule, unit, near, name)
        if self.negated(name) is None:
            others = (u for u in self._situation.possibly_in(name) if u not in self._moving)
            for unit in others:
                found += self._questions(unit, name, ())
        return tuple(found)

    def _reach_questions(
        self, rule: ZoneRule, unit: str, near: str, name: str
    ) -> Iterator[MissingFact]:
        if self._passes(rule, near, name) is None:
            yield missing_facts.of_board(about_side(edge(near, name)), "")
        if self._covers(rule, name) is None:
            yield missing_facts.of_board(about_hex(self._board, name), "")
        if rule.out_of and self._board.has(near, rule.out_of) is None:
            yield missing_facts.of_board(about_hex(self._board, near), "")
        if self._reach is not None:
            yield from open_in(self._reach(unit, near, name))

    def _questions(
        self, unit: str, name: str, requirements: Sequence[Requirement]
    ) -> Iterator[MissingFact]:
        whose = self._unit(unit)
        movers = [self._unit(mover) for mover in sorted(self._moving)]
        yield from sides.missing(self._situation.game, self._side, whose, movers)
        if self._seen(unit) is None:
            yield missing_facts.of_unseen(whose)
        if unit not in self._situation.surely_in(name):
            alive = self._situation.in_play(unit)
            if alive.must_be(True):
                yield missing_facts.of_whereabouts(whose, name, self._situation.at)
            else:
                yield self._situation.dead_unknown(unit)
        yield from self.unmet(unit, requirements)

    def unmet(self, unit: str, requirements: Sequence[Requirement]) -> Iterator[MissingFact]:
        """The facts that would tell whether a unit meets ``requirements``."""
        for requirement in requirements:
            if requirement.met(self.fact(unit, requirement.attribute)) is None:
                yield question(self._unit(unit), requirement.attribute)
