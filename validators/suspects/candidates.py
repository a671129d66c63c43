"""The facts that an accusation may rest on: those its searches read, on its path and next to it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import pairwise

from ...model.board import Board, Edge, edge
from ...model.boards import BoardChange
from ...model.fact import Fact
from ...model.finding import JudgedMove
from ...model.game import Game, PhaseStart, StepRef
from ...model.provenance import Key
from ...model.suspect import PackFact
from ...model.vouching import YES, cell_of, set_text
from .facts import key_of, leaves

NO = "no"


def path_of(board: Board, judged: JudgedMove) -> list[str]:
    """The hexes of a move's path and its own waypoints that are on the board, each once."""
    own = (place.name for place in judged.move.waypoints if place.kind == "hex")
    return [name for name in dict.fromkeys((*judged.path, *own)) if name in board.hexes]


def near_path(board: Board, path: Sequence[str], read: Container[str]) -> list[str]:
    """The hexes of a path, and those next to it that the searches ``read``."""
    near = dict.fromkeys((*path, *(n for name in path for n in board.neighbours(name))))
    return [name for name in near if name in read or name in path]


def sides_of_path(board: Board, path: Sequence[str], hexes: Iterable[str]) -> Iterable[Edge]:
    """The hexsides that a path crosses, then those between a hex of the path and one of ``hexes``."""
    on_path = set(path)
    sides = dict.fromkeys(edge(a, b) for a, b in pairwise(path))
    return sides | dict.fromkeys(
        edge(a, b) for a in hexes for b in board.neighbours(a) if on_path & {a, b}
    )


class Candidates:
    """Finds the facts that a move may rest on.

    ``retired``: keys of facts of the board that somebody has checked; these are left out.
    """

    def __init__(self, game: Game, retired: Container[Key]) -> None:
        self._game, self._retired = game, retired
        board = game.board
        self._on_sides = sorted({name for has in board.sides.values() for name in has})
        self._lines = sorted(board.line_kinds)
        self._levels = any(here.level for here in board.hexes.values())
        self._cells = list(leaves(game.rules.tables))
        self._near: dict[str, frozenset[str]] = {}
        self._in_reach: dict[str, frozenset[str]] = {}
        self._changes = any(isinstance(event, BoardChange) for event in game.events)
        self._words = self._all_words()

    def of(self, judged: JudgedMove, read: frozenset[str]) -> Iterator[PackFact]:
        """The facts that ``judged``, whose searches read the hexes ``read``, may rest on."""
        board = self._game.board
        path = path_of(board, judged)
        hexes = near_path(board, path, read)
        for fact in self._on_board(board, path, hexes):
            if not self._is_retired(fact):
                yield fact
        yield from self._of_units(judged)
        yield from self._of_charts(read.union(path))

    def _is_retired(self, fact: PackFact) -> bool:
        """Whether somebody has checked the fact. For something that the pack says is not there it is enough
        that somebody has checked that the cell holds nothing more."""
        key = key_of(fact)
        whole = fact.value == NO and key._replace(name="") in self._retired
        return whole or key in self._retired

    def _on_board(
        self, board: Board, path: Sequence[str], hexes: Sequence[str]
    ) -> Iterator[PackFact]:
        on_path = set(path)
        for side in sides_of_path(board, path, hexes):
            has, cell = board.sides.get(side, ()), cell_of(side)
            crossing = {line.kind for line in board.lines_by_edge.get(side, ())}
            for name in self._on_sides if has else ():
                value = YES if name in has else NO
                yield PackFact("hexside", cell, "hexsides", name, value)
            ends = [self._crossing(name) for name in side]
            for kind in self._lines:
                led = sum(kind in end for end in ends)
                if led and kind not in crossing and board.lines_known(side):
                    gap = "it leads into both hexes" if led == len(ends) else ""
                    yield PackFact("line", cell, "lines", kind, NO, gap)
        for name in hexes:
            here = board.hexes[name]
            if here.terrain is not None:
                yield PackFact("hex", name, "terrain", "", set_text(here.terrain))
            for feature in here.features:
                yield PackFact("hex", name, "features", feature, YES)
            if self._levels and board.level_of(name) is not None and name in on_path:
                yield PackFact("hex", name, "level", "", str(board.level_of(name)))

    def _crossing(self, name: str) -> frozenset[str]:
        """The kinds of lines that lead into a hex."""
        board = self._game.board
        sides = (edge(name, near) for near in board.neighbours(name))
        return frozenset(ln.kind for side in sides for ln in board.lines_by_edge.get(side, ()))

    def _of_units(self, judged: JudgedMove) -> Iterator[PackFact]:
        for name in judged.move.units:
            unit = self._game.units.get(name)
            for key, fact in unit.attributes.items() if unit is not None else ():
                if unit is not None and fact.is_known:
                    yield PackFact("unit", unit.name, "", key, _said(fact))

    def _of_charts(self, hexes: Iterable[str]) -> Iterator[PackFact]:
        words = {word for name in hexes for word in self._words_near(name)}
        for path, value in self._cells:
            if not (self._words & set(path)) - words:
                yield PackFact("chart", " > ".join(path), value=value)

    def may_read(self, chart: PackFact, hexes: Iterable[str]) -> bool:
        """Whether searches that reached ``hexes`` may have read this cell of the charts.

        True if the cell's path names nothing that is on the board, if the board changes during the game, or
        if every name of the board in the path occurs within two hexes of ``hexes``.
        """
        wanted = self._words & set(chart.cell.split(" > "))
        if self._changes or not wanted:
            return True
        for name in hexes:
            wanted -= self._words_within_reach(name)
            if not wanted:
                return True
        return False

    def _words_within_reach(self, name: str) -> frozenset[str]:
        found = self._in_reach.get(name)
        if found is None:
            near = (name, *self._game.board.neighbours(name)) if name in self._near else ()
            every = (self._words_near(other) for other in near)
            found = self._in_reach[name] = frozenset().union(*every)
        return found

    def _words_near(self, name: str) -> frozenset[str]:
        """Names of terrain, features, hexside features and lines in a hex, in its neighbours, and on the
        sides of all of these."""
        found = self._near.get(name)
        if found is None:
            hexes = (name, *self._game.board.neighbours(name))
            words = (word for near in hexes for word in _words_in(self._game.board, near))
            found = self._near[name] = frozenset(words)
        return found

    def _all_words(self) -> frozenset[str]:
        board = {word for name in self._game.board.hexes for word in self._words_near(name)}
        return frozenset((*board, *self._on_sides, *self._lines))


