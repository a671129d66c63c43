"""TOML stanzas that a report prints, to be copied into ``facts.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import tomlkit

Scalar = str | int | bool
Entry = Scalar | Sequence["Entry"] | Mapping[str, "Entry"]

BLANK = "?"
"""Stands where the reader is to fill in a value. A file that still holds it is refused."""


def stanza(header: str, entries: Mapping[str, Entry]) -> str:
    """``entries`` under ``header`` (``[[hex]]``, ``[board]``) as TOML.

    Lists and tables are written on one line. Names and values may be any text: they come from files of
    strangers, so they are quoted by a TOML writer and can never add a key.
    """
    return _written(header, tuple((key, _frozen(value)) for key, value in entries.items()))


def pack_stanza(*path: str, entry: Entry) -> str:
    """A ``[[pack]]`` table of ``facts.toml``: what the pack is to say at ``path`` for this game.

    ``pack_stanza("rules", "fuel", "low", entry=BLANK)``. Unlike lines for ``pack.toml`` it can be put
    below whatever is there already: no table is opened twice.
    """
    for part in reversed(path[1:]):
        entry = {part: entry}
    return stanza("[[pack]]", {path[0]: entry})


def heading(*path: str, many: bool = False) -> str:
    """The header of the table at ``path`` (``[rules.fuel]``); ``many``: one entry of a list of tables."""
    name = ".".join(_key(part) for part in path)
    return f"[[{name}]]" if many else f"[{name}]"


_Frozen = Scalar | tuple[Any, ...]


class _Inline(tuple[tuple[str, Any], ...]):
    """The entries of an inline table."""

    __slots__ = ()


def _frozen(value: Entry) -> _Frozen:
    if isinstance(value, Mapping):
        return _Inline((key, _frozen(one)) for key, one in value.items())
    if isinstance(value, str | int):
        return value
    return tuple(_frozen(one) for one in value)


@lru_cache(maxsize=4096)
def _written(header: str, entries: tuple[tuple[str, _Frozen], ...]) -> str:
    return "\n".join((header, *(f"{_key(key)} = {_value(value)}" for key, value in entries)))


def _value(value: _Frozen) -> str:
    if isinstance(value, _Inline):
        inside = ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value)
        return f"{{ {inside} }}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return tomlkit.item(_text(value) if isinstance(value, str) else value).as_string()


def _key(name: str) -> str:
    return tomlkit.key(_text(name)).as_string()


def _text(text: str) -> str:
    """``text`` without lone surrogates (bytes of a file that were no text), which TOML cannot hold."""
    return text.encode("utf-8", "replace").decode()
