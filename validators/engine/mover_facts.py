"""The data of a mover: the unit, its move and its completed facts; and the cached results of clauses about
the movers of one unit in one move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.fact import Fact
from ...model.finding import Move
from ...model.unit import Unit
from ..ruleset import Circumstances
from .activation import Activation
from .asking import MOST_RUNS, MOST_RUNS_OF_ACTIONS, Outcome, Run, outcome, said_of
from .clauses import ClauseFunction
from .event_index import FACING
from .memo import Leaf, ResultCache
from .objects import Found

if TYPE_CHECKING:
    from .mover_view import MoverView
    from .rules import Rules


class MoverFacts:
    """The unit, move and completed facts of a mover. ``taken_as``: the interpretation of the move; None: it
    is what it seems. ``seems``: the mover that it seems to be. Unless ``Declared.of_the_log`` is set, there
    may be movers without a move."""

    def __init__(
        self,
        unit: Unit,
        move: Move | None,
        drags: list[int],
        circumstances: Circumstances,
        form: str,
        known: dict[str, Fact],
        rules: Rules,
        taken_as: ClauseFunction | None = None,
    ) -> None:
        self.unit, self._move, self.drags, self.taken_as = unit, move, drags, taken_as
        self.circumstances, self.form, self.known, self.rules = circumstances, form, known, rules
        self.told: dict[str, Fact] = {}
        self.zones: Any = None
        self.acts: Activation | None = None
        self.whole: Activation | None = None
        self.seems: Any = None
        self.said: Any = None
        self.held_by: Callable[[], Any] = lambda: None
        self.objects: Found | None = None

    @property
    def mover(self) -> Any:
        """The mover that has these facts. They hold it weakly, or the two would wait for the garbage
        collector."""
        return self.held_by()

    def starts_in(self, name: str) -> bool:
        """Whether its move begins in a hex."""
        return self._move is not None and self._move.origin.name == name

    @property
    def move(self) -> Move:
        """Its move. Raises AssertionError if it has none."""
        assert self._move is not None
        return self._move

    @property
    def has_move(self) -> bool:
        """Whether it has a move."""
        return self._move is not None

    @cached_property
    def goes_on(self) -> bool:
        """See :attr:`.step.Step.goes_on`."""
        return self.rules.history.goes_on(self.unit.id, self.drags[-1])

    @cached_property
    def put_back(self) -> bool:
        """See :attr:`.step.Step.put_back`."""
        history, last = self.rules.history, self.drags[-1]
        later = next((d for d in history.drags[self.unit.id] if d > last), None)
        if later is None or history.view(later).phase in self.rules.phase_kinds:
            return False
        rolled = history.witnesses.too_late(last, later, None)
        return rolled and history.drag(later).target == self.move.origin

    @property
    def walked_from(self) -> str:
        """See :attr:`.step.Step.walked_from`."""
        assert self.acts is not None
        return self.acts.walked[0].origin if self.acts.walked else ""

    @cached_property
    def shown(self) -> int | None:
        """See :attr:`.step.Step.shown`."""
        history, unit, first = self.rules.history, self.unit.id, self.drags[0]
        handed = self.rules.heading(history.value(unit, FACING, first))
        before = self.rules.heading(history.value(unit, FACING, history.phase(first)[0]))
        return None if handed == before or history.came_in(unit, first) else handed

    def but(
        self, form: str, known: dict[str, Fact], taken_as: ClauseFunction | None = None
    ) -> MoverFacts:
        """The same data with another form, other facts, or another interpretation."""
        of = self.unit, self._move, self.drags, self.circumstances
        other = MoverFacts(*of, form, known, self.rules, taken_as)
        other.zones, other.said = self.zones, self.said
        return other


class Answer(NamedTuple):
    """The result of a clause about a mover. ``fixed``: whether it holds at any time."""

    value: Any
    fixed: bool


class Said:
    """The results of clauses about the movers of one unit in one move, under one set of circumstances.
    ``of_game``: the results that other units and moves share."""

    def __init__(self, of_game: dict[ClauseFunction, ResultCache]) -> None:
        self._of_game = of_game
        self._own: dict[ClauseFunction, ResultCache] = {}

    def find(
        self,
        clause: ClauseFunction,
        view: MoverView,
        make: Callable[[Outcome, MoverView], Any],
    ) -> Answer:
        """The result of a clause, converted by ``make``, which may read more of the mover."""
        for keeps in (self._own, self._of_game):
            kept = keeps.get(clause)
            leaf = None if kept is None else kept.find(view)
            if leaf is not None:
                found: Answer = leaf.value
                return found
        most = MOST_RUNS_OF_ACTIONS if clause.kind == "quota" else MOST_RUNS
        said = outcome(partial(said_of, clause.run, view), most)
        log = said.log
        view.run = Run({}, log)
        found = Answer(make(said, view), not log.dynamic)
        if not log.bare:  # the missing facts may be of this unit
            own = log.private or log.asked or log.dynamic or said.facts
            keeps = self._own if own else self._of_game
            keeps.setdefault(clause, ResultCache()).keep(view, log.reads, Leaf(found))
        return found
