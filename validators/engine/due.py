"""The effect of the clauses on a step: its cost, its prohibitions, and whether the mover must stop."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.fact import MissingFact
from ..cost_interval import (
    ANYTHING,
    BARRED,
    FREE,
    CostInterval,
    total,
    union_all,
)
from ..cost_interval import WHOLE as WHOLE_COST
from ..ruleset import CostBreakdown, Step
from . import questions
from .asking import Log, Outcome, Run, outcome, said_of
from .clauses import CLOSED, WHOLE, ClauseFunction
from .memo import Leaf, ResultCache
from .questions import INTO, OUT_OF

if TYPE_CHECKING:
    from .rules import Rules
    from .step import Step as StepView


NOBODY = Run({}, Log())


class Item(NamedTuple):
    """The effect of one clause on a step."""

    clause: ClauseFunction
    cost: CostInterval
    stops: bool | None


class Due(NamedTuple):
    """The effect of all clauses on a step. ``shared``: it is the same for all movers of a kind that give the
    same answers to ``dynamic``."""

    items: tuple[Item, ...]
    cost: CostInterval
    stops: tuple[Item, ...]
    rounds: Item | None
    shared: bool
    dynamic: tuple[Any, ...]
    alone: bool
    """Whether ``dynamic`` only reads enemies in the two hexes, or beside them."""


class Choice(NamedTuple):
    """An action out of a hex, from an action function. ``place``: the index of the neighbour that the mover
    enters, or HERE; ``after``: its state then. ``sure`` False: possible only under some completions."""

    place: int
    after: Any
    sure: bool = True


class Way(NamedTuple):
    """A way in which a step can be made. ``sure``: as in :class:`Action`."""

    by: Any
    sure: bool


class Action(NamedTuple):
    """As :class:`Choice`, with the name of the hex. ``facts``: the facts that decide whether it is possible,
    if it is not sure and not one of several ways. ``by``: the way of the step; None: there is only one."""

    to: str
    after: Any
    sure: bool = True
    facts: tuple[MissingFact, ...] = ()
    by: Any = None


class Tagged(NamedTuple):
    """The tag of a mover with a state and sightings: ``met`` sightings were reached, and ``part`` of the
    next."""

    state: Any
    met: int
    part: int


NAMED = object()
"""Marks results that belong to one edge."""


class DuesCache(ResultCache):
    """As :class:`.memo.ResultCache`. ``far``: the result for an entered hex without units."""

    __slots__ = ("far",)

    def __init__(self) -> None:
        super().__init__()
        self.far: Due | None = None


def clauses_of(
    rules: Rules, cls: str, phase: str, taken: ClauseFunction | None
) -> tuple[ClauseFunction, ...]:
    """The clauses in force for movers of a class in a kind of phase. ``taken``: the interpretation or choice
    of the move; None: it is what it seems."""
    lifted = () if taken is None else taken.lifts or ()
    name = "" if taken is None else taken.id
    return tuple(
        c
        for c in rules.clauses_in_force
        if (not c.classes or cls in c.classes)
        and (not c.phase or c.phase == phase)
        and c.id not in lifted
        and name.startswith(c.only)
    )


class Shared:
    """The results that all movers with the same clauses ``of_me`` share."""

    def __init__(
        self,
        rules: Rules,
        cls: str,
        of_me: Sequence[ClauseFunction],
        shared: Hashable,
    ) -> None:
        self.made = cls, tuple(of_me), shared
        self.costs = tuple(c for c in of_me if c.kind in ("cost", "forbid", "stop", "round"))
        self.actions = next((c for c in of_me if c.kind == "actions"), None)
        self.ways = next((c for c in of_me if c.kind == "ways"), None)
        self.allowance = next((c for c in of_me if c.kind == "allowance"), None)
        self.overdraft = next((c for c in of_me if c.kind == "overdraft"), None)
        self.forbids = [c for c in of_me if c.kind == "forbid_move"]
        self.expenses = [c for c in of_me if c.kind == "expense"]
        self.quotas = [c for c in of_me if c.kind == "quota"]
        self.least = Fraction(max((c.least for c in self.costs if c.kind == "cost"), default=0))
        self.entering: dict[Hashable, ResultCache] = {}
        """The cost of entering a hex off the road, by function and hex (:mod:`.reach`)."""
        self.each = tuple(
            (c, rules.common.setdefault(("items", cls, shared, c), ResultCache()))
            for c in self.costs
        )
        """The clauses about steps, each with its effects."""
        self.of_enemies = any(clause.of_enemies for clause, _ in self.each)
        self.of_friends = any(clause.of_friends for clause, _ in self.each)
        self.besides = {
            (clear, empty, bare): tuple(
                pair
                for pair in self.each
                if not (clear and pair[0].of_enemies)
                and not (empty and pair[0].of_friends)
                and not (bare and pair[0].of_sides)
            )
            for clear in (False, True)
            for empty in (False, True)
            for bare in (False, True)
        }
        """The clauses that may affect a step between hexes without enemies (``clear``), into a hex without
        units (``empty``), over a hexside with nothing on it (``bare``)."""
        states = frozenset[Any]() if self.ways is None else questions.OF_STATES
        self.varying = questions.OF_ONE_MOVER | states
        """The questions by whose answers the results for steps of a kind are cached."""
        self.acts = ResultCache()
        self.ways_over: dict[Hashable, ResultCache] = rules.common.setdefault(
            ("ways", cls, shared), {}
        )
        """The ways over an edge, by its kind."""
        self.became: dict[Hashable, ResultCache] = {}
        """The states in which a mover may be after a step, by kind of edge, state and way."""
        self.far_acts: dict[Hashable, Leaf] = {}
        self.combined: dict[tuple[int, ...], tuple[Due, list[Leaf]]] = {}
        self.dues: dict[Hashable, DuesCache] = {}
        """The effect of all clauses on a step, by kind of edge, direction and states (without states if there
        are ways); if that is not enough, by edge and states."""
        self.far: dict[Hashable, tuple[Step, ...]] = {}
        self.near: dict[Hashable, ResultCache] = {}
        """The steps from a hex in a state: one result if no unit is near, else by what the clauses read."""
        self.bills: dict[Hashable, tuple[Any, CostBreakdown]] = {}


def due_of(items: list[Item], shared: bool, dynamic: tuple[Any, ...]) -> Due:
    cost = total(item.cost for item in items)
    alone = all(
        ask in questions.OF_ENEMIES and about[0] in (INTO, OUT_OF) for ask, about in dynamic
    )
    stops = tuple(i for i in items if i.clause.kind == "stop")
    rounds = next((i for i in items if i.clause.kind == "round"), None)
    return Due(tuple(items), cost, stops, rounds, shared, dynamic, alone)


def cost_of(found: Outcome, clause: ClauseFunction, scale: int) -> CostInterval:
    """The cost that a clause adds to a step, in 1/scale MP; nothing for a stop."""
    if clause.kind in ("stop", "round"):
        return FREE
    if clause.kind == "forbid":
        holds = found.holds
        return BARRED if holds else FREE if holds is False else CostInterval(0, 0, None)
    if clause.bars:
        return (
            ANYTHING
            if found.said is None
            else union_all(_interval(one, scale) for one in found.said)
        )
    if found.said is None:
        return ANYTHING._replace(lo=clause.least * scale, barred=False, whole=False)
    due = [one for one in found.said if one != CLOSED and getattr(one, "barred", None) is not True]
    return union_all(_interval(one, scale)._replace(barred=False) for one in due) if due else FREE


def charge_of(clause: ClauseFunction, step: StepView) -> CostInterval:
    """As :func:`cost_of`, worked out for one step."""
    return cost_of(outcome(partial(said_of, clause.run, step)), clause, step.rules.scale)


def _interval(said: Any, scale: int) -> CostInterval:
    """The result of a cost clause as a cost in 1/scale MP, rounded down and up to whole numbers. Raises
    ValueError if it is below 0."""
    if said == WHOLE:
        return WHOLE_COST
    if isinstance(said, CostInterval):
        return said
    if said is not None and said < 0:
        raise ValueError(f"a clause says that a step costs {said}: expected 0 or more")
    amount = Fraction(said or 0) * scale
    return CostInterval(amount.__floor__(), amount.__ceil__())


def words_of(clause: ClauseFunction, step: StepView, *, closed: bool = False) -> str:
    """The text for breaking a clause, or the reason on the bill. ``closed``: the text for a cost that
    prohibits a step."""
    text = clause.closed if closed else clause.text
    if isinstance(text, str):
        return text.format(step=step) if "{" in text else text
    said = outcome(partial(said_of, text, step)).said
    return str(said[0]) if said else ""


def cited(clause: ClauseFunction, step: StepView) -> str:
    """The id of the clause to cite for a cost."""
    if clause.cites is None:
        return clause.id
    said = outcome(partial(said_of, clause.cites, step)).said
    return str(said[0]) if said else clause.id
