"""What the page says to be amiss with the files, in words for somebody who does not edit them by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...importers.pack.edit.hexes import FILE as HEXES
from ...importers.pack.edit.lines import FILE as LINES
from ...importers.pack.edit.units import FILE as UNITS
from ...model.names import CLASS
from ...model.problem import Problem
from ..problems import MOST_SAID
from ..reports.phrases import counted

ON_THE_CARD = frozenset({"no-units", "no-phase"})
"""Of these the card speaks; they are no fault of the pack."""


def file_problems(problems: Sequence[Problem]) -> Iterator[str]:
    """The problems a page shows, the first of them. Names on the board that no chart has yet are one line:
    where a pack is begun the board is painted before the charts are filled in."""
    bad = [p for p in problems if p.severity != "note" and p.code not in ON_THE_CARD]
    new = [p for p in bad if _is_without_a_cost(p)]
    classes = [p for p in bad if _is_new_class(p)]
    told = [p for p in bad if p not in new and p not in classes]
    yield from (str(problem) for problem in told[:MOST_SAID])
    if classes:
        yield "counters have movement classes that the charts do not have yet: the Units view adds them"
    if new:
        have, are, cost = (
            ("has", "it", "it costs") if len(new) == 1 else ("have", "them", "they cost")
        )
        yield (
            f"{counted(len(new), 'name')} on the board {have} no cost yet, so what rests on {are} is not "
            f"known: the Rules view asks what {cost}, below All charts"
        )


def _is_new_class(problem: Problem) -> bool:
    """Whether a problem is a class of counters that the chart of classes does not have, and may get."""
    is_class = problem.code == "unknown-name" and f"a {CLASS} that" in problem.message
    return is_class and problem.where.startswith(f"{UNITS} ") and problem.severity == "warning"


def _is_without_a_cost(problem: Problem) -> bool:
    """Whether a problem is a name on the board that a chart does not have which may still grow."""
    on_board = problem.where.startswith((f"{HEXES} ", f"{LINES} "))
    return on_board and problem.code == "unknown-name" and problem.severity == "warning"
