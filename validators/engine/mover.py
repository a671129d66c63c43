"""The mover that clauses make: its allowance, what forbids it to move, and what each of its steps is due."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ..concepts.logic import both
from ..concepts.zones import Zones
from ..cost_interval import (
    FREE,
)
from ..ruleset import Breach, Budget, Policy, WeightedFact, World
from ..search import SpendingLimit, cheapest
from . import questions
from .allowance import Mp
from .asking import Outcome, outcome
from .clauses import ClauseFunction
from .due import (
    NAMED,
    NOBODY,
    Action,
    Choice,
    Due,
    Item,
    KeptDues,
    Shared,
    all_actions,
    cost_of,
    due_of,
    of_step,
    of_view,
    words_of,
)
from .graph import ClauseGraph
from .memo import Kept, Leaf
from .mover_view import MoverFacts, MoverView
from .questions import AROUND, HERE, INTO, OF_ONE_EDGE, OF_ONE_MOVER, OUT_OF, enemies_at, own_at
from .step import Step as StepView

if TYPE_CHECKING:
    from .rules import Rules


MOST_RUNS_OF_ACTIONS = 1000
"""As :data:`.asking.MOST_RUNS`, for action functions: these ask about all neighbours of a hex."""


@dataclass(eq=False)
class ClauseMover:
    """See :class:`~..ruleset.Mover`. ``built``: its budget and what forbids it to move, if they are known."""

    rules: Rules
    facts: MoverFacts
    zones: Zones
    shared: Shared
    cls: str
    built: tuple[Budget, tuple[Breach, ...], tuple[WeightedFact, ...]] | None = None
    keeps: dict[Hashable, Kept] = field(default_factory=dict)
    budget: Budget = field(init=False)
    barred: tuple[Breach, ...] = ()
    perhaps_barred: tuple[WeightedFact, ...] = ()
    fixed: bool = True
    """Whether ``budget`` and the rest hold at any time."""

    def __post_init__(self) -> None:
        rules, facts = self.rules, self.facts
        self.board = facts.circumstances.situation.game.board
        self.edges = rules.edges_of(self.board)
        self.form = facts.form
        self._graphs: dict[World, ClauseGraph] = {}
        self.near: dict[Hashable, Any] = {}
        self.far: dict[str, bool] = {}
        self.costs, self.actions = self.shared.costs, self.shared.actions
        facts.least_spent, facts.mover = self.least_spent, self
        if self.built is not None:
            self.budget, self.barred, self.perhaps_barred = self.built
        else:
            self._limit(self.shared.allowance)
            self._forbid(self.shared.forbids)

    def _said(self, clause: ClauseFunction, make: Callable[[Outcome], Any]) -> Any:
        """What a clause says of the mover, kept for all movers that give the same answers."""
        view = MoverView(NOBODY, self.rules, self.facts)
        kept = self.keeps.get(clause)
        if kept is None:
            kept = self.keeps[clause] = Kept()
        leaf = kept.find(view)
        if leaf is None:
            found = outcome(partial(of_view, clause, view))
            leaf = Leaf(make(found))
            log = found.log
            self.fixed = self.fixed and not log.dynamic
            if not (log.private or log.asked or log.dynamic):
                kept.keep(view, log.reads, leaf)
        return leaf.value

    @property
    def least(self) -> int:
        return self.shared.least

    def graph(self, world: World) -> ClauseGraph:
        found = self._graphs.get(world)
        if found is None:
            found = self._graphs[world] = ClauseGraph(self, world)
        return found

    def _limit(self, clause: ClauseFunction | None) -> None:
        if clause is None:
            self.budget = Budget(None, "")
            return
        budget: Budget = self._said(clause, self._budget)
        open_ = budget.amount is not None and not budget.amount.is_exact
        if open_ and not budget.missing:  # a range of this unit's own
            asked = tuple(map(WeightedFact, self.rules.allowance_questions(self.facts)))
            budget = replace(budget, missing=asked)
        self.budget = budget

    def _budget(self, found: Outcome) -> Budget:
        every: list[Mp] = [one for one in found.said or () if one is not None]
        amounts = [mp.amount for mp in every]
        first = min(
            every,
            key=lambda mp: mp.amount.lo if mp.amount else Fraction(10**9),
            default=Mp(None, ""),
        )
        amount: Amount | None = None
        if found.said is None:
            amount = Amount(Fraction(0), None)
        elif any(a is not None for a in amounts):
            lows = [a.lo for a in amounts if a is not None]
            highs = [None if a is None else a.hi for a in amounts]
            amount = Amount(
                min(lows), None if None in highs else max(h for h in highs if h is not None)
            )
        if first.clause and not self.rules.applies(first.clause):
            amount = None
        name = self.rules.full
        policy = Policy(
            name(first.minimum) if first.minimum and self.rules.applies(first.minimum) else ""
        )
        return Budget(
            amount,
            name(first.clause),
            first.unit,
            policy,
            tuple((name(c), reason) for c, reason in first.stages),
            tuple(map(WeightedFact, found.facts)),
            entering=name(self.rules.declared.arrivals.clause),
        )

    def _forbid(self, clauses: Sequence[ClauseFunction]) -> None:
        barred: list[Breach] = []
        perhaps: list[WeightedFact] = []
        for clause in clauses:
            breach, facts = self._said(clause, partial(self._breach_of, clause))
            barred += breach
            perhaps += facts
        self.barred, self.perhaps_barred = tuple(barred), tuple(perhaps)

    def _breach_of(self, clause: ClauseFunction, found: Outcome) -> Any:
        if found.holds:
            said = (found.said or ("",))[0]
            text = said if isinstance(said, str) else str(clause.text)
            return (Breach(self.rules.full(clause.id), text, ""),), ()
        return (), tuple(map(WeightedFact, found.facts)) if found.holds is None else ()

    def least_spent(self, drags: int) -> Fraction | None:
        """See :meth:`.views.MoverView.least_spent`."""
        move = self.facts.move
        stops = list(zip(move.waypoints, move.binding, strict=True))[1 : drags + 1]
        places = [place.name for place, binds in stops if place.kind == "hex" and binds]
        if not places or move.waypoints[drags].name != places[-1]:
            return None
        route = cheapest(
            self.board, self.graph("favourable"), move.origin.name, places, SpendingLimit(None)
        )
        return None if route is None else Fraction(route.spent, self.rules.scale)

    # -- what the clauses make of a step -----------------------------------------------------------

    def fan(self, here: str, state: Any) -> tuple[list[tuple[Action, Due]], bool, dict[Any, None]]:
        """Every action from a hex in a state, with what the clauses make of it; whether all of that may be
        kept for other movers, and under the answers to which questions."""
        actions, shared, dynamic = self._actions(here, state)
        reads = dict.fromkeys(dynamic)
        found = []
        for action in actions:
            due = self.due(here, action.to, state, action.after)
            found.append((action, due))
            shared = shared and due.shared
            for ask, about in due.dynamic:
                if ask is questions.enemies:
                    name = action.to if about[0] == INTO else here
                    reads[enemies_at, (name, about[1])] = None
                else:
                    place = action.to if about == INTO else here if about == OUT_OF else about
                    reads[own_at, (ask, place, here)] = None
            if due.cost.whole is not False:  # that is possible as the first step only
                reads[own_at, (questions.of_mover, "first", here)] = None
        return found, shared, reads

    def _actions(self, here: str, state: Any) -> tuple[Sequence[Action], bool, Sequence[Any]]:
        if self.actions is None:
            return [Action(to, state) for to in self.board.neighbours(here)], True, ()
        step = StepView(NOBODY, self, here, here, state, state, HERE)
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
            if log.private or log.asked:
                placed = self._placed(here, choices)
                return [a if a.sure else a._replace(facts=found.facts) for a in placed], False, ()
            named = any(r[0] in OF_ONE_EDGE or r[0] is questions.edge_kind for r in log.reads)
            dynamic = tuple(r for r in log.reads if r[0] in OF_ONE_MOVER)
            leaf = self.shared.acts.keep(
                step, log.reads, Leaf(choices, dynamic, () if named else None)
            )
        if far and leaf.named is None and all(map(_of_neighbours, leaf.dynamic)):
            self.shared.far_acts[state, self.edges.ways(here)] = leaf
        asked: list[Any] = []
        for ask, about in leaf.dynamic:
            if ask is questions.enemies:
                asked.append((enemies_at, (step.name(about[0]), about[1])))
            elif ask is questions.is_target:
                asked.append((own_at, (ask, step.name(about), here)))
            else:
                asked.append((own_at, (ask, about, here)))
        return self._placed(here, leaf.value), True, asked

    def _placed(self, here: str, actions: Iterable[Choice]) -> list[Action]:
        """What a mover can do, with the names of the hexes."""
        near = self.edges.near(here)
        return [
            Action(here if place == HERE else near[place], after, sure)
            for place, after, sure in actions
        ]

    def own(self, about: str, here: str) -> Any:
        """What belongs to this mover alone."""
        if about == "shown":
            return self.facts.shown
        if about == "goes_on":
            return self.facts.goes_on
        if about == "put_back":
            return self.facts.put_back
        move = self.facts.move
        return move.origin.name == here

    def enemies(self, name: str, needs: tuple[Any, ...]) -> bool | None:
        """Whether enemies that meet ``needs`` are in a hex; None: not known."""
        found = self.zones.at(name).enemy
        return (
            both(found, self.zones.enemy_who(name, needs))
            if found is not False and needs
            else found
        )

    def presence(self, name: str, needs: tuple[Any, ...]) -> Any:
        """As :meth:`enemies`; what is like nothing else if that is not known."""
        found = self.enemies(name, needs)
        return object() if found is None else found

    def due(self, here: str, to: str, state: Any, after: Any) -> Due:
        """What the clauses make of a step."""
        others, dues = self.zones.others, self.shared.dues
        far = others is not None and to not in others
        way = self.edges.known.get((here, to))
        key: Hashable = (self.edges.edge(here, to) if way is None else way), state, after
        kept = dues.get(key)
        step: StepView | None = None
        if kept is not None:
            found: Any = kept.far if far else None
            if found is None:
                step = StepView(NOBODY, self, here, to, state, after)
                leaf = kept.find(step)
                found = None if leaf is None else leaf.value
            if found is NAMED:
                key = here, to, state, after
                kept = dues.get(key)
                if kept is not None:
                    found = kept.far if far else None
                    if found is None:
                        step = StepView(NOBODY, self, here, to, state, after)
                        leaf = kept.find(step)
                        found = None if leaf is None else leaf.value
                else:
                    found = None
            if found is not None:
                return found  # type: ignore[no-any-return]
        step = step or StepView(NOBODY, self, here, to, state, after)
        due, named = self._new_due(step)
        if due.shared:
            if named is not None and key != (here, to, state, after):
                dues.setdefault(key, KeptDues()).keep(step, named, Leaf(NAMED))
                key = here, to, state, after
            kept = dues.setdefault(key, KeptDues())
            kept.keep(step, due.dynamic, Leaf(due))
            if far and due.alone:
                kept.far = due
        return due

    def _new_due(self, step: StepView) -> tuple[Due, tuple[Any, ...] | None]:
        """What the clauses make of a step, and which questions about the mover were asked before the first
        one whose answer differs between steps of one kind; None: none was."""
        items: list[Item] = []
        before, shared = step.before_, True
        named: tuple[Any, ...] | None = None
        dynamic: dict[Any, None] = {}
        leaves = []
        for clause, kept in zip(self.costs, self.shared.items, strict=True):
            leaf = kept.find(step)
            if leaf is None:
                found = outcome(partial(of_step, clause, step))
                step.run = NOBODY
                log = found.log
                item = self._item(clause, found)
                if log.private:
                    shared = False
                    leaf = Leaf(item)
                else:
                    reads = log.reads
                    if log.asked and (questions.pair, None) not in reads:
                        reads[questions.pair, None] = None
                    leaf = Leaf(
                        item, tuple(r for r in reads if r[0] in OF_ONE_MOVER), _before_place(reads)
                    )
                    kept.keep(step, reads, leaf)
            leaves.append(leaf)
            item = leaf.value
            if item is not None:
                items.append(item)
                if clause.kind == "cost":
                    before[clause.id] = item.cost
            if named is None and leaf.named is not None:
                named = tuple(dict.fromkeys((*dynamic, *leaf.named)))
            if leaf.dynamic:
                dynamic.update(dict.fromkeys(leaf.dynamic))
        if not shared:
            return due_of(items, False, ()), named
        alike = tuple(map(id, leaves))
        combined = self.shared.combined.get(alike)
        if combined is None:  # the leaves are kept with it: their ids must not be used again
            due = due_of(items, True, tuple(dynamic))
            combined = self.shared.combined[alike] = due, leaves
        return combined[0], named

    def _item(self, clause: ClauseFunction, found: Outcome) -> Item | None:
        cost = cost_of(found, clause, self.rules.scale)
        stops = found.holds if clause.kind == "stop" else None
        if cost == FREE and not (clause.kind == "stop" and stops is not False):
            return None
        return Item(clause, cost, stops, found.facts)

    def text(self, item: Item, here: str, action: Action, state: Any) -> str:
        """What breaking a clause means, or the reason on the bill."""
        step = StepView(NOBODY, self, here, action.to, state, action.after)
        return words_of(item.clause, step)


def _before_place(reads: Iterable[questions.Question]) -> tuple[questions.Question, ...] | None:
    """The questions about the mover before the first one whose answer differs between steps of one kind; None
    if there is no such question."""
    found: list[questions.Question] = []
    for read in reads:
        if read[0] in OF_ONE_EDGE:
            return tuple(found)
        if read[0] in OF_ONE_MOVER:
            found.append(read)
    return None


def _of_neighbours(question: questions.Question) -> bool:
    """Whether a question is about enemies in a neighbouring hex."""
    ask, about = question
    return ask is questions.enemies and about[0] >= AROUND
