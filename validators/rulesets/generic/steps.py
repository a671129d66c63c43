"""The chart ``steps``: rules about certain steps, what they cost besides or instead of the other charts, and
where a unit must stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from ....model.problem import Problem
from ...concepts.charts import NO_CLASS, NOTHING, OTHERS, Costs, is_cell
from ...concepts.requirements import read_requirements
from ...cost_interval import FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost, must_stop
from ...engine.step import Step
from ...ruleset import Requirement
from .terms import Reading, RulesOfTables, counted, road_of, rules_of, tables_of
from .terms import row as row_cost

COST, BARRED, STOP = "GEN-STEP", "GEN-STEP-PROHIBITED", "GEN-STEP-STOP"
_NOT_WITH_FRIENDS = ("along", "not_along", "instead_of", "stop")


@dataclass(frozen=True, slots=True)
class StepRule:
    """A rule about every step that meets all its conditions.

    Conditions, each empty for any: ``into`` and ``out_of`` a hex with one of these names; ``across`` a
    hexside with one of these; ``along`` a line of one of these kinds (``not_along``: of none of them);
    ``climbs``: ``up``, ``down`` or ``level``. ``requirements``: on the unit, the form and the game.
    ``for_all``: whether the rule is about every class; if not, about those that ``cost`` names.
    ``friends``: whether friendly units that meet ``friend`` must be in the hex entered (``there``) or must
    not be (``away``); empty: it does not matter.

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
    friends: Literal["", "there", "away"]
    friend: tuple[Requirement, ...]
    cost: Costs | None
    for_all: bool
    instead_of: frozenset[str]
    stop: bool


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
                    every = ", ".join(sorted(known)) or "there are none"
                    said = f"expected roads with a row in [rules.roads] ({every}); found {name}"
                    yield Problem("wrong-rules", said, f"{where}.{key}")
        if "friend" in row and "friends" not in row:
            yield Problem("wrong-rules", "expected friends beside friend; found none", where)
        beside = [key for key in _NOT_WITH_FRIENDS if key in row]
        if "friends" in row and beside:
            said = f"expected friends without {', '.join(_NOT_WITH_FRIENDS)}; found {beside[0]}"
            yield Problem("wrong-rules", said, where)


def read(reading: Reading) -> tuple[StepRule, ...]:
    """The rows of the chart, without the effects of clauses that are switched off. A rule without any effect
    is left out."""
    rows = enumerate(reading.plain.get("steps", ()), 1)
    return tuple(_step_rule(n, row, reading) for n, row in rows if _acts(row, reading.off))


def _acts(row: Mapping[str, Any], off: frozenset[str]) -> bool:
    """Whether a rule has any effect."""
    lifts, stops = row.get("instead_of") and COST not in off, row.get("stop") and STOP not in off
    return bool("cost" in row or lifts or stops)


def _step_rule(number: int, row: Mapping[str, Any], reading: Reading) -> StepRule:
    def names(key: str) -> frozenset[str]:
        return frozenset(row.get(key, ()))

    cost = reading.costs(row["cost"], COST, BARRED, NOTHING) if "cost" in row else None
    places = [w for key in ("into", "out_of", "across", "along") for w in sorted(names(key))]
    return StepRule(
        number=number,
        reason=row.get("reason") or " ".join(places) or f"rule {number} about steps",
        requirements=reading.tests(row.get("if", ())),
        into=names("into"),
        out_of=names("out_of"),
        across=names("across"),
        along=names("along"),
        not_along=names("not_along"),
        climbs=row.get("climbs", ""),
        friends={None: "", True: "there", False: "away"}[row.get("friends")],  # type: ignore[arg-type]
        friend=read_requirements(row.get("friend", ())),
        cost=cost,
        for_all=cost is None or is_cell(row["cost"]) or OTHERS in row["cost"],
        instead_of=names("instead_of") if COST not in reading.off else frozenset(),
        stop=bool(row.get("stop")) and STOP not in reading.off,
    )


