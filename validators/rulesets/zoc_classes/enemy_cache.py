"""What enemies there are to a side, kept from move to move for as long as nothing is heard of them.

A phase has many moves of one side, and seldom anything of the other's in between. What was worked out of
enemies holds for the next move too if no event of theirs lies between the two, no condition begins or ends,
and no phase: the :class:`CacheStamp` says so. The stamp leaves out the units of the side itself; they tell on
screens alone (:mod:`.zoc_screening`), which are looked up for every move.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from ....model.boards import BoardChange
from ....model.game import Game, PhaseStart, StepRef, Witness
from ...ruleset import Circumstances
from ...situation import Situation as Table
from .enemy_surcharges import EnemySurcharges, Kind
from .field import Declared, Field
from .tables import Tables
from .terrain_graph import Payer, ZcTerrainGraph


class CacheStamp(NamedTuple):
    """Of two moments with the same stamp the same is to be said of a side's enemies. ``before`` and
    ``until``: how many of the enemies' events had happened when a move began, and when it ended.
    ``phase``: its number. ``said`` and ``last``: how often what is declared had changed by then.
    ``reaction``: it is a reaction phase."""

    before: int
    until: int
    phase: int
    said: int
    last: int
    reaction: bool


class EnemyCache:
    """The enemies of one side, and what they ask of its movers, under one stamp."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._surcharges: dict[tuple[Kind, Payer], EnemySurcharges] = {}

    def surcharges(self, kind: Kind, terrain_graph: ZcTerrainGraph) -> EnemySurcharges:
        """What they ask of a kind of mover."""
        key = (kind, terrain_graph.payer)
        found = self._surcharges.get(key)
        if found is None:
            found = self._surcharges[key] = EnemySurcharges(self.field, kind, terrain_graph)
        return found


class EnemyCaches:
    """The enemy caches of a game, one for each side at a time."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._game = game
        self._tables = tables
        self._declared = Declared.of(game)
        self._has_hidden_units = any(unit.seen_by is not None for unit in game.units.values())
        self._news: dict[str, _News] = {}
        self._kept: dict[str, tuple[CacheStamp, EnemyCache]] = {}

    def at(self, circumstances: Circumstances, side: str | None, *, reaction: bool) -> EnemyCache:
        """The enemy cache that a move of ``side`` finds: the one of the move before if it holds still."""
        situation = circumstances.situation
        if (
            side is None
            or not isinstance(situation, Table)
            or not self._may_last(circumstances, side)
        ):
            return self._fresh(circumstances, side, reaction)
        stamp = self._stamp(situation, side, reaction)
        kept = self._kept.get(side)
        if kept is not None and kept[0] == stamp:
            kept[1].field.resume(circumstances)
            return kept[1]
        found = self._fresh(circumstances, side, reaction)
        self._kept[side] = (stamp, found)
        return found

    def _fresh(self, circumstances: Circumstances, side: str | None, reaction: bool) -> EnemyCache:
        return EnemyCache(
            Field(
                circumstances,
                side,
                self._tables,
                reaction=reaction,
                has_hidden_units=self._has_hidden_units,
                declared=self._declared,
            )
        )

    def _may_last(self, circumstances: Circumstances, side: str) -> bool:
        """Whether a enemy cache may be kept: not where each look at a hex is to be noted, where those who
        move may be enemies themselves, nor of another game."""
        units = self._game.units
        return (
            not self._has_hidden_units
            and circumstances.situation.game is self._game
            and all(unit in units and units[unit].side == side for unit in circumstances.moving)
        )

    def _stamp(self, situation: Table, side: str, reaction: bool) -> CacheStamp:
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
    """What tells of a side's enemies: events, by number, and the steps with which something declared, of no
    unit of the side, begins or ends to hold."""

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
