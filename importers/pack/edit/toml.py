"""Edits of ``pack.toml`` and ``facts.toml``: single values, and tables of a list such as ``[[phase]]``.

Comments and the order of everything stay. Whatever was written is read again: where it does not say just
what it is to say, the edit is refused and nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any, Final, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array, InlineTable, Item, Table

from ....model.problem import UmpireError
from ....model.stanza import Header, key_line, stanza
from ..toml_text import Path_, exact, parse_toml
from .table import BOM, EditRefused

MISSING: Final = None
"""TOML has no null: None stands for a key that is not there."""
_HEADER = re.compile(r"\s*\[")
_REMARK = re.compile(r"\s*(#.*)?$")


def values_of(data: bytes, file: str) -> dict[str, Any]:
    """The values in a file (decimal numbers as in :func:`.toml_text.parse_toml`)."""
    return parse_toml(data, file)[0]


def value_at(values: Any, path: Sequence[str | int]) -> Any:
    """What plain values say at a path; :data:`MISSING`: nothing."""
    for part in path:
        if isinstance(part, str) and isinstance(values, Mapping):
            values = values.get(part, MISSING)
        elif isinstance(part, int) and isinstance(values, list) and 0 <= part < len(values):
            values = values[part]
        else:
            return MISSING
    return values


def plain(value: Any) -> Any:
    """A value as :func:`values_of` has it, for comparisons."""
    if isinstance(value, float):
        return exact(repr(value))
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two plain values are one; 1 and true are not."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and bool(a == b)


def with_value(data: bytes, path: Sequence[str | int], now: Any, file: str) -> bytes:
    """The file with a value at a path (None: without it). Missing tables on the path are added. A path that
    ends in the number after the last entry of a list adds an entry. If the last table of a list of tables is
    removed, the list is removed."""
    if not path or not isinstance(path[0], str):
        raise EditRefused("expected the path of a key", where=file)
    expected = deepcopy(values_of(data, file))
    if value_at(expected, path) is MISSING and now is None:
        return data
    if isinstance(path[-1], int) and path[-1] == len(value_at(expected, path[:-1]) or ()):
        return _with_entry(data, path[:-1], now, file)
    if now is None and isinstance(path[-1], int) and _is_last_table(value_at(expected, path[:-1])):
        return with_value(data, path[:-1], None, file)
    _put_plain(expected, path, now, file)
    for gentle in (True, False):
        try:
            document = _document(data)
            _put(document, path, now, gentle)
            written = _bytes(tomlkit.dumps(document), data)
            if same(values_of(written, file), expected):
                return written
        except (TOMLKitError, UmpireError, ValueError, TypeError, KeyError, AttributeError):
            continue
    block = _as_block(data, path, now, file)
    if block is not None:
        found = values_of(block, file)
        if same(found, expected) or (now is None and same(found, _pruned(expected, path))):
            return block
    raise _by_hand(file, path)


def _pruned(values: dict[str, Any], path: Sequence[str | int]) -> dict[str, Any]:
    """``values`` without the tables on a path that are empty."""
    left = deepcopy(values)
    for length in range(len(path) - 1, 0, -1):
        if value_at(left, path[:length]) == {}:
            del value_at(left, path[: length - 1])[path[length - 1]]
    return left


def _as_block(data: bytes, path: Sequence[str | int], now: Any, file: str) -> bytes | None:
    """The file with a table under a header of its own, or without it (``now`` None); None: there is none."""
    names = [part for part in path if isinstance(part, str)]
    if len(names) < len(path):
        return None
    try:
        if now is None:
            return _without_block(data, tuple(path), file)
        return _appended(data, names, now, file, "[{}]") if isinstance(now, Mapping) else None
    except UmpireError:
        return None


def _is_last_table(held: Any) -> bool:
    return isinstance(held, list) and len(held) == 1 and isinstance(held[0], Mapping)


def _with_entry(data: bytes, path: Sequence[str | int], now: Any, file: str) -> bytes:
    """The file with one more entry in the list at ``path``: a table gets a header of its own where the others
    have one, or where there is none yet."""
    expected = deepcopy(values_of(data, file))
    held = value_at(expected, path) or []
    if not isinstance(held, list):
        raise _by_hand(file, path)
    wanted = [*held, plain(now)]
    _put_plain(expected, path, wanted, file)
    names = [part for part in path if isinstance(part, str)]
    if isinstance(now, Mapping) and len(names) == len(path):
        with suppress(UmpireError):  # else the others stand on one line: so will this one
            written = _appended(data, names, now, file)
            if same(values_of(written, file), expected):
                return written
    return with_value(data, path, wanted, file)


def with_stanza(
    data: bytes,
    table: str,
    was: Mapping[str, Any] | None,
    now: Mapping[str, Any] | None,
    file: str,
) -> bytes:
    """The file with one more ``[[table]]`` (``was`` None), with another in the place of one, or without
    it (``now`` None)."""
    if was is None:
        return data if now is None else _with_entry(data, (table,), now, file)
    values = values_of(data, file)
    at = find(values, table, was)
    if at is None:
        raise EditRefused(f"there is no such [[{table}]]", where=file)
    if now is not None:
        for key in [*now, *(key for key in was if key not in now)]:
            if not same(plain(was.get(key)), plain(now.get(key))):
                data = with_value(data, (table, at, key), now.get(key), file)
        return data
    held = values.pop(table)
    left = {table: [*held[:at], *held[at + 1 :]]} if len(held) > 1 else {}
    with suppress(UmpireError):
        written = _without_block(data, (table, at), file)
        if same(values_of(written, file), {**values, **left}):
            return written
    return with_value(data, (table, at), None, file)


def find(values: Mapping[str, Any], table: str, was: Mapping[str, Any]) -> int | None:
    """The index of the first ``[[table]]`` with exactly this content; None if there is none."""
    wanted = plain(was)
    held = values.get(table, [])
    return next((i for i, one in enumerate(held) if same(one, wanted)), None)


def _by_hand(file: str, path: Sequence[str | int]) -> EditRefused:
    shown = ".".join(map(str, path))
    return EditRefused(f"cannot change {shown} without changing more; edit it by hand", where=file)


def _put_plain(values: Any, path: Sequence[str | int], now: Any, file: str) -> None:
    for part in path[:-1]:
        inner = value_at(values, (part,))
        if inner is MISSING and isinstance(part, str) and isinstance(values, dict):
            inner = values[part] = {}
        values = inner
    last = path[-1]
    fits = isinstance(values, dict) if isinstance(last, str) else isinstance(values, list)
    if not fits or (isinstance(last, int) and not 0 <= last < len(values)):
        raise EditRefused(f"there is no place for {'.'.join(map(str, path))}", where=file)
    if now is None:
        del values[last]
    else:
        values[last] = plain(now)


# -- by way of tomlkit -----------------------------------------------------------------------------


def _document(data: bytes) -> tomlkit.TOMLDocument:
    return deepcopy(_parsed(data))


@lru_cache(maxsize=4)
def _parsed(data: bytes) -> tomlkit.TOMLDocument:
    text = data.removeprefix(BOM).decode("utf-8")
    return tomlkit.parse(text.replace("\r\n", "\n") if _all_crlf(text) else text)


def _all_crlf(text: str) -> bool:
    return "\r\n" in text and text.count("\r\n") == text.count("\n")


def _bytes(text: str, like: bytes) -> bytes:
    """``text`` as bytes, with the line ends and the byte order mark of the original file."""
    if _all_crlf(like.removeprefix(BOM).decode("utf-8")):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return (BOM if like.startswith(BOM) else b"") + text.encode("utf-8")


def _put(document: Any, path: Sequence[str | int], now: Any, gentle: bool) -> None:
    held = document
    for number, part in enumerate(path[:-1]):
        if isinstance(part, int) or part in held:
            held = held[part]
        else:
            if _is_inline(held) and len(path) == number + 2:
                held.append(part, _item({str(path[-1]): now}))
                return
            held.append(part, tomlkit.table(is_super_table=len(path) > number + 2))
            held = held[part]
    last = path[-1]
    if now is None:
        del held[last]
    elif (isinstance(last, int) or last in held) and gentle and _changed_list(held[last], now):
        return
    elif isinstance(last, int) or last in held:
        if gentle and isinstance(now, Mapping) and isinstance(held[last], Table):
            for key in [key for key in held[last] if key not in now]:
                del held[last][key]
            for key, one in now.items():
                _put(held, (last, key), one, gentle)
            return
        held[last] = _item(now)
    elif isinstance(now, Mapping) and not _is_inline(held):
        held.append(last, _table(now))
    else:
        held.append(last, _item(now))


def _table(now: Mapping[str, Any]) -> Item:
    """A table with a header of its own."""
    table = tomlkit.table()
    for key, one in now.items():
        table.append(key, _item(one))
    return table


def _is_inline(held: Any) -> bool:
    """Whether a table that is new in another is written on one line, as those beside it are."""
    return isinstance(held, InlineTable) or any(
        isinstance(one, InlineTable) for one in held.values()
    )


def _changed_list(held: Any, now: Any) -> bool:
    """Change a list entry by entry, so that comments in it stay. False if that is not possible."""
    if not isinstance(held, Array) or not isinstance(now, list):
        return False
    old = [plain(one) for one in held.unwrap()]
    wanted = [plain(one) for one in now]
    if not same(wanted[: len(old)], old) and not _taken_out(held, old, wanted):
        return False
    for one in now[len(held) :]:
        held.append(_item(one))
    return True


def _taken_out(held: Array, old: list[Any], wanted: list[Any]) -> bool:
    """Take out of a list what is not wanted. False if those left are not what is wanted first."""
    kept = [one for one in wanted if any(same(one, other) for other in old)]
    if len(kept) != len({repr(one) for one in kept}) or len(old) != len({repr(o) for o in old}):
        return False
    for index in range(len(old) - 1, -1, -1):
        if not any(same(old[index], one) for one in wanted):
            del held[index]
    return same([plain(one) for one in held.unwrap()], kept) and wanted[: len(kept)] == kept


def _item(value: Any) -> Item:
    """A value as it is written: tables on one line, numbers as they are."""
    line = key_line("value", value)
    if not line:
        raise ValueError("TOML cannot hold it")
    found: Item = tomlkit.parse(f"{line}\n")["value"]
    return found


# -- tables of a list, as text ---------------------------------------------------------------------


def _lines(data: bytes) -> list[str]:
    parts = data.removeprefix(BOM).decode("utf-8").split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _blocks(data: bytes, file: str) -> Iterator[tuple[Path_, int, int]]:
    """The tables that have a header of their own: their path, the index of the header's line, and of the
    line behind the last one that is neither empty nor a comment."""
    text = _lines(data)
    headers = sorted(
        (number - 1, path)
        for path, number in parse_toml(data, file)[1].items()
        if number <= len(text) and _HEADER.match(text[number - 1])
    )
    for index, (start, path) in enumerate(headers):
        stop = headers[index + 1][0] if index + 1 < len(headers) else len(text)
        while _REMARK.match(text[stop - 1].rstrip("\r\n")):
            stop -= 1
        yield path, start, stop


def _appended(
    data: bytes, path: Sequence[str], now: Mapping[str, Any], file: str, header: str = "[[{}]]"
) -> bytes:
    """With one more ``[[table]]``, or a table with another ``header``, behind the last one of its name;
    behind all of the table it is in where it is the first; else at the end."""
    lines = _lines(data)
    blocks = list(_blocks(data, file))
    stops: list[int] = []
    for length in range(len(path), 0, -1):
        stops = stops or [stop for held, _, stop in blocks if held[:length] == tuple(path[:length])]
    at = max(stops, default=len(lines))
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    name = ".".join(tomlkit.key(part).as_string() for part in path)
    written = stanza(cast(Header, header.format(name)), now).replace("\n", end) + end
    if at and not lines[at - 1].endswith(("\n", "\r")):
        lines[at - 1] += end
    if at and lines[at - 1].strip():
        written = end + written
    if at < len(lines) and lines[at].strip():
        written += end
    return _joined([*lines[:at], written, *lines[at:]], data)


def _without_block(data: bytes, path: Path_, file: str) -> bytes:
    lines = _lines(data)
    places = [(a, b) for p, a, b in _blocks(data, file) if p[: len(path)] == path]
    if not places:
        return data
    start, stop = places[0][0], places[-1][1]
    if start and not lines[start - 1].strip():
        start -= 1  # the empty line above goes with it
    elif stop < len(lines) and not lines[stop].strip():
        stop += 1
    return _joined([*lines[:start], *lines[stop:]], data)


def _joined(lines: Sequence[str], like: bytes) -> bytes:
    return (BOM if like.startswith(BOM) else b"") + "".join(lines).encode("utf-8")
