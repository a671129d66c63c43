"""The nesting of a piece's type and state: own texts of the traits, outermost first, the base last.

A replay only cuts and joins texts, so this file does not load the traits themselves
(engine: ``counters.Decorator.myGetType``, ``BasicCommandEncoder``).
"""

from __future__ import annotations

from functools import lru_cache

from .sequence import join, split

MAX_TRAITS = 1000
"""Most traits of one piece; deeper text is kept as the base's. Real pieces have fewer than 200."""


def split_nested(text: str) -> tuple[str, ...]:
    """Own texts of a nested type or state, outermost first, down to the innermost."""
    parts = text.split("\t")
    if len(parts) <= MAX_TRAITS and _unnest(parts, text[-1:] == "'"):
        return tuple(parts)
    return _split_slowly(text, MAX_TRAITS)


def _split_slowly(text: str, depth: int) -> tuple[str, ...]:
    """Level by level, as the engine does; the rest as it stands if there is one."""
    parts = []
    for _ in range(depth):
        tokens = split(text, "\t")
        parts.append(tokens[0])
        if len(tokens) < 2:
            return tuple(parts)
        text = tokens[1]
    return (*parts, text)


def join_nested(parts: tuple[str, ...] | list[str]) -> str:
    """The inverse of :func:`split_nested`."""
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = join([part, text], "\t")
    return text


@lru_cache(maxsize=16384)
def split_type(text: str) -> tuple[str, ...]:
    """Own types of a piece: its traits, outermost first, and its base last."""
    return split_nested(text)


_SLASHES = tuple("\\" * depth for depth in range(MAX_TRAITS + 1))


def split_state(text: str, depth: int) -> tuple[str, ...]:
    """Own states of a piece with ``depth`` traits, its base's last; fewer if the text ends early.

    As quick as one pass over the text unless a state holds tabs or is quoted.
    """
    parts = text.split("\t")
    if len(parts) == depth + 1 <= MAX_TRAITS + 1 and _unnest(parts, text[-1:] == "'"):
        return tuple(parts)
    return _split_slowly(text, depth)


def _unnest(parts: list[str], quote_at_end: bool) -> bool:
    """Remove the backslashes of its depth from each part. False: more is needed, because a part has more or
    fewer of them, or quotes enclose a part or all parts from one on."""
    last = len(parts) - 1
    for depth, part in enumerate(parts):
        if depth < last:
            slashes = _SLASHES[depth]
            if not part.endswith(slashes):
                return False
            part = part[:-depth] if depth else part
            if part[-1:] == "\\":
                return False
            parts[depth] = part
        if part[:1] == "'" and (quote_at_end or part[-1:] == "'"):
            return False
    return True
