"""Rules of the tables about certain steps: what they cost besides or instead, and where a unit must stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ....model.board import Board, edge, may_be
from ....model.problem import Problem
from ...concepts.charts import NOTHING, ChartReader, Costs
from ...concepts.hex_entries import about_hex, about_lines, about_side
from ...concepts.logic import every, negation
from ...concepts.requirements import read_requirements
from ...ruleset import Requirement

COST, BARRED, STOP = "GEN-STEP", "GEN-STEP-PROHIBITED", "GEN-STEP-STOP"
_NOT_WITH_FRIENDS = ("along", "not_along", "instead_of", "stop")


@dataclass(frozen=True, slots=True)
class StepRule:
    """A rule about the steps that fit all that it names: ``into`` and ``out_of`` a hex with one of these,
    ``across`` a hexside with one of these, ``along`` a line of one of these kinds (``not_along``: of none
    of them), ``climbs`` up, down or on one level (each empty: any). ``requirements``: of the unit, the form
    and the game. ``friends``: whether friendly units must be in the hex entered, None: no matter; only those
    count that meet ``friend``.

    ``cost``: what such a step costs (None: nothing is said of it), besides what the charts say but for the
    parts ``instead_of``. ``stop``: the unit must stop there. ``number``: which rule it is.
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
    instead_of: frozenset[str]
    stop: bool

    @property
    def key(self) -> str:
        """What doubts about it are filed under."""
        return f"step {self.number}"


class Applied(NamedTuple):
    """A rule as it applies to a mover: ``holds`` None: what it requires is perhaps met."""

    rule: StepRule
    holds: bool | None


def faults(plain: Iterable[Mapping[str, Any]], roads: Iterable[str]) -> Iterator[Problem]:
    """What is wrong with rules that fit the schema. ``roads``: the kinds of line that are roads."""
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
    """The rules of ``[[rules.steps]]``, without what clauses switched off would have said."""
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
        instead_of=names("instead_of") if COST not in off else frozenset(),
        stop=bool(row.get("stop")) and STOP not in off,
    )


def fits(rule: StepRule, board: Board, here: str, to: str, road: str) -> bool | None:
    """Whether a step from hex to hex, along a line of the kind ``road`` (empty: none), is one that a rule is
    about, as far as the board tells."""
    return every(holds for holds, _ in _tests(rule, board, here, to, road))


def missing(rule: StepRule, board: Board, here: str, to: str) -> Iterator[tuple[str, ...]]:
    """What of the board is not known that would tell whether a rule is about a step, as
    ``CostItem.about``.
    """
    for holds, about in _tests(rule, board, here, to, ""):
        if holds is None:
            yield about


def _tests(
    rule: StepRule, board: Board, here: str, to: str, road: str
) -> Iterator[tuple[bool | None, tuple[str, ...]]]:
    """Each thing that must hold of a step, and what to ask where it is not known."""
    if rule.into:
        yield board.has(to, rule.into), about_hex(board, to)
    if rule.out_of:
        yield board.has(here, rule.out_of), about_hex(board, here)
    if rule.across:
        side = edge(here, to)
        there = not rule.across.isdisjoint(board.sides.get(side, ()))
        maybe = any(may_be(name, board.maybe_on(side)) for name in rule.across)
        yield True if there else None if maybe else False, about_side(board, side)
    if rule.along:
        yield road in rule.along, about_lines(board, here, to)
    if rule.not_along:
        yield road not in rule.not_along, about_lines(board, here, to)
    if rule.climbs:
        low, high = board.hexes[here].level, board.hexes[to].level
        for name, level in ((here, low), (to, high)):
            if level is None:
                yield None, ("levels", name)
        if low is not None and high is not None:
            way = "up" if high > low else "down" if high < low else "level"
            yield way == rule.climbs, ()


def concerned(rule: StepRule, classes: tuple[str, ...]) -> bool | None:
    """Whether a rule is about movers of these classes: a table of costs that leaves one out is not."""
    if rule.cost is None:
        return True
    told = {rule.cost[name] is not NOTHING for name in classes}
    return told.pop() if len(told) == 1 else None


def friends_fit(rule: StepRule, friendly: bool | None) -> bool | None:
    """Whether the hex entered is as a rule wants it, ``friendly``: whether friendly units are there."""
    return friendly if rule.friends else negation(friendly)
