"""Small changes to texts and to trees of plain values, drawn by a random number generator."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from typing import Any

NASTY = (
    "", " ", "0", "-1", "1", "007", "2147483648", "-2147483649", "9" * 40, "1e999", "-1e999", "nan",
    "1.5", "1/2", "1/0", "0x10", "٣", "²", "true", "false", "null", "none", "any", "?", "*", "all",
    "\x00", "\x07", "\t", "\n", "\r\n", "\x1b", "\x85", "\u2028", "\u202e", "\ufeff", "\udc80",
    "\U0001f600", "e\u0301", "İ", "ß", "/", "\\", "\\\\", "\\/", ";", ",", ":", "|", "'", "''", '"', "%s",
    "{", "{}", "{x}", "{{1}}", "$x$", "$", "[", "]", "[[", "]]", "(", ")", "(?P<x>", "(a*)*b", "<b>",
    "<!--", "&lt;", "&#0;", "..", "../../x", "/dev/stdin", "C:\\x", "=1+1", "@x", "#", "a" * 300,
    "Map0", "Main Map", "stack", "deck", "piece;;;;", "emb2;;;;", "end_save", "LOG\t",
)  # fmt: skip
"""Texts that programs have stumbled over."""

NUMBERS = (0, -1, 1, 2, 3, 7, 255, 65536, 2**31, 2**63, 10**30, -(10**30))
DELIMITERS = "\t/;,:|"
_NUMBER = re.compile(r"-?[0-9]+")


def other_text(rng: random.Random, text: str, pool: list[str]) -> str:
    """``text`` with one thing changed: a field, a number, a stretch, or all of it."""
    kind = rng.randrange(10)
    if kind < 5:
        return _other_field(rng, text, pool)
    if kind < 7:
        return _other_number(rng, text)
    if kind == 7:
        at = rng.randint(0, len(text))
        return text[:at] + atom(rng, pool) + text[at:]
    if kind == 8:
        first, last = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        return text[:first] + text[last:]
    return atom(rng, pool)


def atom(rng: random.Random, pool: list[str]) -> str:
    """A text that fits nowhere, or one that fits elsewhere."""
    return rng.choice(pool) if pool and rng.random() < 0.3 else rng.choice(NASTY)


def _other_field(rng: random.Random, text: str, pool: list[str]) -> str:
    there = [mark for mark in DELIMITERS if mark in text]
    if not there:
        return atom(rng, pool)
    mark = rng.choice(there)
    fields = text.split(mark)
    at = rng.randrange(len(fields))
    kind = rng.randrange(7)
    if kind < 3:
        fields[at] = atom(rng, pool)
    elif kind == 3:
        del fields[at]
    elif kind == 4:
        fields[at:at] = [fields[at]] * rng.choice((1, 1, 3, 50))
    elif kind == 5:
        other = rng.randrange(len(fields))
        fields[at], fields[other] = fields[other], fields[at]
    else:
        del fields[at + 1 :]
    return mark.join(fields)


def _other_number(rng: random.Random, text: str) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text + str(rng.choice(NUMBERS))
    one = rng.choice(found)
    near = int(one[0][:30]) + rng.choice((-1, 1, 10, -1000))
    new = str(near if rng.random() < 0.4 else rng.choice(NUMBERS))
    return text[: one.start()] + new + text[one.end() :]


def other_bytes(rng: random.Random, data: bytes) -> bytes:
    """``data`` with a few bytes changed, lost or doubled."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(changed) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            changed[at:at] = bytes([rng.randrange(256)])
        elif kind == 1:
            del changed[at : at + rng.choice((1, 4, 100))]
        elif kind == 2 and at < len(changed):
            changed[at] = rng.randrange(256)
        else:
            changed[at:at] = changed[at : at + rng.choice((1, 16, 500))]
    return bytes(changed)


# -- trees of plain values --------------------------------------------------------------------------


