"""All that a value holds, as text: what its own repr may leave out because it is short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass


def full_repr(value: object) -> str:
    """The text; fields that are kept out of a repr (``repr=False``) are kept out of it."""
    if is_dataclass(value) and not isinstance(value, type):
        told = (f"{f.name}={full_repr(getattr(value, f.name))}" for f in fields(value) if f.repr)
        return f"{type(value).__name__}({', '.join(told)})"
    if isinstance(value, Mapping):
        told = (f"{full_repr(key)}: {full_repr(one)}" for key, one in value.items())
        return f"{{{', '.join(told)}}}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"[{', '.join(map(full_repr, value))}]"
    return repr(value)
