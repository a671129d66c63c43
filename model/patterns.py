"""Patterns from packs and other files, held against texts by the library ``regex``, in bounded time.

A pattern is a regular expression as Python's ``re`` takes it, and finds what ``re`` finds. Unlike ``re``,
``regex`` stops when its time is up, so that no pattern and no text takes for ever.
"""

from __future__ import annotations

import importlib
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import regex

from .problem import UmpireError

__all__ = ["Effort", "Found", "Pattern", "PatternError", "compile_pattern"]

Found = regex.Match[str]
"""Where a pattern fits: ``found[0]`` the text that fits, ``found[1]``, ``found["name"]`` its groups, None for
those that took no part."""

MOST_SECONDS = 10.0
"""Seconds that the patterns of one pack may take over all texts. The largest games at hand take less than a
hundredth of it."""
LONGEST_PATTERN = 2_000
"""Characters of a pattern; those of real packs have about a hundred."""
LARGEST_PATTERN = 10_000
"""Parts of a pattern, each as often as counts repeat it at least: it takes time to make them, too."""

_parser: Any = importlib.import_module("re._parser")  # the parser of ``re`` itself; it has no types
# What ``regex`` would take for more than ``re`` does: a brace that begins no count.
_BRACE = re.compile(r"(\\N\{[^}]*\}|\\.)|\{(?!\d+(?:,\d*)?\}|,\d*\})", re.DOTALL)


class PatternError(ValueError):
    """A pattern that is none, or that is not taken; the text says why."""


@dataclass(slots=True)
class Effort:
    """Seconds ``taken`` by the patterns that share it; more than ``most`` raise :class:`UmpireError`."""

    most: float = MOST_SECONDS
    taken: float = 0.0


class Pattern:
    """A pattern, ready to be held against texts. ``groups``: how many; ``names``: the names of groups.

    All that share an ``effort`` raise :class:`UmpireError` when it is used up.
    """

    def __init__(self, text: str, effort: Effort) -> None:
        self.text, self.effort = text, effort
        self._code = _compiled(text)
        self.groups, self.names = self._code.groups, frozenset(self._code.groupindex)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def fits(self, text: str) -> bool:
        """Whether some part of ``text`` fits."""
        return self.search(text) is not None

    def search(self, text: str) -> Found | None:
        """The first place that fits, as ``re`` finds it; None if there is none."""
        return self._timed(self._code.search, text)

    def fullmatch(self, text: str) -> Found | None:
        """The whole of ``text``, if it fits."""
        return self._timed(self._code.fullmatch, text)

    def _timed(self, look: Callable[..., Found | None], text: str) -> Found | None:
        effort, begun = self.effort, time.perf_counter()
        try:
            left = effort.most - effort.taken
            if left <= 0:
                raise TimeoutError
            return look(text, timeout=left)
        except TimeoutError:
            shown = self.text if len(self.text) <= 60 else self.text[:59] + "…"
            raise UmpireError(
                f"the patterns of the pack take too long on these files, at last {shown!r}",
                expected=f"at most {effort.most:g} seconds",
                hint="make the patterns simpler, or leave out the files with the long texts",
            ) from None
        finally:
            effort.taken += time.perf_counter() - begun


def _compiled(text: str) -> regex.Pattern[str]:
    if len(text) > LONGEST_PATTERN:
        raise PatternError(f"it has more than {LONGEST_PATTERN:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if _size(_parser.parse(text)) > LARGEST_PATTERN:
                raise PatternError("it repeats too much")
            return regex.compile(_BRACE.sub(lambda found: found[1] or r"\{", text), regex.VERSION0)
    except (re.error, regex.error, OverflowError) as error:
        raise PatternError(str(error)) from error
    except RecursionError:
        raise PatternError("it is nested too deeply") from None


def _size(part: Any) -> int:
    """How many parts a parsed pattern has, with those that counts repeat."""
    if not isinstance(part, _parser.SubPattern | list | tuple):
        return 1
    if len(part) == 2 and str(part[0]).endswith("_REPEAT"):
        least, _, inner = part[1]
        return max(1, int(least)) * _size(inner)
    return sum(map(_size, part))


def compile_pattern(text: str, effort: Effort | None = None) -> Pattern:
    """A pattern in the syntax of Python's ``re``; :class:`PatternError` says what is wrong with it."""
    return Pattern(text, effort if effort is not None else Effort())


NEVER = compile_pattern("(?!)")
"""The pattern that fits nothing."""