def other_tree(rng: random.Random, tree: Any, times: int) -> Any:
    """A copy of plain values (of JSON, of TOML) with so many things changed.

    Half of the copies are changed tamely: what was a number stays one, names are exchanged wherever they
    stand, so that most get past the first look at them.
    """
    tree = copy.deepcopy(tree)
    pool = sorted({text for text in _texts(tree) if text})
    change = _tamely if rng.random() < 0.6 else _wildly
    for _ in range(times):
        if tree:
            change(rng, tree, *_spot(rng, tree), pool)
    return tree


def _spot(rng: random.Random, tree: Any) -> tuple[Any, Any]:
    """A place in a tree: what holds it, and its key there. Branches count alike, however large."""
    while True:
        key = rng.choice(list(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
        if not isinstance(tree[key], dict | list) or not tree[key] or rng.random() < 0.15:
            return tree, key
        tree = tree[key]


def _spots(tree: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


def _texts(tree: Any) -> Iterator[str]:
    for holder, key in _spots(tree):
        if isinstance(key, str):
            yield key
        if isinstance(holder[key], str):
            yield holder[key]


def _tamely(rng: random.Random, tree: Any, holder: Any, key: Any, pool: list[str]) -> None:
    value, kind = holder[key], rng.randrange(8)
    alike = [h[k] for h, k in _spots(tree) if k == key and type(h[k]) is type(value)]
    if kind < 2 and isinstance(value, str):
        _rename(tree, value, other_text(rng, value, pool))
    elif kind < 4 and isinstance(key, str):
        holder[key] = copy.deepcopy(rng.choice(alike))
    elif kind == 4 and isinstance(value, list) and value:
        at = rng.randrange(len(value))
        value.insert(rng.randrange(len(value)), copy.deepcopy(value[at]))
    elif kind == 5 and isinstance(value, list) and value:
        del value[rng.randrange(len(value))]
    elif kind == 5:
        del holder[key]
    elif kind == 6 and isinstance(value, list):
        rng.shuffle(value)
    elif isinstance(value, dict) and value:
        value[atom(rng, pool)] = copy.deepcopy(rng.choice(list(value.values())))
    else:
        holder[key] = _other_value(rng, value, pool)


def _rename(tree: Any, old: str, new: str) -> None:
    """Exchange a text wherever it stands, as a value or as a key."""
    for holder, key in list(_spots(tree)):
        if key in holder if isinstance(holder, dict) else key < len(holder):
            if isinstance(holder[key], str) and holder[key] == old:
                holder[key] = new
            if key == old:
                holder[new] = holder.pop(old)


def _wildly(rng: random.Random, tree: Any, holder: Any, key: Any, pool: list[str]) -> None:
    value, kind = holder[key], rng.randrange(12)
    if kind < 4:
        holder[key] = _other_value(rng, value, pool)
    elif kind == 4:
        del holder[key]
    elif kind == 5 and isinstance(holder, list):
        holder[key:key] = [copy.deepcopy(value)] * rng.choice((1, 1, 20))
    elif kind == 5:
        holder[atom(rng, pool)] = copy.deepcopy(value)
    elif kind == 6 and isinstance(holder, dict):
        holder[other_text(rng, key, pool)] = holder.pop(key)
    elif kind == 7:
        other, there = _spot(rng, tree)
        holder[key] = copy.deepcopy(other[there])
    elif kind == 8:
        for _ in range(rng.choice((1, 1, 3, 60))):
            value = [value] if rng.random() < 0.5 else {atom(rng, pool): value}
        holder[key] = value
    elif kind == 9 and isinstance(value, dict | list):
        value.clear()
    elif kind == 10 and isinstance(value, str):
        holder[key] = other_text(rng, value, pool)
    else:
        holder[key] = _plain(rng, pool)


def _other_value(rng: random.Random, value: Any, pool: list[str]) -> Any:
    """A value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, rng.choice(NUMBERS)))
    if isinstance(value, str):
        return atom(rng, pool)
    return _plain(rng, pool)


def _plain(rng: random.Random, pool: list[str]) -> Any:
    """A value of any kind."""
    return rng.choice(
        (rng.choice(NUMBERS), 1.5, float("inf"), True, False, [], {}, [[]], [{}], {"": ""},
         atom(rng, pool), [atom(rng, pool)], {atom(rng, pool): atom(rng, pool)})
    )  # fmt: skip
