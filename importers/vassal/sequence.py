"""The sequence codec: how VASSAL packs a list of strings into one string.

One delimiter character a level; a backslash before a delimiter makes it a letter; backslashes
themselves are never escaped; a token in single quotes loses them once. Engine class:
``VASSAL.tools.SequenceEncoder``. Every function here is total: any text splits.
"""

from __future__ import annotations

from collections.abc import Iterable

# Stand-ins for an escaped delimiter while splitting; any character absent from the text will do.
_STAND_INS = "\x00\x01\x02\x03\x04\x05\x06\x07\ue000\ue001"


def split(text: str, delimiter: str) -> list[str]:
    """Return the tokens of ``text``; the empty text holds one empty token.

    ``delimiter`` is one character, neither a backslash nor a quote.
    """
    if delimiter not in text:
        return [unquote(text)]
    escaped = "\\" + delimiter
    parts = (
        text.split(delimiter) if escaped not in text else _split_escaped(text, delimiter, escaped)
    )
    if "'" in text:
        return [unquote(part) for part in parts]
    return parts


def _split_escaped(text: str, delimiter: str, escaped: str) -> list[str]:
    for mark in _STAND_INS:
        if mark != delimiter and mark not in text:
            parts = text.replace(escaped, mark).split(delimiter)
            return [part.replace(mark, delimiter) if mark in part else part for part in parts]
    return _split_by_joining(text, delimiter)


def _split_by_joining(text: str, delimiter: str) -> list[str]:
    """Split a text that holds every stand-in: cut everywhere, join again what was escaped."""
    tokens: list[str] = []
    open_parts: list[str] = []
    for part in text.split(delimiter):
        if part.endswith("\\"):
            open_parts.append(part[:-1])
        else:
            open_parts.append(part)
            tokens.append(delimiter.join(open_parts))
            open_parts = []
    if open_parts:  # the last part ends with a backslash and has no delimiter after it
        tokens.append(delimiter.join(open_parts) + "\\")
    return tokens


def unquote(token: str) -> str:
    """Take one pair of single quotes off a token that has it."""
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def join(tokens: Iterable[str | None], delimiter: str) -> str:
    """Pack ``tokens`` (``None`` counts as empty) so that :func:`split` gives them back.

    The one list that cannot be given back holds a token that ends with a backslash before another
    token: the engine of today writes it in a way that nobody can read, and so does this function,
    because the same bytes matter more.
    """
    texts = [token or "" for token in tokens]
    text = delimiter.join(texts)
    if "\\" not in text and "'" not in text and text.count(delimiter) == len(texts) - 1:
        return text
    return delimiter.join([_encode(text, delimiter) for text in texts])


def _encode(token: str, delimiter: str) -> str:
    if not token:
        return ""
    first, last = token[0], token[-1]
    text = token.replace(delimiter, "\\" + delimiter) if delimiter in token else token
    if first == "\\" or (first == "'" and last == "'"):
        return f"'{text}'"
    return text


def lines(text: str) -> str:
    """Read a multi-line text: the engine stores lines as a ``|`` list (``TextConfigurer``)."""
    return "\n".join(split(text, "|"))


def escape_lines(text: str) -> str:
    """Write a multi-line text; the inverse of :func:`lines`."""
    return join(text.split("\n"), "|")
