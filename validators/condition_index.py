"""An index of the conditions of a game: what is told of each, and from which step on."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from heapq import heappop, heappush

from ..model.fact import Fact
from ..model.game import Condition, StepRef

ToldSteps = tuple[list[StepRef], list[Fact | None]]
"""The steps at which a value changes, in order, and the value from each of them on (None: none is given)."""


def value_at(steps: ToldSteps | None, moment: StepRef) -> Fact | None:
    """The value at a step; None if none is given."""
    if steps is None:
        return None
    found = bisect_right(steps[0], moment)
    return steps[1][found - 1] if found else None


def values_between(steps: ToldSteps | None, first: StepRef, last: StepRef) -> list[Fact | None]:
    """The values from step ``first`` to ``last``, one for each change; None where none is given."""
    if steps is None:
        return [None]
    begin, end = bisect_right(steps[0], first), bisect_right(steps[0], last)
    return [value_at(steps, first), *steps[1][begin:end]]


def condition_index(conditions: tuple[Condition, ...]) -> dict[tuple[str, str], ToldSteps]:
    """For each key and unit: the steps at which the value changes, and the value from each of them on (None:
    none is given)."""
    by_key: dict[tuple[str, str], list[tuple[int, Condition]]] = defaultdict(list)
    for number, condition in enumerate(conditions):
        by_key[condition.key, condition.unit].append((number, condition))
    return {key: _sweep(found) for key, found in by_key.items()}


def _sweep(conditions: list[tuple[int, Condition]]) -> ToldSteps:
    """The steps at which the value changes, and the values. Where conditions overlap, the last one given
    holds."""
    starts = sorted(conditions, key=lambda entry: entry[1].first)
    moments = sorted(
        {c.first for _, c in conditions}
        | {StepRef(c.last.log, c.last.step + 1) for _, c in conditions if c.last is not None}
    )
    steps: list[StepRef] = []
    facts: list[Fact | None] = []
    by_number = dict(conditions)
    heap: list[int] = []
    taken = 0
    for moment in moments:
        while taken < len(starts) and starts[taken][1].first <= moment:
            heappush(heap, -starts[taken][0])
            taken += 1
        while heap and _over(by_number[-heap[0]], moment):
            heappop(heap)
        steps.append(moment)
        facts.append(by_number[-heap[0]].fact if heap else None)
    return steps, facts


def _over(condition: Condition, moment: StepRef) -> bool:
    return condition.last is not None and condition.last < moment
