"""Count the findings that disappeared when a fact of the board was changed."""

from __future__ import annotations

from ...model.finding import Audit
from .accused import accusations, cleared


def went_with(then: Audit, found: Audit) -> int:
    """The number of accusations of ``then``, the audit before the change, that are gone in ``found``, the
    audit after it; both reduced to what their reader may know."""
    return len(cleared(accusations(then), found))
