"""Templates of pages: whatever comes from files is escaped, and safe to look at."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, StrictUndefined
from jinja2.runtime import Undefined
from markupsafe import Markup

from .printable import printable


def environment() -> Environment:
    """For templates of our own."""
    return Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )


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
