"""Input typed into a form, as edits of the file; and errors in it, in one line."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...importers.pack.edit.change import toml_edit
from .forms import ALL, FormMaker, Path, Schema, plain_text

OTHERS = "others"
"""The column for all classes that are not named."""
_WHOLE = re.compile(r"-?[0-9]{1,15}")
LONGEST = 2_000

Faults = Callable[[Mapping[str, Any]], Iterable[str]]
"""The errors in the values of a whole file, a line each."""


@dataclass(frozen=True, slots=True)
class Changed:
    """``edits``: as the store takes them. ``values``: of the whole file after them. ``error``: one line; if
    it is not empty, nothing is to be written."""

    edits: tuple[dict[str, Any], ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    def plain(self) -> dict[str, Any]:
        """The edits to write, or the error, as JSON."""
        return {"edits": [] if self.error else list(self.edits), "error": self.error}


def checked(values: Mapping[str, Any], edits: Iterable[dict[str, Any]], faults: Faults) -> Changed:
    """The result of edits to a file with ``values``, and the first new error."""
    every = tuple(edits)
    after = applied(values, every)
    return Changed(every, after, new_fault(values, after, faults))


def new_fault(before: Mapping[str, Any], after: Mapping[str, Any], faults: Faults) -> str:
    """The first error ``after`` a change that was not there ``before``; "" if there is none."""
    known = set(faults(before))
    return next((fault for fault in faults(after) if fault not in known), "")


def change(
    values: Mapping[str, Any], maker: FormMaker, path: Path, given: Any, faults: Faults, *,
    column: str | None = None,
) -> Changed:  # fmt: skip
    """``given`` typed at ``path`` of a file with ``values``; ``column``: into that cell of the row there.
    ``maker`` has the schema of the whole file."""
    if isinstance(given, str) and len(given) > LONGEST:
        return Changed((), values, f"expected at most {LONGEST:,} characters")
    schema = schema_at(maker, path)
    was = at(values, path)
    if column is not None:
        now = _row(maker, schema, was, at(maker.printed, path), column, given)
    elif isinstance(given, str):
        now = value_of_text(maker, schema, given)
    elif isinstance(given, list) and schema.get("type") == "array":
        now = _names(maker, schema, was, given)
    else:
        now = in_order(schema, given)
    edits = (_edit(values, maker, path, now),) if now != was else ()
    return checked(values, edits, faults)


def in_order(schema: Schema, value: Any) -> Any:
    """A table with its keys in the order of its schema."""
    if not isinstance(value, Mapping):
        return value
    known = [name for name in schema.get("properties", {}) if name in value]
    return {name: value[name] for name in (*known, *(key for key in value if key not in known))}


def renamed(values: Mapping[str, Any], path: Path, name: str, faults: Faults) -> Changed:
    """The row at ``path`` under another name."""
    was, target = at(values, path), (*path[:-1], name)
    if not name.strip() or name != name.strip() or not name.isprintable():
        return Changed((), values, "expected a name without blanks around it")
    if at(values, target) is not None:
        return Changed((), values, f"there is a row {name} already")
    return checked(values, (toml_edit(path, was, None), toml_edit(target, None, was)), faults)


def schema_at(maker: FormMaker, path: Iterable[str | int]) -> Schema:
    """The schema of the value at ``path``; empty if it does not say."""
    here = maker.resolved(maker.root)
    for part in path:
        here = maker.resolved(_below(maker, here, part))
    return here


def _below(maker: FormMaker, schema: Schema, part: str | int) -> Schema:
    for one in maker.options(schema):
        if isinstance(part, int):
            if one.get("type") == "array":
                return dict(one.get("items", {}))
            continue
        if part in one.get("properties", {}):
            return dict(one["properties"][part])
        other = one.get("additionalProperties")
        if isinstance(other, Mapping):
            return dict(other)
    return {}


def value_of_text(maker: FormMaker, schema: Schema, text: str) -> Any:
    """The value of a text typed into a cell; None if it is empty. Exact: decimals stay texts."""
    told = text.strip()
    if not told:
        return None
    options = maker.options(schema)
    kinds = {kind for one in options for kind in _kinds(one)}
    if _WHOLE.fullmatch(told) and kinds & {"integer", "number"}:
        return int(told)
    bounds = [one for one in options if set(one.get("properties", {})) == {"from", "to"}]
    if bounds and ".." in told:
        low, _, high = told.partition("..")
        ends = {"from": _number(low), "to": _number(high)}
        return {key: end for key, end in ends.items() if end != ""}
    if "array" in kinds and "," in told:
        return [_number(part) for part in told.split(",")]
    return told


def at(values: Any, path: Iterable[str | int]) -> Any:
    """The value at ``path``; None if there is none."""
    here = values
    for part in path:
        if isinstance(here, Mapping):
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here):
            here = here[part]
        else:
            return None
    return here


def applied(values: Mapping[str, Any], edits: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The values after edits; ``values`` is not changed."""
    after: Any = copy.deepcopy(dict(values))
    for edit in edits:
        *way, last = edit["path"]
        here = after
        for part, following in zip(way, edit["path"][1:], strict=True):
            if isinstance(here, list):
                here = here[part]
                continue
            here = here.setdefault(part, [] if isinstance(following, int) else {})
        now = copy.deepcopy(edit["now"])
        if isinstance(here, list):
            if now is None:
                del here[last]
            elif last == len(here):
                here.append(now)
            else:
                here[last] = now
        elif now is None:
            here.pop(last, None)
        else:
            here[last] = now
    return dict(after)


