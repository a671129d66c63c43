"""The rules in force on each of the boards of a game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol, Self, runtime_checkable

from ..model.finding import Clause
from ..model.game import Game
from .changed_cells import differing_cells
from .ruleset import Ruleset, RulesInForce

_MOST_KEPT = 12


@runtime_checkable
class Repeatable(Protocol):
    """Rules in force that can be used for another game with the same rules."""

    def again(self, game: Game, /) -> RulesInForce | None:
        """The rules for ``game``; None if it has other rules."""
        ...


@runtime_checkable
class Movable(Protocol):
    """Rules in force that can be adapted to another board of their game."""

    def on(self, game: Game, /) -> Self:
        """The same rules for the same game on another of its boards. They share all data that does not depend
        on the board."""
        ...


class RulesOnBoards:
    """The rules of a game for each of its boards. They are made at the first call; those used last are
    cached."""

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


class KnownGround:
    """A ruleset that reuses rules made earlier for the same game with other cells on its board.

    ``earlier``: games, with the rules made for them. Their cached terrain data is reused except near the
    cells that differ. Rules that are not :class:`Movable` are made again.
    """

    def __init__(self, ruleset: Ruleset, earlier: Iterable[tuple[Game, RulesInForce]] = ()) -> None:
        self._ruleset = ruleset
        self._earlier = tuple(earlier)
        self.made: list[tuple[Game, RulesInForce]] = []
        """The rules made so far, with their games."""

    @property
    def name(self) -> str:
        return self._ruleset.name

    @property
    def version(self) -> str:
        return self._ruleset.version

    def clauses(self) -> Mapping[str, Clause]:
        """See :class:`.ruleset.Ruleset`."""
        return self._ruleset.clauses()

    def in_force(self, game: Game, /) -> RulesInForce:
        """See :class:`.ruleset.Ruleset`."""
        rules: RulesInForce | None = None
        for before, known in self._earlier:
            if isinstance(known, Movable) and differing_between(before, game) is not None:
                rules = known.on(game)
                break
        if rules is None:
            rules = self._again(game) or self._ruleset.in_force(game)
        self.made.append((game, rules))
        return rules

    def _again(self, game: Game) -> RulesInForce | None:
        """Rules made earlier, for a game with the same rules; None if there are none that can be so used."""
        known = (rules for _, rules in self._earlier if isinstance(rules, Repeatable))
        return next((again for one in known if (again := one.again(game)) is not None), None)


class SameGround(KnownGround):
    """A ruleset for the audits of one game that is read in several ways. What its rules keep of places is
    used again for each of them, if they are :class:`Repeatable`."""

    _first: RulesInForce | None = None

    def in_force(self, game: Game, /) -> RulesInForce:
        """See :class:`.ruleset.Ruleset`."""
        first = self._first
        if isinstance(first, Repeatable):
            return first.again(game) or self._ruleset.in_force(game)
        self._first = self._ruleset.in_force(game)
        return self._first


def differing_between(before: Game, now: Game) -> frozenset[str] | None:
    """The cells (hexes, and hexsides as ``a/b``) that differ between two games; None: something else does."""
    same = replace(now, board=before.board, suggestions=before.suggestions, sources=before.sources)
    return differing_cells(before.board, now.board) if same == before else None
