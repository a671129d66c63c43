"""Runs a pure function once for each possible value of the facts that are not known.

The function gets a :class:`Run` and reads the game only through it. If an answer is not known, the run ends
with :class:`Asked` and is repeated once for each possible answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...model.fact import MissingFact

Question = MissingFact | Callable[[], MissingFact]
"""A missing fact, or a function that makes it, because most questions are never needed."""
later = partial
MOST_RUNS = 64
"""The most runs of a function. With more, the result may be anything."""
MOST_RUNS_OF_ACTIONS = 1000
"""As :data:`MOST_RUNS`, for action functions, which read all neighbours of a hex, and for quotas."""


OF_THE_GAME = ("reading", "cell", "stated", "chart", "condition")
"""Keys of facts that are the same for all units and hexes."""
OF_THE_BOARD = (
    "terrain", "feature", "has", "holds", "unlisted", "level", "line", "hexside", "side", "line more",
    "crosses",
)  # fmt: skip
"""Keys of facts of hexes and hexsides: edges of one kind have the same unknown facts."""
NOTED = (*OF_THE_GAME, *OF_THE_BOARD, "others", "enemies", "near", "need")
"""Keys of facts that are the same wherever the answers to the reads noted with them are the same."""


class Asked(BaseException):
    """Ends a run that needs a fact that is not known. ``choices``: the possible answers; empty: they cannot
    be enumerated."""

    def __init__(
        self, run: Run, key: object, choices: tuple[Any, ...], facts: Iterable[Question]
    ) -> None:
        super().__init__(key)
        self.run, self.key, self.choices = run, key, choices
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
        raise Asked(self, key, every, facts)

    def yes(self, key: object, holds: bool | None, *facts: Question) -> bool:
        """``holds``; if it is None (not known), the answer assumed in this run."""
        return holds if holds is not None else bool(self.choose(key, (True, False), facts))


class Bounds(NamedTuple):
    """The bounds of a whole number; ``hi`` None: no upper bound. ``asked``: the facts that would make it
    exact."""

    lo: int
    hi: int | None
    asked: tuple[Question, ...] = ()


def sum_of(every: Sequence[Bounds]) -> Bounds:
    """The bounds of a sum."""
    tops = [one.hi for one in every if one.hi is not None]
    most = sum(tops) if len(tops) == len(every) else None
    asked = dict.fromkeys(fact for one in every for fact in one.asked)
    return Bounds(sum(one.lo for one in every), most, tuple(asked))


class Log:
    """What all runs of a function read. ``reads``: the reads of the game, in order, each a function of the
    subject and its argument; the result may be cached by their answers. ``private``: a run also read
    something that belongs to this mover alone. ``dynamic``: it read something that may change at any time.
    ``bare``: it got an object that does not note every read. ``placed``: a test of a unit read the unit's
    hex, or the hex that the test is about. ``asked``: a fact was not known. ``open``: the questions behind
    results that are bounds."""

    __slots__ = ("asked", "bare", "count", "dynamic", "open", "placed", "private", "reads")

    def __init__(self) -> None:
        self.count, self.private, self.dynamic, self.asked = 0, False, False, False
        self.bare = self.placed = False
        self.reads: dict[Any, None] = {}
        self.open: list[Question] = []

    def add(self, other: Log) -> None:
        """Also note what runs of another function read."""
        self.reads.update(other.reads)
        self.private, self.dynamic = self.private or other.private, self.dynamic or other.dynamic
        self.bare, self.asked = self.bare or other.bare, self.asked or other.asked


NO_LOG = Log()


class Outcome(NamedTuple):
    """The possible results of a function. ``said``: the results of all runs; None: anything. ``facts``: the
    missing facts on which the result depends."""

    said: tuple[Any, ...] | None
    facts: tuple[MissingFact, ...]
    log: Log

    @property
    def holds(self) -> bool | None:
        """Whether the result is true; None: not known."""
        answers = {bool(one) for one in self.said} if self.said is not None else {True, False}
        return answers.pop() if len(answers) == 1 else None


def said_of(work: Callable[[Any], Any], view: Any, run: Run) -> Any:
    """What a function says of a view, such as a step or a mover, in one run."""
    view.run = run
    return work(view)


def outcome(work: Callable[[Run], Any], most: int = MOST_RUNS) -> Outcome:
    """Run ``work`` once for each combination of answers to the unknown facts that it reads. ``most``: the
    limit on its runs."""
    log = Log()
    found = _explore(work, {}, log, most)
    log.open.clear()
    return Outcome(found.said, tuple(dict.fromkeys((*found.facts, *found.bounds))), log)


class _Branch(NamedTuple):
    """The results after some answers (None: anything), the facts on which they depend, and the facts behind
    results that are bounds."""

    said: tuple[Any, ...] | None
    facts: dict[MissingFact, None]
    bounds: dict[MissingFact, None]


def _explore(work: Callable[[Run], Any], told: dict[object, Any], log: Log, most: int) -> _Branch:
    log.count += 1
    log.open.clear()
    run = Run(told, log)
    try:
        said = (work(run),)
        bounds = (f if isinstance(f, MissingFact) else f() for f in log.open)
        return _Branch(said, {}, dict.fromkeys(bounds))
    except Asked as asked:
        if asked.run is not run:
            raise  # an outer run needs the fact
        if not (isinstance(asked.key, tuple) and asked.key[0] in NOTED):
            log.asked = True
        facts = dict.fromkeys(asked.facts)
        if not asked.choices or log.count + len(asked.choices) > most:
            return _Branch(None, facts, {})
        branches = [_explore(work, {**told, asked.key: one}, log, most) for one in asked.choices]
    if any(branch.said is None for branch in branches):
        return _Branch(None, {**facts, **{f: None for b in branches for f in b.facts}}, {})
    every = tuple(dict.fromkeys(one for branch in branches for one in branch.said or ()))
    bounds_ = {f: None for f in branches[0].bounds if all(f in b.bounds for b in branches)}
    if len(every) == 1:  # whatever the answer, the same
        return _Branch(every, {}, bounds_ or {f: None for b in branches for f in b.bounds})
    more = {f: None for f in branches[0].facts if all(f in b.facts for b in branches)}
    if len({frozenset(branch.said or ()) for branch in branches}) == 1:
        return _Branch(every, {f: None for b in branches for f in b.facts}, bounds_)
    # facts that matter only after one of the answers can wait until that answer is given
    return _Branch(every, {**facts, **more}, bounds_)


class TooMany(Exception):
    """There are too many completions. ``facts``: the missing facts that one of them completes."""

    def __init__(self, facts: tuple[MissingFact, ...]) -> None:
        super().__init__(facts)
        self.facts = facts


Assumed = tuple[tuple[MissingFact, Any], ...]
"""Missing facts, each with a value that is assumed for it."""


def leaves(work: Callable[[Run], Any], most: int | None = None) -> list[tuple[Assumed, Any]]:
    """Every completion of ``work``, in the order of its choices: what it assumes, and the result. ``work``
    must not read unknown facts that cannot be enumerated. Raises TooMany if there are more than ``most``."""
    found: list[tuple[Assumed, Any]] = []
    todo: list[tuple[dict[object, Any], Assumed]] = [({}, ())]
    log = Log()
    while todo:
        told, assumed = todo.pop(0)
        run = Run(told, log)
        try:
            found.append((assumed, work(run)))
        except Asked as asked:
            if asked.run is not run:
                raise
            todo[:0] = [
                ({**told, asked.key: one}, (*assumed, *((f, one) for f in asked.facts)))
                for one in asked.choices
            ]
            if most is not None and len(found) + len(todo) > most:
                raise TooMany(_asked_for(work, *todo[0])) from None
    return found


def few_leaves(work: Callable[[Run], Any], most: int) -> list[tuple[Assumed, Any]] | None:
    """As :func:`leaves`; None if there are more than ``most``."""
    try:
        return leaves(work, most)
    except TooMany:
        return None


def _asked_for(
    work: Callable[[Run], Any], told: dict[object, Any], assumed: Assumed
) -> tuple[MissingFact, ...]:
    """The missing facts that ``work`` reads on the way to one of its completions."""
    facts = [fact for fact, _ in assumed]
    while True:
        try:
            work(Run(told, Log()))
        except Asked as asked:
            facts += asked.facts
            told = {**told, asked.key: asked.choices[0]}
        else:
            return tuple(dict.fromkeys(facts))
