"""A cache of everything that depends on enemies only, kept from one move of a side to the next.

In a phase usually one side makes many moves, and the other side does nothing in between. A result about
enemies then holds for the next move too: if no event of another side, no start or end of a condition and no
start of a phase lies between the two moves. The :class:`CacheStamp` of both moves is then the same. The units
of the side itself are left out of the stamp. They only affect screening (:mod:`.zoc_screening`), which is
computed for each move.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from ....model.boards import BoardChange
from ....model.game import Game, PhaseStart, StepRef, Witness
from ...ruleset import Circumstances
from ...situation import Situation as GameSituation
from .enemy_surcharges import EnemySurcharges, Kind
from .enemy_zocs import Declared, EnemyZocs
from .tables import Tables
from .terrain_graph import CostBasis, ZcTerrainGraph


class CacheStamp(NamedTuple):
    """A cache key for the enemies of a side: moves with equal stamps find the same enemies.

    ``before``, ``until``: how many events of other sides there are before the move, and up to the end of it.
    ``phase``: the number of the phase. ``said``, ``last``: how many changes of conditions there are up to the
    start, and up to the end of the move. ``reaction``: whether it is a reaction phase.
    """

    before: int
    until: int
    phase: int
    said: int
    last: int
    reaction: bool


class EnemyCache:
    """The enemies of one side and the surcharges that they cause, for one stamp."""

    def __init__(self, enemy_zocs: EnemyZocs) -> None:
        self.enemy_zocs = enemy_zocs
        self._surcharges: dict[tuple[Kind, CostBasis], EnemySurcharges] = {}

    def surcharges(self, kind: Kind, terrain_graph: ZcTerrainGraph) -> EnemySurcharges:
        """The surcharges for a kind of mover; cached."""
        key = (kind, terrain_graph.cost_basis)
        found = self._surcharges.get(key)
        if found is None:
            found = self._surcharges[key] = EnemySurcharges(self.enemy_zocs, kind, terrain_graph)
        return found


class EnemyCaches:
    """The enemy caches of a game: for each side the one used last."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._game = game
        self._tables = tables
        self._declared = Declared.of(game)
        self._news: dict[str, _News] = {}
        self._kept: dict[str, tuple[CacheStamp, EnemyCache]] = {}

    def at(self, circumstances: Circumstances, side: str | None, *, reaction: bool) -> EnemyCache:
        """The enemy cache for a move of ``side``: that of the move before if the stamps are equal, else a new
        one. Nothing is kept if ``side`` is None (not known)."""
        situation = circumstances.situation
        if (
            side is None
            or not isinstance(situation, GameSituation)
            or not self._may_last(circumstances, side)
        ):
            return self._fresh(circumstances, side, reaction)
        stamp = self._stamp(situation, side, reaction)
        kept = self._kept.get(side)
        if kept is not None and kept[0] == stamp:
            kept[1].enemy_zocs.resume(circumstances)
            return kept[1]
        found = self._fresh(circumstances, side, reaction)
        self._kept[side] = (stamp, found)
        return found

    def _fresh(self, circumstances: Circumstances, side: str | None, reaction: bool) -> EnemyCache:
        return EnemyCache(
            EnemyZocs(
                circumstances,
                side,
                self._tables,
                reaction=reaction,
                declared=self._declared,
            )
        )

    def _may_last(self, circumstances: Circumstances, side: str) -> bool:
        """Whether an enemy cache may be kept. It may not if not all moving units are of ``side``, or in
        another game (on another board)."""
        units = self._game.units
        return circumstances.situation.game is self._game and all(
            unit in units and units[unit].side == side for unit in circumstances.moving
        )

    def _stamp(self, situation: GameSituation, side: str, reaction: bool) -> CacheStamp:
        news = self._news.get(side)
        if news is None:
            news = self._news[side] = _news(self._game, side)
        timeline, at, end = situation.timeline, situation.at, situation.until
        before = until = bisect_left(news.events, situation.applied)
        said = last = bisect_right(news.changes, at)
        if end > situation.applied:
            until = bisect_left(news.events, end)
            last = bisect_right(news.changes, timeline.step_of(end - 1))
        return CacheStamp(before, until, timeline.phase_number(at), said, last, reaction)


class _News(NamedTuple):
    """Everything that may change a result about the enemies of a side. ``events``: the indices of the events
    of units not of the side. ``changes``: the steps at which a condition begins to hold, or no longer holds;
    conditions for units of the side are left out."""

    events: tuple[int, ...]
    changes: tuple[StepRef, ...]


def _news(game: Game, side: str) -> _News:
    own = {name for name, unit in game.units.items() if unit.side == side}
    events = (
        index
        for index, event in enumerate(game.events)
        if not isinstance(event, PhaseStart | Witness | BoardChange) and event.unit not in own
    )
    told = [condition for condition in game.conditions if condition.unit not in own]
    changes = {condition.first for condition in told}
    ends = (condition.last for condition in told)
    changes |= {StepRef(last.log, last.step + 1) for last in ends if last is not None}
    return _News(tuple(events), tuple(sorted(changes)))
