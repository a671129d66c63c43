"""The view that clauses about the mover have of a unit in one move."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import UNKNOWN, Fact, MissingFact, known
from ...model.game import StepRef
from ...model.unit import Unit
from ..answers import Question, answer
from ..concepts import missing_facts, sides
from ..concepts.requirements import FORM, question
from ..concepts.sides import perhaps_with
from ..search import watch
from . import mover_questions as questions
from .activation import Activation, of_move
from .acts_view import ActsView
from .asking import Bounds, Log, Run, later, outcome
from .asking import Question as Asking
from .event_index import ABOARD, FACING
from .in_phase import InPhase, Spot
from .mover_facts import MoverFacts
from .objects import Found
from .other_unit import Enemy, OtherUnit
from .reach import Reach, most_steps, reach
from .subject import TABLED

if TYPE_CHECKING:
    from collections.abc import Callable

    from .step import Step


class MoverView(InPhase):
    """The view that clauses about the mover have of a unit in one move. Movers with the same answers share
    results; each read is noted, or makes the result private."""

    @property
    def stops(self) -> list[Spot]:
        """The places of the move: its origin and each place where it was put, in order."""
        return [Spot(self.mover, place) for place in self.move.waypoints]

    @property
    def seen(self) -> tuple[bool, ...]:
        """Of each of its :attr:`stops`, whether others saw it there before it was dragged on."""
        return tuple(self.move.binding)

    @property
    def form(self) -> str:
        """The movement form."""
        self.run.log.reads[questions.form, None] = None
        return self._mover.form

    def fact(self, about: str) -> Fact:
        """A completed fact of the mover; else the fact by the log at its first drag."""
        found = self.known.get(about)
        if found is not None:
            return found
        self.run.log.reads[questions.fact, about] = None
        return super().fact_at(about)

    def speaks_of(self, about: str) -> bool:
        """Whether the game ever has the attribute, even with a value that is not known."""
        self.run.log.reads[questions.is_spoken_of, about] = None
        return self._speaks_of(about)

    def is_(self, about: str, *values: str) -> bool:
        self.run.log.reads[questions.is_one_of, (about, values)] = None
        holds = questions.is_one_of(self, (about, values))
        return super().is_(about, *values) if holds is None else holds

    @property
    def acts(self) -> ActsView:
        """What it did with its move, as it is read."""
        return self._acts(self._mover.acts)

    @property
    def whole(self) -> ActsView:
        """What it did with its move, for prohibitions."""
        return self._acts(self._mover.whole)

    def _acts(self, did: Activation | None) -> ActsView:
        self.run.log.private = self.run.log.bare = True
        assert did is not None
        return ActsView(self.run, self.rules, did)

    @property
    def read(self) -> Activation:
        """What the log shows of its move."""
        self.run.log.private = True
        told = self.rules.history.value(self._unit.id, ABOARD, self._index)
        may = self.cls not in self.rules.declared.carriers or told.options is not None
        return of_move(self.rules.history, self._unit, self._mover.move, may)

    def may_lie(self, kind: str, name: str) -> bool:
        """Whether a thing of a kind is, or may be, in a hex."""
        self.run.log.private = self.run.log.bare = True
        watch((name,))
        return objects_of(self._mover).get(name, {}).get(kind, False) is not False

    def enemies_in(self, name: str) -> list[tuple[OtherUnit, bool]]:
        """The enemies that are or may be in a hex, each with whether it is certainly there."""
        zones = self._zones
        watch((name,))
        return [
            (Enemy(self.run, self.rules, unit, zones, name, name), bool(sure))
            for unit, sure in zones.enemies(name)
        ]

    def asked(self, about: str) -> Asking:
        """The question about a fact of it, or about a condition."""
        return self.rules.question_about(self._unit, about)

    def other(self, unit: str) -> OtherUnit:
        self.run.log.private = True
        return super().other(unit)

    @property
    def last_drag(self) -> StepRef | None:
        """The last step of the move; None: no move is given."""
        self.run.log.private = True
        return self.move.steps[-1] if self._mover.has_move else None

    @property
    def drags(self) -> list[int]:
        self.run.log.private = True
        return self._mover.drags

    @property
    def of_a_known_phase(self) -> bool:
        """Whether the tables or the facts give the kind of the phase. It never ends a run."""
        return self.phase_name in self.rules.phase_kinds

    def told_of(self, about: str) -> Fact:
        return known(self.form) if about == FORM else self.known[TABLED + about]

    @property
    def moving(self) -> Unit:
        return self._unit

    def may_be_in(self, phases: tuple[str, ...]) -> bool:
        """Whether the phase has, or may have, one of these names; none: any."""
        name = self._circumstances.situation.phase.phase if phases else None
        return name is None or name in phases

    @property
    def taken_as(self) -> str:
        """The interpretation of the move; empty: it is what it seems."""
        self.run.log.reads[questions.taken_as, None] = None
        taken = self._mover.taken_as
        return "" if taken is None else taken.id

    @property
    def cls(self) -> str:
        """Its class."""
        return str(self.known[self.rules.declared.pays_by].value)

    def bounded(self, amount: Amount, *asked: Asking) -> Amount:
        """An amount; if it is a range, the result depends on what is ``asked``."""
        if not amount.is_exact:
            self.run.log.open += asked
        return amount

    @property
    def is_asked(self) -> bool:
        """Whether a result in this run is bounds because of missing facts."""
        return bool(self.run.log.open)

    def bounded_by(self, amount: Amount, about: str) -> Amount:
        """As :meth:`bounded`, by an attribute of the unit."""
        return self.bounded(amount, later(question, self._unit, about))

    def is_told(self, topic: str, at: StepRef) -> bool:
        """Whether the facts answer a question about the unit at a step of the move."""
        self.run.log.private = True
        return answer(self.rules.game, Question(topic, "", self._unit.id, at)) is not None

    def is_zero(self, amount: Amount) -> bool:
        """Whether an amount is 0."""
        holds = True if amount.hi == 0 else False if amount.lo > 0 else None
        return self.run.yes("zero", holds, *self.run.log.open)

    def says(self, topic: str) -> bool:
        """Whether the facts answer ``topic`` about it with yes at the first step of the move. It never ends a
        run."""
        asked = Question(topic, "", self._unit.id, self.move.steps[0])
        return answer(self.rules.game, asked) is True

    def barred_by(self, *clauses: str) -> bool:
        """Whether one of these clauses certainly keeps it from moving as it seems to."""
        names = {self.rules.full(clause) for clause in clauses}
        return any(breach.clause in names for breach in self.mover.mover.barred)

    def may_have_had(self, about: str, *values: str) -> bool:
        """Whether an attribute has one of ``values``, or had or may have had one before in this phase or in
        the previous one."""
        if self.known[about].value in values:
            return True
        return self.history.may_have_had(self.unit, about, values, self.drags)

    @property
    def came_in(self) -> bool:
        """Whether it came from off the map in the phase."""
        return any(
            event.unit == self._unit.id and event.origin.kind != "hex"
            for event in self.history.around(self.move)
        )

    @property
    def forms(self) -> tuple[str, ...]:
        """The movement forms that the pack names for the phase; one empty name if it names none."""
        self.run.log.private = True
        return tuple(self._mover.circumstances.forms)

    @property
    def is_alone(self) -> bool:
        """Whether no other unit moves along."""
        return len(self._circumstances.moving) < 2

    def undecided_by(self, key: str) -> bool:
        """The answer assumed in this run for something that a condition of the game would decide."""
        return self.run.yes(("undecided by", key), None, later(missing_facts.of_condition, key))

    def told_or_usual(self, key: str) -> Fact:
        """A condition of the game for it during the move; else the usual value in the tables."""
        said = self.history.condition(key, self._unit, self._mover.drags)
        usual = self.tables.get("usual", {}).get(key)
        return said if usual is None or said != UNKNOWN else known(usual)

    def sum_of_all(self, work: Callable[[OtherUnit], Bounds], *, displaced: bool = False) -> Bounds:
        """The bounds of the sum of ``work`` over all units at its first drag. ``displaced``: only over the
        mover and units that were displaced before in the phase."""
        rules, index, history = self.rules, self._index, self.history
        low, high, known_ = 0, 0, True
        asked: dict[MissingFact, None] = {}
        for unit in rules.game.units.values():
            own = unit.id == self._unit.id
            if unit.kind != "unit" or (
                displaced and not own and not history.was_displaced(unit.id, index)
            ):
                continue
            found = outcome(lambda run, u=unit: work(OtherUnit(run, rules, u, index)))  # type: ignore[misc]
            every: tuple[Bounds, ...] = found.said or (Bounds(0, None),)
            known_ = known_ and all(one.hi is not None for one in every)
            low += min(one.lo for one in every)
            high += max(one.hi or 0 for one in every)
            asked.update(dict.fromkeys(found.facts))
        return Bounds(low, high if known_ else None, tuple(asked))

    def marked(self, name: str) -> bool:
        """Whether it has a marker that counts (:class:`.event_index.Marker`)."""
        self.run.log.reads[questions.marked, name] = None
        asked = self.asked(name)
        return self.run.yes(("marked", name), questions.marked(self, name), asked)

    def marked_in_place_of(self, name: str, other: str) -> bool:
        """Whether it has a marker ``name`` that stands for ``other``, about which there is no fact."""
        self.run.log.reads[questions.marked, name] = self.run.log.reads[questions.fact, other] = (
            None
        )
        if self.rules.history.declared(self.rules.history.value(self._unit.id, other, self._index)):
            return False
        perhaps = questions.marked(self, name) and None
        return self.run.yes(("marked as", name), perhaps, later(question, self._unit, other))

    def marked_on_the_way(self, name: str, topic: str, text: str, *, sure: bool = True) -> bool:
        """Whether it got a marker and was dragged further. If the log does not decide this, or ``sure`` is
        False, the facts may (``topic``; ``text``: the question, with {} for its name)."""
        self.run.log.reads[questions.on_the_way, name] = None
        found = questions.on_the_way(self, name)
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

    def reach(self, spent: Amount, cost: Any) -> Reach:
        """How many steps cost no more than ``spent``. ``cost``: the cost of entering a hex off the road."""
        return reach(self.mover.mover, spent, cost)

    def dearest_step(self, spent: Fraction) -> Fraction | None:
        """The most MPs that one step may cost out of any hex that the unit, moving as it seems to, may have
        reached with ``spent`` MPs; None if there is no bound, or its reach is not known."""
        mover, rules, start = self.mover.seems or self.mover.mover, self.rules, self.move.origin.hex
        far, board = most_steps(mover, spent), self.mover.mover.board
        if start is None or far is None:
            return None
        within = [name for name in board.hexes if (board.distance(start, name) or 0) <= far]
        watch(within)
        most = 0
        for here in within:
            for _, due in mover.fan(here, None)[0]:
                if due.cost.barred is not True:
                    if due.cost.hi is None:
                        return None
                    most = max(most, due.cost.hi)
        return Fraction(most, rules.scale)

    def joins_marked(self, marker: str) -> str:
        """The hex where its move ends, if a possible friend that may be there, and does not move along, may
        have ``marker``; else empty."""
        circumstances, game = self._circumstances, self.rules.game
        situation, place = circumstances.situation, self.move.target.hex
        for other in perhaps_with(situation, self._unit.id, place) if place is not None else ():
            friend = sides.is_friend(game, self._unit.side, game.units[other].side) is not False
            bears = not situation.fact(other, marker).must_be(False)
            if other not in circumstances.moving and friend and bears:
                return str(place)
        return ""

    def may_have_paid(self, index: int, marker: str, combat: str) -> bool:
        """Whether the marker with which it began the phase may be paid, since it has moved in another phase
        since it was marked (``combat``: the kind in which nothing is paid), or may be that of another unit in
        its stack."""
        history, rules = self.history, self.rules
        return history.moved_since_marked(
            self._unit.id, marker, history.opening(index), rules.phase_kinds, combat
        ) or self._unit.id in rules.sharing(marker, history.opening(index))

    def last_step(self) -> Step:
        """The step into the target of the move, as if from its origin."""
        move = self.mover.move
        ends = move.origin.name, move.target.name
        return self.rules.step(self.run, self._mover.mover, *ends, None, None)

    def least_spent(self, drags: int) -> Fraction | None:
        """The least MPs spent until the stop after so many drags; None if the stop does not bind."""
        return self.mover.mover.least_spent(drags)  # type: ignore[no-any-return]


def objects_of(facts: MoverFacts) -> Found:
    """The things in hexes during a unit's move."""
    if facts.objects is None:
        rules, acts, cleared = facts.rules, facts.acts, frozenset[str]()
        if not rules.objects.any:
            return {}
        first, end = acts.span if acts is not None else (facts.drags[0], facts.drags[-1] + 1)
        if rules.clearers:
            cleared = rules.declared.cleared(MoverView(Run({}, Log()), rules, facts))
        kind = rules.declared.objects[0]
        facts.objects = rules.objects.during(first, end, cleared, kind)
    return facts.objects
