"""Cache keys for the units around a hex. The key of a hex is a number that stands for everything, besides
the board, on which a step into the hex depends.

Most units stay as they are from one move to the next. Where the key is the same, the rules give the same
result for a step by the same kind of mover.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from ....model.board import Board
from ...situation import Situation as GameSituation
from .neighbourhood import Neighbourhood
from .units import exactly

NOBODY = 0
UNTOLD = -1
"""The key of a hex for which steps must not be cached."""
_OF_MOVER = ("formation", "attached", "echelon", "breakdown")
"""The mover's attributes that decide what friends in a hex cost it (5.3.5)."""
_MOST_NUMBERS = 200_000


Rested = dict[str, tuple[tuple[str, ...], int, int]]


class SideKeys:
    """Keys of the enemy units around hexes, and of enemy artillery, each with the hexes those units are in.
    Valid while ``now`` is unchanged."""

    def __init__(self, now: tuple[int, int]) -> None:
        self.now = now
        self.around: dict[str, tuple[int, tuple[str, ...]]] = {}
        self.guns: tuple[int, tuple[str, ...]] | None = None


class KeyRegistry:
    """All keys of a game: equal states get the same number."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._numbers: dict[Hashable, int] = {}
        self._rings: dict[str, tuple[str, ...]] = {}
        self._next = NOBODY + 1
        self.enemies: dict[str | None, Rested] = {}
        self.friends: dict[str | None, Rested] = {}
        """By side: the keys of hexes, each with the units that were at rest there and the count of
        attribute changes."""
        self._side_keys_: dict[str | None, SideKeys] = {}
        self.known: dict[Hashable, Any] = {}
        """Results about units, cached under all facts they depend on."""

    def number(self, told: Hashable) -> int:
        """The number of a state. A number is never used again for another state, even after the registry
        has been cleared."""
        found = self._numbers.get(told)
        if found is None:
            if len(self._numbers) > _MOST_NUMBERS:
                self._numbers.clear()
            found = self._numbers[told] = self._next
            self._next += 1
        return found

    def side_keys(self, side: str | None, now: tuple[int, int]) -> SideKeys:
        """The keys kept for ``side``; new ones if ``now`` has changed. ``now``: how many attributes have
        changed, and how often units of other sides were displaced."""
        found = self._side_keys_.get(side)
        if found is None or found.now != now:
            found = self._side_keys_[side] = SideKeys(now)
        return found

    def within_two(self, hex_name: str) -> tuple[str, ...]:
        """The hex and all hexes up to two hexes away."""
        found = self._rings.get(hex_name)
        if found is None:
            near = self._board.neighbours(hex_name)
            every = (
                hex_name,
                *near,
                *(far for name in near for far in self._board.neighbours(name)),
            )
            found = self._rings[hex_name] = tuple(dict.fromkeys(every))
        return found


def _nobody(_unit: str) -> bool:
    return False


class NeighbourhoodKeys(dict[str, int]):
    """The keys of hexes in one neighbourhood for one mover, each computed when first asked for.

    Every key is :data:`UNTOLD` if the game has hidden units, since the audit must then note each look at a
    hex, or if links join hexes that are not next to each other.
    """

    def __init__(self, neighbourhood: Neighbourhood, key_registry: KeyRegistry, own: str) -> None:
        super().__init__()
        self._neighbourhood, self._key_registry, self._own = neighbourhood, key_registry, own
        self._foes: dict[str, int] = {}
        self._guns: int | None = None
        self._mover: int | None = None
        situation = neighbourhood.situation
        self._others = situation.others_beside(neighbourhood.side)
        self._others_in = situation.others_in(neighbourhood.side)
        self._anybody = situation.others_in(None)
        self._counts_the_displaced = not neighbourhood.tables.applies("5.6.4-d")
        self._at_rest: Callable[[str], tuple[str, ...] | None] | None = None
        self._side_keys: SideKeys | None = None
        if (
            isinstance(situation, GameSituation)
            and not neighbourhood.late
            and not self._counts_the_displaced
        ):
            self._at_rest, self._changed = situation.at_rest, situation.changed
            self._is_stirred = situation.is_stirred
            side, sides = neighbourhood.side, {situation.side(u) for u in neighbourhood.moving}
            # If the side is not known, the units that move now count among the others in the next move.
            shared = side is not None and sides == {side}
            if shared and not situation.others_stir(side):
                now = (situation.changed, situation.others_moved(side))
                self._side_keys = key_registry.side_keys(side, now)
        self._rested_enemies = key_registry.enemies.setdefault(neighbourhood.side, {})
        self._rested_friends = key_registry.friends.setdefault(neighbourhood.side, {})
        untold = bool(neighbourhood.board.links) or not isinstance(situation, GameSituation)
        self._untold = untold or self._others is None or self._others_in is None

    def __missing__(self, hex_name: str) -> int:
        found = self[hex_name] = self._number(hex_name)
        return found

    def _number(self, hex_name: str) -> int:
        others, others_in, anybody = self._others, self._others_in, self._anybody
        if self._untold or others is None or others_in is None:
            return UNTOLD
        enemies = self._enemies_around(hex_name) if hex_name in others else NOBODY
        friends = NOBODY
        if anybody is None or hex_name in anybody:
            friends = self._rested(self._rested_friends, hex_name, self._friends_in)
        if not enemies and not friends:
            return NOBODY
        return self._key_registry.number((enemies, friends, self._company() if friends else 0))

    def _enemies_around(self, hex_name: str) -> int:
        """The key of all possible enemies up to two hexes away, and of enemy artillery anywhere, whose
        range may be longer (5.3.1-a)."""
        kept = self._side_keys.around.get(hex_name) if self._side_keys is not None else None
        if kept is not None and not self._is_stirred(kept[1]):
            return kept[0]
        others_in = self._others_in or {}
        hexes = [name for name in self._key_registry.within_two(hex_name) if name in others_in]
        there = tuple(map(self._enemies_in, hexes))
        number = self._key_registry.number((there, self._artillery()))
        if (
            self._side_keys is not None
            and self._side_keys.guns is not None
            and self._rest_all(hexes)
        ):
            self._side_keys.around[hex_name] = (number, (*hexes, *self._side_keys.guns[1]))
        return number

    def _rest_all(self, hexes: Iterable[str]) -> bool:
        return self._at_rest is not None and None not in map(self._at_rest, hexes)

    def _rested(self, kept: Rested, hex_name: str, look: Callable[[str], int]) -> int:
        """The key of the units in a hex: from ``kept`` if nothing has changed there since it was computed,
        else from ``look``."""
        rest = self._at_rest(hex_name) if self._at_rest is not None else None
        if rest is None or not self._neighbourhood.moving.isdisjoint(rest):
            return look(hex_name)
        found = kept.get(hex_name)
        if found is not None and found[0] is rest and found[1] == self._changed:
            return found[2]
        number = look(hex_name)
        kept[hex_name] = (rest, self._changed, number)
        return number

    def _enemies_in(self, hex_name: str) -> int:
        found = self._foes.get(hex_name)
        if found is None:
            found = self._rested(self._rested_enemies, hex_name, self._look_at_enemies)
            self._foes[hex_name] = found
        return found

    def _look_at_enemies(self, hex_name: str) -> int:
        neighbourhood = self._neighbourhood
        told = tuple(
            (u, sure, neighbourhood.states(u)) for u, sure in neighbourhood.enemies(hex_name)
        )
        return self._key_registry.number((hex_name, told))

    def _friends_in(self, hex_name: str) -> int:
        neighbourhood = self._neighbourhood
        displaced = neighbourhood.displaced_in_phase if self._counts_the_displaced else _nobody
        told = tuple(
            (unit, sure, neighbourhood.states(unit), displaced(unit))
            for unit, sure in neighbourhood.friends(hex_name)
        )
        return self._key_registry.number(("friends", told)) if told else NOBODY

    def _artillery(self) -> int:
        if self._guns is None:
            kept = self._side_keys.guns if self._side_keys is not None else None
            if kept is None or self._is_stirred(kept[1]):
                kept = self._look_at_guns()
            self._guns = kept[0]
        return self._guns

    def _look_at_guns(self) -> tuple[int, tuple[str, ...]]:
        others_in = self._others_in or {}
        places = (
            (gun, self._neighbourhood.situation.where(gun))
            for gun in self._neighbourhood.units.perhaps_guns
        )
        there = [(gun, at.name) for gun, at in places if at.kind == "hex" and at.name in others_in]
        told = tuple((gun, name, self._enemies_in(name)) for gun, name in there)
        found = self._key_registry.number(("guns", told)), tuple(dict.fromkeys(n for _, n in there))
        if self._side_keys is not None and self._rest_all(found[1]):
            self._side_keys.guns = found
        return found

    def _company(self) -> int:
        if self._mover is None:
            key = ("company", self._neighbourhood.facts_of(self._own))
            found: int | None = self._key_registry.known.get(key)
            if found is None:
                facts = (
                    exactly(self._neighbourhood.units.fact(self._own, about)) for about in _OF_MOVER
                )
                found = self._key_registry.known[key] = self._key_registry.number(("mover", *facts))
            self._mover = found
        return self._mover
