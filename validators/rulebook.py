"""Base classes for rulesets: they read the ruleset's files, list its clauses, and reject unknown clauses and
options in a pack.

The files lie in the package that holds its code, so a ruleset is one folder:

``manifest.toml``   name, version and source, and the tables if it builds on another (:class:`Manifest`)
``schema.json``     the schema of the tables that a pack may give in ``[rules]``
``tables.toml``     the tables that ship with the ruleset, if any
``page.md``         the part of its documentation page that is written by hand
``cases``           conformance cases, if any ship with it

``clauses.toml`` of a ruleset has one table for each clause::

    [GEN-STACKING]
    title = "Stacking"
    text = "No more units of a side than the limit may be in a hex when it is checked."   # in our own words
    kind = "stacking"
    status = "enforced"             # the default; or declared, not-observable, definition
    reason = "…"                    # why the status is not "enforced"
    needs = ["where every unit is", "the stacking limits"]    # what must be known to check it
    unverifiable = ["how big a counter is, is not known"]     # what leaves it open

    [[GEN-STACKING.readings]]       # for each way in which the text is ambiguous
    option = "stacking.checked"
    question = "When is a stack checked?"
    choices = ["move-end", "phase-end"]
    default = "move-end"

In a ruleset that builds on another, ``base = ["GEN-STACKING"]`` names the clauses of the other ruleset that a
clause replaces. Reports then cite the clause instead of those.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from ..model import schemas
from ..model.fact import written
from ..model.finding import Clause, Reading
from ..model.game import Rules
from ..model.names import CHART, Words
from ..model.problem import Problem, WrongPack
from ..model.schemas import Schema

BASE = "base"


def read_bases(file: Traversable) -> Mapping[str, tuple[str, ...]]:
    """Id of a clause → ids of the clauses of the other ruleset that it replaces. Clauses that replace none
    are left out."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: tuple(row[BASE]) for name, row in rows.items() if BASE in row}


def read_clauses(file: Traversable) -> Mapping[str, Clause]:
    """Every clause by id, in the order of the file. A fault in the file is a bug of the ruleset, so errors
    are plain: TypeError for a key that does not exist, or if ``title`` or ``text`` is missing; KeyError if a
    reading lacks a key."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType({name: _clause(name, row) for name, row in rows.items()})


def _clause(name: str, row: dict[str, Any]) -> Clause:
    rest = {key: value for key, value in row.items() if key != BASE}
    readings = tuple(
        Reading(r["option"], r["question"], tuple(r["choices"]), r["default"])
        for r in rest.pop("readings", ())
    )
    needs, unverifiable = (tuple(rest.pop(key, ())) for key in ("needs", "unverifiable"))
    return Clause(name, needs=needs, unverifiable=unverifiable, readings=readings, **rest)


TABLES = "rules."
"""Prefix of the options that a pack sets in its ``[rules]``."""


def readings_in_force(
    clauses: Mapping[str, Clause], rules: Rules, told: Mapping[str, str]
) -> dict[str, str]:
    """The value of each option, for all readings of clauses that are not switched off: the ruleset's own
    (``told``), else the pack's, else the default."""
    found: dict[str, str] = {}
    for key, clause in clauses.items():
        if key not in rules.off:
            for reading in clause.readings:
                for option, value in _settled(reading.option, rules):
                    found[option] = written(reading.default if value is None else value)
    return {**found, **told}


def _settled(option: str, rules: Rules) -> Iterator[tuple[str, Any]]:
    """``option`` with the pack's value for it; None if the pack gives none. A ``*`` in its name stands for
    every name in that table, and each gives an option of its own."""
    if option in rules.options or not option.startswith(TABLES):
        yield option, rules.options.get(option)
        return
    paths: list[tuple[list[str], Any]] = [([], rules.tables)]
    for part in option.removeprefix(TABLES).split("."):
        paths = [
            ([*path, name], here.get(name) if isinstance(here, Mapping) else None)
            for path, here in paths
            for name in (_names(here) if part == "*" else [part])
        ]
    for path, value in paths:
        yield TABLES + ".".join(path), value


def _names(table: Any) -> list[str]:
    return [str(name) for name in table] if isinstance(table, Mapping) else []


Choices = Mapping[str, tuple[str, ...]]
"""Option of a pack → the values that it may have, the default first."""