def _edit(values: Mapping[str, Any], maker: FormMaker, path: Path, now: Any) -> dict[str, Any]:
    """The edit that writes ``now`` at ``path``. A row in the file replaces the ruleset's row as a whole, so
    its other entries are copied."""
    for length in range(1, len(path)):
        head = path[:length]
        printed = at(maker.printed, head)
        if at(values, head) is None and length >= 3 and isinstance(printed, Mapping):
            row = applied(printed, [toml_edit(path[length:], None, now)])
            return toml_edit(head, None, row)
    return toml_edit(path, at(values, path), now)


def _row(
    maker: FormMaker, schema: Schema, was: Any, printed: Any, column: str, given: Any
) -> Any:  # fmt: skip
    """A row of a grid with a new value in one cell."""
    row = maker.row_of(schema)
    if row is None:
        return was
    held = was if was is not None else printed
    if column == ALL:
        now = value_of_text(maker, schema, str(given))
        return was if now is None and _is_table(was) else now
    now = value_of_text(maker, maker.cell_schema(row, column), str(given))
    if _is_table(held):
        cells = dict(held)
    elif held is None:
        cells = {}
    else:
        columns = maker.columns(row)
        rest = [OTHERS] if OTHERS in columns and column != OTHERS else columns
        cells = {name: copy.deepcopy(held) for name in rest if name != column}
    if now is None:
        cells.pop(column, None)
    else:
        cells[column] = now
    return cells or None


def _is_table(value: Any) -> bool:
    """Whether a row has a cell for each class."""
    return isinstance(value, Mapping) and not (value and set(value) <= {"from", "to"})


def _names(maker: FormMaker, schema: Schema, was: Any, given: list[Any]) -> list[Any] | None:
    """A list of names; items that were no texts before keep their values."""
    kinds = _kinds(maker.resolved(schema.get("items", {})))
    held = {plain_text(one): one for one in was or ()}
    found: list[Any] = []
    for one in given:
        text = str(one).strip()
        if not text:
            continue
        if text in held:
            found.append(held[text])
        elif "integer" in kinds and _WHOLE.fullmatch(text):
            found.append(int(text))
        elif "boolean" in kinds and text in ("true", "false"):
            found.append(text == "true")
        else:
            found.append(text)
    return found or None


def _kinds(schema: Schema) -> list[str]:
    kind = schema.get("type", ())
    return [kind] if isinstance(kind, str) else list(kind)


def _number(text: str) -> int | str:
    told = text.strip()
    return int(told) if _WHOLE.fullmatch(told) else told
