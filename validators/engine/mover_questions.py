"""The questions that a clause can read about a mover. Results of clauses are cached by the answers.

Each question is a function of the mover, as clauses see it, and an argument.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...model.fact import UNKNOWN, Fact
from .asking import Log
from .other_unit import is_word

if TYPE_CHECKING:
    from .mover_view import MoverView


class Noted(Mapping[str, Fact]):
    """The completed facts of a mover; each read is noted."""

    def __init__(self, log: Log, known: Mapping[str, Fact]) -> None:
        self._log, self._known = log, known

    def __getitem__(self, about: str) -> Fact:
        self._log.reads[known_fact, about] = None
        return self._known[about]

    def get(self, about: str, default: Any = None) -> Any:
        """As that of a dictionary."""
        self._log.reads[known_fact, about] = None
        return self._known.get(about, default)

    def __iter__(self) -> Iterator[str]:
        for about in self._known:
            self._log.reads[known_fact, about] = None
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def as_key(fact: Fact) -> Hashable:
    """A fact as a key. True and 1 are different values."""
    options = None if fact.options is None else tuple([(type(o), o) for o in fact.options])
    return options, fact.lo, fact.hi


def one_of(fact: Fact, values: tuple[str, ...]) -> bool | None:
    """Whether a fact has one of ``values``, in lower case; None: not known."""
    if fact.options is None:
        return None
    there = {str(option).lower() in values for option in fact.options}
    return there.pop() if len(there) == 1 else None


def known_fact(view: MoverView, about: str) -> Hashable:
    fact = view._mover.known.get(about)
    return None if fact is None else as_key(fact)


def is_one_of(view: MoverView, about: tuple[str, tuple[str, ...]]) -> bool | None:
    fact = view._mover.known.get(about[0])
    return None if fact is None or not fact.is_known else is_word(str(fact.value), about[1])


def form(view: MoverView, _: None) -> str:
    return view._mover.form


def taken_as(view: MoverView, _: None) -> str:
    taken = view._mover.taken_as
    return "" if taken is None else taken.id


def fact(view: MoverView, about: str) -> Any:
    history, fact = view.rules.history, view.fact_at(about)
    told = history.declared(history.value(view._unit.id, about, view._index))
    return as_key(fact), fact == UNKNOWN, told


def is_spoken_of(view: MoverView, about: str) -> bool:
    return view._speaks_of(about)


def marked(view: MoverView, name: str) -> bool | None:
    side = view._mover.move.actor or view._unit.side
    return view.rules.history.marked(view._unit, name, view._index, side)


def on_the_way(view: MoverView, name: str) -> bool | None:
    facts = view._mover
    if len(facts.drags) < 2:
        return False
    side = facts.move.actor or view._unit.side
    return view.rules.history.marked_on_the_way(view._unit, name, facts.drags, side)
