"""Zones of control as the tables have them: one rule, or several for different units and forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...concepts.charts import NOTHING, ChartReader, Costs
from ...concepts.completeness import Completeness
from ...concepts.requirements import read_requirements
from ...concepts.zones import ZoneRule
from .tables import Zoc


def zone_tables(plain: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The tables under ``zoc``, which may be one table or a list."""
    zoc = plain.get("zoc", ())
    yield from [zoc] if isinstance(zoc, Mapping) else zoc


def read_zocs(
    plain: Mapping[str, Any], charts: ChartReader, off: frozenset[str], complete: Completeness
) -> tuple[Zoc, ...]:
    """The rules on zones of control. If the chart is not whole, there is one more, for whatever other rule
    there may be: any unit may exert its zones, and their costs are unknown."""
    tables = [*zone_tables(plain), *([] if complete.has("zoc") else [{}])]
    return tuple(_read(zoc, charts, off, complete) for zoc in tables)


def _read(
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
