"""The tables that a ruleset brings, and merging a pack's tables over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ....model.game import Rules
from ....model.problem import Problem, WrongPack
from ....model.schemas import Schema

COMPLETE, NONE, CLAUSE = "complete", "none", "clause"
Row = tuple[str, int]
"""A chart and the number of one of its rows, from 0; a chart of one row has row 0."""
_EFFECTS = ("instead_of", "stop")


@dataclass(frozen=True, slots=True)
class Preset:
    """``tables``: the charts. ``complete``: the names of the complete ones. ``rows``: the clause that a row
    names (``clause = "MG-5.2"``); it is taken out of the tables."""

    tables: Mapping[str, Any]
    complete: frozenset[str]
    rows: Mapping[Row, str]

    def without(self, off: frozenset[str]) -> Preset:
        """The preset without the rows of the clauses switched ``off``. A rule about steps stays, without an
        effect: the names in it remain known names."""
        gone = {row for row, clause in self.rows.items() if clause in off}
        if not gone:
            return self
        tables, rows = dict(self.tables), {}
        for chart in {chart for chart, _ in self.rows}:
            kept: list[Any] = []
            for number, row in enumerate(listed(tables.pop(chart))):
                if (chart, number) not in gone:
                    rows.update({(chart, len(kept)): self.rows.get((chart, number), "")})
                    kept.append(row)
                elif chart == "steps":
                    kept.append({k: v for k, v in row.items() if k not in _EFFECTS} | {"cost": 0})
            if kept:
                tables[chart] = kept
        return Preset(
            tables, self.complete, {row: clause for row, clause in rows.items() if clause}
        )

    def under(self, rules: Rules) -> Preset:
        """The tables of a pack merged over these: tables key by key, lists as a whole.

        A chart that the pack writes is complete only if the pack says so. :class:`WrongPack` if the pack
        calls a chart complete that only the ruleset writes.
        """
        theirs = rules.complete or frozenset()
        unwritten = sorted((theirs & self.tables.keys()) - rules.tables.keys())
        if unwritten:
            problems = tuple(_unwritten(chart, rules.name) for chart in unwritten)
            raise WrongPack(problems[0].message, problems, where=problems[0].where)
        rows = {row: clause for row, clause in self.rows.items() if row[0] not in rules.tables}
        return Preset(
            merged(self.tables, rules.tables),
            (self.complete - rules.tables.keys()) | theirs,
            rows,
        )


def _unwritten(chart: str, ruleset: str) -> Problem:
    said = (
        f"the ruleset {ruleset} brings the chart {chart} itself; expected the chart written in the pack, "
        f'or no word of it; found that the pack calls it complete or "none"'
    )
    return Problem("wrong-rules", said, f"rules.{chart}")


def read_preset(plain: Mapping[str, Any]) -> Preset:
    """The preset in ``[rules]`` of a manifest, which is written as in a pack."""
    absent = {name for name, value in plain.items() if value == NONE}
    tables = {
        name: deepcopy(value)
        for name, value in plain.items()
        if name != COMPLETE and name not in absent
    }
    rows = dict(_take_clauses(tables))
    return Preset(tables, frozenset((*absent, *plain.get(COMPLETE, ()))), rows)


def _take_clauses(tables: Mapping[str, Any]) -> Iterator[tuple[Row, str]]:
    """The clauses that rows name. Each is removed from its row in ``tables``."""
    for chart, value in tables.items():
        for number, row in enumerate(listed(value)):
            if isinstance(row, dict) and CLAUSE in row:
                yield (chart, number), row.pop(CLAUSE)


def listed(value: Any) -> list[Any]:
    """The rows of a chart, which may be one table or a list of tables."""
    return value if isinstance(value, list) else [value]


def merged(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """``ours`` with ``theirs`` written over it; tables are merged key by key, all else is replaced."""
    found = dict(ours)
    for key, value in theirs.items():
        held = found.get(key)
        both = isinstance(held, Mapping) and isinstance(value, Mapping)
        found[key] = merged(held, value) if both else value  # type: ignore[arg-type]
    return found


def _citing(value: Any, ids: Mapping[str, str]) -> Any:
    """A copy of a schema, or of a part of it, with the ids to cite in its lists of clauses."""
    if isinstance(value, Mapping):
        found = {key: _citing(one, ids) for key, one in value.items()}
        clauses = value.get("clauses")
        if isinstance(clauses, list):
            found["clauses"] = list(dict.fromkeys(ids.get(one, one) for one in clauses))
        return found
    return [_citing(one, ids) for one in value] if isinstance(value, list) else value


def schema_over(
    base: Schema,
    preset: Preset,
    own: Mapping[str, Any],
    name: str,
    ids: Mapping[str, str] = MappingProxyType({}),
) -> Schema:
    """The schema of ``[rules]`` in a pack of the ruleset ``name``.

    It is the schema ``base``, in which nothing is required that the ``preset`` says already, with the charts
    in ``own`` (``properties`` and ``$defs``). ``ids``: clause of the base → clause that stands for it.
    """
    plain = _citing(base.plain, ids)
    charts = plain["properties"]
    for chart in preset.tables.keys() & charts.keys():
        charts[chart].pop("required", None)
        if charts[chart].get("type") == "object":
            charts[chart].pop("anyOf", None)
    begun = {k: v for k, v in plain.get("default", {}).items() if k not in preset.tables}
    title = f"Tables of the ruleset {name}"
    plain |= {
        "$id": f"https://vassal-umpire.invalid/schemas/{name}.json",
        "title": title,
        "description": f"the tables of the ruleset {name}, as [rules] of pack.toml holds them",
        "default": begun,
        "required": [key for key in plain.get("required", ()) if key not in preset.tables],
        "properties": {**charts, **own.get("properties", {})},
        "$defs": {**plain.get("$defs", {}), **own.get("$defs", {})},
    }
    return Schema(plain)
