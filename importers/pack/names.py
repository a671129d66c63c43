"""The names that a pack and a facts file use and a ruleset should know, each with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.names import CHART, CLASS, FORM, HEXSIDE, LINE, TERRAIN, NameUsed, value_of
from .facts import Facts
from .pack import Lookup, Pack
from .pack_tables import COMPLETE, NONE
from .terrain import words
from .toml_text import Path_, line_of

UNKNOWN = "?"


def names_in_files(pack: Pack, facts: Facts) -> Iterator[NameUsed]:
    """All names that the pack and the facts use."""
    yield from pack.names
    yield from _of_board(pack)
    yield from _of_counters(pack)
    for fact in facts.hexes:
        yield from (NameUsed(TERRAIN, name, fact.source) for name in fact.terrain or ())
    for side in facts.hexsides:
        yield from (NameUsed(HEXSIDE, name, side.source) for name in side.has or ())
        yield from (NameUsed(LINE, name, side.source) for name in side.lines or ())
    for line in facts.lines:
        yield NameUsed(LINE, line.kind, line.source)
    for unit in facts.units:
        for attribute, known in unit.attributes.items():
            for option in known.options or ():
                if isinstance(option, str):
                    yield NameUsed(value_of(attribute), option, unit.source)


def _of_board(pack: Pack) -> Iterator[NameUsed]:
    for row in pack.hexes.rows if pack.hexes is not None else ():
        if row.get("terrain") != UNKNOWN:
            for name in words(row.get("terrain")):
                yield NameUsed(TERRAIN, name, pack.hexes.where(row) if pack.hexes else "")
    for row in pack.lines.rows if pack.lines is not None else ():
        if row.get("kind"):
            kind = HEXSIDE if "/" in row.get("path") else LINE
            yield NameUsed(kind, row.get("kind"), pack.lines.where(row) if pack.lines else "")


def _of_counters(pack: Pack) -> Iterator[NameUsed]:
    """Values of attributes that are read from a column unchanged."""
    sheet = pack.counters
    if sheet is None:
        return
    plain = [
        (attribute, look.what.lower())
        for attribute, looks in pack.units.attributes.items()
        for look in looks
        if _is_word(look)
    ]
    for row in sheet.rows:
        for attribute, column in plain:
            for name in row.get(column).split("|"):
                if name.strip() and name.strip() != UNKNOWN:
                    yield NameUsed(value_of(attribute), name.strip(), sheet.where(row))


def _is_word(look: Lookup) -> bool:
    return look.kind == "column" and look.map is None and not look.number


def names_in_toml(
    values: Mapping[str, Any], lines: dict[Path_, int], file: str
) -> Iterator[NameUsed]:
    """The names in the values of ``pack.toml``: charts that are called complete, what the module's terrain is
    translated to, judged forms, classes."""

    def used(kind: str, name: str, *path: str | int) -> NameUsed:
        line = line_of(path, lines)
        return NameUsed(kind, name, f"{file} line {line}" if line else file)

    rules = values.get("rules", {})
    for name in rules.get(COMPLETE, ()):
        yield used(CHART, name, "rules", COMPLETE)
    for name, value in rules.items():
        if value == NONE:
            yield used(CHART, name, "rules", name)
    recorded = values.get("board", {}).get("recorded", NONE)
    for key, kind in (("terrain", TERRAIN), ("hexsides", HEXSIDE), ("lines", LINE)):
        for name, meant in recorded.get(key, {}).items() if recorded != NONE else ():
            for word in [meant] if isinstance(meant, str) else meant:
                yield used(kind, word, "board", "recorded", key, name)
    for index, marker in enumerate(values.get("board", {}).get("marker", ())):
        told = marker.get("terrain", ())
        if isinstance(told, dict):
            told = (*told.get("map", {}).values(), told.get("value", ""))
        for text in told:
            for word in words(str(text)):
                yield used(TERRAIN, word, "board", "marker", index, "terrain")
    for index, form in enumerate(values.get("form", ())):
        if form.get("judged", True):
            yield used(FORM, form["name"], "form", index, "name")
        for attribute, names in form.get("units", {}).items():
            for name in names:
                yield used(value_of(attribute), name, "form", index, "units")
    for index, phase in enumerate(values.get("phase", ())):
        for name in phase.get("complete_for", ()):
            yield used(CLASS, name, "phase", index, "complete_for")
    for attribute, plain in values.get("units", {}).get("attributes", {}).items():
        for lookup in plain if isinstance(plain, list) else [plain]:
            for name in (*lookup.get("map", {}).values(), lookup.get("value")):
                if isinstance(name, str):
                    yield used(value_of(attribute), name, "units", "attributes", attribute)
