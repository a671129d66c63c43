"""An enemy unit, or another one near a mover, as the tests of clauses see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import Fact
from ...model.unit import Unit
from ..concepts.requirements import question
from ..cost_interval import CostInterval
from .asking import Run, later
from .lately import in_lower_case
from .other_unit import OtherUnit

if TYPE_CHECKING:
    from .friends import Friends
    from .history import History
    from .rules import Rules
    from .step import Step


class Enemy(OtherUnit):
    """An enemy unit in ``origin``, as a test sees it that asks about ``target``: its own hex or one beside
    it."""

    def __init__(
        self, run: Run, rules: Rules, unit: str, zones: Friends, origin: str, target: str
    ) -> None:
        super().__init__(run, rules, rules.game.units[unit], 0)
        self._zones, self._origin, self._target = zones, origin, target

    def fact(self, about: str) -> Fact:
        """What is known of it while the unit moves."""
        told = in_lower_case(self._zones.fact(self._unit.id, about))
        kind = lambda: self._zones.fact(self._unit.id, "type")  # noqa: E731
        return self.rules.typed(self._unit, told, about, kind)

    def told_of(self, about: str) -> Fact:
        """What is told of it, as it is written."""
        return self._zones.fact(self._unit.id, about)

    @property
    def moving(self) -> Unit:
        return self._unit

    def one_of(self, about: str, every: tuple[str, ...]) -> str:
        """The value of an attribute, as it is written; if it is not known, one of ``every``."""
        options = self._zones.fact(self._unit.id, about).options or every
        choices = tuple(dict.fromkeys(map(str, options)))
        asked = later(question, self._unit, about)
        return str(self.run.choose(("one of", self._unit.id, about), choices, (asked,)))

    def another(self, unit: str) -> Enemy:
        """Another unit at that time."""
        return Enemy(self.run, self.rules, unit, self._zones, self._origin, self._target)

    def at_least_some(self, amount: Any, about: str) -> bool:
        """Whether an amount, which rests on an attribute, is above 0."""
        lo, hi = least_and_most(amount)
        holds = True if lo > 0 else False if hi is not None and hi <= 0 else None
        return self.run.yes(("some", self._unit.id, about), holds, self.asked(about))

    @property
    def where(self) -> str:
        """The hex that it is in."""
        self.run.log.placed = True
        return self._origin

    @property
    def history(self) -> History:
        self._zones.passes()
        return super().history

    @property
    def displaced(self) -> bool:
        """Whether it was displaced before in the phase."""
        history, at = self.history, self._zones._situation.at
        return history.was_displaced(self._unit.id, history.first_event(at))

    @property
    def beside(self) -> bool:
        """Whether it is not in the hex that is asked about."""
        self.run.log.placed = True
        return self._origin != self._target

    def own_step(self, by: Any) -> Step:
        """Its own step into the other hex, made in the way ``by``."""
        self.run.log.placed = True
        stub = self.rules.in_place_of(self)
        return self.rules.step(self.run, stub, self._origin, self._target, None, None, by=by)


Test = Callable[[Enemy], bool]
Work = Callable[[Enemy], int | None]


def least_and_most(said: Any) -> tuple[Any, Any]:
    """The least and the most of what is said of a unit: a number, or one as far as it is known."""
    return (said.lo, said.hi) if isinstance(said, Amount | CostInterval) else (said, said)


def ask(test: Any, zones: Friends, unit: str, origin: str, target: str, run: Run) -> Any:
    return test(Enemy(run, zones._rules, unit, zones, origin, target))
