"""TOML stanzas that a report prints, to be copied into ``facts.toml`` or ``pack.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import tomlkit

Scalar = str | int | bool
Entry = Scalar | Sequence[Scalar] | Mapping[str, Scalar]

BLANK = "?"
"""Stands where the reader is to fill in a value. A file that still holds it is refused."""


def stanza(header: str, entries: Mapping[str, Entry]) -> str:
    """``entries`` under ``header`` (``[[hex]]``, ``[board]``) as TOML.

    Lists and tables are written on one line. Names and values may be any text: they come from files of
    strangers, so they are quoted by a TOML writer and can never add a key.
    """
    return _written(header, tuple((key, _frozen(value)) for key, value in entries.items()))


def heading(*path: str, many: bool = False) -> str:
    """The header of the table at ``path`` (``[rules.fuel]``); ``many``: one entry of a list of tables."""
    name = ".".join(_key(part) for part in path)
    return f"[[{name}]]" if many else f"[{name}]"


_Frozen = Scalar | tuple[Scalar, ...] | tuple[tuple[str, Scalar], ...]


class _Inline(tuple[tuple[str, Scalar], ...]):
    """The entries of an inline table."""

    __slots__ = ()


def _frozen(value: Entry) -> _Frozen:
    if isinstance(value, Mapping):
        return _Inline(value.items())
    return value if isinstance(value, str | int) else tuple(value)


@lru_cache(maxsize=4096)
def _written(header: str, entries: tuple[tuple[str, _Frozen], ...]) -> str:
    lines = [header]
    for key, value in entries:
        if isinstance(value, _Inline):
            inside = ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value)
            written = f"{{ {inside} }}"
        elif isinstance(value, tuple):
            written = f"[{', '.join(_value(one) for one in value)}]"  # type: ignore[arg-type]
        else:
            written = _value(value)
        lines.append(f"{_key(key)} = {written}")
    return "\n".join(lines)


def _key(name: str) -> str:
    return tomlkit.key(_text(name)).as_string()


def _value(value: Scalar) -> str:
    return tomlkit.item(_text(value) if isinstance(value, str) else value).as_string()


def _text(text: str) -> str:
    """``text`` without lone surrogates (bytes of a file that were no text), which TOML cannot hold."""
    return text.encode("utf-8", "replace").decode()
