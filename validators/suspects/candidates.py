"""The facts that an accusation may rest on: those of cells that its searches reached, or next to them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import pairwise

from ...model.board import Board, Edge, edge
from ...model.boards import BoardChange
from ...model.fact import written
from ...model.finding import JudgedMove
from ...model.game import Game, PhaseStart, StepRef
from ...model.provenance import Key
from ...model.suspect import PackFact
from ...model.unit import Unit
from ...model.vouching import YES, cell_of, set_text, side_of
from .facts import SIDE, WHOLE, cheaper, key_of, leaves


def path_of(board: Board, judged: JudgedMove) -> list[str]:
    """The hexes of a move's path and its own waypoints that are on the board, each once."""
    own = (place.name for place in judged.move.waypoints if place.kind == "hex")
    return [name for name in dict.fromkeys((*judged.path, *own)) if name in board.hexes]


def near_path(board: Board, path: Sequence[str], read: Container[str]) -> list[str]:
    """The hexes of a path, and those of its neighbours that the searches ``read``."""
    near = dict.fromkeys((*path, *(n for name in path for n in board.neighbours(name))))
    return [name for name in near if name in read or name in path]


def sides_of_path(board: Board, path: Sequence[str], hexes: Iterable[str]) -> Iterable[Edge]:
    """The hexsides that a path crosses, then those between a hex of the path and one of ``hexes``."""
    on_path = set(path)
    sides = dict.fromkeys(edge(a, b) for a, b in pairwise(path))
    return sides | dict.fromkeys(
        edge(a, b) for a in hexes for b in board.neighbours(a) if on_path & {a, b}
    )


Group = PackFact | tuple["Group", ...]
"""A fact, or groups that are tried together before each is tried alone."""


def facts_in(group: Group) -> Iterator[PackFact]:
    """Every fact of a group."""
    if isinstance(group, PackFact):
        yield group
        return
    for part in group:
        yield from facts_in(part)


