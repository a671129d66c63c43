"""Cells of the board that a person should look at: those that accusations depend on or that could clear one,
those that questions of the audit name, and the few that may decide a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...model.board import Board, edge
from ...model.finding import Audit, Finding, JudgedMove, Move
from ...model.game import PhaseRule
from ...model.vouching import cell_of, side_of
from ...validators.suspects.candidates import near_path, path_of, sides_of_path
from ..reports.json import unknowns_of
from ..usable import usable
from .board_cells import Plain

Reads = Mapping[Move, frozenset[str]]
"""The hexes that the search for each move reached."""


@dataclass(frozen=True)
class AccusingCells:
    """Cells with their number of accusations. ``rest``: accusations depend on the cell (it is on the bill, or
    was read on or beside the path). ``could``: it could clear one, since another path could use it."""

    rest: Counter[str] = field(default_factory=Counter)
    could: Counter[str] = field(default_factory=Counter)

    def __bool__(self) -> bool:
        return bool(self.rest or self.could)


def accusing_cells(audit: Audit, board: Board, reads: Reads) -> AccusingCells:
    """The accusing cells of the illegal moves."""
    found = AccusingCells()
    for finding in audit.findings:
        if finding.verdict == "illegal":
            _add(found, audit, board, reads, finding)
    return found


def with_suspicions(
    found: AccusingCells, audit: Audit, board: Board, reads: Reads
) -> AccusingCells:
    """The same, with the findings that would follow if suggestions were true."""
    every = AccusingCells(found.rest.copy(), found.could.copy())
    for one in audit.suspicions:
        every.rest.update({each.key.cell for each in one.cells if each.key.layer != "phase"})
        _add(every, audit, board, reads, one.finding)
    return every


def _add(found: AccusingCells, audit: Audit, board: Board, reads: Reads, finding: Finding) -> None:
    rest, could = set(_on_bill(board, finding)), set[str]()
    by_id = {judged.move.id: judged for judged in audit.moves} if finding.moves else {}
    for number in finding.moves:
        judged = by_id.get(number)
        if judged is None:
            continue
        read = reads.get(judged.move, frozenset())
        path = path_of(board, judged)
        hexes = near_path(board, path, read)
        rest.update(hexes, map(cell_of, sides_of_path(board, path, hexes)))
        could.update(_around(board, read.union(path)))
    found.rest.update(rest)
    found.could.update(could - rest)


def _on_bill(board: Board, finding: Finding) -> Iterator[str]:
    for charge in finding.bill.charges if finding.bill is not None else ():
        if charge.hex in board.hexes or "/" in charge.hex:
            yield charge.hex
        if charge.origin in board.hexes and charge.origin != charge.hex:
            yield cell_of(edge(charge.origin, charge.hex))


def _around(board: Board, hexes: Iterable[str]) -> Iterator[str]:
    """Hexes that a search reached, neighbours that it may have been kept out of, and their sides."""
    for name in hexes:
        if name in board.hexes:
            yield name
            for near in board.neighbours(name):
                yield near
                yield cell_of(edge(name, near))


_OF_HEX = ("terrain", "level", "features")
_OF_SIDE = {"features": "hexsides", "lines": "lines"}


def asked_for(audit: Audit, board: Board) -> list[Plain]:
    """The cells that the audit's questions name: first those that alone decide most moves, then those that
    most moves wait for."""
    waiting_for: dict[int, set[str]] = {}
    for unknown, moves in unknowns_of(audit).values():
        for move in moves:
            waiting_for.setdefault(move, set()).add(unknown.key)
    found: list[tuple[int, int, Plain]] = []
    for unknown, moves in unknowns_of(audit).values():
        for cell, layer in _cells(unknown.key, board):
            alone = sum(len(waiting_for[move]) == 1 for move in moves)
            said = {"cell": cell, "layer": layer, "question": unknown.question}
            found.append((-alone, -len(moves), {**said, "moves": len(moves)}))
    return [one for _, _, one in sorted(found, key=lambda f: (f[0], f[1], f[2]["cell"]))]


def _cells(key: str, board: Board) -> Iterator[tuple[str, str]]:
    """The cell and layer that a question is about; empty if it is about no cell."""
    what, _, rest = key.partition(" ")
    name, _, layer = rest.rpartition(" ")
    if what == "hex" and layer in _OF_HEX and name in board.hexes:
        yield name, layer
    elif what == "hexside" and layer in _OF_SIDE:
        side = side_of(name, board.hexes)
        if side is not None:
            yield cell_of(side), _OF_SIDE[layer]


FEW = 3
"""Maximum number of moves considered at once."""
ON_THE_WAY = ("hex ", "hexside ", "stop ")
"""Beginnings of questions that a look at the board answers, or that vanish if the path there is legal."""


def deciding_cells(
    board: Board,
    moves: Iterable[JudgedMove],
    phases: Mapping[str, PhaseRule],
    unseen: frozenset[str],
) -> frozenset[str]:
    """The cells on the shortest ways of the open moves that need fewest of them, of those that wait for
    least else (charts, units, phases). ``unseen``: the cells that nobody has looked at."""
    found = []
    for judged in moves:
        rule = phases.get(judged.move.phase.phase or "")
        if judged.verdict != "unverifiable" or rule is None or not rule.complete:
            continue
        cells = _on_shortest(board, judged)
        left = len(cells & unseen)
        if left:
            others = sum(not unknown.key.startswith(ON_THE_WAY) for unknown in judged.unknowns)
            found.append((others, left, judged.move.id, cells))
    found.sort(key=lambda one: one[:3])
    return frozenset(
        cell for others, *_, cells in found[:FEW] if others == found[0][0] for cell in cells
    )


def _on_shortest(board: Board, judged: JudgedMove) -> frozenset[str]:
    names = set(usable(board, (judged,), detour=0))
    sides = (edge(a, b) for a in names for b in board.neighbours(a) if b in names)
    return frozenset((*names, *map(cell_of, sides)))
