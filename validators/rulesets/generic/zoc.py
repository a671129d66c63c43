"""The chart ``zoc``: what enemy zones of control do to a step, by one rule or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...concepts.charts import NOTHING, Costs
from ...concepts.requirements import read_requirements
from ...concepts.zones import ZoneRule
from ...cost_interval import FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost, must_stop
from ...engine.hex_view import HexView
from ...engine.step import Step
from ...ruleset import Requirement
from .terms import Reading, RulesOfTables, counted, listed, row, tables_of

ZONES = {
    "enter": ("GEN-ZOC-ENTER", "enters an enemy zone of control"),
    "leave": ("GEN-ZOC-LEAVE", "leaves an enemy zone of control"),
    "within": ("GEN-ZOC-WITHIN", "goes from one enemy zone of control to another"),
}


@dataclass(frozen=True, slots=True)
class Zoc:
    """A rule on zones of control. ``zone``: who exerts them and where. ``felt_by``: what a mover must meet to
    be subject to them. ``enter``, ``leave``, ``within``: their costs; None: nothing."""

    zone: ZoneRule
    felt_by: tuple[Requirement, ...]
    not_into_prohibited: bool
    enter: Costs | None
    leave: Costs | None
    within: Costs | None
    stop: bool


def read(reading: Reading) -> tuple[Zoc, ...]:
    """The rules on zones of control. If the chart is not whole, there is one more, for whatever other rule
    there may be: any unit may exert its zones, and their costs are unknown."""
    rows = [*listed(reading.plain.get("zoc", [])), *([] if reading.complete.has("zoc") else [{}])]
    return tuple(_zoc(row, reading) for row in rows)


def _zoc(zoc: Mapping[str, Any], reading: Reading) -> Zoc:
    off, complete = reading.off, reading.complete
    whole = complete.has("zoc")

    def costs(key: str, clause: str) -> Costs | None:
        if clause in off or (whole and key not in zoc):
            return None
        missing = complete.cell("zoc", NOTHING)
        return reading.costs(zoc.get(key, "unknown"), clause, clause, missing)

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
        felt_by=reading.tests(zoc.get("felt_by", ())),
        not_into_prohibited=bool(zoc.get("not_into_prohibited")),
        enter=costs("enter", "GEN-ZOC-ENTER"),
        leave=costs("leave", "GEN-ZOC-LEAVE"),
        within=costs("within", "GEN-ZOC-WITHIN"),
        stop=bool(zoc.get("stop", not whole)) and "GEN-ZOC-STOP" not in off,
    )


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """The clauses of each rule: what it costs to enter, to leave and to go within, and where to stop."""
    for number, zoc in enumerate(rules.typed.zocs):
        for key, (clause, text) in ZONES.items():
            if getattr(zoc, key) is not None:
                cited = rules.typed.citations.row("zoc", number, clause)
                yield cost(cited, text, bars=cited, closed=text, of_enemies=True)(
                    partial(zone_cost, number, zoc, key)
                )
        if zoc.stop:
            clause = rules.typed.citations.row("zoc", number, "GEN-ZOC-STOP")
            text = "goes on after an enemy zone of control"
            yield must_stop(clause, text, of_enemies=True)(partial(zone_stop, number, zoc))


def zone_cost(number: int, zoc: Zoc, key: str, step: Step) -> CostInterval:
    """To enter a zone of control, leave one, or go from one to another has its cost."""
    if key != "leave" and not felt(number, zoc, step, step.into):
        return FREE
    if key != "enter" and not felt(number, zoc, step, step.out_of):
        return FREE
    one = len(tables_of(step).zocs) == 1
    place = ("zoc", key) if one else ("zoc", str(number), key)
    return counted(step, row(step, getattr(zoc, key), place, f"zoc.{key}"))


def zone_stop(number: int, zoc: Zoc, step: Step) -> bool:
    """A unit stops when it enters a zone of control."""
    return felt(number, zoc, step, step.into)


def felt(number: int, zoc: Zoc, step: Step, where: HexView) -> bool:
    """Whether a hex is in a zone of control to which the mover is subject."""
    return where.in_zone(number) and step.meets(zoc.felt_by)