def clauses_of(rules: RulesOfTables, *, friends: bool = True) -> Iterator[ClauseFunction]:
    """The clauses of the rules about steps: what each costs, and where one makes a unit stop. ``friends``:
    whether those that ask for friends in the hex entered are among them."""
    for rule in rules.typed.steps:
        if rule.friends and not friends:
            continue
        cite = partial(rules.typed.citations.row, "steps", rule.number - 1)
        if rule.cost is not None:
            yield cost(
                cite(COST),
                rule.reason,
                bars=cite(BARRED),
                closed=lambda step, rule=rule: (
                    f"makes a step that is prohibited to {step.who} ({rule.reason})"
                ),
            )(partial(due, rule))
        if rule.stop:
            text = f"goes on after {rule.reason}"
            yield must_stop(cite(STOP), text)(partial(stops, rule))
    if not rules.complete.has("steps"):
        yield cost(COST, "a rule about steps that is not told", bars=COST)(not_told)


def due(rule: StepRule, step: Step) -> CostInterval:
    """A rule about certain steps has its cost."""
    whole = tables_of(step).complete.has("steps")
    if not whole or not applies(rule, step):
        return FREE
    place = ("steps", str(rule.number - 1), "cost")
    return counted(step, row_cost(step, rule.cost or {}, place, rule.reason))


def stops(rule: StepRule, step: Step) -> bool:
    """A unit stops where a rule says so. In a chart that is not whole, the rule may lack an exception."""
    return applies(rule, step) and step.stated("steps")


def not_told(step: Step) -> CostInterval:
    """A rule that is not told may cost anything, and lift all other charges."""
    return counted(step, step.unstated("steps"))


def applies(rule: StepRule, step: Step) -> bool:
    """Whether a step meets all conditions of a rule."""
    if not concerns(rule, step) or not fits(rule, step) or not step.meets(rule.requirements):
        return False
    if not rule.friends:
        return True
    return step.into.friends_first(rule.friend) == (rule.friends == "there")


def concerns(rule: StepRule, step: Step) -> bool:
    """Whether a rule is about the mover's class. A row of costs that leaves a class out is not about it; of a
    class that the tables do not name nobody has said."""
    if rule.cost is None or rule.for_all:
        return True
    classes = rules_of(step).classes(step.cls)
    named = [name != NO_CLASS and rule.cost[name] is not NOTHING for name in classes]
    if NO_CLASS not in classes and len({*named}) == 1:
        return named[0]
    asked = step.rules.complete.questions("classes")
    about = tables_of(step).class_attribute
    return step.undecided(("row", rule.number), asked or (step.asked(about),))


def fits(rule: StepRule, step: Step) -> bool:
    """Whether a step meets a rule's conditions on the board."""
    if rule.along and road_of(step) not in rule.along:
        return False
    if rule.not_along and road_of(step) in rule.not_along:
        return False
    if rule.across and not any(map(step.on_side, sorted(rule.across))):
        return False
    if rule.into and not step.into.has(rule.into):
        return False
    if rule.out_of and not step.out_of.has(rule.out_of):
        return False
    return not rule.climbs or climbs(step.climb("steps")) == rule.climbs


def climbs(rise: int) -> str:
    return "up" if rise > 0 else "down" if rise < 0 else "level"


def charged(step: Step, part: str, due: Callable[[], CostInterval]) -> CostInterval:
    """What a part of the charts charges for a step, unless the road that it follows or a rule about steps
    replaces it. Where there may be such rules that are not told, nothing is known of it."""
    tables, road = tables_of(step), road_of(step)
    if not tables.complete.has("steps"):
        return FREE
    known = tables.roads.get(road)
    if road and (part in known.cancels if known else part != "roads"):
        return FREE
    for rule in tables.steps:
        if part in rule.instead_of and applies(rule, step):
            return CostInterval(0, 0, due().barred) if part == "roads" else FREE
    return counted(step, due())
