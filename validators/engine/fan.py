"""The fan: the steps that a mover can try out of a hex, and its answers to the questions of clauses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...model.board import Board
from ...model.fact import UNKNOWN, Fact
from ..answers import Question, answer
from ..concepts.logic import both
from . import questions
from .asking import MOST_RUNS_OF_ACTIONS, Log, Run, outcome, said_of
from .clauses import ClauseFunction
from .due import NOBODY, Action, Choice, Due, Shared, Way
from .edges import Edges
from .memo import Leaf, ResultCache
from .mover_facts import MoverFacts
from .mover_questions import as_key, one_of
from .mover_view import MoverView, objects_of
from .questions import AROUND, HERE, INTO, OF_ONE_EDGE, OF_ONE_MOVER, OUT_OF, own_at, part_of
from .step import State
from .step import Step as StepView

if TYPE_CHECKING:
    from .enemies import EnemyZones
    from .friends import Near
    from .rules import Rules


ABSENT = "absent"


@dataclass(eq=False)
class Fan:
    """The actions that a mover can try out of a hex, the effects of the clauses on them, and the mover's
    answers to the questions of clauses about steps (:mod:`.questions`). See :class:`.mover.ClauseMover`."""

    rules: Rules
    facts: MoverFacts
    zones: EnemyZones
    shared: Shared
    cls: str

    def __post_init__(self) -> None:
        self.board: Board = self.facts.circumstances.situation.game.board
        self.edges = self.rules.edges_of(self.board)
        self.form = self.facts.form
        self.far: dict[str, bool] = {}
        self._keys: dict[str, Hashable] = {}
        self._one_of: dict[tuple[str, tuple[str, ...]], bool | str | None] = {}
        self.costs, self.actions = self.shared.costs, self.shared.actions
        self.forget()

    def forget(self) -> None:
        self.near: dict[Hashable, Any] = {}
        self.fans: dict[Hashable, tuple[list[tuple[Action, Due]], bool, dict[Any, None]]] = {}

    if TYPE_CHECKING:

        def due(self, here: str, to: str, state: Any, after: Any, by: Any = None) -> Due: ...

    def fan(self, here: str, state: Any) -> tuple[list[tuple[Action, Due]], bool, dict[Any, None]]:
        """(the actions from a hex in a state, with the effects of the clauses; whether other movers may reuse
        them; the questions to which these must have the same answers). Computed once for all worlds."""
        found = self.fans.get((here, state))
        if found is None:
            found = self.fans[here, state] = self._fan(here, state)
        return found

    def _fan(self, here: str, state: Any) -> tuple[list[tuple[Action, Due]], bool, dict[Any, None]]:
        actions, shared, dynamic = self._actions(here, state)
        reads = dict.fromkeys(dynamic)
        found = []
        for action in actions:
            due = self.due(here, action.to, state, action.after, action.by)
            found.append((action, due))
            shared = shared and due.shared
            reads.update(dict.fromkeys(_by_name(self.edges, due.dynamic, here, action.to)))
            whole = due.cost.whole is not False and not self.rules.declared.whole_clause
            if whole:  # possible only as the first step
                reads[own_at, (questions.of_mover, "first", here)] = None
        return found, shared, reads

    def fan_of_roads(self, here: str) -> Sequence[Action]:
        """The actions out of a hex for a mover without a state."""
        return self._actions(here, None)[0]

    def _actions(self, here: str, state: Any) -> tuple[Sequence[Action], bool, Sequence[Any]]:
        if self.shared.ways is not None:
            return self._ways(here, state, self.shared.ways)
        if self.actions is None:
            return [Action(to, state) for to in self.board.neighbours(here)], True, ()
        step = self.rules.step(NOBODY, self, here, here, state, state, HERE)
        far = bool(self.far.get(here))
        leaf = self.shared.far_acts.get((state, self.edges.ways(here))) if far else None
        leaf = self.shared.acts.find(step) if leaf is None else leaf
        if leaf is None:
            work = self.actions.run
            every = partial(said_of, lambda step: tuple(work(step)), step)
            found = outcome(every, MOST_RUNS_OF_ACTIONS)
            said, log = found.said, found.log
            assert said, "too much is not known around a hex"
            sure = set(said[0]).intersection(*map(set, said))
            choices = tuple(
                dict.fromkeys(
                    a if a in sure else a._replace(sure=False) for one in said for a in one
                )
            )
            if log.private or log.asked or any(not choice.sure for choice in choices):
                placed = self._placed(here, choices)
                return [a if a.sure else a._replace(facts=found.facts) for a in placed], False, ()
            named = any(r[0] in OF_ONE_EDGE or r[0] in questions.OF_BOARD for r in log.reads)
            dynamic = tuple(r for r in log.reads if r[0] in OF_ONE_MOVER)
            leaf = self.shared.acts.keep(
                step, log.reads, Leaf(choices, dynamic, () if named else None)
            )
        if (
            far
            and leaf.named is None
            and all(ask in questions.AT and about[0] >= AROUND for ask, about in leaf.dynamic)
        ):
            self.shared.far_acts[state, self.edges.ways(here)] = leaf
        return self._placed(here, leaf.value), True, self._where(step, here, leaf.dynamic)

    def _where(self, step: StepView, here: str, reads: Iterable[questions.Question]) -> list[Any]:
        """Questions about a step out of a hex, as questions about the mover alone."""
        asked: list[Any] = []
        for ask, about in reads:
            if ask in questions.AT:
                asked.append((questions.AT[ask], (step.name(about[0]), *about[1:])))
            elif ask is questions.is_target:
                asked.append((own_at, (ask, step.name(about), here)))
            else:
                asked.append((own_at, (ask, about, here)))
        return asked

    def _ways(
        self, here: str, state: Any, clause: ClauseFunction
    ) -> tuple[Sequence[Action], bool, Sequence[Any]]:
        """As :meth:`_actions`, for a mover that may enter a neighbour in several ways."""
        found: list[Action] = []
        shared, asked = True, dict[Any, None]()
        for to in self.edges.near(here):
            kind = self.edges.edge(here, to)[0]
            kept = self.shared.ways_over.get(kind)
            if kept is None:
                kept = self.shared.ways_over[kind] = ResultCache()
            leaf: Any = kept.root
            if leaf.__class__ is not Leaf:
                step = self.rules.step(NOBODY, self, here, to, state, state)
                leaf = kept.find(step)
            if leaf is None:
                log = Log()
                step.run = Run({}, log)
                tried = dict.fromkeys(self.rules.declared.ways(step))
                step.run = NOBODY
                every = []
                for by in tried:
                    step.by_ = by
                    out = outcome(partial(said_of, clause.run, step))
                    step.run = NOBODY
                    log.add(out.log)
                    own = out.log.private or any(read[0] in OF_ONE_MOVER for read in out.log.reads)
                    assert not own, "a way may not depend on who goes it"
                    if out.holds is not False:
                        every.append(Way(by, out.holds is True))
                reads = {read: None for read in log.reads if read not in questions.OF_ONE_KIND}
                if log.asked:
                    reads[questions.pair, None] = None
                leaf = kept.keep(step, reads, Leaf(tuple(every)))
            keeps = self.rules.keeps_way
            for way in leaf.value:
                became: Iterable[tuple[Any, bool]] = ((state, True),)
                if state is not None and not keeps:
                    known = self._became(here, to, state, way.by)
                    became, shared = known.value, shared and known.named is None
                    asked.update(dict.fromkeys(_by_name(self.edges, known.dynamic, here, to)))
                found += [
                    Action(to, way.by if keeps else after, way.sure and sure, by=way.by)
                    for after, sure in became
                ]
        return found, shared, tuple(asked)

    def _became(self, here: str, to: str, state: Any, by: Any) -> Leaf:
        """The states in which a mover may be after a step; each that is not certain may also be the one
        before it. ``named`` of the leaf: None if all movers with the same answers share it."""
        step = self.rules.step(NOBODY, self, here, to, state, state, by=by)
        kept = self.shared.became.setdefault(
            (self.edges.edge(here, to)[0], state, by), ResultCache()
        )
        leaf = kept.find(step)
        if leaf is None:
            found = outcome(partial(_after, self.rules.declared.after, step))
            step.run = NOBODY
            said = found.said or (state,)
            every = said if len(said) == 1 else dict.fromkeys((state, *said))
            became = tuple((one, len(said) == 1 or one == state) for one in every)
            if found.log.private:
                return Leaf(became, (), ())
            reads = found.log.reads
            if found.log.asked:
                reads[questions.pair, None] = None
            leaf = Leaf(became, tuple(r for r in reads if r[0] in OF_ONE_MOVER))
            kept.keep(step, reads, leaf)
        return leaf

    def _placed(self, here: str, actions: Iterable[Choice]) -> list[Action]:
        """The actions of ``actions``, with the names of the hexes."""
        near = self.edges.near(here)
        return [
            Action(here if place == HERE else near[place], after, sure)
            for place, after, sure in actions
        ]

    # -- answers to questions of clauses -------------------------------------------------------------

    def own(self, about: str, here: str) -> Any:
        """A value that belongs to this mover alone."""
        if about == "first":
            return self.facts.starts_in(here)
        return self.facts.unit.id if about == "unit" else getattr(self.facts, about)

    def is_one_of(self, about: str, values: tuple[str, ...]) -> bool | str | None:
        """Whether a completed fact of the mover has one of ``values``, in lower case; None: not known;
        ABSENT: it has no such fact."""
        key = about, values
        if key not in self._one_of:
            fact = self.facts.known.get(about)
            self._one_of[key] = ABSENT if fact is None else one_of(fact, values)
        return self._one_of[key]

    def enemies(self, name: str, needs: tuple[Any, ...]) -> bool | None:
        """Whether enemies that meet ``needs`` are in a hex; None: not known."""
        found = self.zones.at(name).enemy
        return (
            both(found, self.zones.enemy_who(name, needs))
            if found is not False and needs
            else found
        )

    def is_clear(self, name: str) -> bool:
        """Whether no unit that may be an enemy is in a hex or beside it."""
        return name not in self.zones.others

    def presence(self, name: str, needs: tuple[Any, ...]) -> Any:
        """As :meth:`enemies`; if it is not known, the facts that would decide it."""
        found = self.enemies(name, needs)
        return self.zones.asked_in(name, needs) if found is None else found

    def near_presence(self, name: str, beside: bool, test: Any) -> Any:
        """Whether enemies for which ``test`` holds are in a hex or beside it; if it is not known, the facts
        that would decide it."""
        found = self.zones.who(name, beside, test)
        return found if found.holds is None else found.holds

    def said(self, name: str, topic: str) -> Fact:
        """The fact about a hex under a topic during the move; UNKNOWN if there is none."""
        return self.zones.said(name, topic) if self.tells(name, topic) else UNKNOWN

    def said_key(self, name: str, topic: str) -> Hashable:
        """As :meth:`said`, as a key."""
        return as_key(self.said(name, topic))

    def tells(self, name: str, topic: str) -> bool:
        """Whether there is a fact about a hex under a topic, at any time."""
        return name in self.rules.hexes_told(topic)

    def fact_key(self, about: str) -> Hashable:
        """A completed fact as a key; None: the mover has no such fact."""
        if about not in self._keys:
            fact = self.facts.known.get(about)
            self._keys[about] = None if fact is None else as_key(fact)
        return self._keys[about]

    def friends_first(self, name: str, needs: tuple[Any, ...]) -> Near:
        """See :meth:`.enemies.EnemyZones.friends`."""
        facts = self.facts
        move = facts.move if facts.has_move else None
        return self.zones.friends(name, needs, facts.unit, move)

    def told_now(self, name: str, topic: str) -> bool | None:
        """The fact about a hex under a topic at the first step of the move; None: there is none."""
        asked = Question(topic.format(name), "", "", self.facts.move.steps[0])
        return answer(self.rules.game, asked)

    def named(self, name: str, key: str) -> bool | None:
        """Whether the fact ``key`` about the move names this hex; None: there is no such fact."""
        acts = MoverView(NOBODY, self.rules, self.facts).acts
        return acts.hex(key) == name if acts.declared(key).is_known else None

    def lies(self, name: str, kind: str) -> Any:
        """Whether a thing of a kind is in a hex; None: not known."""
        return objects_of(self.facts).get(name, {}).get(kind, False)


def _after(after: Any, step: StepView, run: Run) -> Any:
    step.run = run
    found = after(step)
    return found.raw() if isinstance(found, State) else found


def _by_name(
    edges: Edges, reads: Iterable[questions.Question], here: str, to: str
) -> Iterator[questions.Question]:
    """The questions about the mover among ``reads``, which are about a step between two hexes, as questions
    without a step. Left out are those whose answers depend only on the place."""
    for ask, about in reads:
        if ask is questions.tells:
            continue
        at = questions.AT.get(ask)
        if at is not None:
            yield at, (part_of(edges, here, to, about[0]), *about[1:])
        elif ask in OF_ONE_MOVER:
            place = to if about == INTO else here if about == OUT_OF else about
            yield own_at, (ask, place, here)