class Candidates:
    """Finds the facts that a move may rest on.

    ``retired``: keys of facts of the board that a person has checked; these are left out.
    """

    def __init__(self, game: Game, retired: Container[Key]) -> None:
        self._game, self._retired = game, retired
        board = game.board
        self._on_sides = frozenset(name for has in board.sides.values() for name in has)
        self._levels = any(here.level for here in board.hexes.values())
        self._cells = list(leaves(game.rules.tables))
        self._own: dict[str, frozenset[str]] = {}
        self._near: dict[str, frozenset[str]] = {}
        self._in_reach: dict[str, frozenset[str]] = {}
        self._changes = any(isinstance(event, BoardChange) for event in game.events)
        self._words = self._all_words()
        units = game.units.values()
        self._values = {fact.value for unit in units for fact in _of_unit(unit)} - self._words

    def of_move(
        self, unit: str, others: Iterable[str], cells: frozenset[str], path: Sequence[str]
    ) -> Iterator[Group]:
        """The facts that a move of ``unit`` may rest on. ``cells``: the hexes and hexsides that could make it
        legal. ``path``: the path that was shown; its cells come first. ``others``: units near it."""
        board = self._game.board
        on_path = [*path, *(cell_of(edge(a, b)) for a, b in pairwise(path))]
        here = [cell for cell in dict.fromkeys((*on_path, *sorted(cells))) if cell in cells]
        yield from (self._of_cell(cell) for cell in here if cell in on_path)
        yield from self._of_charts(unit, [cell for cell in here if cell in board.hexes])
        yield from self.of_units([unit])
        yield tuple(
            fact for group in self.of_units(others) for fact in facts_in(group) if fact.name == SIDE
        )
        yield from (self._of_cell(cell) for cell in here if cell not in on_path)
        whole = sorted(self._game.rules.complete or ())
        yield tuple(PackFact("chart", chart, name=WHOLE, value=YES) for chart in whole)

    def _of_cell(self, cell: str) -> Group:
        side = side_of(cell, self._game.board.hexes)
        facts = self._in_hex(cell) if side is None else self._on_side(side)
        return tuple(fact for fact in facts if key_of(fact) not in self._retired)

    def _in_hex(self, name: str) -> Iterator[PackFact]:
        board = self._game.board
        here = board.hexes[name]
        if here.terrain is not None:
            yield PackFact("hex", name, "terrain", "", set_text(here.terrain))
        for feature in here.features:
            yield PackFact("hex", name, "features", feature, YES)
        if board.hex_known(name):
            yield PackFact("hex", name, "features", "", set_text(here.features))
        if self._levels and board.level_of(name) is not None:
            yield PackFact("hex", name, "level", "", str(board.level_of(name)))

    def _on_side(self, side: Edge) -> Iterator[PackFact]:
        board, cell = self._game.board, cell_of(side)
        has = board.sides.get(side, ())
        crossing = {line.kind for line in board.lines_by_edge.get(side, ())}
        a, b = map(self._leading, side)
        gap = " and ".join(sorted((a & b) - crossing))
        lines = PackFact(
            "line", cell, "lines", "", set_text(crossing), gap and f"{gap} leads into both hexes"
        )
        if gap and board.lines_known(side):
            yield lines
        for name in has:
            yield PackFact("hexside", cell, "hexsides", name, YES)
        if board.sides_known(side):
            yield PackFact("hexside", cell, "hexsides", "", set_text(has))
        if not gap and board.lines_known(side):
            yield lines

    def _leading(self, name: str) -> frozenset[str]:
        """The kinds of lines that lead into a hex."""
        board = self._game.board
        sides = (edge(name, near) for near in board.neighbours(name))
        return frozenset(ln.kind for side in sides for ln in board.lines_by_edge.get(side, ()))

    def numbers_of(self, unit: str, cells: Iterable[str]) -> tuple[PackFact, ...]:
        """The costs of the charts that ``unit`` may be charged for a move among ``cells``, and its
        allowance."""
        hexes = [cell for cell in cells if cell in self._game.board.hexes]
        charts = [fact for group in self._of_charts(unit, hexes) for fact in facts_in(group)]
        name = self._game.rules.tables.get("allowance", {}).get("attribute")
        own = (fact for fact in _of_unit(self._game.units[unit]) if fact.name == name)
        return tuple(fact for fact in (*charts, *own) if cheaper(fact))

    def of_units(self, units: Iterable[str]) -> tuple[Group, ...]:
        """The facts of the pack about each of ``units``."""
        known = [self._game.units[name] for name in units if name in self._game.units]
        return tuple(tuple(_of_unit(unit)) for unit in known)

    def _of_charts(self, unit: str, hexes: Iterable[str]) -> Iterator[Group]:
        """Each yes or no of the charts, and the costs of each chart. Left out are cells whose path names a
        terrain, feature or line that is not near ``hexes``, or a value that only other units have."""
        near = {word for name in hexes for word in self._words_near(name)}
        own = {fact.value for fact in _of_unit(self._game.units[unit])}
        not_named = (self._words - near) | (self._values - own)
        charts: dict[str, list[PackFact]] = {}
        for path, value in self._cells:
            if not_named.isdisjoint(path):
                fact = chart_cell(path, value)
                if value in _YES_OR_NO:
                    yield fact
                else:
                    charts.setdefault(path[0], []).append(fact)
        yield from map(tuple, charts.values())

    def of_stacks(self) -> Group:
        """The cells of the charts on stacking."""
        return tuple(
            chart_cell(path, value) for path, value in self._cells if path[0] == "stacking"
        )

    def may_read(self, chart: PackFact, hexes: Iterable[str]) -> bool:
        """Whether searches that reached ``hexes`` may have read this cell of the charts.

        True if the cell's path names nothing that is on the board, if the board changes during the game, or
        if every name of the board in the path occurs within two hexes of ``hexes``.
        """
        wanted = self._words & set(chart.cell.split(" > "))
        if self._changes or not wanted or chart.name == WHOLE:
            return True
        for name in hexes:
            wanted -= self._words_within_reach(name)
            if not wanted:
                return True
        return False

    def _words_within_reach(self, name: str) -> frozenset[str]:
        found = self._in_reach.get(name)
        if found is None:
            board = self._game.board
            near = (name, *board.neighbours(name)) if name in board.hexes else ()
            every = (self._words_near(other) for other in near)
            found = self._in_reach[name] = frozenset().union(*every)
        return found

    def _words_near(self, name: str) -> frozenset[str]:
        """Names of terrain, features, hexside features and lines in a hex, in its neighbours, and on the
        sides of all of these."""
        found = self._near.get(name)
        if found is None:
            hexes = (name, *self._game.board.neighbours(name))
            found = self._near[name] = frozenset().union(*map(self._words_of, hexes))
        return found

    def _words_of(self, name: str) -> frozenset[str]:
        """The names in a hex and on its sides."""
        found = self._own.get(name)
        if found is None:
            found = self._own[name] = frozenset(_words_in(self._game.board, name))
        return found

    def _all_words(self) -> frozenset[str]:
        board = frozenset[str]().union(*map(self._words_of, self._game.board.hexes))
        return frozenset((*board, *self._on_sides, *self._game.board.line_kinds))


_YES_OR_NO = ("true", "false")


def chart_cell(path: Sequence[str], value: str) -> PackFact:
    """The fact that a cell of the charts has ``value``."""
    return PackFact("chart", " > ".join(path), value=value)


def _of_unit(unit: Unit) -> Iterator[PackFact]:
    if unit.side is not None:
        yield PackFact("unit", unit.name, "", SIDE, unit.side)
    for key, fact in unit.attributes.items():
        if fact.is_known and key != SIDE:
            yield PackFact("unit", unit.name, "", key, written(fact.value))


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
    """Phase borders that may be at another step, so that accused drags just before or after them would be in
    the other phase.

    ``accused``: the steps of accused drags. ``moved``: whether a step has a legal move. In the run of steps
    without legal moves before a border, the phase may begin at the first accused step; in the run after it,
    at the step after the last accused one.
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
