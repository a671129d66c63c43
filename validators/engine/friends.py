"""The friends near a mover, and the cache of results about all units there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from ...model.fact import Fact, MissingFact, either
from ...model.finding import Move
from ...model.unit import Unit
from ..answers import answer, went_ahead
from ..concepts import sides
from ..concepts.logic import both, negation, some
from ..concepts.sides import of_unclear_place
from ..concepts.zones import Reach, ZoneRule, Zones
from ..ruleset import Circumstances, Requirement
from .asking import outcome
from .other_unit import Test, ask

if TYPE_CHECKING:
    from .rules import Rules


P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound="Friends")


class Near(NamedTuple):
    """Whether there are units for which a test holds; None: not known. ``facts``: those that would decide
    it."""

    holds: bool | None
    facts: tuple[MissingFact, ...] = ()


NOBODY_NEAR = Near(False)
SURE = {True: Near(True), False: NOBODY_NEAR}


def answered(holds: bool | None, asked: Iterable[MissingFact]) -> Near:
    """An answer; with the facts that would decide it only if it is not known."""
    return Near(None, tuple(dict.fromkeys(asked))) if holds is None else SURE[holds]


def kept(work: Callable[Concatenate[F, P], T]) -> Callable[Concatenate[F, P], T]:
    """A method whose results are cached (:meth:`Friends.once`)."""

    @wraps(work)
    def answer_of(self: F, /, *args: P.args, **named: P.kwargs) -> T:
        return self.once((work, *args, *named.items()), partial(work, self, *args, **named))

    return answer_of


def kept_near(
    work: Callable[Concatenate[F, str, P], Near],
) -> Callable[Concatenate[F, str, P], Near]:
    """As :func:`kept`, for a method about a hex; NOBODY_NEAR if there are no enemies in it or beside it."""
    once = kept(work)

    @wraps(work)
    def answer_of(self: F, name: str, /, *args: P.args, **named: P.kwargs) -> Near:
        return once(self, name, *args, **named) if name in self.others else NOBODY_NEAR

    return answer_of


class Friends(Zones):
    """The friends of a side under one set of circumstances, and the cache of results about units."""

    def __init__(
        self,
        circumstances: Circumstances,
        rules: Rules,
        side: str | None,
        zone: ZoneRule | None,
        reach: Reach | None,
    ) -> None:
        self._rules = rules
        self._passed = 0
        self._of_now: dict[object, Any] = {}
        self._empty: dict[str, bool] = {}
        move = circumstances.move
        self._ends = () if move is None else (move.origin.name, move.target.name)
        self._circumstances = circumstances
        super().__init__(circumstances, side, zone, rules.declared.enemies, reach)
        self._lasting = self._what_lasts()
        if self._lasting is not self._of_now:
            self._here = self._lasting.setdefault("here", {})

    def _what_lasts(self) -> dict[object, Any]:
        """The cache of results about enemies, which lasts from move to move as long as nothing happens to
        counters of other sides; else the cache for this move."""
        rules, side, situation = self._rules, self._side, self._situation
        if side is None or {rules.game.units[unit].side for unit in self._moving} != {side}:
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
        """Note that the current result may differ for the next move."""
        self._passed += 1

    def once(self, key: object, work: Callable[[], T]) -> T:
        """The result of ``work``, computed once for ``key``: for this move if it may differ for the next one,
        else as long as the cache lasts. It must not be None."""
        lasting = self._lasting
        found: T | None = lasting.get(key)
        if found is not None:
            return found
        of_now: T | None = self._of_now.get(key)
        if of_now is not None:
            self._passed += 1
            return of_now
        before = self._passed
        new = work()
        (lasting if self._passed == before else self._of_now)[key] = new
        return new

    def fact(self, unit: str, about: str) -> Fact:
        """A fact of a unit, including values set just after the move if they may have held during it."""
        if self._rules.game.units[unit].side == self._side:
            self._passed += 1
        found = super().fact(unit, about)
        if not self._rules.declared.late_for_all:
            return found
        later = self._set_late.get((unit, about))
        return found if later is None else either([found, *later])

    @cached_property
    def _set_late(self) -> dict[tuple[str, str], list[Fact]]:
        """(unit, attribute) → the values set after the move, before others saw the table."""
        move, history = self._circumstances.move, self._rules.history
        if move is None:
            return {}
        return history.set_after(move, move.actor or self._side)

    def _questions(
        self, unit: str, name: str, requirements: Sequence[Requirement]
    ) -> Iterator[MissingFact]:
        """The facts that would decide whether a unit is an enemy that meets ``requirements``, in a hex. With
        ``Declared.whose_first``, its place can wait until its side is known."""
        game = self._situation.game
        movers = [game.units[one] for one in sorted(self._moving)]
        if unit not in self._situation.surely_in(name):
            self.passes()  # the question names the moment
        whose = tuple(sides.missing(game, self._side, game.units[unit], movers))
        if whose and self._rules.declared.whose_first:
            return iter(whose)
        return super()._questions(unit, name, requirements)

    def asked_of(self, unit: str, name: str) -> tuple[MissingFact, ...]:
        """The facts that would decide whether a unit is in a hex."""
        return tuple(self._questions(unit, name, ()))

    def _staying(self, name: str) -> Iterator[str]:
        self.passes()
        return (unit for unit in self._situation.possibly_in(name) if unit not in self._moving)

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
        return answered(None, asked)

    def _friends(self, name: str, needs: tuple[Requirement, ...]) -> bool | None:
        sure = self._situation.surely_in(name)
        return some(
            both(
                self.meets(unit, needs), both(self._friendly(unit), True if unit in sure else None)
            )
            for unit in self._staying(name)
        )

    @kept
    def friends_who(self, name: str, test: Test) -> tuple[bool, bool]:
        """(whether friends for which ``test`` holds, and that do not move along, are certainly in a hex;
        whether they may be). Units of the moving stack may be where it starts and ends; a unit whose hex is
        not known may be anywhere."""
        self.passes()
        sure, every = self._situation.surely_in(name), self._situation.possibly_in(name)
        staying = [unit for unit in every if unit not in self._moving]
        holds = {unit: self._is_friend_who(unit, test) for unit in staying}
        surely = any(holds[unit] and unit in sure for unit in staying)
        perhaps = any(one is not False for one in holds.values())
        strays = self._strays(test) or (name in self._ends and self._may_wait(test))
        return surely, surely or perhaps or strays

    def left_after_a_roll(self, name: str, test: Test) -> tuple[bool, bool]:
        """(whether a friend for which ``test`` holds was certainly put in a hex in the phase, was there when
        dice were rolled, and left it; whether one may have been there at a roll)."""
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

    def _is_friend_who(self, unit: str, test: Test) -> bool | None:
        tried = outcome(partial(ask, test, self, unit, "", ""))
        return both(self._friendly(unit), tried.holds)

    @kept
    def _strays(self, test: Test) -> bool:
        self.passes()
        units = (u for u in of_unclear_place(self._situation) if u not in self._moving)
        return any(self._is_friend_who(unit, test) is not False for unit in units)

    def _may_wait(self, test: Test) -> bool:
        """Whether one of several units that were dragged at once may wait for another, or come before it."""
        many = len(self._moving) > 1
        tried = (outcome(partial(ask, test, self, u, "", "")).holds for u in sorted(self._moving))
        return many and any(holds is not False for holds in tried)

    @kept
    def stays(self, name: str) -> Near:
        """Whether a friendly unit that does not move along is in a hex."""
        asked = (q for u in self._staying(name) for q in self._questions(u, name, ()))
        return answered(self._friends(name, ()), asked)

    def may_be_joined(self, name: str) -> bool:
        """Whether friendly units may have moved along into a hex, or waited in it to move on together."""
        along, begun = self._joining
        return along or name in begun

    @cached_property
    def _joining(self) -> tuple[bool, frozenset[str]]:
        move = self._circumstances.move
        assert move is not None
        return self._rules.history.joining(move, self._side)

    def any_along(self, unit: str) -> bool:
        """Whether units move along with one."""
        return bool(self._moving - {unit})

    def along_from(self, names: tuple[str, ...], unit: str, test: Test) -> Near:
        """Whether a unit for which ``test`` holds moves along with ``unit``, beginning in one of
        ``names``."""
        others = (u for u in sorted(self._moving - {unit}) if self._situation.where(u).hex in names)
        tried = [outcome(partial(ask, test, self, u, "", "")) for u in others]
        return answered(some(one.holds for one in tried), (f for one in tried for f in one.facts))

    @kept
    def may_hold(self, name: str, test: Test) -> bool:
        """Whether a unit of any side for which ``test`` holds, or may hold, may be in a hex."""
        self.passes()
        units = self._situation.possibly_in(name)
        return any(outcome(partial(ask, test, self, u, "", "")).holds is not False for u in units)

    def mates(self, name: str) -> list[tuple[str, bool | None]]:
        """The friends in a hex that do not move along, each with True, or None if it only may be there."""
        sure = self._situation.surely_in(name)
        every = ((u, both(self._friendly(u), u in sure or None)) for u in self._staying(name))
        return [(unit, there) for unit, there in every if there is not False]

    def is_empty(self, name: str) -> bool:
        """Whether a hex certainly has no units except those that move along."""
        found = self._empty.get(name)
        if found is None:
            found = self._empty[name] = not any(True for _ in self._staying(name))
        return found
