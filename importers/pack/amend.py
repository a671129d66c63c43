"""A facts file may say what the pack left out, for one game: its ``[[pack]]`` tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .facts import Facts
from .load import TomlFile, pack_of, wrong
from .pack import Pack
from .toml_names import names_in_toml
from .toml_text import check

UNITED = ("complete", "links", "barriers", "relation")
"""Lists that an amendment adds to; other lists take the place of the pack's."""


def amended(pack: Pack, facts: Facts) -> Pack:
    """``pack`` with what the facts say in its place; :class:`WrongPack` names the line of the facts that
    does not fit."""
    for amendment in facts.amendments:
        values = merged(pack.values, amendment.values)
        where = amendment.source
        problems = [replace(problem, where=where) for problem in check("pack", values, "", {})]
        if problems:
            raise wrong(facts.file, problems)
        names = (*pack.names, *names_in_toml(amendment.values, {}, where))
        pack = replace(with_values(pack, values, where), names=names)
    return pack


def with_values(pack: Pack, values: Mapping[str, Any], where: str) -> Pack:
    """``pack`` with other ``values`` in place of those of its ``pack.toml``, which fit the schema; ``where``
    names them in messages. Raises :class:`WrongPack` for names that there are not."""
    sheets = {"hexes.csv": pack.hexes, "lines.csv": pack.lines, "units.csv": pack.counters}
    toml = TomlFile(where, {})
    made = pack_of(dict(values), toml, sheets, pack.sha256, pack.folder, pack.records)
    return replace(made, records_sha256=pack.records_sha256, files=pack.files)


def merged(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` of a pack with ``more`` in them, table by table. Tables of a list that have a name
    (``[[phase]]``, ``[[form]]``) go into the table of that name; neither argument is changed."""
    result = dict(values)
    for key, value in more.items():
        result[key] = _merged_entry(key, result.get(key), value)
    return result


def _merged_entry(key: str, held: Any, value: Any) -> Any:
    if isinstance(value, Mapping) and isinstance(held, Mapping):
        return merged(held, value)
    if isinstance(value, list) and isinstance(held, list):
        if key in UNITED:
            return [*held, *(one for one in value if one not in held)]
        if _all_named(held) and _all_named(value):
            named = {one["name"]: one for one in held}
            for one in value:
                named[one["name"]] = merged(named.get(one["name"], {}), one)
            return list(named.values())
    return value


def _all_named(entries: list[Any]) -> bool:
    return all(isinstance(one, Mapping) and "name" in one for one in entries)
