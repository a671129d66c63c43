"""The fan of steps that a mover can try out of a hex."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...model.board import Board
from . import questions
from .asking import MOST_RUNS_OF_ACTIONS, Log, Run, outcome
from .clauses import ClauseFunction
from .due import NOBODY, Action, Choice, Due, Shared, Way, all_actions, of_step
from .edges import Edges
from .memo import Leaf, ResultCache
from .questions import (
    AROUND,
    HERE,
    INTO,
    OF_ONE_EDGE,
    OF_ONE_MOVER,
    OUT_OF,
    own_at,
    part_of,
)
from .step import State
from .step import Step as StepView

if TYPE_CHECKING:
    from .rules import Rules


class Fan:
    """What a mover can try out of a hex, and what the clauses make of it. See :class:`.mover.ClauseMover`."""

    if TYPE_CHECKING:
        rules: Rules
        shared: Shared
        board: Board
        edges: Edges
        far: dict[str, bool]
        fans: dict[Hashable, tuple[list[tuple[Action, Due]], bool, dict[Any, None]]]
        actions: ClauseFunction | None

        def due(self, here: str, to: str, state: Any, after: Any, by: Any = None) -> Due: ...

    def fan(self, here: str, state: Any) -> tuple[list[tuple[Action, Due]], bool, dict[Any, None]]:
        """Every action from a hex in a state, with what the clauses make of it; whether all of that may be
        kept for other movers, and under the answers to which questions. It is worked out once for all
        worlds."""
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
            if whole:  # that is possible as the first step only
                reads[own_at, (questions.of_mover, "first", here)] = None
        return found, shared, reads

    def fan_of_roads(self, here: str) -> Sequence[Action]:
        """The actions out of a hex of a mover that has no state."""
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
            found = outcome(partial(all_actions, self.actions.run, step), MOST_RUNS_OF_ACTIONS)
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
        if far and leaf.named is None and all(map(_of_neighbours, leaf.dynamic)):
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
        """As :meth:`_actions`, for a mover that can enter each neighbour in several ways."""
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
                    out = outcome(partial(of_step, clause, step))
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
        """The states in which a mover may be after a step; whichever is not certain may also be the one
        before it. ``named`` of the leaf: None if it is the same for all movers that give the same answers."""
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
        """What a mover can do, with the names of the hexes."""
        near = self.edges.near(here)
        return [
            Action(here if place == HERE else near[place], after, sure)
            for place, after, sure in actions
        ]


def _after(after: Any, step: StepView, run: Run) -> Any:
    step.run = run
    found = after(step)
    return found.raw() if isinstance(found, State) else found


def _by_name(
    edges: Edges, reads: Iterable[questions.Question], here: str, to: str
) -> Iterator[questions.Question]:
    """The questions about a mover among those about a step between two hexes, asked of the mover alone;
    without those whose answers go with the place."""
    for ask, about in reads:
        if ask is questions.tells:
            continue
        at = questions.AT.get(ask)
        if at is not None:
            yield at, (part_of(edges, here, to, about[0]), *about[1:])
        elif ask in OF_ONE_MOVER:
            place = to if about == INTO else here if about == OUT_OF else about
            yield own_at, (ask, place, here)


def _of_neighbours(question: questions.Question) -> bool:
    """Whether a question is about enemies in a neighbouring hex."""
    ask, about = question
    return ask in questions.AT and about[0] >= AROUND
