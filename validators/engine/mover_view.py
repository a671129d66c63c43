"""A unit in one move, as clauses about the mover see it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import UNKNOWN, Fact, MissingFact, known
from ...model.finding import Move
from ...model.game import StepRef
from ...model.unit import Unit
from ..answers import Question, answer
from ..concepts import missing_facts, sides
from ..concepts.requirements import FORM, question
from ..concepts.sides import of_unclear_place, perhaps_with
from ..ruleset import Circumstances
from .activation import Activation, of_move
from .acts_view import ActsView
from .asking import Bounds, Log, Run, later, outcome
from .asking import Question as Asking
from .enemy import Enemy
from .event_index import ABOARD, FACING
from .in_phase import InPhase, Spot
from .objects import Found
from .subject import TABLED, OtherUnit, is_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from .clauses import ClauseFunction
    from .reach import Reach
    from .rules import Rules
    from .step import Step


class MoverView(InPhase):
    """A unit in one move, as clauses about the mover see it. Results are kept for movers of which they read
    the same. What is read is noted, or makes the result private."""

    def __init__(self, run: Run, rules: Rules, mover: MoverFacts) -> None:
        self.run, self.rules, self._mover = run, rules, mover
        self._unit, self._index = mover.unit, next(iter(mover.drags), 0)

    @property
    def known(self) -> Mapping[str, Fact]:
        """Its facts, completed."""
        return Noted(self.run.log, self._mover.known)

    @property
    def form(self) -> str:
        """The movement form."""
        self.run.log.reads[_form_of, None] = None
        return self._mover.form

    def fact(self, about: str) -> Fact:
        """A completed fact of the mover; else what the log tells at its first drag."""
        found = self.known.get(about)
        if found is not None:
            return found
        self.run.log.reads[_fact_of, about] = None
        return super().fact_at(about)

    def speaks_of(self, about: str) -> bool:
        self.run.log.reads[_is_spoken_of, about] = None
        return self._speaks_of(about)

    def is_(self, about: str, *values: str) -> bool:
        self.run.log.reads[_is_one_of, (about, values)] = None
        holds = _is_one_of(self, (about, values))
        return super().is_(about, *values) if holds is None else holds

    @property
    def acts(self) -> ActsView:
        """What it did with its move, as it is read."""
        self.run.log.private = self.run.log.bare = True
        assert self._mover.acts is not None
        return ActsView(self.run, self.rules, self._mover.acts)

    @property
    def whole(self) -> ActsView:
        """What it did with its move, for prohibitions."""
        self.run.log.private = self.run.log.bare = True
        assert self._mover.whole is not None
        return ActsView(self.run, self.rules, self._mover.whole)

    @property
    def read(self) -> Activation:
        """What the log shows of its move."""
        self.run.log.private = True
        told = self.rules.history.value(self._unit.id, ABOARD, self._index)
        may = self.cls not in self.rules.declared.carriers or told.options is not None
        return of_move(self.rules.history, self._unit, self._mover.move, may)

    def may_lie(self, kind: str, name: str) -> bool:
        """Whether something of a kind lies, or may lie, in a hex."""
        self.run.log.private = self.run.log.bare = True
        return self._mover.objects.get(name, {}).get(kind, False) is not False

    def enemies_in(self, name: str) -> list[tuple[OtherUnit, bool]]:
        """The enemies that are or may be in a hex, each with whether it certainly is."""
        zones = self._zones
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
    def move(self) -> Move:
        self.run.log.private = True
        return self._mover.move

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
    def circumstances(self) -> Circumstances:
        self.run.log.private = self.run.log.dynamic = True
        return self._mover.circumstances

    @property
    def mover(self) -> MoverFacts:
        self.run.log.private = self.run.log.dynamic = self.run.log.bare = True
        return self._mover

    @property
    def _zones(self) -> Any:
        """The enemies of its side."""
        self.run.log.private = self.run.log.dynamic = True
        return self._mover.zones

    @property
    def phase(self) -> str:
        """The kind of phase."""
        return str(self.known["kind"].value)

    @property
    def of_a_known_phase(self) -> bool:
        """Whether the tables or the facts say of which kind the phase is. It asks nothing."""
        return self.phase_name in self.rules.phase_kinds

    def told_of(self, about: str) -> Fact:
        return known(self.form) if about == FORM else self.known[TABLED + about]

    @property
    def moving(self) -> Unit:
        return self._unit

    def may_be_in(self, phases: tuple[str, ...]) -> bool:
        """Whether the phase has, or may have, one of these names; none: any."""
        name = self.circumstances.situation.phase.phase if phases else None
        return name is None or name in phases

    @property
    def taken_as(self) -> str:
        """The interpretation of the move; empty: it is what it seems."""
        self.run.log.reads[_taken_as, None] = None
        taken = self._mover.taken_as
        return "" if taken is None else taken.id

    @property
    def cls(self) -> str:
        """Its class."""
        return str(self.known[self.rules.declared.pays_by].value)

    def bounds(self, about: str) -> Amount:
        """A number of the mover as far as it is known; the result then depends on it."""
        found = self.amount(about)
        if not found.is_exact:
            self.run.log.open.append(self.asked(about))
        return found

    def bounded(self, amount: Amount, *asked: Asking) -> Amount:
        """An amount; if it is a range, the result depends on what is ``asked``."""
        if not amount.is_exact:
            self.run.log.open += asked
        return amount

    @property
    def is_asked(self) -> bool:
        """Whether something has been found on which the result depends, being bounds."""
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
        """Whether the facts say of it, at the first step of the move, that something is so. It asks
        nothing."""
        asked = Question(topic, "", self._unit.id, self.move.steps[0])
        return answer(self.rules.game, asked) is True

    def barred_by(self, *clauses: str) -> bool:
        """Whether one of these clauses certainly keeps it from moving as it seems to."""
        names = {self.rules.full(clause) for clause in clauses}
        return any(breach.clause in names for breach in self.mover.mover.barred)

    def may_be_beset(self) -> bool:
        """Whether units that are not certainly friends may be where the move begins, or beside it, or in a
        place that cannot be told."""
        situation, here, game = self.circumstances.situation, self.move.origin.hex, self.rules.game
        if here is None:
            return False
        near = (here, *situation.game.board.neighbours(here))
        others = [unit for name in near for unit in situation.possibly_in(name)]
        others += of_unclear_place(situation)
        side = self._unit.side
        return any(sides.is_friend(game, side, game.units[u].side) is not True for u in others)

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
        """The movement forms that the pack names for the phase; one that is empty: it names none."""
        self.run.log.private = True
        return tuple(self._mover.circumstances.forms)

    @property
    def origin(self) -> Spot:
        """Where the move begins."""
        return Spot(self.mover, self.move.origin)

    @property
    def target(self) -> Spot:
        """Where the move ends."""
        return Spot(self.mover, self.move.target)

    @property
    def stops(self) -> list[Spot]:
        """The places where it was put down, from the first to the last, after the one where it begins."""
        return [Spot(self.mover, place) for place in self.move.waypoints]

    @property
    def seen(self) -> tuple[bool, ...]:
        """Of each of its :attr:`stops`, whether others saw it there before it was dragged on."""
        return tuple(self.move.binding)

    def undecided_by(self, key: str) -> bool:
        """Whether something is so that a condition of the game would decide."""
        return self.run.yes(("undecided by", key), None, later(missing_facts.of_condition, key))

    def told_or_usual(self, key: str) -> Fact:
        """What a condition of the game is for it during the move, else what the tables call usual."""
        said = self.history.condition(key, self._unit, self._mover.drags)
        usual = self.tables.get("usual", {}).get(key)
        return said if usual is None or said != UNKNOWN else known(usual)

    def sum_of_all(self, work: Callable[[OtherUnit], Bounds], *, displaced: bool = False) -> Bounds:
        """The sum of what ``work`` makes of all units at its first drag, as far as it is known.
        ``displaced``: of those that were displaced before in the phase, and of the mover."""
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

    def may_have_met_enemies(self) -> bool:
        """Whether there may be enemies where it was put down, or one may have left a hex in the phase: it may
        have been lost or put back before or after the unit was dragged on."""
        zones, places = self._zones, self.move.waypoints[1:]
        if any(zones.enemies(place.name) for place in places if place.kind == "hex"):
            return True
        gone = (e.unit for e in self.history.around(self.move) if e.origin.kind == "hex")
        return any(map(self._may_be_enemy, gone))

    def may_have_been_attacked(self) -> bool:
        """Whether enemies that may have put it back were next to it or in its hex, or came there in the
        phase. A unit of the side to move is put back only from a stop where it was seen next to them."""
        situation, move, rules = self.circumstances.situation, self.move, self.rules
        phasing = rules.is_phasing(situation.phase.active, self._unit.side, self.phase)
        stood = [] if phasing else [move.origin]
        if phasing is not False:
            seen = zip(move.waypoints[1:-1], move.binding[1:-1], strict=True)
            stood += [place for place, bound in seen if bound]
        near = {place.name for place in stood if place.kind == "hex"}
        near.update([n for name in near for n in situation.game.board.neighbours(name)])
        others = [unit for name in near for unit in situation.possibly_in(name)]
        others += [e.unit for e in self.history.around(move) if e.target.name in near]
        return any(map(self._may_be_enemy, others))

    def _may_be_enemy(self, unit: str) -> bool:
        other = self.rules.game.units[unit]
        enemy = sides.is_enemy(self.rules.game, self._unit.side, other.side)
        return other.kind == "unit" and enemy is not False

    def told_now(self, topic: str, text: str) -> bool:
        """As :meth:`told`, about the unit at the first step of the move; its name is put into ``text``."""
        return self.told(topic, text.format(self._unit.name), self._unit, self.move.steps[0])

    def marked(self, name: str) -> bool:
        self.run.log.reads[_marked, name] = None
        asked = self.asked(name)
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

    def reach(self, spent: Amount, cost: Any) -> Reach:
        """How many steps cost no more than some MPs. ``cost``: what entering a hex off the road costs."""
        from .reach import reach

        return reach(self.mover.mover, spent, cost)

    def dearest_step(self, spent: Fraction) -> Fraction | None:
        """The most MPs that one step may cost out of any hex that the unit, moving as it seems to, can have
        reached with some MPs; None if there is no bound, or its reach is not known."""
        from .reach import most_steps

        mover, rules, start = self.mover.seems or self.mover.mover, self.rules, self.move.origin.hex
        far, board = most_steps(mover, spent), self.mover.mover.board
        if start is None or far is None:
            return None
        most = 0
        for here in board.hexes:
            steps = board.distance(start, here)
            if steps is not None and steps > far:
                continue
            for _, due in mover.fan(here, None)[0]:
                if due.cost.barred is not True:
                    if due.cost.hi is None:
                        return None
                    most = max(most, due.cost.hi)
        return Fraction(most, rules.scale)

    def may_have_begun(self, kind: str, after: int, until: int) -> bool:
        """Whether a phase that may be of a kind, and of its side, began between two events."""
        history, game = self.history, self.rules.game
        return any(
            after < start.first < until
            and history.perhaps(start, self.rules.phase_kinds, kind)
            and (
                start.event.active is None
                or not start.event.certain
                or sides.is_friend(game, start.event.active, self._unit.side) is not False
            )
            for start in history.starts
        )

    def joins_marked(self, marker: str) -> str:
        """The hex where its move ends, if a possible friend that may be there and does not move along may
        bear a marker; else empty."""
        circumstances, game = self.circumstances, self.rules.game
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
        ) or rules.shares_marker(self._unit, marker, history.opening(index))

    def last_step(self) -> Step:
        """The step into the target of the move, as if from its origin."""
        from .step import Step

        move = self.mover.move
        return Step(self.run, self._mover.mover, move.origin.name, move.target.name, None, None)

    def least_spent(self, drags: int) -> Fraction | None:
        """The least MPs spent until the stop after so many drags; None if the stop does not bind."""
        return self._mover.mover.least_spent(drags)  # type: ignore[no-any-return]


class Noted(Mapping[str, Fact]):
    """The completed facts of a mover, of which each that is read is noted."""

    def __init__(self, log: Log, known: Mapping[str, Fact]) -> None:
        self._log, self._known = log, known

    def __getitem__(self, about: str) -> Fact:
        self._log.reads[_known, about] = None
        return self._known[about]

    def get(self, about: str, default: Any = None) -> Any:
        """As that of a dictionary."""
        self._log.reads[_known, about] = None
        return self._known.get(about, default)

    def __iter__(self) -> Iterator[str]:
        for about in self._known:
            self._log.reads[_known, about] = None
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def as_key(fact: Fact) -> Hashable:
    """A fact as a key. True and 1 are different values."""
    options = None if fact.options is None else tuple([(type(o), o) for o in fact.options])
    return options, fact.lo, fact.hi


def one_of(fact: Fact, values: tuple[str, ...]) -> bool | None:
    """Whether a fact has one of these values, in lower case; None: not known."""
    if fact.options is None:
        return None
    there = {str(option).lower() in values for option in fact.options}
    return there.pop() if len(there) == 1 else None


def _known(view: MoverView, about: str) -> Hashable:
    fact = view._mover.known.get(about)
    return None if fact is None else as_key(fact)


def _is_one_of(view: MoverView, about: tuple[str, tuple[str, ...]]) -> bool | None:
    fact = view._mover.known.get(about[0])
    return None if fact is None or not fact.is_known else is_word(str(fact.value), about[1])


def _form_of(view: MoverView, _: None) -> str:
    return view._mover.form


def _taken_as(view: MoverView, _: None) -> str:
    taken = view._mover.taken_as
    return "" if taken is None else taken.id


def _fact_of(view: MoverView, about: str) -> Any:
    history, fact = view.rules.history, view.fact_at(about)
    told = history.declared(history.value(view._unit.id, about, view._index))
    return as_key(fact), fact == UNKNOWN, told


def _is_spoken_of(view: MoverView, about: str) -> bool:
    return view._speaks_of(about)


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
    """The unit, move and completed facts that a mover is made of. ``taken_as``: the interpretation of the
    move; None: it is what it seems. ``seems``: the mover that it seems to be. A ruleset of which moves are
    asked that the log does not have (``Declared.of_the_log``) may get movers without a move."""

    def __init__(
        self,
        unit: Unit,
        move: Move | None,
        drags: list[int],
        circumstances: Circumstances,
        form: str,
        known: dict[str, Fact],
        rules: Rules,
        taken_as: ClauseFunction | None = None,
    ) -> None:
        self.unit, self._move, self.drags, self.taken_as = unit, move, drags, taken_as
        self.circumstances, self.form, self.known, self.rules = circumstances, form, known, rules
        self.told: dict[str, Fact] = {}
        self.zones: Any = None
        self.acts: Activation | None = None
        self.whole: Activation | None = None
        self.seems: Any = None
        self.said: Any = None
        self.of: Any = None

    @property
    def mover(self) -> Any:
        """The mover that was made of them, while it is there."""
        return self.of()

    def starts_in(self, name: str) -> bool:
        """Whether its move begins in a hex."""
        return self._move is not None and self._move.origin.name == name

    @property
    def move(self) -> Move:
        """Its move. AssertionError if it has none."""
        assert self._move is not None
        return self._move

    @property
    def has_move(self) -> bool:
        """Whether it has a move."""
        return self._move is not None

    @cached_property
    def objects(self) -> Found:
        """The things that lie in hexes while it moves."""
        rules = self.rules
        if not rules.objects.any:
            return {}
        first, end = (
            self.acts.span if self.acts is not None else (self.drags[0], self.drags[-1] + 1)
        )
        cleared = frozenset[str]()
        if rules.clearers:
            cleared = rules.declared.cleared(MoverView(Run({}, Log()), rules, self))
        return rules.objects.during(first, end, cleared, rules.declared.objects[0])

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

    @property
    def walked_from(self) -> str:
        """See :attr:`.step.Step.walked_from`."""
        assert self.acts is not None
        return self.acts.walked[0].origin if self.acts.walked else ""

    @cached_property
    def shown(self) -> int | None:
        """See :attr:`.step.Step.shown`."""
        history, unit, first = self.rules.history, self.unit.id, self.drags[0]
        handed = self.rules.heading(history.value(unit, FACING, first))
        before = self.rules.heading(history.value(unit, FACING, history.phase(first)[0]))
        return None if handed == before or history.came_in(unit, first) else handed

    def but(
        self, form: str, known: dict[str, Fact], taken_as: ClauseFunction | None = None
    ) -> MoverFacts:
        """The same in another form, with other facts, or in another interpretation."""
        of = self.unit, self._move, self.drags, self.circumstances
        other = MoverFacts(*of, form, known, self.rules, taken_as)
        other.zones, other.said = self.zones, self.said
        return other
