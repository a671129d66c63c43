"""Reads the words of cases: values, places, and ``key=value`` pairs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from fractions import Fraction

from ...model.fact import Fact, Value, between
from ...model.game import NOWHERE, Place
from ...model.schemas import Fault
from ..pack.cells import exact_number

Path = tuple[str | int, ...]
Blame = Callable[[str, str], None]
"""Notes a fault: what was expected, what was found."""

_PLACE = re.compile(r"\[[^\]]*\]!?|[^\s\[]+")


class Faults:
    """Collects the faults of a case."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def at(self, *path: str | int) -> Blame:
        """A function that notes faults at ``path``."""
        return lambda expected, found: self.found.append(Fault(path, expected, found))


def fact_in(text: str | int | bool) -> Fact | None:
    """The fact that a value is written as: ``4``, ``7/2``, ``true``, ``foot``; ``4|6`` one of several;
    ``4..6`` a number in this range; ``?`` not known. None if it is not a value."""
    if not isinstance(text, str):
        return Fact((text if isinstance(text, bool) else Fraction(text),))
    text = text.strip()
    if text == "?":
        return Fact()
    if ".." in text:
        lo, hi = (exact_number(part) for part in text.split("..", 1))
        if lo is not None and hi is not None and lo <= hi:
            return between(lo, hi)
        return None
    parts = [part.strip() for part in text.split("|")]
    return Fact(tuple(_value(part) for part in parts)) if all(parts) else None


def _value(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    number = exact_number(text)
    return text if number is None else number


def place_in(text: str, hexes: Mapping[str, object]) -> Place | None:
    """The place written as ``0101`` (a hex), ``[Pool]`` (a box), ``-`` (off the map) or ``?`` (unclear). None
    if the board has no such hex."""
    if text == "-":
        return NOWHERE
    if text == "?":
        return Place("unclear")
    if text.startswith("[") and text.endswith("]") and len(text) > 2:
        return Place("box", text[1:-1])
    return Place("hex", text) if text in hexes else None


def places_in(text: str) -> list[str]:
    """The places in a row, each as written."""
    return _PLACE.findall(text)


def words_in(text: str, blame: Blame) -> list[str] | None:
    """The words of a text, separated by blanks; a quoted word may have blanks. None, and a fault, if a quote
    is missing."""
    try:
        return shlex.split(text)
    except ValueError:
        blame("quotes in pairs", f'"{text}"')
        return None


def pairs_in(words: list[str], blame: Blame) -> dict[str, str]:
    """key → value for ``words`` of the form ``key=value``; others are noted as faults."""
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            blame("key=value", f'"{word}"')
        elif key in found:
            blame(f"{key} once", f'"{word}"')
        else:
            found[key] = value
    return found
