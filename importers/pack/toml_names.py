"""The names in ``pack.toml`` that the ruleset should know, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.names import CHART, CLASS, FORM, HEXSIDE, LINE, TERRAIN, NameUsed, value_of
from .charts import COMPLETE, NONE
from .terrain import words
from .toml_text import Path_, line_of


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
