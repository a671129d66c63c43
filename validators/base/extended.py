"""A ruleset that extends ``generic`` with tables, clauses, words and questions of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...model.finding import Clause
from ...model.game import Game, Rules
from ...model.names import Words
from ...model.problem import Problem
from ...model.schemas import Schema
from ..allowed_facts import TEXT, Allowed, AllowedFacts
from ..allowed_facts import words as one_of
from ..clauses import read_bases
from ..concepts.completeness import Completeness
from ..phase_rules import StackingRule
from ..rulebook import readings_of
from ..ruleset_folder import Manifest, folder_of, package_of, refused, schema_beside
from ..rulesets.generic import RULESET as BASE
from ..rulesets.generic.citing import Citations
from ..rulesets.generic.movers import MoverFactory
from ..rulesets.generic.reading import read_tables
from ..rulesets.generic.rules import Generic, GenericRules
from ..rulesets.generic.tables import Tables
from .own_clauses import OwnClause
from .own_graph import OwnMoverFactory
from .preset import Preset, Row, read_preset, schema_over

ROWS = ("steps", "zoc", "stacking", "surcharges")
"""The charts whose rows may name the clause that they belong to."""


@dataclass(frozen=True)
class ExtendedRules(GenericRules):
    """The rules in force in one game. ``manifest``: says which facts the ruleset itself asks for; None: it
    asks for no others than its tables do."""

    manifest: Manifest | None = None

    @property
    def others_only_hinder(self) -> bool:
        """See :class:`~..ruleset.KnowsOthers`. A clause in Python may ask for anything."""
        return super().others_only_hinder and not isinstance(self.mover_factory, OwnMoverFactory)

    def allowed_facts(self) -> AllowedFacts:
        """See :class:`~..allowed_facts.TellsAllowedFacts`."""
        told, own = super().allowed_facts(), self.manifest
        if own is None:
            return told
        return AllowedFacts(
            _asked(told.attributes, own.attributes), _asked(told.conditions, own.conditions)
        )


@dataclass(frozen=True)
class ExtendedRuleset(Generic):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`. Made by :func:`ruleset`.
    ``python``: its clauses that are Python functions. WrongPack if its files are faulty."""

    python: tuple[OwnClause, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = tuple(self._faults())
        if problems:
            where = f"manifest.toml of {package_of(self.module)}"
            raise refused(problems, where)

    @cached_property
    def preset(self) -> Preset:
        """The tables that the ruleset brings."""
        return read_preset(self.manifest.rules)

    @cached_property
    def schema(self) -> Schema:
        """The schema of what a pack may write in ``[rules]``."""
        return schema_over(BASE.schema, self.preset, self._own_schema, self.name, self._ids)

    @cached_property
    def _own_schema(self) -> Mapping[str, Any]:
        there = (folder_of(self.module) / "schema.json").is_file()
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
        """Id of a clause of the base → id of the ruleset's clause that stands for it."""
        return {name: own for own, names in self._bases.items() for name in names}

    @cached_property
    def _clauses(self) -> Mapping[str, Clause]:
        """The ruleset's own clauses, then those of the base for which none of them stands."""
        stood_for = {name for names in self._bases.values() for name in names}
        rest = {k: c for k, c in BASE.clauses().items() if k not in stood_for}
        return {**self.own_clauses, **rest}

    def in_force(self, game: Game) -> ExtendedRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        self.check(rules)
        self._check_tables(rules)
        off = frozenset(rules.off)
        preset = self.preset.without(off).under(rules)
        of_base = {name for clause in off for name in self._bases.get(clause, (clause,))}
        own_charts = self._own_schema.get("properties", {})
        of_the_base = {k: v for k, v in preset.tables.items() if k not in own_charts}
        charts = Completeness(None if rules.complete is None else preset.complete)
        tables = self._cited(
            read_tables(of_the_base, of_base - self.own_clauses.keys(), charts), preset.rows
        )
        declared = "" if "GEN-DECLARED" in of_base else tables.citations.of("GEN-DECLARED")
        found = ExtendedRules(
            self,
            game,
            tables,
            MoverFactory(game, tables),
            readings_of(rules),
            declared,
            self.manifest,
        )
        own = tuple(clause for clause in self.python if clause.clause not in off)
        if not own:
            return found
        theirs = {k: v for k, v in preset.tables.items() if k in own_charts}
        return replace(
            found, mover_factory=OwnMoverFactory(game, tables, own, found.allowed_facts(), theirs)
        )

    def _check_tables(self, rules: Rules) -> None:
        faults = self.schema.faults(dict(rules.tables))
        problems = tuple(
            Problem("wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}")
            for f in faults
        )
        if problems:
            where = f"tables of the ruleset {self.name}"
            raise refused(problems, where)

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
        return super().names_known(self.preset.under(Rules(self.name, tables)).tables)

    # -- what may be wrong with the manifest --------------------------------------------------------

    def _faults(self) -> Iterator[Problem]:
        """Every fault in the ruleset's own files, one problem each."""
        if self.manifest.extends != BASE.name:
            yield Problem("wrong-manifest", f'expected extends = "{BASE.name}"', "extends")
        nothing = Preset({}, frozenset(), {})
        bare = {
            **schema_over(BASE.schema, nothing, self._own_schema, self.name).plain,
            "required": [],
        }
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
                if name not in BASE.clauses():
                    said = f"{clause}: expected clauses of {BASE.name} as base; found {name}"
                    yield Problem("wrong-clause", said, "clauses.toml")
                elif name in taken:
                    said = f"{clause} and {taken[name]} both stand for {name}; name one in the rows instead"
                    yield Problem("wrong-clause", said, "clauses.toml")
                taken[name] = clause
        for one in self.python:
            if one.clause not in own:
                said = f"expected a clause of clauses.toml; found {one.clause}"
                yield Problem("wrong-clause", said, getattr(one.check, "__name__", "a clause"))
        for (chart, number), clause in self.preset.rows.items():
            where = f"rules.{chart}[{number + 1}].clause"
            if clause not in own:
                said = f"expected a clause of clauses.toml; found {clause}"
                yield Problem("wrong-manifest", said, where)
            if chart not in ROWS:
                said = f"expected a clause in rows of {', '.join(ROWS)}; found one in {chart}"
                yield Problem("wrong-manifest", said, where)


def _asked(
    told: Mapping[str, Allowed], own: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Allowed]:
    """The facts that the tables ask for (``told``), with the values and questions of the manifest (``own``)
    in place of theirs, and the facts that only the manifest names."""
    found = dict(told)
    for name, one in own.items():
        allowed = one_of(*map(str, one["values"])) if "values" in one else told.get(name, TEXT)
        found[name] = allowed.asked(one["question"])
    return found


def _stacks(rule: StackingRule | None, citations: Citations) -> StackingRule | None:
    """A stacking rule and the further ones in ``also``, with the ids to cite. None: there is none."""
    if rule is None:
        return None
    first, *others = (
        replace(one, clause=citations.row("stacking", number, one.clause), also=())
        for number, one in enumerate((rule, *rule.also))
    )
    return replace(first, also=tuple(others))


def ruleset(module: str, clauses: Iterable[OwnClause] = ()) -> ExtendedRuleset:
    """The ruleset whose ``manifest.toml`` and ``clauses.toml`` lie beside ``module``. Write
    ``RULESET = ruleset(__name__)``. ``clauses``: its clauses in Python (:mod:`.own_clauses`).
    :class:`WrongPack` with a line for each fault in these files."""
    return ExtendedRuleset(module, tuple(clauses))
