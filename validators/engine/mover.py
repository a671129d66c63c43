"""The mover made by clauses: its allowance, the prohibitions of its move, and the effects on its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from weakref import ref

from ...model.fact import MissingFact
from ..concepts.requirements import question
from ..cost_interval import FREE, union_all
from ..ruleset import Breach, Budget, MovementGraph, Policy, WeightedFact, World
from ..search import SpendingLimit, cheapest
from . import questions
from .allowance import budget_of, draws_of, policy_of
from .asking import Outcome, outcome, said_of
from .clauses import ClauseFunction
from .doings import DoingsGraph, Expense, Paid
from .due import (
    NAMED,
    NOBODY,
    Action,
    Due,
    DuesCache,
    Item,
    Shared,
    cited,
    cost_of,
    due_of,
    words_of,
)
from .fan import Fan
from .graph import ClauseGraph
from .memo import Leaf, once
from .mover_facts import Answer
from .mover_view import MoverView
from .questions import INTO, OF_ONE_EDGE, OUT_OF

if TYPE_CHECKING:
    from .step import Step as StepView


Built = tuple[Budget, tuple[Breach, ...], tuple[WeightedFact, ...]]
"""The budget of a mover, the breaches that forbid it to move, and the facts that may forbid it."""


@dataclass(eq=False)
class ClauseMover(Fan):
    """See :class:`~..ruleset.Mover`. ``built``: its budget and prohibitions; None: they are computed, and
    passed to ``keep``. ``doubts``: facts by which it may not be a possible mover."""

    built: Built | None = None
    keep: Callable[[Built], None] | None = None
    doubts: tuple[WeightedFact, ...] = ()
    fixed: bool = True
    """Whether ``budget`` and the prohibitions hold at any time."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.facts.held_by = ref(self)

    @cached_property
    def _ready(self) -> Built:
        """Its budget and prohibitions, computed when first read."""
        if self.built is not None:
            return self.built
        budget = self._limit(self.shared.allowance)
        drawn = [
            self._said(c, partial(draws_of, c.id, self.rules.full)) for c in self.shared.quotas
        ]
        if drawn:
            budget = replace(budget, draws=tuple(draw for draws in drawn for draw in draws))
        found = budget, *self._forbid(self.shared.forbids)
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

    def _said(self, clause: ClauseFunction, make: Callable[[Outcome, MoverView], Any]) -> Any:
        """The result of a clause about the mover (:class:`.mover_facts.Said`)."""
        view = MoverView(NOBODY, self.rules, self.facts)
        found: Answer = self.facts.said.find(clause, view, make)
        self.fixed = self.fixed and found.fixed
        return found.value

    @cached_property
    def least(self) -> int:
        rules = self.rules
        make = partial(rules.declared.least, rules, self.cls, self.facts.known)
        return int(
            max(self.shared.least, once(rules.memo, ("least", self.shared), make)) * rules.scale
        )

    @property
    def has_state(self) -> bool:
        """Whether it has a state although there are ways."""
        declared = self.rules.declared
        tries = self.shared.ways is not None and not self.rules.keeps_way
        return tries and declared.start_state(self.facts) is not None

    def without(self, clause: str) -> ClauseMover:
        """The same mover without a clause."""
        rules, (cls, of_me, alike) = self.rules, self.shared.made
        kept = [c for c in of_me if c.id != clause]
        make = partial(Shared, rules, cls, kept, alike)
        shared = once(rules.common, ("without", clause, self.shared.made), make)
        facts = self.facts.but(self.form, self.facts.known, self.facts.taken_as)
        return ClauseMover(rules, facts, self.zones, shared, self.cls)

    def forget(self) -> None:
        super().forget()
        self._graphs: dict[World, Any] = {}

    def graph(self, world: World) -> Any:
        found = self._graphs.get(world)
        if found is None:
            found = self._graphs[world] = self._with_doings(ClauseGraph(self, world), world)
        return found

    def _with_doings(self, graph: ClauseGraph, world: World) -> MovementGraph:
        """A graph, with the drags in which the mover was carried and its expenses."""
        acts = self.facts.acts
        if acts is None:
            return graph
        paid = [self._said(one, partial(self._expense, one)) for one in self.shared.expenses]
        expenses = tuple(one for one in paid if one is not None)
        hops = tuple((leg.origin, leg.target) for leg in acts.legs if leg.carried)
        if not hops and not expenses:
            return graph
        walks = [False]
        for leg in acts.legs:
            if leg.carried:
                walks.append(False)
            else:
                walks[-1] = True
        return DoingsGraph(graph, world, hops, tuple(walks), expenses, self.rules.scale)

    def _expense(self, clause: ClauseFunction, found: Outcome, _: MoverView) -> Expense | None:
        paid = [one for one in found.said or () if one is not None]
        costs = [one.cost for one in paid]
        if len(paid) < len(found.said or ()):
            costs.append(FREE)
        cost = union_all(costs) if costs else FREE
        if cost == FREE:
            return None
        cost = cost._replace(barred=False, whole=False)
        facts = (Paid(paid[0].hex, cost), self.rules.full(clause.id), str(clause.text))
        return Expense(*facts, found.facts)

    def _limit(self, clause: ClauseFunction | None) -> Budget:
        if clause is None:
            return Budget(None, "")
        rules = self.rules
        budget: Budget = self._said(
            clause, lambda found, _: budget_of(rules.full, rules.applies, found)
        )
        budget = replace(budget, entering=rules.full(rules.declared.arrivals.clause))
        open_ = budget.amount is not None and not budget.amount.is_exact
        if open_ and not budget.missing:  # a range of this unit's own
            asked = (question(self.facts.unit, about) for about in rules.declared.allowance_facts)
            budget = replace(budget, missing=tuple(map(WeightedFact, asked)))
        if self.shared.overdraft is not None:
            policy: Policy = self._said(
                self.shared.overdraft, lambda found, _: policy_of(self.rules.full, found)
            )
            budget = replace(budget, policy=policy) if policy.overdraft is not None else budget
        return budget

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

    def _breach_of(self, clause: ClauseFunction, found: Outcome, view: MoverView) -> Any:
        if found.holds:
            said = (found.said or ("",))[0]
            text = said if isinstance(said, str) else self._words(clause, view)
            return (Breach(self.rules.full(clause.id), text, ""),), ()
        asked = found.facts or (self.rules.clause_question(clause.id),)
        return (), tuple(map(WeightedFact, asked)) if found.holds is None else ()

    def _words(self, clause: ClauseFunction, view: MoverView) -> str:
        """The text of a clause that forbids the mover to move; if it depends on a missing fact, the text for
        one of the answers. Its reads are noted."""
        if isinstance(clause.text, str):
            return clause.text
        log = view.run.log
        found = outcome(partial(said_of, clause.text, view))
        log.add(found.log)
        return str(found.said[0]) if found.said else ""

    def least_spent(self, drags: int) -> Fraction | None:
        """See :meth:`.mover_view.MoverView.least_spent`."""
        move = self.facts.move
        stops = list(zip(move.waypoints, move.binding, strict=True))[1 : drags + 1]
        places = [place.name for place, binds in stops if place.kind == "hex" and binds]
        if not places or move.waypoints[drags].name != places[-1]:
            return None
        route = cheapest(
            self.board, self.graph("favourable"), move.origin.name, places, SpendingLimit(None)
        )
        return None if route is None else Fraction(route.spent, self.rules.scale)

    def due(self, here: str, to: str, state: Any, after: Any, by: Any = None) -> Due:
        """The effect of the clauses on a step."""
        others, shared = self.zones.others, self.shared
        far = to not in others and here not in others
        way = self.edges.known.get((here, to)) or self.edges.edge(here, to)
        kind = way if shared.ways is None else way[0]
        step: StepView | None = None
        for place in (kind, (self.edges.place(here), to)):
            kept = shared.dues.get((place, *self._states(state, after), by))
            found: Any = None
            if kept is not None:
                found = kept.far if far else None
                if found is None:
                    step = step or self._step(here, to, state, after, by)
                    leaf = kept.find(step)
                    found = None if leaf is None else leaf.value
            if found is not None and found is not NAMED:
                return found  # type: ignore[no-any-return]
            if found is None:
                break
        step = step or self._step(here, to, state, after, by)
        due, named = self._new_due(step)
        if due.shared:
            rest = *self._states(state, after), by
            if named is not None and place == kind != (self.edges.place(here), to):
                shared.dues.setdefault((kind, *rest), DuesCache()).keep(step, named, Leaf(NAMED))
                place = self.edges.place(here), to
            kept = shared.dues.setdefault((place, *rest), DuesCache())
            kept.keep(step, due.dynamic, Leaf(due))
            if far and due.alone:
                kept.far = due
        return due

    def _step(self, here: str, to: str, state: Any, after: Any, by: Any) -> StepView:
        return self.rules.step(NOBODY, self, here, to, state, after, by=by)

    def _states(self, state: Any, after: Any) -> tuple[Any, Any]:
        """The states before and after a step as a key; (None, None) if there are ways, because the reads of
        states are then among the questions."""
        return (state, after) if self.shared.ways is None else (None, None)

    def _new_due(self, step: StepView) -> tuple[Due, tuple[Any, ...] | None]:
        """(the effect of the clauses on a step; the questions about the mover before the first question whose
        answer differs between steps of one kind, None: there is no such question)."""
        items: list[Item] = []
        before, shared = step.before_, True
        named: tuple[Any, ...] | None = None
        dynamic: dict[Any, None] = {}
        leaves = []
        clear = empty = False
        if self.shared.of_enemies and self.zones.looks_beside:
            dynamic.update(CLEAR)
            clear = self.is_clear(step.to_) and self.is_clear(step.from_)
        if self.shared.of_friends:
            dynamic[questions.empty, (INTO,)] = None
            empty = self.zones.is_empty(step.to_)
        bare = self.edges.is_bare(step.from_, step.to_)
        for clause, kept in self.shared.besides[clear, empty, bare]:
            leaf = kept.find(step)
            if leaf is None:
                found = outcome(partial(said_of, clause.run, step))
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
                    varying = self.shared.varying
                    asked = tuple(r for r in reads if r[0] in varying)
                    leaf = Leaf(item, asked, _before_place(reads, varying))
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
        if combined is None:  # the leaves stay referenced, so that their ids are not reused
            due = due_of(items, True, tuple(dynamic))
            combined = self.shared.combined[alike] = due, leaves
        return combined[0], named

    def _item(self, clause: ClauseFunction, found: Outcome) -> Item | None:
        cost = cost_of(found, clause, self.rules.scale)
        halts = clause.kind in ("stop", "round")
        stops = found.holds if halts else None
        if cost == FREE and not (halts and stops is not False):
            return None
        return Item(clause, cost, stops)

    def missing(
        self, item: Item, due: Due, here: str, action: Action, state: Any
    ) -> tuple[MissingFact, ...]:
        """The facts that would make the effect of one clause on a step exact. The effect is the same for all
        steps of a kind, but these facts are about its own hexes."""
        step = self._step(here, action.to, state, action.after, action.by)
        for one in due.items[: due.items.index(item)]:
            if one.clause.kind == "cost":
                step.before_[one.clause.id] = one.cost
        return outcome(partial(said_of, item.clause.run, step)).facts

    def missing_of_way(self, here: str, action: Action, state: Any) -> tuple[MissingFact, ...]:
        """The facts that decide whether a step can be made in its way; empty: it can."""
        if action.sure or self.shared.ways is None:
            return ()
        step = self._step(here, action.to, state, state, action.by)
        return outcome(partial(said_of, self.shared.ways.run, step)).facts

    def cited(self, item: Item, here: str, action: Action, state: Any) -> str:
        """The full id of the clause to cite for a cost."""
        step = self._step(here, action.to, state, action.after, action.by)
        return self.rules.full(cited(item.clause, step))

    def text(
        self, item: Item, here: str, action: Action, state: Any, *, closed: bool = False
    ) -> str:
        """See :func:`.due.words_of`."""
        step = self._step(here, action.to, state, action.after, action.by)
        return words_of(item.clause, step, closed=closed)


CLEAR = dict.fromkeys(((questions.clear, (INTO,)), (questions.clear, (OUT_OF,))))
"""The questions whether any enemy may be near a step."""


def _before_place(
    reads: Iterable[questions.Question], varying: frozenset[Any]
) -> tuple[questions.Question, ...] | None:
    """The ``varying`` questions before the first one whose answer differs between steps of one kind; None if
    there is no such question."""
    found: list[questions.Question] = []
    for read in reads:
        if read[0] in OF_ONE_EDGE:
            return tuple(found)
        if read[0] in varying:
            found.append(read)
    return None
