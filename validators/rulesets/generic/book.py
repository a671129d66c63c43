"""The ruleset ``generic``, and small games: its tables with clauses, words and questions of their own, the
tables that a ruleset brings, and merging those of a pack over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ....model.finding import Clause
from ....model.game import Game, Rules
from ....model.names import HEXSIDE, LINE, TERRAIN, Words, value_of
from ....model.plain import merged
from ....model.problem import Problem, WrongPack
from ....model.schemas import Schema
from ...concepts.completeness import Completeness
from ...engine.clauses import ClauseFunction
from ...engine.history import History
from ...engine.ruleset import ClauseRuleset
from ...phase_rules import StackingRule
from ...rulebook import folder_of, package_of, read_bases, read_clauses, schema_beside
from .own import own
from .rules import TableRules
from .tables import Citations, Tables, read_tables
from .terms import listed

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
        f"the ruleset {ruleset} brings the chart {chart} itself; expected the pack to write the chart, "
        f'or to leave it out; found it called complete or "none"'
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


GENERIC = "generic"
ROWS = ("steps", "zoc", "stacking", "surcharges")
"""The charts whose rows may name the clause that they belong to."""


@dataclass(frozen=True)
class TableRuleset(ClauseRuleset):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`. Made by :func:`ruleset`.
    ``python``: its clauses that are Python functions. WrongPack if its files are faulty."""

    python: tuple[ClauseFunction, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = () if self.is_generic else tuple(self._faults())
        if problems:
            raise WrongPack.of(problems, f"manifest.toml of {package_of(self.module)}")

    @property
    def is_generic(self) -> bool:
        """Whether it is ``generic`` itself, without a game."""
        return self.manifest.name == GENERIC

    @cached_property
    def preset(self) -> Preset:
        """The tables that the ruleset brings."""
        return read_preset(self.manifest.rules)

    @cached_property
    def schema(self) -> Schema:
        """The schema of what a pack may write in ``[rules]``."""
        base = schema_beside(__name__)
        if self.is_generic:
            return base
        return schema_over(base, self.preset, self._own_schema, self.name, self._ids)

    @cached_property
    def _own_schema(self) -> Mapping[str, Any]:
        there = (folder_of(self.module) / "schema.json").is_file() and not self.is_generic
        return schema_beside(self.module).plain if there else {}

    def printed(self) -> Mapping[str, Any]:
        """The tables that the ruleset brings. They apply wherever the pack writes nothing else."""
        return self.preset.tables

    @property
    def whole_charts(self) -> frozenset[str]:
        """The charts of :meth:`printed` that are complete."""
        return self.preset.complete

    @cached_property
    def _bases(self) -> Mapping[str, tuple[str, ...]]:
        return read_bases(folder_of(self.module) / "clauses.toml")

    @cached_property
    def _ids(self) -> Mapping[str, str]:
        """Id of a clause of ``generic`` → id of the ruleset's clause that stands for it."""
        return {name: own for own, names in self._bases.items() for name in names}

    @cached_property
    def _clauses(self) -> Mapping[str, Clause]:
        """The ruleset's own clauses, then those of ``generic`` for which none of them stands."""
        rest = {k: c for k, c in of_generic().items() if k not in self._ids}
        return {**self.own_clauses, **rest}

    def in_force(self, game: Game) -> TableRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        self.check(rules)
        if not self.is_generic:
            self.check_tables(rules)
        off = frozenset(rules.off)
        preset = self.preset.without(off).under(rules)
        of_base = {name for clause in off for name in self._bases.get(clause, (clause,))}
        if not self.is_generic:
            of_base -= self.own_clauses.keys()
        own_charts = self._own_schema.get("properties", {})
        tables = {k: v for k, v in preset.tables.items() if k not in own_charts}
        charts = Completeness(None if rules.complete is None else preset.complete)
        typed = self._cited(read_tables(tables, of_base, charts), preset.rows)
        declared = "" if "GEN-DECLARED" in of_base else typed.citations.of("GEN-DECLARED")
        return TableRules(
            self,
            game,
            preset.tables,
            History(game, {}, ()),
            declared_clause=declared,
            typed=typed,
            own=tuple(own(clause) for clause in self.python if clause.id not in off),
        )

    def _cited(self, tables: Tables, rows: Mapping[Row, str]) -> Tables:
        """The tables, set to cite the ruleset's own clause ids."""
        by_row: dict[tuple[str, int | str], str] = dict(rows.items())
        for number, row in enumerate(tables.plain.get("surcharges", ())):
            if ("surcharges", number) in rows:
                by_row["surcharges", row.get("reason", "surcharge")] = rows["surcharges", number]
        citations = Citations(self._ids, by_row)
        order = tables.order
        return replace(
            tables,
            citations=citations,
            stacking=_stacks(tables.stacking, citations),
            order=replace(order, clause=citations.of(order.clause)),
        )

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        tables = self.preset.under(Rules(self.name, tables)).tables
        sides = tables.get("hexsides", {})
        bridges = {b["feature"] for side in sides.values() for b in side.get("bridges", ())}
        zones, steps = listed(tables.get("zoc", [])), tables.get("steps", ())
        named = {*_named(zones, "not_across", "across"), *_named(steps, "across")}
        found = {
            TERRAIN: Words(frozenset(tables["terrain"]["costs"]), "terrain"),
            HEXSIDE: Words(frozenset({*sides, *bridges, *named}), "hexsides"),
            LINE: Words(frozenset(tables.get("roads", ())), "roads"),
        }
        classes = tables["classes"]
        if "attribute" in classes:
            found[value_of(classes["attribute"])] = Words(frozenset(classes["names"]), "classes")
        return found

    # -- what may be wrong with the manifest --------------------------------------------------------

    def _faults(self) -> Iterator[Problem]:
        """Every fault in the ruleset's own files, one problem each."""
        if self.manifest.extends != GENERIC:
            yield Problem("wrong-manifest", f'expected extends = "{GENERIC}"', "extends")
        nothing = Preset({}, frozenset(), {})
        base = schema_beside(__name__)
        bare = {**schema_over(base, nothing, self._own_schema, self.name).plain, "required": []}
        for fault in Schema(bare).faults(dict(self.preset.tables)):
            said = f"expected {fault.expected}; found {fault.found}"
            yield Problem("wrong-manifest", said, f"rules.{fault.place}")
        for chart in sorted(self.preset.complete - bare["properties"].keys()):
            yield Problem("wrong-manifest", f"there is no chart {chart}", "rules.complete")
        own = self.own_clauses
        for clause in own:
            if not clause.startswith(self.manifest.prefix):
                said = f"expected ids that begin with {self.manifest.prefix}; found {clause}"
                yield Problem("wrong-clause", said, "clauses.toml")
        taken: dict[str, str] = {}
        for clause, names in self._bases.items():
            for name in names:
                if name not in of_generic():
                    said = f"{clause}: expected clauses of {GENERIC} as base; found {name}"
                    yield Problem("wrong-clause", said, "clauses.toml")
                elif name in taken:
                    said = f"{clause} and {taken[name]} both stand for {name}; name one in the rows instead"
                    yield Problem("wrong-clause", said, "clauses.toml")
                taken[name] = clause
        for one in self.python:
            if one.id not in own:
                said = f"expected a clause of clauses.toml; found {one.id}"
                yield Problem("wrong-clause", said, getattr(one.run, "__name__", "a clause"))
        for (chart, number), clause in self.preset.rows.items():
            where = f"rules.{chart}[{number + 1}].clause"
            if clause not in own:
                said = f"expected a clause of clauses.toml; found {clause}"
                yield Problem("wrong-manifest", said, where)
            if chart not in ROWS:
                said = f"expected a clause in rows of {', '.join(ROWS)}; found one in {chart}"
                yield Problem("wrong-manifest", said, where)


def of_generic() -> Mapping[str, Clause]:
    """The clauses of ``generic``, by id."""
    return read_clauses(folder_of(__name__) / "clauses.toml")


def _named(tables: Iterable[Mapping[str, Any]], *keys: str) -> Iterator[str]:
    """All names that these tables list under ``keys``."""
    for table in tables:
        for key in keys:
            yield from table.get(key, ())


def _stacks(rule: StackingRule | None, citations: Citations) -> StackingRule | None:
    """A stacking rule and the further ones in ``also``, with the ids to cite. None: there is none."""
    if rule is None:
        return None
    first, *others = (
        replace(one, clause=citations.row("stacking", number, one.clause), also=())
        for number, one in enumerate((rule, *rule.also))
    )
    return replace(first, also=tuple(others))


def ruleset(module: str, clauses: Iterable[ClauseFunction] = ()) -> TableRuleset:
    """The ruleset whose ``manifest.toml`` and ``clauses.toml`` lie beside ``module``. Write
    ``RULESET = ruleset(__name__)``. ``clauses``: its clauses in Python (:mod:`.own`).
    :class:`WrongPack` with a line for each fault in these files."""
    return TableRuleset(module, python=tuple(clauses))
