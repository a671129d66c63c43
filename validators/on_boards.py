"""The rules in force on each of the boards of a game."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol, Self, runtime_checkable

from ..model.game import Game
from .ruleset import Ruleset, RulesInForce

_MOST_KEPT = 12


@runtime_checkable
class Movable(Protocol):
    """Rules in force that can be taken to another board of their game."""

    def on(self, game: Game, /) -> Self:
        """The same rules for the same game on another of its boards, sharing what does not rest on it."""
        ...


class RulesOnBoards:
    """The rules of a game, for each of its boards; made when first asked for, the last ones kept."""

    def __init__(self, game: Game, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self.opening = ruleset.in_force(game)
        self._game = game
        self._kept: OrderedDict[int, tuple[Game, RulesInForce]] = OrderedDict()

    def on(self, game: Game) -> RulesInForce:
        """The rules for the game on one of its boards (see :meth:`Game.on_board`)."""
        if game.board is self._game.board:
            return self.opening
        kept = self._kept.pop(id(game), None)
        if kept is None:
            rules = self.opening
            kept = (
                game,
                rules.on(game) if isinstance(rules, Movable) else self._ruleset.in_force(game),
            )
            while len(self._kept) >= _MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept[id(game)] = kept
        return kept[1]
