"""The view that clauses have of the mover of a step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from ...model.fact import Fact, known
from ...model.unit import Unit
from ..concepts.requirements import FORM, question
from ..cost_interval import CostInterval
from . import questions
from .asking import Bounds, later
from .asking import Question as Asking
from .mover_questions import one_of
from .mover_view import MoverView
from .subject import TABLED, Subject

if TYPE_CHECKING:
    from .mover import ClauseMover


class StepMover(Subject):
    """The mover of a step. ``mover_``: it, for the engine; see :class:`.step.Step`."""

    __slots__ = ()

    mover_: ClauseMover

    def note(self, ask: Any, about: Any = None) -> None:
        self.run.log.reads[ask, about] = None

    @property
    def cls(self) -> str:
        """The class of the mover."""
        return str(self.mover_.cls)

    @property
    def column(self) -> str:
        """The column of the charts by which the mover pays."""
        return self.rules.columns[self.cls]

    @property
    def who(self) -> str:
        """The mover's class, as text for a person."""
        return self.rules.who(self.cls)

    @property
    def form(self) -> str:
        """The movement form."""
        self.note(questions.form)
        return str(self.mover_.form)

    @property
    def taken_as(self) -> str:
        """The interpretation of the move; empty: it is what it seems."""
        self.note(questions.form)
        taken = self.mover_.facts.taken_as
        return "" if taken is None else str(taken.id)

    @property
    def phase(self) -> str:
        """The kind of phase."""
        if "kind" not in self.rules.shared:
            self.note(questions.fact, "kind")
        return str(self.mover_.facts.known["kind"].value)

    def fact(self, about: str) -> Fact:
        """A completed fact of the mover."""
        if about not in self.rules.shared:
            self.note(questions.fact, about)
        return self.mover_.facts.known[about]

    def asked(self, about: str) -> Asking:
        """The question about a completed fact; one that names the unit belongs to this mover alone."""
        if about not in self.rules.conditions:
            self.note_unit()
        return self.rules.question_about(self.mover_.facts.unit, about)

    def _key(self, name: str, about: str, *more: Any) -> tuple[Any, ...]:
        """The key of such a question; a condition is the same for all steps."""
        first = "condition" if about in self.rules.conditions else name
        return (first, about, name, *more)

    def word(self, about: str) -> str:
        """The value of a completed fact of the mover; not enumerable if it may be anything."""
        options = self.fact(about).options or ()
        if len(options) == 1:
            return str(options[0])
        return str(self.run.choose(self._key("word", about), options, (self.asked(about),)))

    def is_so(self, about: str) -> bool:
        """Whether a fact of the mover that is yes or no is so."""
        fact = self.fact(about)
        if fact.must_be(True) or fact.must_be(False):
            return fact.must_be(True)
        return self.run.yes(self._key("so", about), None, self.asked(about))

    def is_(self, about: str, *values: str) -> bool:
        """Whether a completed fact of the mover has one of these values, in lower case."""
        if about not in self.rules.shared:
            self.note(questions.one_of, (about, values))
        holds = one_of(self.mover_.facts.known[about], values)
        if holds is not None:
            return holds
        return self.run.yes(self._key("is", about, values), None, self.asked(about))

    def doubted(self, about: str) -> bool:
        """Whether a doubtful fact of the mover is so; it is asked whatever is known."""
        return self.run.yes(self._key("doubted", about), None, self.asked(about))

    def growing(self, about: str, cost: Callable[[Fraction], Fraction]) -> CostInterval:
        """A cost in MPs that grows with a number of the mover; bounds if the number is not known."""
        fact = self.fact(about)
        least, most = max(Fraction(0), fact.low or Fraction(0)), fact.high
        if most is None or least != most:
            self.run.log.open.append(self.asked(about))
        scale = self.rules.scale
        hi = None if most is None else cost(max(least, most)) * scale
        return CostInterval(floor(cost(least) * scale), None if hi is None else ceil(hi))

    def between(self, least: int, most: int, known: Bounds) -> CostInterval:
        """A cost between two numbers of MPs, as far as ``known`` goes."""
        if least != most:
            self.run.log.open += known.asked
        return CostInterval(least * self.rules.scale, most * self.rules.scale)

    def at_most_charge(self, chart: str, most: int) -> CostInterval:
        """A cost of at most ``most`` MPs that no table gives; ``chart`` is its name in the question."""
        self.run.log.open.append(
            later(self.rules.cost_question, chart, chart, self.rules.columns[self.cls])
        )
        return CostInterval(0, most * self.rules.scale)

    def relation(self, side: str) -> str:
        """How a side stands to that of the mover: friend or enemy; empty if that is not known."""
        self.run.log.private = True
        return self.rules.game.relation(self.mover_.facts.unit.side, side) or ""

    def of(self, *classes: str) -> bool:
        """Whether the mover is of one of these classes; asked if its class is one that no rule names."""
        holds = self.cls in classes if self.cls else None
        if holds is None:
            self.note_unit()
        return self.run.yes(
            ("of", classes), holds, later(question, self.mover_.facts.unit, "class")
        )

    def told_of(self, about: str) -> Fact:
        return known(self.form) if about == FORM else self.fact(TABLED + about)

    def note_unit(self) -> None:
        self.note(questions.of_mover, "unit")

    @property
    def moving(self) -> Unit:
        return self.mover_.facts.unit

    def attribute(
        self, about: str, every: tuple[str, ...], read: Callable[[object], Any] = str
    ) -> Any:
        """An attribute of the unit that moves, its side, or a condition of the game, as ``read`` takes its
        values. If it is not known: one of ``every`` (empty: not enumerable, as where ``read`` gives None)."""
        tabled, facts = TABLED + about, self.mover_.facts
        if tabled in facts.known:
            fact = self.fact(tabled)
            self.note_unit()
        else:
            self.run.log.private = True
            fact = self.mover_.zones.fact(facts.unit.id, about)
        choices = tuple(dict.fromkeys(map(read, fact.options or every)))
        asked = later(question, facts.unit, about)
        return self.run.choose(("told", about, read), () if None in choices else choices, (asked,))

    def if_true(
        self, about: str, cost: Callable[[], CostInterval], other: CostInterval
    ) -> CostInterval:
        """A cost that is due if a fact of the mover that is yes or no is so, or the ``other``; bounds if that
        is not known."""
        fact = self.fact(about)
        if fact.must_be(False):
            return other
        if fact.must_be(True):
            return cost()
        return self.perhaps(other, cost, self.asked(about))

    @property
    def mover(self) -> MoverView:
        """The mover. The result then applies only to this mover."""
        self.run.log.private = True
        return MoverView(self.run, self.rules, self.mover_.facts)

    @property
    def shown(self) -> int | None:
        """The facing to which the counter was turned before its first drag; None: it was not turned."""
        self.note(questions.of_mover, "shown")
        return self.mover_.facts.shown

    @property
    def unit_id(self) -> str:
        """Which unit moves."""
        self.note(questions.of_mover, "unit")
        return str(self.mover_.facts.unit.id)

    def told_now(self, topic: str, text: str, named: str = "") -> bool:
        """What the facts say of the mover at the first step of its move; {} stands for its name, in ``named``
        for its id."""
        unit = self.mover_.facts.unit
        at = self.mover_.facts.move.steps[0]
        return self.told(topic, text.format(unit.name), unit, at, named.format(unit.id))

    @property
    def goes_on(self) -> bool:
        """Whether the unit may move on in the phase after this move."""
        self.note(questions.of_mover, "goes_on")
        return bool(self.mover_.facts.goes_on)

    @property
    def walked_from(self) -> str:
        """The hex in which the unit began to move by itself; empty: it was carried all the way."""
        self.note(questions.of_mover, "walked_from")
        return str(self.mover_.facts.walked_from)

    @property
    def put_back(self) -> bool:
        """Whether the unit was put back, after a roll and after its phase, where the move began."""
        self.note(questions.of_mover, "put_back")
        return bool(self.mover_.facts.put_back)
