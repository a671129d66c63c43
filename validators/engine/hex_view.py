"""The view that clauses have of a hex of a step: its ground, its units, and the facts about it."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from ...model.fact import UNKNOWN, Fact, MissingFact, one_of
from ...model.game import StepRef
from ..answers import Question
from ..cost_interval import ANYTHING, CostInterval, union_all
from ..ruleset import Requirement
from . import questions
from .asking import Bounds, Outcome, later
from .asking import Question as Asking
from .hex_ground import HexGround
from .objects import lies_question

if TYPE_CHECKING:
    from .locality import LocalTest
    from .other_unit import Enemy
    from .step import Step


class HexView(HexGround):
    """A hex of a step."""

    __slots__ = ()

    def in_zone(self, number: int) -> bool:
        """Whether it is in an enemy zone of control by rule ``number``, from 0."""
        return self._others(questions.zone, number)

    def foes(self, needs: tuple[Requirement, ...] = (), *, beside: bool = False) -> bool:
        """Whether an enemy unit that meets ``needs``, even one that does not bar a hex, is in it; if
        ``beside``, beside it."""
        return self._others(questions.foes, beside, needs)

    def friends_first(self, needs: tuple[Requirement, ...] = ()) -> bool:
        """Whether friendly units that meet ``needs`` are in it before the mover: those that stay there, or
        move along ahead of it."""
        return self._others(questions.friends, needs)

    def _others(self, ask: Any, *about: Any) -> bool:
        """Whether other units are there, by the question ``ask`` (:mod:`.questions`)."""
        found = self._found(ask, *about)
        key = "others", ask, self._name, self._part, *about
        return self._step.run.yes(key, found.holds, *found.facts)

    def enemies(self, **attributes: str) -> bool:
        """Whether an enemy unit with these attributes is in it."""
        zones, run = self._step.mover_.zones, self._step.run
        needs = tuple(Requirement(name, (value,)) for name, value in attributes.items())
        self._step.note(questions.enemies, (self._part, needs))
        found = self._step.mover_.enemies(self._name, needs)
        if found is not None:
            return bool(found)
        asked = zones.asked_in(self._name, needs).facts
        return run.yes(("enemies", self._name, needs), None, *asked)

    def enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy unit for which ``test`` holds is in it."""
        return self._near(test, False)

    def beside_enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy unit for which ``test`` holds is in a neighbouring hex."""
        return self._near(test, True)

    def _near(self, test: Callable[[Enemy], bool], beside: bool) -> bool:
        step = self._step
        step.note(questions.near, (self._part, beside, test))
        found = step.mover_.zones.who(self._name, beside, test)
        return step.run.yes(("near", self._name, beside, test), found.holds, *found.facts)

    def locally(self, test: LocalTest) -> bool:
        """Whether a test of the hex and the units in it and beside it holds."""
        found = self._locally(test)
        return self._step.run.yes(("locally", self._name, test), found.holds, *found.facts)

    def surely_locally(self, test: LocalTest) -> bool:
        """Whether a test of the hex and the units in it and beside it certainly holds. It never ends a
        run."""
        return self._locally(test).holds is True

    def costs_locally(self, test: LocalTest) -> CostInterval:
        """The cost, by a test, of the units in it and beside it; at least 0 if the result may be anything."""
        found = self._locally(test)
        if found.said is None:
            self._step.run.log.open += found.facts
            return ANYTHING._replace(barred=False, whole=False)
        cost = union_all(found.said)
        if not cost.is_exact:
            self._step.run.log.open += found.facts
        return cost

    def may_hold(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether a unit for which ``test`` holds, or may hold, may be in it. For what can be tried."""
        return bool(self._found(questions.may_hold, test))

    def marked_with(self, words: tuple[str, ...]) -> bool:
        """Whether a marker with one of ``words`` in its name is in it. For what can be tried."""
        return bool(self._found(questions.marked_with, words))

    def _locally(self, test: LocalTest) -> Outcome:
        return self._found(questions.locally, test)  # type: ignore[no-any-return]

    @property
    def clear(self) -> bool:
        """Whether no possible enemy is in it or beside it."""
        return bool(self._found(questions.clear))

    def tally(self, work: Callable[[Enemy], int | None], where: str = "over") -> tuple[Bounds, ...]:
        """The bounds of ``work`` for each enemy that may be in it or beside it ("over"), or in it, about a
        hex beside it ("out of"). A result of None stands for any number."""
        self._step.note(questions.tally, (self._part, where, work))
        return self._step.mover_.zones.tally(self._name, where, work)

    def said(self, topic: str) -> Fact:
        """The fact about it during the move; UNKNOWN if there is none. ``topic``: with {} for its name. It
        never ends a run."""
        if not self._step.rules.hexes_told(topic):
            return UNKNOWN
        self._step.note(questions.said, (self._part, topic))
        return self._step.mover_.said(self._name, topic)

    def tells(self, topic: str) -> bool:
        """Whether there is a fact about it under a topic, at any time."""
        hexes = self._step.rules.hexes_told(topic)
        if not hexes:
            return False
        self._step.note(questions.tells, (self._part, topic))
        return self._name in hexes

    def tally_apart(
        self, work: Callable[[Enemy], int | None], sides: tuple[str, ...]
    ) -> tuple[Bounds, ...]:
        """As :meth:`tally`, without the units of ``sides``."""
        self._step.run.log.private = True
        return self._step.mover_.zones.tally(self._name, "over", work, sides)

    def ask(self, topic: str, text: str, named: str = "condition {key}") -> Asking:
        """The question about it that a condition with that topic answers; {} stands for its name, and
        ``named`` for what a report calls it."""
        return later(self._asked, topic, text, named)

    def _asked(self, topic: str, text: str, named: str) -> MissingFact:
        self._step.note(questions.pair)
        key = topic.format(self._name)
        return Question(key, text.format(self._name)).unknown(named.format(self._name, key=key))

    def is_said(self, topic: str, text: str, named: str = "condition {key}") -> bool:
        """Whether something is so of it, by the facts; asked if they do not say."""
        fact = self.said(topic)
        if fact.must_be(True) or fact.must_be(False):
            return fact.must_be(True)
        asked = self.ask(topic, text, named)
        return self._step.run.yes(("said", topic, self._name), None, asked)

    def friends_who(self, test: Callable[[Enemy], bool], topic: str) -> tuple[bool, bool]:
        """Whether a friendly unit of which ``test`` holds and that does not move along is certainly in it,
        and whether one may be; where that is open, as the facts say at the first step (``topic``)."""
        surely, perhaps = self._found(questions.friends_who, test)
        if perhaps and not surely:
            told = self._told_now(topic)
            surely, perhaps = told is True, told is not False
        return surely, perhaps

    def _told_now(self, topic: str) -> bool | None:
        """What the facts say of it at the first step of the move; None: nothing."""
        found: bool | None = self._found(questions.told_now, topic)
        return found

    def ask_now(self, topic: str, text: str, named: str = "") -> Asking:
        """As :meth:`ask`, at the first step of the move."""
        return later(self._asked_now, topic, text, named)

    def _asked_now(self, topic: str, text: str, named: str) -> MissingFact:
        step, key = self._step, topic.format(self._name)
        step.run.log.private = True
        asked = Question(key, text.format(self._name), "", _first(step))
        return asked.unknown(named.format(key=key))

    def friends(self) -> bool:
        """Whether a friendly unit that does not move along is in it."""
        return self._others(questions.stays)

    def may_be_joined(self) -> bool:
        """Whether friendly units may have moved along into it, or waited in it to move on together."""
        return bool(self._found(questions.may_be_joined))

    def told_now(self, topic: str, text: str, unless: str) -> bool:
        """What the facts say of it at the first step of the move; {} stands for its name. If they say
        nothing: no if the reading ``unless`` is settled as no; while that is open, it is asked for first."""
        told = self._told_now(topic)
        step = self._step
        asked = Question(topic.format(self._name), text.format(self._name), "", _first(step))
        if told is None and not step.reading(unless):
            return False
        return step.run.yes(("told now", topic, self._name), told, asked.unknown)

    def lies(self, kind: str) -> bool:
        """Whether a thing of a kind is in it during the move."""
        step, board = self._step, self._board
        objects = step.rules.objects
        if not objects.any:
            return False
        if objects.drawn_alone and not step.rules.clearers:
            self.note_terrain()  # the features of the hex decide
        else:
            step.note(questions.ever_lies, self._part)
            if self._name not in objects.ever:
                return False
            step.note(questions.lies, (self._part, kind))
        found = step.mover_.lies(self._name, kind)
        if found is not None:
            return bool(found)
        drawn = board.has(self._name, (kind,)) is None
        asked = self.missing if drawn else lies_question(kind, self._name).unknown
        return step.run.yes(("lies", self._name, kind), None, asked)

    def held_beside(self, test: Callable[[Enemy], bool], besides: Container[str] = ()) -> Bounds:
        """The number of hexes beside it, without ``besides``, that have enemies for which ``test`` holds."""
        self._step.run.log.private = True
        return self._step.mover_.zones.held_beside(self._name, test, besides)

    def left_after_a_roll(self, test: Callable[[Enemy], bool]) -> tuple[bool, bool]:
        """See :meth:`.enemies.EnemyZones.left_after_a_roll`."""
        self._step.run.log.private = True
        return self._step.mover_.zones.left_after_a_roll(self._name, test)

    def said_in_phase(self, topic: str) -> Fact:
        """The fact about it during the move, if it is about this phase; UNKNOWN if there is none. If it
        already held when the phase began, it may be about an earlier phase: both answers are possible."""
        step, fact = self._step, self.said(topic)
        if fact == UNKNOWN:
            return fact
        step.run.log.private = True
        history, key = step.rules.history, topic.format(self._name)
        of_now = history.said_of_now(key, history.first_event(_first(step)))
        return fact if of_now or not fact.must_be(True) else one_of(True, False)

    def perhaps_enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy for which ``test`` holds is, or may be, in it. For the state of a mover: it never
        ends a run."""
        self._step.note(questions.near, (self._part, False, test))
        return self._step.mover_.zones.who(self._name, False, test).holds is not False

    def surely_enemies(self) -> bool:
        """Whether enemies are certainly in it, for actions that the log can only show if they are."""
        self._step.note(questions.enemies, (self._part, ()))
        return self._step.mover_.enemies(self._name, ()) is True


def _first(step: Step) -> StepRef:
    """The first step of the mover's move."""
    return step.mover_.facts.move.steps[0]
