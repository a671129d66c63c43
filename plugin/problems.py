"""What was odd about the files read, told to the user on stderr."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.problem import Problem
from .printable import say
from .reports.phrases import counted

MOST_SAID = 20
"""Lines beyond which the rest is only counted."""

_RANK = {"error": 0, "warning": 1, "note": 2}


def say_problems(problems: Iterable[Problem]) -> None:
    """Each problem once, a line each, the worst first."""
    found = sorted(dict.fromkeys(problems), key=lambda problem: _RANK[problem.severity])
    for problem in found[:MOST_SAID]:
        say_problem(problem)
    if len(found) > MOST_SAID:
        say(f"and {counted(len(found) - MOST_SAID, 'more problem')}; the output holds them all")


def say_problem(problem: Problem) -> None:
    """One problem, on one line."""
    say(f"{problem.severity}: {problem}")
