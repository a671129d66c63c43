"""Enemies of a mover, and the tests that clauses put to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.fact import Fact, MissingFact
from ..concepts.logic import both, some
from ..concepts.zones import Zones
from ..ruleset import Circumstances
from .arrivals import Arrival
from .asking import Log, Outcome, Run, outcome
from .lately import in_lower_case
from .step import Step
from .subject import OtherUnit

if TYPE_CHECKING:
    from .rules import Rules


class Enemy(OtherUnit):
    """An enemy unit in ``origin``, as a test sees it that asks about ``target``: its own hex or one beside
    it."""

    def __init__(
        self, run: Run, rules: Rules, unit: str, zones: EnemyZones, origin: str, target: str
    ) -> None:
        super().__init__(run, rules, rules.game.units[unit], 0)
        self._zones, self._origin, self._target = zones, origin, target

    def fact(self, about: str) -> Fact:
        """What is known of it while the unit moves."""
        told = in_lower_case(self._zones.fact(self._unit.id, about))
        return self.rules.typed(told, about, lambda: self._zones.fact(self._unit.id, "type"))

    def own_step(self, by: Any) -> Step:
        """Its own step into the other hex, made in the way ``by``."""
        stub = Arrival(self.rules, self.rules.class_of(self.word("class")))
        return Step(self.run, stub, self._origin, self._target, None, None, by=by)


Test = Callable[[Enemy], bool]


class Near(NamedTuple):
    """Whether there are enemies of which a test holds; None: not known. ``facts``: what would decide it."""

    holds: bool | None
    facts: tuple[MissingFact, ...] = ()


NOBODY_NEAR = Near(False)


class EnemyZones(Zones):
    """The enemies of a side under one set of circumstances, shared by all units of a move."""

    def __init__(self, circumstances: Circumstances, rules: Rules, side: str | None) -> None:
        self._rules = rules
        self._tested: dict[tuple[str, str, str, Test], Outcome] = {}
        self._near: dict[tuple[str, bool, Test], Near] = {}
        super().__init__(circumstances, side, None, rules.declared.enemies)

    def _with_others(self) -> Any:
        beside = self._rules.declared.looks_beside
        situation = self._situation
        return (situation.others_beside if beside else situation.others_in)(self._side)

    def who(self, name: str, beside: bool, test: Test) -> Near:
        """Whether enemies of which ``test`` holds are in a hex, or in a neighbouring one. Only what counts as
        an enemy at all (``Declared.enemies``) is tested."""
        others = self.others
        if others is not None and name not in others:
            return NOBODY_NEAR
        key = name, beside, test
        found = self._near.get(key)
        if found is None:
            found = self._near[key] = self._who(name, beside, test)
        return found

    def _who(self, name: str, beside: bool, test: Test) -> Near:
        holds: list[bool | None] = []
        facts: list[MissingFact] = []
        needs = self._rules.declared.enemies
        for near in self._board.neighbours(name) if beside else (name,):
            for unit, sure in self.enemies(near):
                tried = self._test(unit, near, name, test)
                one = both(both(sure, self.meets(unit, needs)), tried.holds)
                holds.append(one)
                if one is None:
                    facts += self._questions(unit, near, needs)
                    facts += tried.facts if tried.holds is None else ()
        found = some(holds)
        return Near(found, tuple(dict.fromkeys(facts)) if found is None else ())

    def count(self, name: str, counts: Test, may: Test, about: str) -> tuple[int, int, bool]:
        """How many enemies are in a hex of which ``counts`` holds, and how many of which ``may`` does as
        well; these two ask nothing. And whether ``about`` is told of all, and all certainly are there."""
        least, most, whole = 0, 0, True
        for unit, sure in self.enemies(name):
            one = Enemy(Run({}, Log()), self._rules, unit, self, name, name)
            sure = bool(sure)
            least += sure and counts(one)
            most += counts(one) or may(one)
            whole = whole and sure and one.fact(about).is_known
        return least, most, whole

    def _test(self, unit: str, origin: str, target: str, test: Test) -> Outcome:
        key = unit, origin, target, test
        found = self._tested.get(key)
        if found is None:
            found = self._tested[key] = outcome(partial(_ask, test, self, unit, origin, target))
        return found

    def friend(self, name: str) -> bool | None:
        """Whether a friendly unit that does not move along is in a hex; None: not known."""
        sure = self._situation.surely_in(name)
        return some(
            both(self._friendly(u), True if u in sure else None) for u in self._staying(name)
        )

    def whose(self, name: str) -> tuple[MissingFact, ...]:
        """The facts that would decide :meth:`friend`."""
        return tuple(q for u in self._staying(name) for q in self._questions(u, name, ()))

    def _staying(self, name: str) -> Iterator[str]:
        return (unit for unit in self._situation.possibly_in(name) if unit not in self._moving)


def _ask(test: Test, zones: EnemyZones, unit: str, origin: str, target: str, run: Run) -> bool:
    return test(Enemy(run, zones._rules, unit, zones, origin, target))
