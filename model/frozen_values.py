"""Frozen values as JSON and back: dataclasses and named tuples of known classes, tuples, lists, mappings,
sets, numbers (no infinite floats, no NaN) and texts.

The JSON is a list of nodes. A node refers to earlier nodes; the last one is the value. Equal parts are
written once. Equal values give equal bytes in every process, so a digest of the bytes identifies the value.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from operator import attrgetter
from types import ModuleType
from typing import Any

_TUPLE, _LIST, _SET, _MAPPING, _FRACTION, _CLASSES = range(6)
_PLAIN = frozenset((str, int, float, bool, type(None)))


class Damaged(ValueError):
    """The bytes were not written by :class:`FrozenValues`, or are damaged."""


def classes_of(*modules: ModuleType) -> tuple[type, ...]:
    """The public dataclasses and named tuples that ``modules`` define."""
    return tuple(
        found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type) and found.__module__ == module.__name__ and _is_known(found)
    )


def _is_known(found: type) -> bool:
    is_plain = dataclasses.is_dataclass(found) or (
        issubclass(found, tuple) and hasattr(found, "_fields")
    )
    return is_plain and not found.__name__.startswith("_")


def _name(kind: type) -> str:
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__qualname__}"


class FrozenValues:
    """Writes and reads values made only of these ``classes`` and the plain types above."""

    def __init__(self, classes: Iterable[type]) -> None:
        self._classes = {_name(found): found for found in classes}

    def write(self, value: object) -> bytes:
        """``value`` as JSON. Raises TypeError if it holds any other type."""
        return _Writer(self._classes).written(value)

    def digest(self, value: object) -> str:
        """A SHA-256 of ``value``. Raises TypeError as :meth:`write` does."""
        return hashlib.sha256(self.write(value)).hexdigest()

    def read(self, data: bytes) -> Any:
        """The value that was written as ``data``; mappings become dicts. Raises :class:`Damaged`."""
        try:
            plain = json.loads(data)
            makers = [self._classes[name] for name in plain["classes"]]
            return _read(plain["nodes"], makers)
        except (ValueError, KeyError, IndexError, TypeError, ArithmeticError, RecursionError):
            raise Damaged("is not a value as it was written") from None


class _Writer:
    def __init__(self, classes: Mapping[str, type]) -> None:
        self._known = classes
        self._classes: dict[str, int] = {}
        self._made: dict[type, tuple[int, Callable[[Any], Iterable[Any]]]] = {}
        """The start of a node of a class, and the function that gives its parts."""
        self._nodes: list[Any] = []
        self._at: dict[Any, int] = {}
        """The index of each written node."""
        self._seen: dict[int, tuple[int, object]] = {}
        """By an object's id: the index of its node, and the object itself, which keeps the id in use."""

    def written(self, value: object) -> bytes:
        self._node(value)
        plain = {"classes": list(self._classes), "nodes": self._nodes}
        return json.dumps(plain, separators=(",", ":")).encode("ascii")

    def _node(self, value: Any) -> int:
        kind = type(value)
        if kind in _PLAIN:
            return self._add((kind, value), value)
        seen = self._seen.get(id(value))
        if seen is not None:
            return seen[0]
        if kind is tuple:
            found = self._of(_TUPLE, value)
        elif kind in self._made:
            tag, parts = self._made[kind]
            found = self._of(tag, parts(value))
        elif kind is list:
            found = self._of(_LIST, value)
        elif kind is Fraction:
            node = (_FRACTION, value.numerator, value.denominator)
            found = self._add(node, node)
        elif isinstance(value, frozenset | set):
            found = self._of(_SET, sorted(value, key=_order))
        elif isinstance(value, Mapping):
            found = self._of(_MAPPING, [part for pair in value.items() for part in pair])
        else:
            parts_of: Any = _parts
            self._made[kind] = self._class(kind), parts_of(kind)
            return self._node(value)
        self._seen[id(value)] = found, value
        return found

    def _class(self, kind: type) -> int:
        name = _name(kind)
        if self._known.get(name) is not kind:
            raise TypeError(f"{name} is not among the classes that are written")
        return _CLASSES + self._classes.setdefault(name, len(self._classes))

    def _of(self, tag: int, parts: Iterable[Any]) -> int:
        node = (tag, *map(self._node, parts))
        return self._add(node, node)

    def _add(self, key: Any, node: Any) -> int:
        found = self._at.get(key)
        if found is None:
            found = self._at[key] = len(self._nodes)
            self._nodes.append(node)
        return found


def _order(value: object) -> tuple[str, str]:
    return type(value).__name__, repr(value)


@cache
def _parts(kind: type[Any]) -> Callable[[Any], Iterable[Any]]:
    """The function that gives the parts of a value of a class, in the order of its constructor."""
    if issubclass(kind, tuple):
        return tuple.__iter__
    names = [part.name for part in dataclasses.fields(kind) if part.init]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: [getattr(value, name) for name in names]


def _read(nodes: list[Any], makers: list[type]) -> Any:
    found: list[Any] = []
    for node in nodes:
        if type(node) is not list:
            found.append(node)
            continue
        tag = node[0]
        if tag == _FRACTION:
            found.append(Fraction(node[1], node[2]))
            continue
        parts = [found[at] for at in node[1:]]
        if tag >= _CLASSES:
            found.append(makers[tag - _CLASSES](*parts))
        elif tag == _TUPLE:
            found.append(tuple(parts))
        elif tag == _LIST:
            found.append(parts)
        elif tag == _SET:
            found.append(frozenset(parts))
        else:
            found.append(dict(zip(parts[::2], parts[1::2], strict=True)))
    return found[-1]
