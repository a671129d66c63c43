"""The place where a move begins or ends, as clauses about the mover see it: what may be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.game import Place

if TYPE_CHECKING:
    from .enemy import Test
    from .mover_view import MoverFacts


class Spot:
    """A place of a move. Nothing is asked: what may be is told as such, for what can be tried."""

    def __init__(self, facts: MoverFacts, place: Place) -> None:
        self._facts, self._place = facts, place

    @property
    def hex(self) -> str:
        """Its name, if it is a hex; else empty."""
        return self._place.hex or ""

    def surely_held(self, test: Test) -> bool:
        """Whether an enemy of which ``test`` holds is certainly in it."""
        return self._held(self.hex, test) is True

    def perhaps_held(self, test: Test) -> bool:
        """Whether an enemy of which ``test`` holds is in it, or may be."""
        return self._held(self.hex, test) is not False

    def surely_beside(self, test: Test) -> bool:
        """Whether an enemy of which ``test`` holds is certainly in a hex beside it."""
        return any(self._held(name, test) is True for name in self.beside)

    def perhaps_beside(self, test: Test) -> bool:
        """Whether an enemy of which ``test`` holds is in a hex beside it, or may be."""
        return any(self._held(name, test) is not False for name in self.beside)

    def _held(self, name: str, test: Test) -> Any:
        return bool(name) and self._facts.zones.who(name, False, test).holds

    def on_line_perhaps(self, kinds: tuple[str, ...]) -> bool:
        """Whether a line of one of these kinds leads through it, or may; while the chart of roads is not
        complete, one of a kind that no rule names may be one."""
        rules, name = self._facts.rules, self.hex
        board = rules.game.board
        if not name:
            return True
        maybe = board.lines_maybe_in(name)
        drawn = rules.lines_in(name)
        strange = not rules.complete.has("roads") and any(k not in rules.line_names for k in drawn)
        return strange or any(kind in drawn or maybe is None or kind in maybe for kind in kinds)

    @property
    def beside(self) -> tuple[str, ...]:
        """The hexes beside it; none if it is no hex."""
        board = self._facts.circumstances.situation.game.board
        return tuple(board.neighbours(self.hex)) if self.hex in board.hexes else ()

    def line_perhaps(self, word: str, chart: str) -> bool:
        """Whether a line with a word in its name leads to it, or may. ``chart``: where lines are listed."""
        rules, name = self._facts.rules, self._place.name
        board = rules.game.board
        if name not in board.hexes:
            return False
        maybe = board.lines_maybe_in(name)
        if maybe is None:
            if not rules.complete.has(chart):
                return True
            maybe = frozenset(rules.charts[chart])
        return any(word in kind.lower() for kind in (*rules.lines_in(name), *maybe))

    def words_perhaps(self, about: str, unknown: tuple[str, ...]) -> set[str]:
        """The names of the terrains and features that it has or may have, and the values of an attribute of
        the units that may be in it. ``unknown``: what a value may be that is not known, unless it is the
        mover's."""
        situation, name = self._facts.circumstances.situation, self._place.name
        board, found = situation.game.board, list[str]()
        if name in board.hexes:
            here, maybe = board.hexes[name], board.maybe_in(name)
            found += [*(here.terrain or ()), *here.features, *(unknown if maybe is None else maybe)]
        for unit in situation.possibly_in(name):
            moves = unit in self._facts.circumstances.moving
            options = situation.fact(unit, about).options
            found += map(str, options or (() if moves else unknown))
        return {word.lower() for word in found}

    @property
    def surely_enemies(self) -> bool:
        """Whether it is certain that enemies are in it."""
        return any(sure for _, sure in self._facts.zones.enemies(self._place.name))
