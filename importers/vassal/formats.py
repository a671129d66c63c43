"""Formatted strings: texts with ``$name$`` in them, as the engine fills them in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_DOLLAR = re.compile(r"(?<!\\)\$")
_LITERAL = re.compile(r'\{\s*"((?:[^"\\]|\\[\\"])*)"\s*\}')
_BARE_NAME = re.compile(r"\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}")
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}")
_RESERVED = frozenset({"true", "false", "null"})
_BLANKS = "".join(map(chr, range(33)))
"""What Java's ``trim`` takes off both ends: control characters and blanks."""


@dataclass(frozen=True, slots=True)
class Format:
    """A formatted string, split once.

    ``parts`` alternate between plain text and property names (first is text). ``known`` is False
    for BeanShell expressions that are more than a literal or a bare name: their value is not known
    without running code, which this reader never does.
    """

    text: str
    parts: tuple[str, ...]
    known: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the properties the text asks for."""
        return self.parts[1::2]

    def render(
        self,
        values: Mapping[str, str | None],
        *,
        localized: bool = False,
        lookup: Callable[[str], str | None] | None = None,
    ) -> str | None:
        """The text with values filled in; None if it is an expression we do not evaluate.

        A name in ``values`` without value gives nothing. Another name is asked of ``lookup``;
        unknown there, it gives nothing if ``localized``, else its own bare name
        (FormattedStringExpression.evaluate).
        """
        if not self.known:
            return None
        parts = self.parts
        if len(parts) == 1:
            return parts[0]
        out = list(parts)
        for i in range(1, len(parts), 2):
            name = parts[i]
            if name in values:
                out[i] = values[name] or ""
                continue
            found = lookup(name) if lookup else None
            out[i] = found if found is not None else "" if localized else name
        return "".join(out)


def parse_format(text: str) -> Format:
    """Split a formatted string as the engine does (Expression.createExpression).

    Blank text gives nothing, a whole number is printed afresh (``007`` as ``7``), a text with
    ``$`` is trimmed; ``\\$`` is a literal dollar; a last unpaired ``$name`` stays text.
    """
    trimmed = text.strip(_BLANKS)
    if not trimmed:
        return Format(text, ("",))
    if trimmed.startswith("{") and trimmed.endswith("}"):
        return _expression(text, trimmed)
    if _INTEGER.fullmatch(trimmed) and -(2**31) <= int(trimmed) < 2**31:
        return Format(text, (str(int(trimmed)),))
    if "$" not in trimmed:
        return Format(text, (text,))
    return Format(text, _split(trimmed))


def _split(text: str) -> tuple[str, ...]:
    tokens = []
    for raw in _DOLLAR.split(text):
        token = raw.replace("\\$", "$")
        if len(token) > 1 and token.startswith("'") and token.endswith("'"):
            token = token[1:-1]
        tokens.append(token)
    parts = [tokens[0]]
    for i, token in enumerate(tokens[1:], start=1):
        is_name = i % 2 == 1 and i < len(tokens) - 1
        if is_name and token:
            parts += [token, ""]
        else:
            parts[-1] += token
    return tuple(parts)


def _expression(text: str, trimmed: str) -> Format:
    literal = _LITERAL.fullmatch(trimmed)
    if literal:
        return Format(text, (re.sub(r"\\(.)", r"\1", literal[1]),))
    name = _BARE_NAME.fullmatch(trimmed)
    if name and name[1] not in _RESERVED:
        return Format(text, ("", name[1], ""))
    return Format(text, (), known=False)


NOT_KNOWN = Format("", (), known=False)
"""A format that this reader cannot fill in."""
