"""Reads the data files of a ruleset. They are in the package that holds its code, so a ruleset is one folder.

``manifest.toml``   name, version and source, and the tables if it builds on another (:class:`Manifest`)
``clauses.toml``    every clause of the text (:mod:`.rulebook`)
``schema.json``     the schema of the tables that a pack may give in ``[rules]``
``tables.toml``     the tables that ship with the ruleset, if any
``page.md``         the part of its documentation page that is written by hand
``cases``           conformance cases, if any ship with it
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from ..model import schemas
from ..model.problem import Problem, WrongPack
from ..model.schemas import Schema


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
        values = tomllib.loads(_text(folder_of(module) / "manifest.toml"))
    except FileNotFoundError:
        raise WrongPack("is not there", where=where) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongPack(f"is no TOML ({error})", where=where) from None
    faults = schemas.faults("manifest", values)
    if faults:
        problems = tuple(
            Problem("wrong-manifest", f"expected {f.expected}; found {f.found}", f.place)
            for f in faults
        )
        raise refused(problems, where)
    rest = {key: tuple(values.pop(key, ())) for key in ("phase", "form")}
    return Manifest(**values, phases=rest["phase"], forms=rest["form"])


def refused(problems: tuple[Problem, ...], where: str) -> WrongPack:
    """An error with ``problems`` (at least one). Its text is the first and the number of the others."""
    more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
    return WrongPack(f"{problems[0]}{more}", problems, where=where)


def schema_beside(module: str) -> Schema:
    """``schema.json`` in the package of ``module``: the schema of ``[rules]`` in a pack."""
    return _schema_in(package_of(module))


def tables_beside(module: str) -> Mapping[str, Any]:
    """``tables.toml`` in the package of ``module``; empty if there is no such file."""
    return _tables_in(package_of(module))


@cache
def _schema_in(package: str) -> Schema:
    return Schema(json.loads(_text(resources.files(package) / "schema.json")))


@cache
def _tables_in(package: str) -> Mapping[str, Any]:
    file = resources.files(package) / "tables.toml"
    return tomllib.loads(_text(file)) if file.is_file() else {}


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
