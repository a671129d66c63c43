"""Rules about certain steps (``[[rules.steps]]``): extra or other costs, and where a unit must stop; and
zones of control and stacking as the tables have them: one rule each, or several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ....model.problem import Problem
from ...concepts.charts import NO_CLASS, NOTHING, OTHERS, ChartReader, Costs, is_cell, number
from ...concepts.completeness import Completeness
from ...concepts.requirements import read_requirements
from ...concepts.zones import ZoneRule
from ...cost_interval import FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost, must_stop
from ...engine.step import Step
from ...ruleset import Measure, StackingLimit, StackingRule
from .tables import StepRule, Zoc, listed
from .terms import counted, road_of, rules_of, tables_of
from .terms import row as row_cost

if TYPE_CHECKING:
    from .tables import Tables


COST, BARRED, STOP = "GEN-STEP", "GEN-STEP-PROHIBITED", "GEN-STEP-STOP"
_NOT_WITH_FRIENDS = ("along", "not_along", "instead_of", "stop")


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


def read_step_rules(
    plain: Iterable[Mapping[str, Any]], charts: ChartReader, off: frozenset[str]
) -> tuple[StepRule, ...]:
    """The rules of ``[[rules.steps]]``, without the effects of clauses that are switched ``off``. A rule
    without any effect is left out."""
    found = (_step_rule(number, row, charts, off) for number, row in enumerate(plain, 1))
    return tuple(rule for rule in found if rule.cost is not None or rule.instead_of or rule.stop)


def _step_rule(
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
        friends={None: "", True: "there", False: "away"}[row.get("friends")],  # type: ignore[arg-type]
        friend=read_requirements(row.get("friend", ())),
        cost=cost,
        for_all=cost is None or is_cell(row["cost"]) or OTHERS in row["cost"],
        instead_of=names("instead_of") if COST not in off else frozenset(),
        stop=bool(row.get("stop")) and STOP not in off,
    )


def clauses_of(tables: Tables, *, friends: bool = True) -> Iterator[ClauseFunction]:
    """The clauses of the rules about steps: what each costs, and where one makes a unit stop. ``friends``:
    whether those that ask for friends in the hex entered are among them."""
    for rule in tables.steps:
        if rule.friends and not friends:
            continue
        cite = partial(tables.citations.row, "steps", rule.number - 1)
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
            yield must_stop(cite(STOP), text)(partial(applies, rule))
    if not tables.complete.has("steps"):
        yield cost(COST, "a rule about steps that is not told", bars=COST)(not_told)


def due(rule: StepRule, step: Step) -> CostInterval:
    """A rule about certain steps has its cost."""
    whole = tables_of(step).complete.has("steps")
    if not whole or not applies(rule, step):
        return FREE
    place = ("steps", str(rule.number - 1), "cost")
    return counted(step, row_cost(step, rule.cost or {}, place, rule.reason))


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


def read_zocs(
    plain: Mapping[str, Any], charts: ChartReader, off: frozenset[str], complete: Completeness
) -> tuple[Zoc, ...]:
    """The rules on zones of control. If the chart is not whole, there is one more, for whatever other rule
    there may be: any unit may exert its zones, and their costs are unknown."""
    tables = [*listed(plain.get("zoc", [])), *([] if complete.has("zoc") else [{}])]
    return tuple(_zoc(zoc, charts, off, complete) for zoc in tables)


def _zoc(
    zoc: Mapping[str, Any], charts: ChartReader, off: frozenset[str], complete: Completeness
) -> Zoc:
    whole = complete.has("zoc")

    def costs(key: str, clause: str) -> Costs | None:
        if clause in off or (whole and key not in zoc):
            return None
        missing = complete.cell("zoc", NOTHING)
        return charts.costs(zoc.get(key, "unknown"), clause, clause, missing)

    def names(key: str) -> frozenset[str]:
        return frozenset(zoc.get(key, ()))

    return Zoc(
        zone=ZoneRule(
            exerted_by=read_requirements(zoc.get("exerted_by", ())),
            not_across=names("not_across"),
            not_into=names("not_into"),
            negated=bool(zoc.get("negated_by_friends")) and "GEN-ZOC-NEGATED" not in off,
            across=names("across"),
            into=names("into"),
            out_of=names("out_of"),
            missing_fact=next(iter(complete.questions("zoc")), None),
        ),
        felt_by=read_requirements(zoc.get("felt_by", ())),
        not_into_prohibited=bool(zoc.get("not_into_prohibited")),
        enter=costs("enter", "GEN-ZOC-ENTER"),
        leave=costs("leave", "GEN-ZOC-LEAVE"),
        within=costs("within", "GEN-ZOC-WITHIN"),
        stop=bool(zoc.get("stop", not whole)) and "GEN-ZOC-STOP" not in off,
    )


def read_stacking(
    plain: Mapping[str, Any], off: frozenset[str], complete: Completeness
) -> StackingRule | None:
    """The first stacking rule, with the others in :attr:`StackingRule.also`; None: there is none."""
    if "GEN-STACKING" in off:
        return None
    rules = [_stacking(stacking, complete) for stacking in listed(plain.get("stacking", []))]
    return replace(rules[0], also=tuple(rules[1:])) if rules else None


def _stacking(stacking: Mapping[str, Any], complete: Completeness) -> StackingRule:
    limits = [
        StackingLimit(((number(limit["limit"]),),), tuple(limit["terrain"]))
        for limit in stacking.get("limits", ())
    ]
    if "limit" in stacking:
        limits.append(StackingLimit(((number(stacking["limit"]),),)))
    measure = Measure(
        name=stacking.get("name") or stacking.get("size", "units"),
        size=stacking.get("size", ""),
        counted=read_requirements(stacking.get("counted", ())),
        exempt=read_requirements(stacking.get("exempt", ())),
    )
    checked = stacking.get("checked", "move-end")
    return StackingRule(
        "GEN-STACKING",
        (measure,),
        tuple(limits),
        checked,
        complete.questions("stacking"),
        frozenset(stacking.get("sides", ())),
    )
