"""Markers on the table that change the board: a bridge blown, a breach, a fort.

A marker changes a hex, or a hexside of it; if it may mean one of several, all of these are open. Players lay
markers after they have acted, so from the beginning of a phase until its last marker lies there, the cells
may be in either state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...model.board import NONE, Board, Edge, Exceptions, Line, Names, edge
from ...model.boards import BoardChange, changed, either_way
from ...model.game import Event, PhaseStart, StepRef
from ...model.names import Words
from ...model.problem import Problem
from ...model.table import LogHistory, Piece, Step
from .attributes import Reader
from .board import Places
from .pack import BoardMarker
from .terrain import words

Features = tuple[tuple[str, ...], Names]
"""What is in a cell, and what may be besides."""


@dataclass(frozen=True, slots=True)
class _PlacedMarker:
    """A marker on the map, and the cell it changes: one of ``hexes``, or of ``sides``. ``terrain``: the
    terrain that it gives the hex; None: a terrain that is not known; empty: it does not change the
    terrain."""

    binding: BoardMarker
    hexes: tuple[str, ...] = ()
    sides: tuple[Edge, ...] = ()
    terrain: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class MarkersInPlay:
    """The markers on the map at a step (``lying``), with the hexes and hexsides that they change now or
    changed until this step."""

    hexes: frozenset[str]
    sides: frozenset[Edge]
    lying: tuple[_PlacedMarker, ...]

    def on(self, at: StepRef, drawn: Board, board: Board) -> BoardChange:
        """The board change that sets these cells of ``board`` from step ``at`` on. ``drawn``: see
        :class:`MarkerTeller`."""
        hexes = {name: board.hexes[name] for name in sorted(self.hexes)}
        inside = {name: board.maybe_in(name) for name in hexes}
        on = {s: (board.sides.get(s, ()), board.maybe_on(s)) for s in sorted(self.sides)}
        across = {s: (_kinds(board, s), board.maybe_across(s)) for s in on}
        at_odds = _at_odds(self.lying)
        unclear = {name for one in self.lying if one.hexes[1:] for name in one.hexes}
        for one in self.lying:
            told = one.binding
            for name in one.hexes:
                here = hexes[name]
                has, may = _marked((here.features, inside[name]), told, sure=True)
                terrain = here.terrain if one.terrain == () else one.terrain
                terrain = None if name in at_odds else terrain
                inside[name] = NONE if may is None and here.terrain is None and terrain else may
                level = here.level if told.level is None else told.level
                hexes[name] = replace(here, terrain=terrain, features=has, level=level)
            for side in one.sides:
                on[side] = _marked(on[side], told, sure=len(one.sides) == 1)
                across[side] = _marked(
                    across[side], replace(told, adds=()), sure=len(one.sides) == 1
                )
        for name in unclear:
            hexes[name] = replace(hexes[name], terrain=None, features=(), level=None)
        return BoardChange(
            at,
            tuple(hexes.values()),
            {side: has for side, (has, _) in on.items()},
            tuple(Line(kind, side) for side, (kinds, _) in across.items() for kind in kinds),
            tuple(Line(kind, side) for side in across for kind in _kinds(drawn, side)),
            Exceptions(
                {name: may for name, may in inside.items() if may != NONE},
                {side: may for side, (_, may) in on.items() if may != NONE},
                {side: may for side, (_, may) in across.items()},
                board.exceptions.levels & self.hexes | unclear,
            ),
            "markers on the table",
        )


class MarkerTeller:
    """Follows the markers that change the board. ``drawn``: the board as the pack draws it; ``board``: the
    same, with the cells open that may change without a marker. ``lost``: how often a marker lay at a hexside
    that has nothing it can stand for. ``known``: the terrains of the ruleset; None: any. A name read from a
    piece that is not among them is added to ``strange``; if the terrain chart is complete, the terrain of the
    hex is then not known. ``tellings``: one entry for each board change made, in order."""

    def __init__(
        self,
        reader: Reader,
        places: Places,
        drawn: Board,
        board: Board,
        known: Words | None = None,
    ) -> None:
        self._reader, self._places = reader, places
        self._drawn, self._board = drawn, board
        self._bindings = reader.pack.board_markers
        self._lying: dict[str, _PlacedMarker] = {}
        self._hexes: frozenset[str] = frozenset()
        self._sides: frozenset[Edge] = frozenset()
        self.lost = 0
        self._known, self.strange = known, set[str]()
        self.tellings: list[MarkersInPlay] = []

    def open(self, at: StepRef, log: LogHistory) -> Iterable[BoardChange]:
        """The board changes by markers at the opening of a log."""
        before, self._lying = self._lying, {}
        for piece in log.opening.pieces.values() if self._bindings else ():
            self._look(piece.id, piece)
        return self._say(at) if self._lying != before else ()

    def step(self, at: StepRef, step: Step) -> Iterable[BoardChange]:
        """The board changes by markers after a step."""
        if not self._bindings:
            return ()
        before = dict(self._lying)
        for change in step.changes:
            self._look(change.id, change.after)
        return self._say(at) if self._lying != before else ()

    def problems(self) -> Iterable[Problem]:
        """Problems with the markers."""
        if self.lost:
            message = (
                "markers that change a hexside lay where no hexside has what they could stand for; see "
                "[[board.marker]]"
            )
            yield Problem("board-marker", message, "pack.toml", count=self.lost)
        if self.strange:
            shown = ", ".join(sorted(self.strange)[:5])
            message = (
                f"pieces show terrain that the ruleset's tables do not know ({shown}), so moves that need"
                " it stay open: translate it in map of [[board.marker]] terrain"
            )
            yield Problem("unknown-name", message, "pack.toml", count=len(self.strange))

    def _look(self, id_text: str, piece: Piece | None) -> None:
        """Record a piece if it is a marker. Pieces that are hidden from anybody are ignored."""
        self._lying.pop(id_text, None)
        if piece is None:
            return
        binding = next((b for b in self._bindings if self._reader.fits(b.what, piece)), None)
        if binding is not None and not piece.concealments:
            lies = self._as_it_lies(binding, piece)
            if lies is not None:
                self._lying[id_text] = lies

    def _as_it_lies(self, binding: BoardMarker, piece: Piece) -> _PlacedMarker | None:
        place = self._places.of(piece.spot, piece.location)
        near = self._places.near(piece.spot) if place.kind == "unclear" else None
        hexes = near[:2] if near is not None else tuple(filter(None, [place.hex]))
        if not hexes:
            return None
        if binding.at == "hex":
            return _PlacedMarker(binding, hexes, terrain=self._terrain(binding, piece))
        if near is not None and near[2] and near[1] in self._drawn.neighbours(near[0]):
            return _PlacedMarker(binding, sides=(edge(*near[:2]),))
        towards = self._reader.told(binding.towards, piece)
        around = ((h, n) for h in hexes for n in self._drawn.neighbours(h) if towards in (None, n))
        every = dict.fromkeys(edge(*both) for both in around)
        sides = tuple(side for side in every if self._may_be_meant(binding, side))
        self.lost += not sides
        return _PlacedMarker(binding, sides=sides) if sides else None

    def _terrain(self, binding: BoardMarker, piece: Piece) -> tuple[str, ...] | None:
        if not binding.reads:
            return binding.terrain
        told = self._reader.told(binding.reads, piece)
        names = () if told is None else words(told)
        strange = {name for name in names if self._known and not self._known.know(name)}
        self.strange |= strange
        closed = self._known is not None and self._known.chart in self._reader.pack.charts
        return None if (strange and closed) or not names else names

    def _may_be_meant(self, binding: BoardMarker, side: Edge) -> bool:
        """Whether there is something on a hexside that a marker can stand for."""
        has = {*self._drawn.sides.get(side, ()), *_kinds(self._drawn, side)}
        wanted = _wanted(binding)
        return not wanted or not has.isdisjoint(wanted)

    def _say(self, at: StepRef) -> Iterable[BoardChange]:
        """The board change for the cells that markers change now or changed before; nothing if there are
        none."""
        lying = tuple(self._lying.values())
        names, sides = self._hexes, self._sides
        self._hexes = frozenset(name for one in lying for name in one.hexes)
        self._sides = frozenset(side for one in lying for side in one.sides)
        telling = MarkersInPlay(names | self._hexes, sides | self._sides, lying)
        if telling.hexes or telling.sides:
            self.tellings.append(telling)
            yield telling.on(at, self._drawn, self._board)


def _wanted(binding: BoardMarker) -> tuple[str, ...]:
    """The features of which a hexside must have one for the marker to stand for it; empty: any hexside will
    do."""
    return binding.removes or binding.on


@dataclass(frozen=True)
class MarkerHistory:
    """The markers in the course of a game, without the pack's facts about cells. ``events``: all events
    of the game as they were read; ``tellings``: one entry for each board change among them; ``meant``: see
    :func:`meant_by`."""

    events: Sequence[Event]
    tellings: Sequence[MarkersInPlay]
    meant: tuple[frozenset[Edge], ...]

    def on(self, drawn: Board, board: Board) -> tuple[Board, tuple[Event, ...]]:
        """The opening board and the events if the same markers lie on another board. It must have the same
        places and the same ``meant`` hexsides. ``drawn``, ``board``: see :class:`MarkerTeller`."""
        tellings = iter(self.tellings)
        events = (
            next(tellings).on(event.at, drawn, board) if isinstance(event, BoardChange) else event
            for event in self.events
        )
        opening, found = from_phase_on(board, events)
        return opening, tuple(found)


def meant_by(bindings: Iterable[BoardMarker], drawn: Board) -> tuple[frozenset[Edge], ...]:
    """For each kind of marker that changes hexsides, the hexsides of a board that it can stand for; empty if
    it can stand for any."""
    found = []
    for wanted in (frozenset(_wanted(one)) for one in bindings if one.at == "hexside"):
        sides = {side for side, has in drawn.sides.items() if not wanted.isdisjoint(has)}
        sides.update(side for line in drawn.lines if line.kind in wanted for side in line.edges())
        found.append(frozenset(sides))
    return tuple(found)


def _at_odds(lying: Iterable[_PlacedMarker]) -> set[str]:
    """The hexes to which two pieces give different terrains, at least one of them read from the piece."""
    told: dict[str, tuple[str, ...] | None] = {}
    found: set[str] = set()
    for one in lying:
        for name in one.hexes if one.binding.reads else ():
            if told.setdefault(name, one.terrain) != one.terrain:
                found.add(name)
    return found


def _kinds(board: Board, side: Edge) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.kind for line in board.lines_by_edge.get(side, ())))


def _marked(cell: Features, told: BoardMarker, *, sure: bool) -> Features:
    """A cell after a marker removed and added features. ``sure`` False: the marker may stand for another
    cell, so each change is only possible."""
    has, may = cell
    left = tuple(feature for feature in has if feature not in told.removes)
    new = tuple(feature for feature in told.adds if feature not in left)
    if sure:
        return (*left, *new), None if may is None else may.difference(told.removes, told.adds)
    return left, None if may is None else may.union(set(has).difference(left), new)


def from_phase_on(board: Board, events: Iterable[Event]) -> tuple[Board, list[Event]]:
    """The opening board and the events, in which the cells that markers change during a phase are open from
    the beginning of the phase until the last of these changes."""
    segments: list[list[Event]] = [[]]
    for event in events:
        if isinstance(event, PhaseStart):
            segments.append([])
        segments[-1].append(event)
    start = StepRef(1, 0)
    at_first = [e for s in segments for e in s if isinstance(e, BoardChange) and e.at == start]
    board = now = changed(board, at_first)
    found: list[Event] = []
    for segment in segments:
        changes = [e for e in segment if isinstance(e, BoardChange) and e.at != start]
        rest = [event for event in segment if not isinstance(event, BoardChange)]
        if not changes:
            found += rest
            continue
        after = changed(now, changes)
        last = max(n for n, event in enumerate(segment) if event is changes[-1])
        before_last = [e for e in segment[:last] if not isinstance(e, BoardChange)]
        head = rest[:1] if isinstance(rest[0], PhaseStart) else []
        found += [*head, replace(either_way(now, changes), at=(head or segment)[0].at)]
        found += before_last[len(head) :]
        found.append(_as_it_is(after, changes))
        found += rest[len(before_last) :]
        now = after
    return board, found


def _as_it_is(board: Board, changes: list[BoardChange]) -> BoardChange:
    """The board change that sets the cells of ``changes`` to their state on ``board``."""
    names = dict.fromkeys(h.name for change in changes for h in change.hexes)
    sides = dict.fromkeys(side for change in changes for side in change.sides)
    crossed = dict.fromkeys(side for change in changes for side in change.touched_sides())
    return BoardChange(
        changes[-1].at,
        tuple(board.hexes[name] for name in names),
        {side: board.sides.get(side, ()) for side in sides},
        tuple(Line(kind, side) for side in crossed for kind in _kinds(board, side)),
        (),
        Exceptions(
            {name: may for name in names if (may := board.maybe_in(name)) != NONE},
            {side: may for side in sides if (may := board.maybe_on(side)) != NONE},
            {side: board.maybe_across(side) for side in crossed},
            board.exceptions.levels.intersection(names),
        ),
        changes[-1].source,
    )
