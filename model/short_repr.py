"""A repr of one short line, for values that people print."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any, ClassVar

WIDTH = 100
_FEW = 3
_PART = 40


class Short:
    """Gives a dataclass (with ``repr=False``) a repr of one line, of at most :data:`WIDTH` characters. It
    shows values that are not empty, and the length of long collections. ``shown``: the attributes to show;
    empty: all fields except those with ``repr=False``."""

    __slots__ = ()
    shown: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in self.shown or _fields(self))
        parts = (f"{name}={_text(value)}" for name, value in values if not _is_empty(value))
        text = ", ".join(parts)
        head = f"<{type(self).__name__} "
        room = WIDTH - len(head) - 1
        return f"{head}{text if len(text) <= room else f'{text[: room - 1]}…'}>"


def _fields(of: Any) -> Iterable[str]:
    return [field.name for field in fields(of) if field.repr]


def _is_empty(value: object) -> bool:
    return value is None or value is False or (isinstance(value, Collection) and not value)


def _text(value: object) -> str:
    """A value in a few printable characters."""
    if isinstance(value, str):
        return repr(value if len(value) <= _PART else f"{value[: _PART - 1]}…")
    if isinstance(value, Collection) and not _says(value):
        few = isinstance(value, tuple | list) and len(value) <= _FEW
        if few and all(isinstance(one, str | int) for one in value):
            return f"[{', '.join(map(_text, value))}]"
        return f"<{len(value)}>"
    told = str(value)
    return told if told.isprintable() else repr(told)


def _says(value: object) -> bool:
    """Whether its class has its own text form, such as 1:17 for a step."""
    return "__str__" in type(value).__dict__ and not isinstance(value, Mapping)
