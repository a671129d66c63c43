"""A table as a form: fields made from its JSON schema and the values typed so far.

A form is plain JSON values, which the page draws without knowing any schema. Each node has a ``kind``:

``cell``     one value, shown as text; ``choice``: one of several; ``names``: a list of texts
``group``    a table with keys of its own: ``fields``
``rows``     a table whose keys are names: ``rows``, and a ``template`` for another
``grid``     such a table where each name has a row of cells, by ``columns`` (movement classes)
``list``     tables one after the other: ``items``, and a ``template`` for another

and a ``path`` from the root of the file. Its ``label`` is the ``title`` in the schema, else the key; what a
choice is called is in ``said`` there. ``printed`` is what ships with the ruleset and holds where nothing
is typed. What a form cannot show is left as it is and counted: ``plain``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]
Node = dict[str, Any]
ALL = ""
"""The column of a grid for a row that says one cell for every class."""
SCALARS = ("string", "integer", "number")


@dataclass(frozen=True)
class FormMaker:
    """Makes forms of one schema. ``values``: the tables that name the columns of grids. ``offered``: by path
    (``terrain.costs``), names that the table should have rows for, since the game's files use them."""

    root: Schema
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    printed: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    offered: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))

    def resolved(self, schema: Schema) -> Schema:
        """A schema with its reference resolved; keys beside the reference take precedence."""
        while "$ref" in schema:
            target = self.root["$defs"][schema["$ref"].rpartition("/")[2]]
            schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
        return schema

    def options(self, schema: Schema) -> list[Schema]:
        """The alternatives of ``anyOf``, nested ones flattened; the schema itself if there are none."""
        if "anyOf" not in schema or schema.get("type") == "object":
            return [schema]
        return [o for one in schema["anyOf"] for o in self.options(self.resolved(one))]

    def node(self, schema: Schema, value: Any, path: Path, printed: Any = None) -> Node:
        """The form of ``value`` (None: empty) at ``path``."""
        schema = self.resolved(schema)
        key = str(path[-1]) if path else ""
        common: Node = {"path": list(path), "label": schema.get("title", key)}
        if schema.get("description") and "said" not in schema:
            common["help"] = schema["description"]
        if schema.get("clauses"):
            common["clauses"] = list(schema["clauses"])
        return {**common, **self._made(schema, value, path, printed)}

    def _made(self, schema: Schema, value: Any, path: Path, printed: Any) -> Node:
        if self.row_of(schema) is not None:
            return self._grid(schema, {ALL: value}, path, {ALL: printed}, single=True)
        listed = self._one_or_list(schema)
        if listed is not None:
            one = value is not None and not isinstance(value, list)
            items = [value] if one else value
            return self._list(listed, items, path, single=one)
        choices = self._choices(schema)
        if choices is not None:
            said = schema.get("said", {})
            return {
                "kind": "choice",
                "choices": [[said.get(plain_text(one), plain_text(one)), one] for one in choices],
                "value": value,
                "printed": printed,
                "default": schema.get("default"),
            }
        kind = schema.get("type")
        if kind == "array":
            return self._array(schema, value, path, printed)
        if kind == "object":
            fixed = list(schema.get("properties", {}).values())
            if len(fixed) > 1 and all(self.row_of(self.resolved(sub)) is not None for sub in fixed):
                return self._fixed_grid(schema, value, path, printed)
            if "properties" in schema:
                return self._group(schema, value, path, printed)
            return self._rows(schema, value, path, printed)
        if self._is_scalar(schema):
            return {
                "kind": "cell",
                "text": cell_text(value),
                "printed": cell_text(printed),
                "words": words_in(schema, self),
            }
        return {"kind": "plain", "text": plain_text(value)}

    def _array(self, schema: Schema, value: Any, path: Path, printed: Any) -> Node:
        items = self.resolved(schema.get("items", {}))
        if items.get("type") == "object":
            return self._list(items, value, path)
        return {
            "kind": "names",
            "value": None if value is None else [plain_text(one) for one in value],
            "printed": None if printed is None else [plain_text(one) for one in printed],
            "choices": [plain_text(one) for one in items.get("enum", ())],
        }

    def _group(self, schema: Schema, value: Any, path: Path, printed: Any) -> Node:
        held = value if isinstance(value, Mapping) else {}
        below = printed if isinstance(printed, Mapping) else {}
        fields = [
            self.node(sub, held.get(name), (*path, name), below.get(name))
            for name, sub in schema["properties"].items()
        ]
        return {
            "kind": "group",
            "fields": fields,
            "there": value is not None,
            "required": list(schema.get("required", ())),
        }

    def _rows(self, schema: Schema, value: Any, path: Path, printed: Any) -> Node:
        """A table by name; a grid if each name has a row of cells."""
        held = value if isinstance(value, Mapping) else {}
        below = printed if isinstance(printed, Mapping) else {}
        inner = schema.get("additionalProperties", True)
        sub = self.resolved(inner if isinstance(inner, Mapping) else {})
        if self.row_of(sub) is not None or self.row_of(self._cost(sub)) is not None:
            return self._grid(schema, held, path, below)
        names = dict.fromkeys((*below, *held))
        return {
            "kind": "rows",
            "rows": [
                {
                    "name": name,
                    "typed": name in held,
                    "node": self.node(sub, held.get(name), (*path, name), below.get(name)),
                }
                for name in names
            ],
            "template": self.node(sub, None, (*path, "")),
            "offered": self._offered(path, names),
        }

    def _list(self, items: Schema, value: Any, path: Path, *, single: bool = False) -> Node:
        """A list of tables. ``single``: the file has one table in place of a list of one."""
        held = value if isinstance(value, list) else []
        made = [
            self.node(items, one, path if single else (*path, number))
            for number, one in enumerate(held)
        ]
        return {
            "kind": "list",
            "single": single,
            "items": made,
            "there": value is not None,
            "template": self.node(items, None, (*path, len(held))),
        }

    # -- grids ------------------------------------------------------------------------------------

    def row_of(self, schema: Schema) -> Schema | None:
        """The schema of a table class = cell, if a value is one cell for every class or such a table."""
        options = self.options(schema)
        tables = [
            one for one in options if one.get("type") == "object" and not self._is_bounds(one)
        ]
        if len(tables) != 1 or len(options) < 2:
            return None
        rest = [one for one in options if one is not tables[0]]
        if not all(self._is_scalar(one) or self._is_bounds(one) for one in rest):
            return None
        cells = [*tables[0].get("properties", {}).values()]
        other = tables[0].get("additionalProperties")
        cells += [other] if isinstance(other, Mapping) else []
        return tables[0] if cells and all(self._is_cell(self.resolved(c)) for c in cells) else None

    def columns(self, row: Schema) -> list[str]:
        """The columns of a row: the keys of its schema, and those that tables of the pack name."""
        named = list(row.get("properties", {}))
        told = row.get("columns", {})
        for way in told.get("listed", ()):
            here: Any = {**self.printed, **self.values}
            for part in way:
                here = here.get(part) if isinstance(here, Mapping) else None
            named.extend(here if isinstance(here, list) else ())
        return list(dict.fromkeys((*told.get("first", ()), *named, *told.get("last", ()))))

    def _cell_help(self, row: Schema) -> str:
        """The values that a cell of a row may have, in words."""
        cells = [*row.get("properties", {}).values(), row.get("additionalProperties")]
        told = (self.resolved(one) for one in cells if isinstance(one, Mapping))
        return next((str(one["description"]) for one in told if "description" in one), "")

    def cell_schema(self, row: Schema, column: str) -> Schema:
        """The schema of one cell of a row."""
        found = row.get("properties", {}).get(column, row.get("additionalProperties", {}))
        return self.resolved(found if isinstance(found, Mapping) else {})

    def _grid(
        self, schema: Schema, held: Mapping[str, Any], path: Path, printed: Mapping[str, Any], *,
        single: bool = False,
    ) -> Node:  # fmt: skip
        if single:
            sub, inner = schema, ""
        else:
            sub = self.resolved(schema["additionalProperties"])
            inner = "" if self.row_of(sub) is not None else "cost"
        cost = self.resolved(sub["properties"][inner]) if inner else sub
        row = self.row_of(cost)
        assert row is not None
        columns = [ALL, *self.columns(row)]
        used = [value for one in held.values() if isinstance(value := _inner(one, inner), Mapping)]
        columns += [name for value in used for name in value if name not in columns]
        names = dict.fromkeys((*printed, *held))
        rows: list[Node] = []
        for name in names:
            at = path if single else (*path, name)
            value, below = held.get(name), printed.get(name)
            more = [
                self.node(other, _inner(value, key), (*at, key), _inner(below, key))
                for key, other in sub.get("properties", {}).items()
                if inner and key != inner
            ]
            rows.append(
                {
                    "name": name,
                    "path": [*at, inner] if inner else list(at),
                    "typed": value is not None,
                    "cells": _cells(_inner(value, inner), columns),
                    "printed": _cells(_inner(below, inner), columns),
                    "more": more,
                }
            )
        return {
            "kind": "grid",
            "single": single,
            "fixed": single,
            "columns": columns,
            "inner": inner,
            "rows": rows,
            "words": words_in(cost, self),
            "cell": self._cell_help(row) or cost.get("description", ""),
            "offered": [] if single else self._offered(path, names),
        }

    def _fixed_grid(self, schema: Schema, value: Any, path: Path, printed: Any) -> Node:
        """A table with fixed keys, each with a row of cells."""
        names = dict.fromkeys(schema["properties"])
        held = {**names, **(value if isinstance(value, Mapping) else {})}
        below = printed if isinstance(printed, Mapping) else {}
        rows: Schema = {"additionalProperties": next(iter(schema["properties"].values()))}
        return {**self._grid(rows, held, path, below), "fixed": True}

    def _offered(self, path: Path, names: Iterable[str]) -> list[str]:
        there = set(names)
        key = ".".join(str(part) for part in path)
        return [name for name in self.offered.get(key, ()) if name not in there]

    # -- kinds of schemas ---------------------------------------------------------------------------

    def _cost(self, schema: Schema) -> Schema:
        inner = schema.get("properties", {}).get("cost")
        return self.resolved(inner) if isinstance(inner, Mapping) else {}

    def _choices(self, schema: Schema) -> list[Any] | None:
        if schema.get("type") == "boolean":
            return [True, False]
        if "enum" in schema:
            return list(schema["enum"])
        return [schema["const"]] if "const" in schema else None

    def _one_or_list(self, schema: Schema) -> Schema | None:
        """The schema of the items, if a value is one table or a list of tables."""
        options = self.options(schema)
        lists = [one for one in options if one.get("type") == "array"]
        if len(options) == 2 and len(lists) == 1:
            items = self.resolved(lists[0].get("items", {}))
            if items.get("type") == "object" and items in options:
                return items
        return None

    def _is_cell(self, schema: Schema) -> bool:
        return self._is_scalar(schema) or self._is_bounds(schema)

    def _is_bounds(self, schema: Schema) -> bool:
        """Whether a value is a table ``{ from = 1, to = 3 }``."""
        return set(schema.get("properties", {})) == {"from", "to"}

    def _is_scalar(self, schema: Schema) -> bool:
        """Whether a value can be typed as one text: a number, a word, bounds, five numbers."""
        options = self.options(schema)
        if len(options) > 1:
            return all(self._is_cell(one) or one.get("type") == "array" for one in options)
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        return "const" in schema or "enum" in schema or all(one in SCALARS for one in kinds)


