"""The published JSON Schemas, and what is wrong with a value that does not fit one.

The schemas are package data (draft 2020-12). A ``description`` in them is also the text an error shows
after "expected", so it says what belongs there in the reader's words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from .fast import Check, NotFast, compiled

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

MOST_FAULTS = 50
"""More faults of one document than this are not listed; the rest is counted nowhere."""

_LONGEST_FOUND = 60
_TYPES = {
    "object": "a table",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One place where a value does not fit: ``path`` from the root (keys and 0-based indices), what
    was ``expected`` there and what was ``found``."""

    path: tuple[str | int, ...]
    expected: str
    found: str

    @property
    def place(self) -> str:
        """The path as people write it: ``phase[2].movers`` (lists counted from 1)."""
        return place(self.path)

    def __str__(self) -> str:
        key = f"{self.place}: " if self.place else ""
        return f"{key}expected {self.expected}; found {self.found}"


def place(path: Sequence[str | int]) -> str:
    """A path of keys and 0-based indices as ``units.attributes`` and ``phase[2]`` (from 1)."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def names() -> tuple[str, ...]:
    """The schemas there are, by name."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name[:-5] for name in files if name.endswith(".json")))


def load(name: str) -> dict[str, Any]:
    """The schema ``name`` as plain JSON values; KeyError if there is none."""
    schema: dict[str, Any] = json.loads(text_of(name))
    return schema


def text_of(name: str) -> str:
    """The text of the schema ``name``; KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    return resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class Schema:
    """A JSON Schema with its validators, each made once, when it is first asked for."""

    plain: Mapping[str, Any]

    @cached_property
    def validator(self) -> Draft202012Validator:
        """The validator that says what is wrong; it takes long to load."""
        from jsonschema import Draft202012Validator

        return Draft202012Validator(dict(self.plain))

    @cached_property
    def _fits(self) -> Check | None:
        try:
            return compiled(dict(self.plain))
        except NotFast:
            return None

    def faults(self, value: object) -> tuple[Fault, ...]:
        """What keeps ``value`` from fitting: at most :data:`MOST_FAULTS`."""
        if self._fits is not None and self._fits(value):
            return ()
        found: list[Fault] = []
        for error in self.validator.iter_errors(value):
            found.extend(_faults_of(error))
            if len(found) >= MOST_FAULTS:
                break
        return tuple(sorted(dict.fromkeys(found), key=_in_order)[:MOST_FAULTS])


@cache
def published(name: str) -> Schema:
    """The published schema ``name``; KeyError if there is none."""
    return Schema(load(name))


def faults(name: str, value: object) -> tuple[Fault, ...]:
    """What keeps ``value`` from fitting the published schema ``name``: at most :data:`MOST_FAULTS`."""
    return published(name).faults(value)


def _in_order(fault: Fault) -> list[tuple[int, int, str]]:
    return [(0, p, "") if isinstance(p, int) else (1, 0, p) for p in fault.path]


def _faults_of(error: ValidationError) -> Iterable[Fault]:
    path = tuple(error.absolute_path)
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties":
        return _unknown_keys(error, path, schema)
    if error.validator == "required":
        return _missing_keys(error, path, schema)
    if error.validator == "dependentRequired":
        missing = [(k, w) for k, ws in schema["dependentRequired"].items() for w in ws]
        present = error.instance if isinstance(error.instance, dict) else {}
        gone = [(k, w) for k, w in missing if k in present and w not in present]
        return [Fault(path, f"the key {w} beside {k}", "nothing") for k, w in gone]
    if error.validator in ("anyOf", "oneOf") and error.context:
        inner = _deepest(error, path)
        if inner is not None:
            return _faults_of(inner)
    return (Fault(path, _expected(error, schema), _shown(error.instance)),)


def _deepest(error: ValidationError, path: tuple[str | int, ...]) -> ValidationError | None:
    """The fault to tell of when no alternative fits: that of the one alternative which fits at this
    level and fails further down, else of the one which is of the right kind at least."""
    by_branch: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        if isinstance(inner.schema_path[0], int):
            by_branch.setdefault(inner.schema_path[0], []).append(inner)
    below = [e[0] for e in by_branch.values() if all(len(i.absolute_path) > len(path) for i in e)]
    if len(below) == 1:
        return below[0]
    right_kind = [
        e[0] for e in by_branch.values() if all(i.validator not in _WRONG_KIND for i in e)
    ]
    return right_kind[0] if len(right_kind) == 1 else None


_WRONG_KIND = ("type", "const", "enum")


def _unknown_keys(
    error: ValidationError, path: tuple[str | int, ...], schema: dict[str, Any]
) -> list[Fault]:
    allowed = sorted(schema.get("properties", {}))
    value = error.instance if isinstance(error.instance, dict) else {}
    result = []
    for key in value:
        if key in allowed:
            continue
        near = get_close_matches(str(key), allowed, n=1)
        expected = f"one of {', '.join(allowed)}" if allowed else "no keys here"
        if near:
            expected += f" (did you mean {near[0]}?)"
        result.append(Fault((*path, str(key)), expected, f"the key {_shown(key)}"))
    return result


def _missing_keys(
    error: ValidationError, path: tuple[str | int, ...], schema: dict[str, Any]
) -> list[Fault]:
    value = error.instance if isinstance(error.instance, dict) else {}
    properties = schema.get("properties", {})
    result = []
    for key in schema.get("required", ()):
        if key in value:
            continue
        about = properties.get(key, {}).get("description", "")
        expected = f"the key {key} ({about})" if about else f"the key {key}"
        result.append(Fault(path, expected, "nothing"))
    return result


def _expected(error: ValidationError, schema: dict[str, Any]) -> str:
    wanted: Any = error.validator_value
    if schema.get("description") and error.validator != "enum":
        return str(schema["description"])
    if error.validator == "type":
        types = [wanted] if isinstance(wanted, str) else list(wanted)
        return " or ".join(_TYPES.get(t, t) for t in types)
    if error.validator == "enum":
        return f"one of {', '.join(_shown(v) for v in wanted)}"
    if error.validator == "const":
        return _shown(wanted)
    simple = {
        "pattern": f"a text of the form {wanted}",
        "minimum": f"{wanted} or more",
        "maximum": f"{wanted} or less",
        "minItems": f"{wanted} or more entries",
        "maxItems": f"at most {wanted} entries",
        "minLength": f"a text of {wanted} or more characters",
        "maxLength": f"a text of at most {wanted} characters",
        "minProperties": f"{wanted} or more keys",
        "maxProperties": f"at most {wanted} keys",
        "uniqueItems": "no entry twice",
    }
    return simple.get(str(error.validator), "something else")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        keys = ", ".join(str(k) for k in list(value)[:5])
        return f"a table with {keys}" if value else "an empty table"
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_FOUND else text[: _LONGEST_FOUND - 1] + "…"
