"""Who looked at the cells that a bill depends on, and when, by the records of the pack; or which facts of the
game gave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..importers.pack.declared_board import cells_told
from ..importers.pack.facts import NO_FACTS, Facts
from ..importers.pack.pack import Pack
from ..model.bill import Bill
from ..model.board import Board, edge
from ..model.finding import Audit
from ..model.game import StepRef
from ..model.provenance import BY_EYE, Layer, Record, current
from ..model.vouching import cell_of, values_of
from .reports.phrases import capital

if TYPE_CHECKING:
    from .auditing import Opened

NOBODY = "Nobody is recorded as having looked at"
_FACTS = "The facts of the game"

_HEX: Mapping[Layer, str] = {"terrain": "the terrain of", "features": "the features of"}
_SIDE: Mapping[Layer, str] = {"hexsides": "what lies on", "lines": "the lines across"}


class Lookers:
    """The records of a ``pack`` (None: there is none) that still match the ``board``, and the cells that
    ``facts`` give. ``persons``: report only looks by persons, and never that nobody looked."""

    def __init__(
        self, board: Board, pack: Pack | None, facts: Facts = NO_FACTS, *, persons: bool = False
    ) -> None:
        self._board = board
        self._persons = persons
        self._told = cells_told(facts)
        records = pack.records if pack is not None else ()
        held = current({r.key: r for r in records}, values_of(board)) if records else {}
        self._of_layer: dict[tuple[str, Layer], list[Record]] = {}
        for key, record in held.items():
            if persons and not (record.is_seen and record.status in BY_EYE):
                continue
            self._of_layer.setdefault((key.cell, key.layer), []).append(record)

    def of(self, bill: Bill | None, steps: Sequence[StepRef] = ()) -> tuple[str, ...]:
        """Sentences on the hexes that a bill charges for and the hexsides crossed into them; empty if it
        charges for none. ``steps``: when that was."""
        if bill is None:
            return ()
        said: dict[str, list[tuple[str, str]]] = {}
        for cell in dict.fromkeys(self._cells(bill)):
            for text, of in self._said(cell, steps):
                said.setdefault(text, []).append((of, cell))
        ordered = sorted(said.items(), key=lambda one: one[0].startswith("Nobody"))
        return tuple(f"{text} {self._listed(cells)}." for text, cells in ordered)

    def _cells(self, bill: Bill) -> Iterator[str]:
        for charge in bill.charges:
            if charge.hex not in self._board.hexes:
                continue
            yield charge.hex
            if charge.origin in self._board.neighbours(charge.hex):
                yield cell_of(edge(charge.origin, charge.hex))

    def _said(self, cell: str, steps: Sequence[StepRef]) -> list[tuple[str, str]]:
        """The records of a cell, each with the part of the cell that it covers; "": all of it."""
        layers = _HEX if cell in self._board.hexes else _SIDE
        told = [one for layer in layers for one in self._of(cell, layer, steps)]
        if len({text for text, _ in told}) == 1 and not told[0][0].startswith(_FACTS):
            return [(told[0][0], "")]
        return told

    def _of(self, cell: str, layer: Layer, steps: Sequence[StepRef]) -> Iterator[tuple[str, str]]:
        """The facts on one layer of a cell, or its records: of the whole layer, or else of single
        features."""
        for kind, fact in self._told.get((cell, layer), ()):
            if all(step in fact.span for step in steps):
                of = f"the {kind} across" if kind else {**_HEX, **_SIDE}[layer]
                yield f"{_FACTS} ({fact.source}) tell", of
                if not kind:
                    return
        records = self._of_layer.get((cell, layer), [])
        whole = next((record for record in records if not record.key.name), None)
        if not records and self._persons:
            return
        if whole is not None or not records:
            yield _text(whole), {**_HEX, **_SIDE}[layer]
            return
        for record in sorted(records, key=lambda one: one.key.name):
            yield _text(record), f"the {record.key.name} of"

    def _listed(self, cells: Iterable[tuple[str, str]]) -> str:
        """Cells as a list, grouped by kind: ``hexes 0507, 0606, hexside 0507/0606``."""
        kinds: dict[tuple[str, bool], list[str]] = {}
        for of, cell in cells:
            kinds.setdefault((of, cell in self._board.hexes), []).append(cell)
        parts = []
        for (of, is_hex), alike in kinds.items():
            noun, nouns = ("hex", "hexes") if is_hex else ("hexside", "hexsides")
            word = noun if len(alike) == 1 else nouns
            parts.append(f"{of} {word} {', '.join(alike)}".strip())
        return "; ".join(parts)


def _text(record: Record | None) -> str:
    """The beginning of a sentence: who looked, or that nobody did; the cells follow."""
    if record is None:
        return NOBODY
    who, day = " and ".join(record.who), record.when[:10]
    if record.method.by == "program":
        who = f"a program ({who})"
    if record.status in BY_EYE:
        return f"{capital(who)} looked on {day} at"
    did = _DID.get(record.status, record.status)
    return f"Nobody is recorded as having looked at what {who} {did} on {day}:"


_DID = {"typed": "typed in", "filled": "filled in"}
"""Verbs for statuses without a look that differ from the status."""


def lookers_of(opened: Opened, *, persons: bool = False) -> Lookers:
    """The lookers of a game's board, by the records of its pack. ``persons``: only persons."""
    if opened.backdrop is None:
        return Lookers(opened.game.board, None, persons=persons)
    back = opened.backdrop
    return Lookers(opened.game.board, back.pack, back.facts, persons=persons)


def with_lookers(opened: Opened, audited: Audit) -> Audit:
    """``audited``; if the pack keeps records, its accusations name the persons who looked at the cells on
    their bills."""
    if opened.game.seen is None or not any(f.verdict == "illegal" for f in audited.findings):
        return audited
    lookers = lookers_of(opened, persons=True)
    return replace(
        audited,
        findings=tuple(
            replace(f, looked=lookers.of(f.bill, f.steps)) if f.verdict == "illegal" else f
            for f in audited.findings
        ),
    )
