"""The files of a ruleset, which lie beside its code: whoever has the folder has the ruleset.

``manifest.toml``   what it is called, of which text it is, on which tables it builds (:class:`Manifest`)
``clauses.toml``    every clause of the text (:mod:`.clauses`)
``schema.json``     which tables a pack may give in ``[rules]``
``tables.toml``     those tables as they ship, if any do
``page.md``         what its page of documentation says by hand
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
    """``manifest.toml`` of a ruleset. ``source``: the text whose rules these are. ``prefix``: what the ids
    of its clauses begin with. ``version``: of the clauses and of what is made of them. ``opens_charts``:
    whether what a pack's charts leave out is not known where the pack does not call them complete
    (:mod:`.concepts.completeness`); False: all charts are taken for whole, whatever the pack says.

    For a ruleset that builds on another (``extends``, empty: on none): ``rules`` are its tables as
    ``[rules]`` of a pack would have them, ``attributes`` and ``conditions`` what is asked for and how,
    ``phases`` and ``forms`` those of the game, as a pack has them."""

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
    """The dotted name of the package that a loaded module is, or lies in."""
    return sys.modules[module].__package__ or module


def folder_of(module: str) -> Traversable:
    """The folder of that package."""
    return resources.files(package_of(module))


def read_manifest(module: str) -> Manifest:
    """``manifest.toml`` beside a module. :class:`WrongPack` names each fault, one line each."""
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
    """The error that carries ``problems``, which there are; its text shows the first."""
    more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
    return WrongPack(f"{problems[0]}{more}", problems, where=where)


def schema_beside(module: str) -> Schema:
    """``schema.json`` beside a module: what a pack may say in ``[rules]``."""
    return _schema_in(package_of(module))


def tables_beside(module: str) -> Mapping[str, Any]:
    """``tables.toml`` beside a module, empty where there is none."""
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
