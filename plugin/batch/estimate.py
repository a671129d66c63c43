"""How long a batch still takes, in words."""

from __future__ import annotations

_FEWEST = 5
"""Games after which something can be said."""


def time_left(done: int, to_do: int, seconds: float) -> str:
    """How long ``to_do`` games take if ``done`` took so many seconds; "" while too few are done."""
    if done < _FEWEST or not to_do:
        return ""
    whole = seconds / done * to_do
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if whole >= 1.5 * size:
            return f"about {round(whole / size)} {unit} left"
    return f"about {max(1, round(whole))} s left"
