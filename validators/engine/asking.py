"""Runs a plain function over facts of which some are not known: once for each possible answer.

The function gets a :class:`Run`. Whatever it reads of the game goes through that; where an answer is not
known the run ends with :class:`Asked` and is repeated once for each possible answer. So the function must
be pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ...model.fact import MissingFact

Question = MissingFact | Callable[[], MissingFact]
"""A missing fact, or what makes it: most questions are never asked."""
later = partial
MOST_RUNS = 64
"""Limit on the runs of a function. Beyond it the result may be anything."""


OF_THE_GAME = ("reading", "cell")
"""Keys of facts that are the same for all units and hexes."""


class Asked(BaseException):
    """A run asked for a fact that is not known. ``choices``: the possible answers; empty: not enumerable."""

    def __init__(self, key: object, choices: tuple[Any, ...], facts: Iterable[Question]) -> None:
        super().__init__(key)
        self.key, self.choices = key, choices
        self.facts = tuple(f if isinstance(f, MissingFact) else f() for f in facts)


class Run:
    """The answers assumed in one run."""

    __slots__ = ("log", "told")

    def __init__(self, told: Mapping[object, Any], log: Log) -> None:
        self.told, self.log = told, log

    def choose(self, key: object, choices: Iterable[Any], facts: Iterable[Question]) -> Any:
        """One of ``choices``: the only one, or the one assumed for ``key`` in this run."""
        every = tuple(choices)
        if len(every) == 1:
            return every[0]
        if key in self.told:
            return self.told[key]
        raise Asked(key, every, facts)

    def yes(self, key: object, holds: bool | None, *facts: Question) -> bool:
        """``holds``; if it is None (not known), the answer assumed in this run."""
        return holds if holds is not None else bool(self.choose(key, (True, False), facts))


class Log:
    """What all runs of a function read. ``reads``: the questions to the game, in order, each a function of
    the subject and its argument; the result may be kept under their answers. ``private``: a run read
    something else that belongs to this mover alone. ``dynamic``: it read what may change at any time.
    ``asked``: a fact that is not known was asked for."""

    __slots__ = ("asked", "count", "dynamic", "private", "reads")

    def __init__(self) -> None:
        self.count, self.private, self.dynamic, self.asked = 0, False, False, False
        self.reads: dict[Any, None] = {}


class Outcome(NamedTuple):
    """All that a function may return. ``said``: the results of all runs; None: anything. ``facts``: the
    missing facts on which the result depends."""

    said: tuple[Any, ...] | None
    facts: tuple[MissingFact, ...]
    log: Log

    @property
    def holds(self) -> bool | None:
        """Whether the result is true; None: not known."""
        answers = {bool(one) for one in self.said} if self.said is not None else {True, False}
        return answers.pop() if len(answers) == 1 else None


def outcome(work: Callable[[Run], Any], most: int = MOST_RUNS) -> Outcome:
    """Run ``work`` once for each possible answer to every fact that it asks for and that is not known.
    ``most``: the limit on its runs."""
    log = Log()
    said, facts = _explore(work, {}, log, most)
    return Outcome(said, tuple(facts), log)


def _explore(
    work: Callable[[Run], Any], told: dict[object, Any], log: Log, most: int
) -> tuple[tuple[Any, ...] | None, dict[MissingFact, None]]:
    log.count += 1
    try:
        return (work(Run(told, log)),), {}
    except Asked as asked:
        if not (isinstance(asked.key, tuple) and asked.key[0] in OF_THE_GAME):
            log.asked = True
        facts = dict.fromkeys(asked.facts)
        if not asked.choices or log.count + len(asked.choices) > most:
            return None, facts
        branches = [_explore(work, {**told, asked.key: one}, log, most) for one in asked.choices]
    if any(said is None for said, _ in branches):
        return None, {**facts, **{f: None for _, more in branches for f in more}}
    every = dict.fromkeys(one for said, _ in branches for one in said or ())
    if len(every) == 1:  # whatever the answer, the same
        return tuple(every), {}
    if len({frozenset(said or ()) for said, _ in branches}) == 1:
        return tuple(every), {f: None for _, more in branches for f in more}
    # what is asked only after one of the answers can wait until that answer is given
    return tuple(every), {
        **facts,
        **{f: None for f in branches[0][1] if all(f in more for _, more in branches)},
    }


def leaves(work: Callable[[Run], Any]) -> list[tuple[tuple[tuple[MissingFact, Any], ...], Any]]:
    """Every completion that ``work`` can end with, in the order of its choices: the facts assumed, each with
    its value, and the result. A fact that cannot be enumerated, or of which there are too many, must not be
    asked for."""
    found: list[tuple[tuple[tuple[MissingFact, Any], ...], Any]] = []
    todo: list[tuple[dict[object, Any], tuple[tuple[MissingFact, Any], ...]]] = [({}, ())]
    log = Log()
    while todo:
        told, assumed = todo.pop(0)
        try:
            found.append((assumed, work(Run(told, log))))
        except Asked as asked:
            todo[:0] = [
                ({**told, asked.key: one}, (*assumed, *((f, one) for f in asked.facts)))
                for one in asked.choices
            ]
    return found
