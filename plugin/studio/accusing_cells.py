"""Cells that accusations rest on, or that could clear one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...model.board import Board, edge
from ...model.finding import Audit, Finding, Move
from ...model.vouching import cell_of
from ...validators.suspects.candidates import near_path, path_of, sides_of_path

Reads = Mapping[Move, frozenset[str]]
"""The hexes that the searches for a move came to."""


@dataclass(frozen=True)
class AccusingCells:
    """Cells, each with the number of accusations: those they ``rest`` on (what is on the bill, and what lies
    on and beside the path and was read), and those that ``could`` clear one, since another way could have
    used them."""

    rest: Counter[str] = field(default_factory=Counter)
    could: Counter[str] = field(default_factory=Counter)

    def __bool__(self) -> bool:
        return bool(self.rest or self.could)


def accusing_cells(audit: Audit, board: Board, reads: Reads) -> AccusingCells:
    """Of the findings of illegal moves."""
    found = AccusingCells()
    for finding in audit.findings:
        if finding.verdict == "illegal":
            _add(found, audit, board, reads, finding)
    return found


def with_suspicions(
    found: AccusingCells, audit: Audit, board: Board, reads: Reads
) -> AccusingCells:
    """The same with what would be found if what is suggested were so."""
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
    """Hexes that a search came to, those next to them that it may have been kept out of, and their sides."""
    for name in hexes:
        if name in board.hexes:
            yield name
            for near in board.neighbours(name):
                yield near
                yield cell_of(edge(name, near))
