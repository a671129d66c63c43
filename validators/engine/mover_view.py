"""A unit in one move, as clauses about the mover see it."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...model.fact import UNKNOWN, Fact
from ...model.finding import Move
from ...model.unit import Unit
from ..concepts.requirements import question
from ..ruleset import Circumstances
from .asking import Run, later
from .event_index import FACING
from .subject import OtherUnit

if TYPE_CHECKING:
    from .rules import Rules
    from .step import Step


class MoverView(OtherUnit):
    """A unit in one move, as clauses about the mover see it. ``known``: its facts, completed; results are
    kept for movers with the same. Other reads are noted, or make the result private."""

    def __init__(self, run: Run, rules: Rules, mover: MoverFacts) -> None:
        self.run, self.rules, self._unit, self._index = run, rules, mover.unit, mover.drags[0]
        self._mover, self.known, self.form = mover, mover.known, mover.form

    def fact(self, about: str) -> Fact:
        """A completed fact of the mover; else what the log tells at its first drag."""
        if about in self.known:
            return self.known[about]
        self.run.log.reads[_fact_of, about] = None
        return self.rules.history.value(self._unit.id, about, self._index)

    def other(self, unit: str) -> OtherUnit:
        self.run.log.private = True
        return super().other(unit)

    @property
    def move(self) -> Move:
        self.run.log.private = True
        return self._mover.move

    @property
    def drags(self) -> list[int]:
        self.run.log.private = True
        return self._mover.drags

    @property
    def circumstances(self) -> Circumstances:
        self.run.log.private = self.run.log.dynamic = True
        return self._mover.circumstances

    @property
    def mover(self) -> MoverFacts:
        self.run.log.private = self.run.log.dynamic = True
        return self._mover

    @property
    def phase(self) -> str:
        """The kind of phase."""
        return str(self.known["kind"].value)

    def marked(self, name: str) -> bool:
        self.run.log.reads[_marked, name] = None
        asked = later(question, self._unit, name)
        return self.run.yes(("marked", name), _marked(self, name), asked)

    def marked_in_place_of(self, name: str, other: str) -> bool:
        """Whether it bears a marker that only stands for another one, of which the facts do not tell."""
        self.run.log.reads[_marked, name] = self.run.log.reads[_fact_of, other] = None
        if self.rules.history.declared(self.rules.history.value(self._unit.id, other, self._index)):
            return False
        perhaps = _marked(self, name) and None
        return self.run.yes(("marked as", name), perhaps, later(question, self._unit, other))

    def marked_on_the_way(self, name: str, topic: str, text: str, *, sure: bool = True) -> bool:
        """Whether it got a marker and was dragged on. Where the log leaves that open, or ``sure`` is False,
        the facts may say so (``topic``; ``text``: the question, with {} for its name)."""
        self.run.log.reads[_on_the_way, name] = None
        found = _on_the_way(self, name)
        if found is None or (found and not sure):
            return self.told(topic, text.format(self._unit.name), self._unit)
        return found

    def faces_nowhere(self) -> bool:
        """Whether its facing at the end of the phase, which is not known, keeps any way from being
        certain."""
        self.run.log.private = True
        history = self.rules.history
        end = history.value(self._unit.id, FACING, history.phase(self._index)[1])
        known = self.rules.heading(end) is not None
        asked = later(question, self._unit, FACING)
        return self.run.yes("faces", False if known else None, asked)

    def last_step(self) -> Step:
        """The step into the target of the move, as if from its origin."""
        from .step import Step

        move = self.mover.move
        return Step(self.run, self._mover.mover, move.origin.name, move.target.name, None, None)

    def least_spent(self, drags: int) -> Fraction | None:
        """The least MPs spent until the stop after so many drags; None if the stop does not bind."""
        return self.mover.least_spent(drags)  # type: ignore[no-any-return]


def _fact_of(view: MoverView, about: str) -> Any:
    fact = view.rules.history.value(view._unit.id, about, view._index)
    return fact.options, fact.lo, fact.hi, fact == UNKNOWN, view.rules.history.declared(fact)


def _marked(view: MoverView, name: str) -> bool | None:
    side = view._mover.move.actor or view._unit.side
    return view.rules.history.marked(view._unit, name, view._index, side)


def _on_the_way(view: MoverView, name: str) -> bool | None:
    facts = view._mover
    if len(facts.drags) < 2:
        return False
    side = facts.move.actor or view._unit.side
    return view.rules.history.marked_on_the_way(view._unit, name, facts.drags, side)


class MoverFacts:
    """The unit, move and completed facts that a mover is made of."""

    def __init__(
        self,
        unit: Unit,
        move: Move,
        drags: list[int],
        circumstances: Circumstances,
        form: str,
        known: dict[str, Fact],
        rules: Rules,
    ) -> None:
        self.unit, self.move, self.drags = unit, move, drags
        self.circumstances, self.form, self.known, self.rules = circumstances, form, known, rules
        self.least_spent: Any = None
        self.mover: Any = None

    @cached_property
    def goes_on(self) -> bool:
        """See :attr:`.step.Step.goes_on`."""
        return self.rules.history.goes_on(self.unit.id, self.drags[-1])

    @cached_property
    def put_back(self) -> bool:
        """See :attr:`.step.Step.put_back`."""
        history, last = self.rules.history, self.drags[-1]
        later = next((d for d in history.drags[self.unit.id] if d > last), None)
        if later is None or history.view(later).phase in self.rules.phase_kinds:
            return False
        rolled = history.witnesses.too_late(last, later, None)
        return rolled and history.drag(later).target == self.move.origin

    @cached_property
    def shown(self) -> int | None:
        """See :attr:`.step.Step.shown`."""
        history, unit, first = self.rules.history, self.unit.id, self.drags[0]
        handed = self.rules.heading(history.value(unit, FACING, first))
        before = self.rules.heading(history.value(unit, FACING, history.phase(first)[0]))
        return None if handed == before or history.came_in(unit, first) else handed

    def but(self, form: str, known: dict[str, Fact]) -> MoverFacts:
        """The same in another form, or with other facts."""
        return MoverFacts(
            self.unit, self.move, self.drags, self.circumstances, form, known, self.rules
        )
