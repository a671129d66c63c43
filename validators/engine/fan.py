"""The fan of steps that a mover can try out of a hex."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...model.board import Board
from . import questions
from .asking import Log, Run, outcome
from .clauses import ClauseFunction
from .due import NOBODY, Action, Choice, Due, Shared, Way, all_actions, of_step
from .edges import Edges
from .memo import Kept, Leaf
from .questions import (
    AROUND,
    HERE,
    INTO,
    OF_ONE_EDGE,
    OF_ONE_MOVER,
    OUT_OF,
    own_at,
)

if TYPE_CHECKING:
    from .rules import Rules
    from .step import Step as StepView

MOST_RUNS_OF_ACTIONS = 1000
"""As :data:`.asking.MOST_RUNS`, for action functions: these ask about all neighbours of a hex."""


class Fan:
    """What a mover can try out of a hex, and what the clauses make of it. See :class:`.mover.ClauseMover`."""

    if TYPE_CHECKING:
        rules: Rules
        shared: Shared
        board: Board
        edges: Edges
        far: dict[str, bool]
        actions: ClauseFunction | None

        def due(self, here: str, to: str, state: Any, after: Any, by: Any = None) -> Due: ...

    def fan(self, here: str, state: Any) -> tuple[list[tuple[Action, Due]], bool, dict[Any, None]]:
        """Every action from a hex in a state, with what the clauses make of it; whether all of that may be
        kept for other movers, and under the answers to which questions."""
        actions, shared, dynamic = self._actions(here, state)
        reads = dict.fromkeys(dynamic)
        found = []
        for action in actions:
            due = self.due(here, action.to, state, action.after, action.by)
            found.append((action, due))
            shared = shared and due.shared
            reads.update(dict.fromkeys(_by_name(due.dynamic, here, action.to)))
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
        asked: list[Any] = []
        for ask, about in leaf.dynamic:
            if ask in questions.OF_OTHERS:
                asked.append((questions.AT[ask], (step.name(about[0]), *about[1:])))
            elif ask is questions.is_target:
                asked.append((own_at, (ask, step.name(about), here)))
            else:
                asked.append((own_at, (ask, about, here)))
        return self._placed(here, leaf.value), True, asked

    def _ways(
        self, here: str, state: Any, clause: ClauseFunction
    ) -> tuple[Sequence[Action], bool, Sequence[Any]]:
        """As :meth:`_actions`, for a mover that can enter each neighbour in several ways."""
        found: list[Action] = []
        shared, asked = True, dict[Any, None]()
        for to in self.edges.near(here):
            kind = self.edges.edge(here, to)[0]
            key: Hashable = kind, state
            kept = self.shared.ways_over.setdefault(key, Kept())
            step = self.rules.step(NOBODY, self, here, to, state, state)
            leaf = kept.find(step)
            if leaf is None:
                tried = dict.fromkeys(self.rules.declared.ways(step))
                log = Log()
                every = []
                for by in tried:
                    step.by_ = by
                    out = outcome(partial(of_step, clause, step))
                    step.run = NOBODY
                    log.reads.update(out.log.reads)
                    log.asked |= out.log.asked
                    own = out.log.private or any(read[0] in OF_ONE_MOVER for read in out.log.reads)
                    assert not own, "a way may not depend on who goes it"
                    if out.holds is not False:
                        every.append(Way(by, out.holds is True))
                reads = {read: None for read in log.reads if read[0] is not questions.by}
                if log.asked:
                    reads[questions.pair, None] = None
                leaf = kept.keep(step, reads, Leaf(tuple(every)))
            keeps, became = self.rules.keeps_way, [(state, True)]
            if state is not None and not keeps:
                became, noted = self._became(here, to, state)
                shared = shared and noted is not None
                asked.update(dict.fromkeys(_by_name(noted or (), here, to)))
            found += [
                Action(to, way.by if keeps else after, way.sure and sure, by=way.by)
                for way in leaf.value
                for after, sure in became
            ]
        return found, shared, tuple(asked)

    def _became(
        self, here: str, to: str, state: Any
    ) -> tuple[list[tuple[Any, bool]], Iterable[questions.Question] | None]:
        """The states in which a mover may be after a step; whichever is not certain may also be the one
        before it. And what was read of the mover; None: more than can be told."""
        after = self.rules.declared.after
        step = self.rules.step(NOBODY, self, here, to, state, state)
        found = outcome(partial(_after, after, step))
        said, log = found.said or (state,), found.log
        every = said if len(said) == 1 else dict.fromkeys((state, *said))
        states = [(one, len(said) == 1 or one == state) for one in every]
        return states, None if log.private or log.asked else log.reads

    def _placed(self, here: str, actions: Iterable[Choice]) -> list[Action]:
        """What a mover can do, with the names of the hexes."""
        near = self.edges.near(here)
        return [
            Action(here if place == HERE else near[place], after, sure)
            for place, after, sure in actions
        ]


def _after(after: Any, step: StepView, run: Run) -> Any:
    step.run = run
    return after(step)


def _by_name(
    reads: Iterable[questions.Question], here: str, to: str
) -> Iterator[questions.Question]:
    """The questions about a mover among those about a step between two hexes, asked of the mover alone;
    without those whose answers go with the place."""
    for ask, about in reads:
        if ask is questions.tells:
            continue
        if ask in questions.OF_OTHERS:
            name = to if about[0] == INTO else here
            yield questions.AT[ask], (name, *about[1:])
        elif ask in OF_ONE_MOVER:
            place = to if about == INTO else here if about == OUT_OF else about
            yield own_at, (ask, place, here)


def _of_neighbours(question: questions.Question) -> bool:
    """Whether a question is about enemies in a neighbouring hex."""
    ask, about = question
    return ask in questions.OF_OTHERS and about[0] >= AROUND
