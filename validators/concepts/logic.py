"""Yes, no and not known: None is what some completions of the facts make true and others false."""

from __future__ import annotations

from collections.abc import Iterable


def both(a: bool | None, b: bool | None) -> bool | None:
    """Whether both hold."""
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def every(answers: Iterable[bool | None]) -> bool | None:
    """Whether all hold."""
    found: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            found = None
    return found


def negation(a: bool | None) -> bool | None:
    """Whether it does not hold."""
    return None if a is None else not a


def some(answers: Iterable[bool | None]) -> bool | None:
    """Whether any holds."""
    found: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            found = None
    return found
