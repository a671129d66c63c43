"""The hexside that a step crosses: its features, and the lines across it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ...model.board import Names, edge
from ..concepts.lines import RoadOver, about_lines, about_side, roads_over
from ..cost_interval import ANYTHING, FREE, CostInterval
from . import questions
from .asking import Question as Asking
from .asking import later
from .questions import of_board
from .step_mover import StepMover


class Crossing(StepMover):
    """The hexside that a step crosses. ``from_``, ``to_``, ``place_``: see :class:`.step.Step`."""

    __slots__ = ()

    from_: str
    to_: str
    place_: int | None

    def note_side(self) -> None:
        """Note that the features or lines of the hexside were read."""
        self.note(questions.side_kind if self.place_ is None else questions.pair)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The known features of the hexside, for a text."""
        self.note(questions.drawn)
        return self.mover_.board.sides.get(edge(self.from_, self.to_), ())

    @property
    def hexside(self) -> list[str]:
        """The features of the hexside."""
        self.note_side()
        board, side = self.mover_.board, edge(self.from_, self.to_)
        found, maybe = [*board.sides.get(side, ())], board.maybe_on(side)
        asked = later(of_board, about_side(side))
        if maybe is None and not self.rules.complete.has("hexsides"):
            self.run.choose(("hexside", side), (), (asked,))
        for name in self.rules.charts["hexsides"] if maybe is None else sorted(maybe):
            if name not in found and self.run.yes(("hexside", side, name), None, asked):
                found.append(name)
        return found

    @property
    def perhaps_on_side(self) -> tuple[str, ...]:
        """The features that may be on the hexside besides those drawn. For what can be tried."""
        self.note_side()
        return tuple(sorted(self.mover_.board.maybe_on(edge(self.from_, self.to_)) or ()))

    @property
    def maybe_on_side(self) -> Names:
        """The features that may be on the hexside besides those drawn; None: any. For bounds."""
        self.note(questions.maybe_drawn)
        return self.mover_.board.maybe_on(edge(self.from_, self.to_))

    @property
    def side_asked(self) -> Asking:
        """The question about the features of the hexside."""
        self.note_side()
        return self._side_question()

    @property
    def anything_on_side(self) -> bool:
        """Whether any feature may be on the hexside; for clauses about what can be tried."""
        self.note_side()
        return self.mover_.board.maybe_on(edge(self.from_, self.to_)) is None

    def on_side(self, name: str) -> bool:
        """Whether a feature is on the hexside."""
        if name in self.drawn:
            return True
        may = self.anything_on_side or name in self.perhaps_on_side
        return self._of_side(name, None if may else False)

    def more_on_side(self) -> bool:
        """Whether the hexside has features besides those drawn."""
        more = self.anything_on_side or not {*self.perhaps_on_side} <= {*self.drawn}
        return self._of_side("more", None if more else False)

    def if_on_side(self, name: str, cost: Callable[[], CostInterval]) -> CostInterval:
        """A cost that is due if a feature lies on the hexside; bounds if it may."""
        if name in self.drawn:
            return cost()
        if not self.anything_on_side and name not in self.perhaps_on_side:
            return FREE
        return self.perhaps(FREE, cost, self._side_question())

    def anything(self) -> CostInterval:
        """The cost of something on the hexside that no chart has: it may be anything."""
        self.run.log.open.append(self._side_question())
        return ANYTHING._replace(whole=False)

    def _of_side(self, about: object, holds: bool | None) -> bool:
        key = "side", edge(self.from_, self.to_), about
        return self.run.yes(key, holds, self._side_question())

    def _side_question(self) -> Asking:
        return later(of_board, about_side(edge(self.from_, self.to_)))

    @property
    def lines(self) -> dict[str, bool]:
        """The lines that cross the hexside, by kind, and those that may: False. For what can be tried."""
        self.note_side()
        board, side = self.mover_.board, edge(self.from_, self.to_)
        drawn = {line.kind: True for line in board.lines_by_edge.get(side, ())}
        return {**dict.fromkeys(sorted(board.maybe_across(side) or ()), False), **drawn}

    @property
    def lines_apart(self) -> list[tuple[str, Hashable]]:
        """The lines that are known to cross the hexside, by kind, each with what it shares with those that it
        meets. For a ruleset that keeps the way of a step."""
        self.note_side()
        board, side = self.mover_.board, edge(self.from_, self.to_)
        found = roads_over(board, side, dict.fromkeys(self.lines), True)
        return [(one.kind, one.node) for one in found if one.sure]

    def lines_of(self, kinds: Iterable[str]) -> list[tuple[str, int]]:
        """The lines of some kinds that are known to cross the hexside, by kind, each with its number on the
        board. For what can be tried."""
        self.note(questions.pair)
        board = self.mover_.board
        drawn = board.lines_by_edge.get(edge(self.from_, self.to_), ())
        return [(line.kind, board.lines.index(line)) for line in drawn if line.kind in kinds]

    def strange_lines(self, kinds: Iterable[str]) -> bool:
        """Whether a line of another kind than these crosses the hexside, or may. For what can be tried."""
        return any(kind not in kinds for kind in self.lines)

    def roads(self, kinds: Iterable[str], paths: bool) -> list[RoadOver]:
        """The lines of some kinds that cross the hexside, and those that may. ``paths``: there may be a
        second one of a kind. For what can be tried."""
        self.note_side()
        board = self.mover_.board
        return list(roads_over(board, edge(self.from_, self.to_), kinds, paths))

    def one_more(self, kind: str) -> bool:
        """Whether another line of a kind crosses the hexside besides those drawn."""
        self.note_side()
        side = edge(self.from_, self.to_)
        return self.run.yes(("line more", side, kind), None, later(of_board, about_lines(*side)))

    @property
    def any_line(self) -> bool:
        """Whether lines of any kind may cross the hexside. For what can be tried."""
        self.note_side()
        return self.mover_.board.maybe_across(edge(self.from_, self.to_)) is None

    def joined(self, kinds: tuple[str, ...]) -> bool:
        """Whether lines of some kinds through both hexes may be one network. For what can be tried."""
        self.note(questions.joined, kinds)
        return bool(questions.joined(self, kinds))  # type: ignore[arg-type]

    def told_of_pair(self, topic: str, text: str) -> bool:
        """Like :meth:`told`, about both hexes; their names, in order, fill ``topic`` and ``text``."""
        self.note(questions.pair)
        a, b = sorted((self.from_, self.to_))
        return self.told(topic.format(a, b), text.format(a, b))

    def told_of_pair_now(self, topic: str, text: str, named: str = "") -> bool:
        """Like :meth:`told_of_pair`, at the first step of the move."""
        self.note(questions.pair)
        a, b = sorted((self.from_, self.to_))
        self.run.log.private = True
        at = self.mover_.facts.move.steps[0]
        return self.told(topic.format(a, b), text.format(a, b), None, at, named.format(a, b))

    def crosses(self, kind: str) -> bool:
        """Whether a line with exactly this name crosses the hexside."""
        side = edge(self.from_, self.to_)
        there = self.lines.get(kind)
        asked = later(of_board, about_lines(*side))
        holds = True if there else None if there is False or self.any_line else False
        return self.run.yes(("crosses", side, kind), holds, asked)

    def follows(self, kind: str, *, any_line: bool = False) -> bool:
        """Whether a line of a kind crosses the hexside. ``any_line``: any other kind may be the
        same under another name."""
        self.note_side()
        board, side = self.mover_.board, edge(self.from_, self.to_)
        drawn = {line.kind for line in board.lines_by_edge.get(side, ())}
        asked = later(of_board, about_lines(*side))
        return self.line(kind, drawn, board.maybe_across(side), asked, any_line)

    def line(
        self, kind: str, drawn: Iterable[str], maybe: Names, asked: Asking, any_line: bool = False
    ) -> bool:
        """Whether a line of a kind is among those drawn, or those that may be there: under its own
        name, or as one that the facts count as this kind."""
        if kind in drawn:
            return True
        if any(
            (any_line or self.rules.may_count(kind, one)) and self.counts_as(one, kind)
            for one in sorted(drawn)
        ):
            return True
        if maybe is None:
            return self.run.yes(("line", str(asked)), None, asked)
        for one in sorted(maybe):
            may = one == kind or self.rules.may_count(kind, one)
            there = may and self.run.yes(("line", str(asked), one), None, asked)
            if there and (one == kind or self.counts_as(one, kind)):
                return True
        return False

    def counts_as(self, line: str, kind: str) -> bool:
        """Whether a line with another name counts as one of a kind."""
        return self.told(f"{line} is a {kind}", self.rules.declared.lines[kind].format(line))
