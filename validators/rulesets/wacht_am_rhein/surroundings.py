"""What a step into a hex rests on besides the board: who is there and around, told by one number.

A game has many moves, and most of what lies about stays as it is from one to the next. Where the number
is the same, so is whatever the rules make of a step for one kind of mover.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ....model.board import Board
from ...situation import Situation as Moment
from .scene import Scene

NOBODY = 0
UNTOLD = -1
"""Too much bears on a step: it must be worked out."""
_OF_MOVER = ("formation", "attached", "echelon", "breakdown")
"""What others ask of a mover by 5.3.5."""
_MOST_NUMBERS = 200_000


class Register:
    """The numbers given in a game: the same for what is the same."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._numbers: dict[Hashable, int] = {}
        self._rings: dict[str, tuple[str, ...]] = {}
        self._next = NOBODY + 1

    def number(self, told: Hashable) -> int:
        """The number of something that can be told; none is given twice, though old ones are forgotten."""
        found = self._numbers.get(told)
        if found is None:
            if len(self._numbers) > _MOST_NUMBERS:
                self._numbers.clear()
            found = self._numbers[told] = self._next
            self._next += 1
        return found

    def within_two(self, hex_name: str) -> tuple[str, ...]:
        """The hexes up to two away, and the hex itself."""
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


class Surroundings:
    """The numbers of hexes in one scene, for one mover of it.

    Nothing is told where units are hidden (who hears of a verdict depends on them then), nor where hexes
    off each other are joined.
    """

    def __init__(self, scene: Scene, register: Register, own: str) -> None:
        self._scene, self._register, self._own = scene, register, own
        self._found: dict[str, int] = {}
        self._foes: dict[str, int] = {}
        self._guns: int | None = None
        self._mover: int | None = None
        situation = scene.situation
        self._others = situation.others_beside(scene.side)
        self._others_in = situation.others_in(scene.side)
        self._anybody = situation.others_in(None)
        untold = scene.veiled or bool(scene.board.links) or not isinstance(situation, Moment)
        self._untold = untold or self._others is None or self._others_in is None

    def at(self, hex_name: str) -> int:
        """The number of a hex to enter."""
        found = self._found.get(hex_name)
        if found is None:
            found = self._found[hex_name] = self._number(hex_name)
        return found

    def _number(self, hex_name: str) -> int:
        others, others_in, anybody = self._others, self._others_in, self._anybody
        if self._untold or others is None or others_in is None:
            return UNTOLD
        foes: tuple[int, ...] = ()
        if hex_name in others:
            near = self._register.within_two(hex_name)
            foes = (*(self._foes_in(name) for name in near if name in others_in), self._artillery())
        friends: tuple[Any, ...] = ()
        if anybody is None or hex_name in anybody:
            friends = tuple(self._friends_in(hex_name))
        if not foes and not friends:
            return NOBODY
        return self._register.number((foes, friends, self._company() if friends else 0))

    def _foes_in(self, hex_name: str) -> int:
        found = self._foes.get(hex_name)
        if found is None:
            scene = self._scene
            told = tuple((u, sure, scene.states(u)) for u, sure in scene.enemies(hex_name))
            found = self._foes[hex_name] = self._register.number((hex_name, told))
        return found

    def _friends_in(self, hex_name: str) -> list[Hashable]:
        scene = self._scene
        return [
            (unit, sure, scene.states(unit), scene.displaced_in_phase(unit))
            for unit, sure in scene.friends(hex_name)
        ]

    def _artillery(self) -> int:
        """Artillery reaches farther than one can tell from a hex (5.3.1-a)."""
        if self._guns is None:
            others_in = self._others_in or {}
            places = (
                (gun, self._scene.situation.where(gun)) for gun in self._scene.units.perhaps_guns
            )
            told = tuple(
                (gun, place.name, self._foes_in(place.name))
                for gun, place in places
                if place.kind == "hex" and place.name in others_in
            )
            self._guns = self._register.number(told)
        return self._guns

    def _company(self) -> int:
        if self._mover is None:
            facts = (self._scene.units.fact(self._own, about) for about in _OF_MOVER)
            self._mover = self._register.number(tuple(repr(fact) for fact in facts))
        return self._mover
