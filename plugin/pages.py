"""Page templates. Text from files is escaped and made safe to display."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from jinja2.runtime import Undefined
from markupsafe import Markup

from .printable import printable


class _Compiling(Environment):
    """Compiles each template once."""

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
    """Text from files without invisible characters or those that reverse it, at any depth; other values as
    text."""
    if value is None or isinstance(value, Markup | Undefined | int | float):
        return value
    if isinstance(value, list | tuple):
        return [shown(part) for part in value]
    if isinstance(value, dict):
        return {shown(key): shown(part) for key, part in value.items()}
    return printable(str(value))
