"""Rules about certain steps (``[[rules.steps]]``): extra or other costs, and where a unit must stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ....model.board import Board, edge, may_be
from ....model.problem import Problem
from ...concepts.charts import NO_CLASS, NOTHING, OTHERS, ChartReader, Costs, is_cell
from ...concepts.hex_entries import about_hex, about_lines, about_side
from ...concepts.logic import every, negation
from ...concepts.requirements import read_requirements
from ...ruleset import Requirement

COST, BARRED, STOP = "GEN-STEP", "GEN-STEP-PROHIBITED", "GEN-STEP-STOP"
_NOT_WITH_FRIENDS = ("along", "not_along", "instead_of", "stop")


@dataclass(frozen=True, slots=True)
class StepRule:
    """A rule about every step that meets all its conditions.

    Conditions, each empty for any: ``into`` and ``out_of`` a hex with one of these names; ``across`` a
    hexside with one of these; ``along`` a line of one of these kinds (``not_along``: of none of them);
    ``climbs``: ``up``, ``down`` or ``level``. ``requirements``: on the unit, the form and the game.
    ``for_all``: whether the rule is about every class; if not, about those that ``cost`` names.
    ``friends``: whether friendly units that meet ``friend`` must be in the hex entered (True) or must not be
    (False); None: it does not matter.

    Effects: ``cost`` is added to the step (None: no cost is given). ``instead_of``: the parts of the charts'
    cost that are not due. ``stop``: the unit must stop there. ``number``: the row of the rule, from 1.
    """

    number: int
    reason: str
    requirements: tuple[Requirement, ...]
    into: frozenset[str]
    out_of: frozenset[str]
    across: frozenset[str]
    along: frozenset[str]
    not_along: frozenset[str]
    climbs: str
    friends: bool | None
    friend: tuple[Requirement, ...]
    cost: Costs | None
    for_all: bool
    instead_of: frozenset[str]
    stop: bool

    @property
    def key(self) -> str:
        """The key under which a mover keeps the missing facts about this rule (``asked``)."""
        return f"step {self.number}"


class Applied(NamedTuple):
    """A rule for one mover. ``holds``: whether the mover meets its requirements; None: not known."""

    rule: StepRule
    holds: bool | None


def faults(plain: Iterable[Mapping[str, Any]], roads: Iterable[str]) -> Iterator[Problem]:
    """Faults of rules that the schema cannot find. ``roads``: the kinds of line that are roads."""
    known = frozenset(roads)
    for index, row in enumerate(plain, 1):
        where = f"rules.steps[{index}]"
        if not {"cost", "instead_of"} & {*row} and not row.get("stop"):
            yield Problem(
                "wrong-rules", "expected cost, instead_of or stop; found none of them", where
            )
        for key in ("along", "not_along"):
            for name in row.get(key, ()):
                if name not in known:
                    listed = ", ".join(sorted(known)) or "there are none"
                    said = f"expected roads with a row in [rules.roads] ({listed}); found {name}"
                    yield Problem("wrong-rules", said, f"{where}.{key}")
        if "friend" in row and "friends" not in row:
            yield Problem("wrong-rules", "expected friends beside friend; found none", where)
        beside = [key for key in _NOT_WITH_FRIENDS if key in row]
        if "friends" in row and beside:
            said = f"expected friends without {', '.join(_NOT_WITH_FRIENDS)}; found {beside[0]}"
            yield Problem("wrong-rules", said, where)


def read_step_rules(
    plain: Iterable[Mapping[str, Any]], charts: ChartReader, off: frozenset[str]
) -> tuple[StepRule, ...]:
    """The rules of ``[[rules.steps]]``, without the effects of clauses that are switched ``off``. A rule
    without any effect is left out."""
    found = (_read(number, row, charts, off) for number, row in enumerate(plain, 1))
    return tuple(rule for rule in found if rule.cost is not None or rule.instead_of or rule.stop)


def _read(
    number: int, row: Mapping[str, Any], charts: ChartReader, off: frozenset[str]
) -> StepRule:
    def names(key: str) -> frozenset[str]:
        return frozenset(row.get(key, ()))

    cost = charts.costs(row["cost"], COST, BARRED, NOTHING) if "cost" in row else None
    places = [w for key in ("into", "out_of", "across", "along") for w in sorted(names(key))]
    return StepRule(
        number=number,
        reason=row.get("reason") or " ".join(places) or f"rule {number} about steps",
        requirements=read_requirements(row.get("if", ())),
        into=names("into"),
        out_of=names("out_of"),
        across=names("across"),
        along=names("along"),
        not_along=names("not_along"),
        climbs=row.get("climbs", ""),
        friends=row.get("friends"),
        friend=read_requirements(row.get("friend", ())),
        cost=cost,
        for_all=cost is None or is_cell(row["cost"]) or OTHERS in row["cost"],
        instead_of=names("instead_of") if COST not in off else frozenset(),
        stop=bool(row.get("stop")) and STOP not in off,
    )


def fits(rule: StepRule, board: Board, here: str, to: str, road: str) -> bool | None:
    """Whether a step meets a rule's conditions on the board; None: not known. ``road``: the kind of line that
    the step follows; empty: none."""
    return every(holds for holds, _ in _tests(rule, board, here, to, road))


def missing(rule: StepRule, board: Board, here: str, to: str) -> Iterator[tuple[str, ...]]:
    """``CostItem.about`` of each condition on the board that the step may or may not meet."""
    for holds, about in _tests(rule, board, here, to, ""):
        if holds is None:
            yield about


def _tests(
    rule: StepRule, board: Board, here: str, to: str, road: str
) -> Iterator[tuple[bool | None, tuple[str, ...]]]:
    """Each condition on the board: whether the step meets it (None: not known), and ``CostItem.about``."""
    if rule.into:
        yield board.has(to, rule.into), about_hex(board, to)
    if rule.out_of:
        yield board.has(here, rule.out_of), about_hex(board, here)
    if rule.across:
        side = edge(here, to)
        there = not rule.across.isdisjoint(board.sides.get(side, ()))
        maybe = any(may_be(name, board.maybe_on(side)) for name in rule.across)
        yield True if there else None if maybe else False, about_side(side)
    if rule.along:
        yield road in rule.along, about_lines(here, to)
    if rule.not_along:
        yield road not in rule.not_along, about_lines(here, to)
    if rule.climbs:
        low, high = board.level_of(here), board.level_of(to)
        for name, level in ((here, low), (to, high)):
            if level is None:
                yield None, ("levels", name)
        if low is not None and high is not None:
            way = "up" if high > low else "down" if high < low else "level"
            yield way == rule.climbs, ()


def concerned(rule: StepRule, classes: tuple[str, ...]) -> bool | None:
    """Whether a rule is about a mover of one of ``classes``; None: perhaps, or only about some of them. A
    row of costs that leaves a class out is not about it; of a class that the tables do not name nobody has
    said."""
    if rule.cost is None or rule.for_all:
        return True
    told = {None if name == NO_CLASS else rule.cost[name] is not NOTHING for name in classes}
    return told.pop() if len(told) == 1 else None


def friends_fit(rule: StepRule, friendly: bool | None) -> bool | None:
    """Whether the hex entered meets a rule's condition on friends; None: not known. ``friendly``: whether
    friendly units are there."""
    return friendly if rule.friends else negation(friendly)
