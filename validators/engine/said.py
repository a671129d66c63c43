"""What clauses say of the movers of one unit in one move, kept for all of which they read the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .asking import MOST_RUNS, MOST_RUNS_OF_ACTIONS, Outcome, Run, outcome
from .clauses import ClauseFunction
from .due import of_view
from .memo import Leaf, ResultCache
from .mover_view import MoverView


class Answer(NamedTuple):
    """What a clause says of a mover. ``fixed``: whether that holds at any time."""

    value: Any
    fixed: bool


class Said:
    """The answers of clauses about the movers of one unit in one move, under one set of circumstances.
    ``of_game``: those that other units and moves share."""

    def __init__(self, of_game: dict[ClauseFunction, ResultCache]) -> None:
        self._of_game = of_game
        self._own: dict[ClauseFunction, ResultCache] = {}

    def find(
        self,
        clause: ClauseFunction,
        view: MoverView,
        make: Callable[[Outcome, MoverView], Any],
    ) -> Answer:
        """What a clause says, as ``make`` puts it, which may read more of the mover."""
        for keeps in (self._own, self._of_game):
            kept = keeps.get(clause)
            leaf = None if kept is None else kept.find(view)
            if leaf is not None:
                found: Answer = leaf.value
                return found
        most = MOST_RUNS_OF_ACTIONS if clause.kind == "quota" else MOST_RUNS
        said = outcome(partial(of_view, clause, view), most)
        log = said.log
        view.run = Run({}, log)
        found = Answer(make(said, view), not log.dynamic)
        if not log.bare:  # what is asked for may be a fact of this unit
            own = log.private or log.asked or log.dynamic or said.facts
            keeps = self._own if own else self._of_game
            keeps.setdefault(clause, ResultCache()).keep(view, log.reads, Leaf(found))
        return found