def _said(fact: Fact) -> str:
    value = fact.value
    return str(value).lower() if isinstance(value, bool) else str(value)


def _words_in(board: Board, name: str) -> Iterator[str]:
    here = board.hexes[name]
    yield from here.terrain or ()
    yield from here.features
    for near in board.neighbours(name):
        side = edge(name, near)
        yield from board.sides.get(side, ())
        yield from (line.kind for line in board.lines_by_edge.get(side, ()))


def borders(
    game: Game, accused: Iterable[StepRef], moved: Callable[[StepRef], bool]
) -> Iterator[PackFact]:
    """Phase borders that may lie at another step: accused drags just before or just after a border would
    then be in the other phase.

    ``accused``: the steps of accused drags. ``moved``: whether a step has a legal move. For a phase that may
    begin earlier, the new first step is the first accused one in the run before the border that has no legal
    move; for one that may begin later, it is the step after the last accused one in the run behind it.
    """
    starts = [event for event in game.events if isinstance(event, PhaseStart)]
    steps = sorted({event.at for event in game.events if event.at.step > 0})
    wrong = set(accused)
    for number, start in enumerate(starts[1:], 1):
        before, end = (
            starts[number - 1].at,
            starts[number + 1].at if number + 1 < len(starts) else None,
        )
        name = ", ".join(part for part in (start.turn, start.phase, start.active) if part)
        earlier = [at for at in steps if before < at < start.at]
        first = _last_run(reversed(earlier), wrong, moved)
        if first is not None:
            yield PackFact("phase", str(start.at), value=name, instead=str(first))
        later = [at for at in steps if at >= start.at and (end is None or at < end)]
        last = _last_run(later, wrong, moved)
        after = next((at for at in later if last is not None and at > last), None)
        if after is not None:
            yield PackFact("phase", str(start.at), value=name, instead=str(after))


def _last_run(
    steps: Iterable[StepRef], wrong: Container[StepRef], moved: Callable[[StepRef], bool]
) -> StepRef | None:
    """The last accused step before the first step that has a legal move; None if there is none."""
    found = None
    for at in steps:
        if moved(at):
            break
        if at in wrong:
            found = at
    return found
