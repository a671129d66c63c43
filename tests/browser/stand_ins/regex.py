"""As much of ``regex`` as patterns use, on ``re``, which no time stops; for tests alone (see
:mod:`web_kit`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Match = re.Match
error = re.error
VERSION0 = 0


class Pattern:
    """A compiled pattern."""

    def __init__(self, code: re.Pattern[str]) -> None:
        self.groups, self.groupindex = code.groups, code.groupindex
        self.search, self.fullmatch = _untimed(code.search), _untimed(code.fullmatch)

    def __class_getitem__(cls, _: object) -> type[Pattern]:
        return cls


def _untimed(look: Callable[[str], Any]) -> Callable[..., Any]:
    return lambda text, timeout=None: look(text)


def compile(text: str, flags: int = 0) -> Pattern:  # noqa: A001 - its name
    return Pattern(re.compile(text, flags))
