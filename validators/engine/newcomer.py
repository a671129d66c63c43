"""What stands for a unit of which a step is asked that no mover makes: into a hex from off the map, or an
enemy's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.board import Board
from ...model.fact import Fact
from ...model.unit import Unit
from ..concepts.logic import both
from ..cost_interval import CostInterval, total
from .asking import Run, outcome
from .clauses import ClauseFunction
from .due import cost_of
from .edges import Edges

if TYPE_CHECKING:
    from .enemies import EnemyZones, Near
    from .rules import Rules


class Newcomer(NamedTuple):
    """A unit with the facts ``known``, in place of a mover. ``zones``: its enemies."""

    rules: Rules
    cls: str
    unit: Unit
    known: Mapping[str, Fact]
    zones: EnemyZones | None
    form: str = ""

    @property
    def board(self) -> Board:
        """The board."""
        return self.rules.game.board

    @property
    def edges(self) -> Edges:
        """What is kept of the board."""
        return self.rules.edges_of(self.board)

    @property
    def facts(self) -> Any:
        """Its facts, as those of a mover."""
        return SimpleNamespace(
            known=self.known, unit=self.unit, has_move=False, taken_as=None, form=self.form
        )

    def enemies(self, name: str, needs: tuple[Any, ...]) -> bool | None:
        """Whether enemies that bar a hex and meet ``needs`` are in it; None: not known."""
        assert self.zones is not None
        found = self.zones.at(name).enemy
        return both(found, self.zones.enemy_who(name, needs)) if found and needs else found

    def friends_first(self, name: str, needs: tuple[Any, ...]) -> Near:
        """See :meth:`.enemies.EnemyZones.friends`."""
        assert self.zones is not None
        return self.zones.friends(name, needs, self.unit, None)

    def due(self, clauses: Sequence[ClauseFunction], here: str, to: str, by: Any) -> CostInterval:
        """What some clauses charge for its step into a hex; barred if one forbids it."""
        costs = [c for c in clauses if c.kind in ("cost", "forbid")]
        said = (outcome(partial(self._said, c, here, to, by)) for c in costs)
        return total(cost_of(o, c, self.rules.scale) for o, c in zip(said, costs, strict=True))

    def _said(self, clause: ClauseFunction, here: str, to: str, by: Any, run: Run) -> Any:
        return clause.run(self.rules.step(run, self, here, to, None, None, by=by))
