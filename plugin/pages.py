"""Templates of pages: whatever comes from files is escaped, and safe to look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from jinja2.runtime import Undefined
from markupsafe import Markup

from .printable import printable


class _Compiling(Environment):
    """Compiles a text once, however often pages are made of it."""

    @lru_cache(maxsize=16)  # noqa: B019 - environments live as long as the program
    def from_string(self, source: str) -> Template:  # type: ignore[override]
        return super().from_string(source)


@cache
def environment(**filters: Callable[..., Any]) -> Environment:
    """For templates of our own, with filters of theirs."""
    made = _Compiling(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    made.filters.update(filters)
    return made


def shown(value: Any) -> Any:
    """Text of others without what is not to be seen or turns the rest about, however deep it lies;
    what is no text is shown as its text."""
    if value is None or isinstance(value, Markup | Undefined | int | float):
        return value
    if isinstance(value, list | tuple):
        return [shown(part) for part in value]
    if isinstance(value, dict):
        return {shown(key): shown(part) for key, part in value.items()}
    return printable(str(value))