@dataclass(frozen=True)
class Rulebook:
    """A ruleset whose files are in the package of ``module`` (a dotted name; a ruleset passes ``__name__``).
    A subclass adds ``in_force``; see :class:`.ruleset.Ruleset`. Raises :class:`WrongPack` if the manifest is
    faulty, which is a bug of the ruleset."""

    module: str
    manifest: Manifest = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "manifest", read_manifest(self.module))

    @property
    def name(self) -> str:
        """The name by which packs choose the ruleset."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """The version of its clauses and its code."""
        return self.manifest.version

    @property
    def opens_charts(self) -> bool:
        """Whether whatever a chart leaves out is not known until a pack calls the chart complete. False: all
        charts count as complete."""
        return self.manifest.opens_charts

    @cached_property
    def schema(self) -> Schema:
        """The schema of ``[rules]`` in a pack."""
        return schema_beside(self.module)

    def printed(self) -> Mapping[str, Any]:
        """The tables that ship with the ruleset. They hold unless a pack says otherwise."""
        return tables_beside(self.module)

    @property
    def whole_charts(self) -> frozenset[str]:
        """The charts of :meth:`printed` that are complete, even if a pack does not call them so."""
        return frozenset()

    @cached_property
    def own_clauses(self) -> Mapping[str, Clause]:
        """The clauses of its own ``clauses.toml``, by id."""
        return read_clauses(folder_of(self.module) / "clauses.toml")

    @cached_property
    def _clauses(self) -> Mapping[str, Clause]:
        return self.own_clauses

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause, by id."""
        return self._clauses

    @cached_property
    def choices(self) -> Choices:
        """The options by which a pack settles open readings. Readings that it settles in ``[rules]`` are left
        out."""
        readings = (r for clause in self._clauses.values() for r in clause.readings)
        return {
            r.option: (r.default, *(choice for choice in r.choices if choice != r.default))
            for r in readings
            if not r.option.startswith(TABLES)
        }

    def check(self, rules: Rules, choices: Choices | None = None) -> None:
        """Raises WrongPack if ``rules`` switch off a clause that does not exist, or set an option that is not
        in ``choices`` or has another value than these. ``choices`` None: :attr:`choices`."""
        options = self.choices if choices is None else choices
        problems = (*self._clauses_off(rules), *self._wrong_options(rules, options))
        if problems:
            raise WrongPack(problems[0].message, problems, where=problems[0].where)

    def _clauses_off(self, rules: Rules) -> Iterator[Problem]:
        for name in rules.off:
            if name not in self._clauses:
                text = f"{name} is not a clause of the ruleset {self.name}"
                yield Problem("unknown-clause", text, "pack.off")

    def _wrong_options(self, rules: Rules, options: Choices) -> Iterator[Problem]:
        for option, value in rules.options.items():
            if option not in options:
                text = f"the ruleset {self.name} has no option {option}"
                yield Problem("unknown-option", text, "options")
            elif str(value) not in options[option]:
                text = f"expected one of {', '.join(options[option])}; found {value}"
                yield Problem("wrong-option", text, f"options.{option}")

    def words(self, rules: Rules) -> Mapping[str, Words]:
        """See :class:`.ruleset.Vocabulary`. If the tables do not fit their schema, only the names of the
        charts."""
        charts = frozenset(self.schema.plain.get("properties", ()))
        found = {CHART: Words(charts)}
        if not self.schema.faults(dict(rules.tables)):
            found.update(self.names_known(rules.tables))
        return found

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """The names that ``tables`` use, by kind. ``tables`` fit their schema. A ruleset overrides this; here
        there are none."""
        return {}

    def settled(self, rules: Rules) -> dict[str, str]:
        """The value of each option in :attr:`choices`: the pack's, else the default."""
        return {name: str(rules.options.get(name, of[0])) for name, of in self.choices.items()}


def readings_of(rules: Rules, settled: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """What a report lists as readings: the values in ``settled`` (option → value; None: none), and each
    clause that is switched off."""
    return {**(settled or {}), **dict.fromkeys(rules.off, "switched off")}


@dataclass(frozen=True, slots=True)
class Manifest:
    """``manifest.toml`` of a ruleset.

    ``name``: what packs call the ruleset. ``version``: of its clauses and its code. ``title``: the game, for
    readers. ``source``: the text that the rules are from. ``prefix``: the ids of its clauses begin with it.
    ``opens_charts``: whatever a pack's chart leaves out is not known, unless the pack calls the chart
    complete (:mod:`.concepts.completeness`). False: all charts count as complete, whatever the pack says.

    The rest is for a ruleset that builds on another. ``extends``: the name of that ruleset; empty: it builds
    on none. ``rules``: its tables, in the form of ``[rules]`` of a pack. ``attributes`` and ``conditions``:
    by name, the values that each may have and the question that asks for it. ``phases`` and ``forms``: those
    of the game, in the form of ``[[phase]]`` and ``[[form]]`` of a pack."""

    name: str
    version: str
    title: str
    source: str
    prefix: str
    opens_charts: bool = True
    extends: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    conditions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    phases: tuple[Mapping[str, Any], ...] = ()
    forms: tuple[Mapping[str, Any], ...] = ()


def package_of(module: str) -> str:
    """The dotted name of the package that the loaded module ``module`` is, or is in."""
    return sys.modules[module].__package__ or module


def folder_of(module: str) -> Traversable:
    """The folder of the package of ``module`` (see :func:`package_of`)."""
    return resources.files(package_of(module))


def read_manifest(module: str) -> Manifest:
    """``manifest.toml`` in the package of ``module``. Raises :class:`WrongPack`, with one problem for each
    fault, if the file is missing or faulty."""
    where = f"manifest.toml of {package_of(module)}"
    try:
        values = tomllib.loads((folder_of(module) / "manifest.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WrongPack("is not there", where=where) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongPack(f"is not valid TOML ({error})", where=where) from None
    faults = schemas.faults("manifest", values)
    if faults:
        problems = tuple(
            Problem("wrong-manifest", f"expected {f.expected}; found {f.found}", f.place)
            for f in faults
        )
        raise WrongPack.of(problems, where)
    rest = {key: tuple(values.pop(key, ())) for key in ("phase", "form")}
    return Manifest(**values, phases=rest["phase"], forms=rest["form"])


@cache
def schema_beside(module: str) -> Schema:
    """``schema.json`` in the package of ``module``: the schema of ``[rules]`` in a pack."""
    return Schema(json.loads((folder_of(module) / "schema.json").read_text(encoding="utf-8")))


@cache
def tables_beside(module: str) -> Mapping[str, Any]:
    """``tables.toml`` in the package of ``module``; empty if there is no such file."""
    file = folder_of(module) / "tables.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
