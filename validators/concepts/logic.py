"""Three-valued logic. None means not known: true under some completions of the facts, false under others."""

from __future__ import annotations

from collections.abc import Iterable


def both(a: bool | None, b: bool | None) -> bool | None:
    """Whether both hold; None: not known."""
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def negation(a: bool | None) -> bool | None:
    """The opposite; None stays None."""
    return None if a is None else not a


def some(answers: Iterable[bool | None]) -> bool | None:
    """Whether any holds; False if there are none. None: not known."""
    found: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            found = None
    return found
