"""TOML stanzas that are printed for users to copy into ``facts.toml`` or another file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import tomlkit

Header = (
    Literal["[[condition]]", "[[displacement]]", "[[hex]]", "[[hexside]]"]
    | Literal["[[pack]]", "[[phase]]", "[[same_player]]", "[[unit]]"]
    | Literal[
        "[pack]", "[fits]", "[board]", "[[board.sheet]]", "[[board.marker]]", "[board.recorded]"
    ]
    | Literal["[[box]]", "[[relation]]", "[units]", "[units.attributes]", "[[units.are]]"]
    | Literal[
        "[[units.not]]", "[[phases.from]]", "[[form]]", "[rules.classes]", "[rules.allowance]"
    ]
    | Literal["[rules]", "[rules.terrain.costs]", "[board.recorded.terrain]"]
    | Literal["[board.recorded.hexsides]", "[board.recorded.lines]"]
)
"""Headers of tables of ``facts.toml``, ``pack.toml`` and ``game.toml``; never text from a file."""

Scalar = str | int | float | bool
Entry = Scalar | Sequence["Entry"] | Mapping[str, "Entry"]

MASK = "mask "
"""The start of the id of a mask, before a number, in the game of a viewer who may not know what is under
it."""
BLANK = "?"
"""A placeholder for a value that the user fills in. A file that still holds it is refused."""


def stanza(header: Header, entries: Mapping[str, Entry]) -> str:
    """``entries`` under ``header`` as TOML. "": they are about a mask (:data:`MASK`), which no facts may
    name, or TOML cannot hold them (lone surrogates, which stand for undecodable bytes; a name without them
    might be another name).

    Each entry is one line, lists and tables included. Names and values may be any text from files of
    strangers: a TOML writer quotes them, so they can never add a key. Invisible characters are escaped, so a
    report shows a stanza as it is.
    """
    if str(entries.get("unit", "")).startswith(MASK):
        return ""
    text = "\n".join((header, *(f"{_key(key)} = {_value(one)}" for key, one in entries.items())))
    return "" if _SURROGATE.search(text) else text


def pack_stanza(*path: str, entry: Entry) -> str:
    """A ``[[pack]]`` table of ``facts.toml``, which sets the pack's value at ``path`` for this game.

    ``pack_stanza("rules", "fuel", "low", entry=BLANK)``. Unlike lines for ``pack.toml``, it can be appended
    to any file, because no table is opened twice.
    """
    for part in reversed(path[1:]):
        entry = {part: entry}
    return stanza("[[pack]]", {path[0]: entry})


def key_line(key: str, value: Entry) -> str:
    """One line of a table; "" if TOML cannot hold it. See :func:`stanza`."""
    return stanza("[pack]", {key: value}).partition("\n")[2]


def comment(text: str) -> str:
    """``text`` as a TOML comment of one line, cut to 160 characters, with invisible ones escaped."""
    shown = text if len(text) <= 160 else text[:159] + "…"
    return "# " + _SURROGATE.sub("?", _seen(shown))


_SURROGATE = re.compile("[\ud800-\udfff]")
# A superset of what str.isprintable() refuses; _spelt sorts it out. Outside quotes there is only ASCII.
_UNSEEN = re.compile(r"[^\x20-\x7e]")


def _value(value: Entry) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, str | int | float):
        return _scalar(value)
    return f"[{', '.join(map(_value, value))}]"


@lru_cache(maxsize=4096, typed=True)  # typed: 1 is not true
def _scalar(value: Scalar) -> str:
    return _seen(tomlkit.item(value).as_string())


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    return _seen(tomlkit.key(name).as_string())


def _seen(quoted: str) -> str:
    """``quoted`` with invisible characters and marks of writing direction escaped."""
    return _UNSEEN.sub(_spelt, quoted)


def _spelt(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable() or _SURROGATE.match(char):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
