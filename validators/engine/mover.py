"""The mover that clauses make: its allowance, what forbids it to move, and what each of its steps is due."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import UNKNOWN, Fact
from ..concepts.logic import both
from ..cost_interval import (
    FREE,
)
from ..ruleset import Breach, Budget, Policy, WeightedFact, World
from ..search import SpendingLimit, cheapest
from . import questions
from .allowance import Mp, policy_of
from .asking import Outcome, outcome
from .clauses import ClauseFunction
from .due import (
    NAMED,
    NOBODY,
    Action,
    Due,
    Item,
    KeptDues,
    Shared,
    cited,
    cost_of,
    due_of,
    of_step,
    of_view,
    words_of,
)
from .fan import Fan
from .graph import ClauseGraph
from .memo import Kept, Leaf
from .mover_view import MoverFacts, MoverView
from .questions import (
    OF_ONE_EDGE,
    OF_ONE_MOVER,
)
from .step import Step as StepView

if TYPE_CHECKING:
    from .enemies import EnemyZones
    from .rules import Rules


Built = tuple[Budget, tuple[Breach, ...], tuple[WeightedFact, ...]]
"""The budget of a mover, what forbids it to move at all, and the facts that may."""


@dataclass(eq=False)
class ClauseMover(Fan):
    """See :class:`~..ruleset.Mover`. ``built``: its budget and what forbids it to move, if they are known;
    else ``keep`` is told of them. ``doubts``: facts that may keep it from being one at all."""

    rules: Rules
    facts: MoverFacts
    zones: EnemyZones
    shared: Shared
    cls: str
    built: Built | None = None
    keep: Callable[[Built], None] | None = None
    keeps: dict[Hashable, Kept] = field(default_factory=dict)
    doubts: tuple[WeightedFact, ...] = ()
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

    @cached_property
    def _ready(self) -> Built:
        """Its budget and what forbids it to move, worked out when somebody asks."""
        if self.built is not None:
            return self.built
        found = self._limit(self.shared.allowance), *self._forbid(self.shared.forbids)
        if self.fixed and self.keep is not None:
            self.keep(found)
        return found

    @property
    def budget(self) -> Budget:
        return self._ready[0]

    @property
    def barred(self) -> tuple[Breach, ...]:
        return self._ready[1]

    @property
    def perhaps_barred(self) -> tuple[WeightedFact, ...]:
        return (*self._ready[2], *self.doubts)

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

    @property
    def has_state(self) -> bool:
        """Whether it has a state, though it tries ways."""
        declared = self.rules.declared
        tries = self.shared.ways is not None and not self.rules.keeps_way
        return tries and declared.start_state(self.facts) is not None

    def graph(self, world: World) -> ClauseGraph:
        found = self._graphs.get(world)
        if found is None:
            found = self._graphs[world] = ClauseGraph(self, world)
        return found

    def _limit(self, clause: ClauseFunction | None) -> Budget:
        if clause is None:
            return Budget(None, "")
        budget: Budget = self._said(clause, self._budget)
        open_ = budget.amount is not None and not budget.amount.is_exact
        if open_ and not budget.missing:  # a range of this unit's own
            asked = tuple(map(WeightedFact, self.rules.allowance_questions(self.facts)))
            budget = replace(budget, missing=asked)
        if self.shared.overdraft is not None:
            policy: Policy = self._said(self.shared.overdraft, partial(policy_of, self.rules.full))
            budget = replace(budget, policy=policy) if policy.overdraft is not None else budget
        return budget

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

    def _forbid(
        self, clauses: Sequence[ClauseFunction]
    ) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
        barred: list[Breach] = []
        perhaps: list[WeightedFact] = []
        for clause in clauses:
            breach, facts = self._said(clause, partial(self._breach_of, clause))
            barred += breach
            perhaps += facts
        return tuple(barred), tuple(perhaps)

    def _breach_of(self, clause: ClauseFunction, found: Outcome) -> Any:
        if found.holds:
            said = (found.said or ("",))[0]
            text = said if isinstance(said, str) else self._words(clause)
            return (Breach(self.rules.full(clause.id), text, ""),), ()
        return (), tuple(map(WeightedFact, found.facts)) if found.holds is None else ()

    def _words(self, clause: ClauseFunction) -> str:
        if isinstance(clause.text, str):
            return clause.text
        return clause.text(MoverView(NOBODY, self.rules, self.facts))

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

    def near_presence(self, name: str, beside: bool, test: Any) -> Any:
        """Whether enemies of which ``test`` holds are in a hex or beside it; what is like nothing else if
        that is not known."""
        found = self.zones.who(name, beside, test).holds
        return object() if found is None else found

    def tally(self, name: str, where: str, work: Any) -> Any:
        """See :meth:`.hex_view.HexView.tally`."""
        return self.zones.tally(name, where, work)

    def said(self, name: str, topic: str) -> Fact:
        """What the facts say of a hex during the move; UNKNOWN: nothing."""
        return self.zones.said(name, topic) if name in self.rules.hexes_told(topic) else UNKNOWN

    def friends(self, name: str, test: Any) -> Any:
        """See :meth:`.hex_view.HexView.friends_who`."""
        return self.zones.friends(name, test)

    def due(self, here: str, to: str, state: Any, after: Any, by: Any = None) -> Due:
        """What the clauses make of a step."""
        others, dues = self.zones.others, self.shared.dues
        far = others is not None and to not in others and here not in others
        way = self.edges.known.get((here, to)) or self.edges.edge(here, to)
        key: Hashable = (way if self.shared.ways is None else way[0]), state, after, by
        kept = dues.get(key)
        step: StepView | None = None
        if kept is not None:
            found: Any = kept.far if far else None
            if found is None:
                step = StepView(NOBODY, self, here, to, state, after, by=by)
                leaf = kept.find(step)
                found = None if leaf is None else leaf.value
            if found is NAMED:
                key = here, to, state, after, by
                kept = dues.get(key)
                if kept is not None:
                    found = kept.far if far else None
                    if found is None:
                        step = StepView(NOBODY, self, here, to, state, after, by=by)
                        leaf = kept.find(step)
                        found = None if leaf is None else leaf.value
                else:
                    found = None
            if found is not None:
                return found  # type: ignore[no-any-return]
        step = step or StepView(NOBODY, self, here, to, state, after, by=by)
        due, named = self._new_due(step)
        if due.shared:
            if named is not None and key != (here, to, state, after, by):
                dues.setdefault(key, KeptDues()).keep(step, named, Leaf(NAMED))
                key = here, to, state, after, by
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
                    assert self.shared.ways is None or (questions.way, None) not in reads
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

    def cited(self, item: Item, here: str, action: Action, state: Any) -> str:
        """The full id of the clause to cite for a cost."""
        step = StepView(NOBODY, self, here, action.to, state, action.after, by=action.by)
        return self.rules.full(cited(item.clause, step))

    def text(self, item: Item, here: str, action: Action, state: Any) -> str:
        """What breaking a clause means, or the reason on the bill."""
        step = StepView(NOBODY, self, here, action.to, state, action.after, by=action.by)
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