def _inner(value: Any, key: str) -> Any:
    if not key:
        return value
    return value.get(key) if isinstance(value, Mapping) else None


def _cells(value: Any, columns: Sequence[str]) -> list[str]:
    """A row of a grid as texts, by column."""
    if isinstance(value, Mapping) and not set(value) <= {"from", "to"}:
        return [cell_text(value.get(name)) if name != ALL else "" for name in columns]
    return [cell_text(value) if name == ALL else "" for name in columns]


def words_in(schema: Schema, maker: FormMaker) -> list[str]:
    """The words that a cell may hold, from its patterns and choices."""
    found: list[str] = []
    for one in maker.options(schema):
        found.extend(word for word in one.get("enum", ()) if isinstance(word, str))
        if isinstance(one.get("const"), str):
            found.append(one["const"])
        ends = one.get("pattern", "").rstrip("$").rstrip(")").split("|")
        found.extend(word for word in ("prohibited", "unknown", "all") if word in ends)
    return list(dict.fromkeys(found))


def cell_text(value: Any) -> str:
    """A value as it is typed: ``2``, ``1/2``, ``+1``, ``1..3``, ``yes``; "" for none."""
    if isinstance(value, Mapping):
        return f"{value.get('from', '')}..{value.get('to', '')}"
    return "" if value is None else plain_text(value)


def plain_text(value: Any) -> str:
    """Any value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(plain_text(one) for one in value)
    return "" if value is None else str(value)
