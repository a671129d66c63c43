"""Which facts of the board a person has looked at, by the records of a pack and by the facts of a game."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.board import Board
from ...model.provenance import Key, Records
from ...model.vouching import NOTHING, values_of
from .declared_board import cells_told
from .facts import Facts
from .pack import Pack


def seen_of(pack: Pack, values: Mapping[Key, str], records: Records) -> frozenset[Key]:
    """The facts that a person entered or looked at. ``values``: all the files tell; ``records``: those that
    still speak of these. What is written in the files without a record counts as entered, unless records are
    required; what ``complete`` says of a whole layer does not, for nobody need have looked at each cell."""
    seen = {key for key, record in records.items() if record.is_seen}
    if not pack.provenance_required:
        seen.update(
            key
            for key, value in values.items()
            if key not in records and not _at_once(key, value, pack)
        )
    return frozenset(seen)


def _at_once(key: Key, value: str, pack: Pack) -> bool:
    """Whether a fact without a record follows from what is said of a whole layer."""
    if key.name:
        return False
    if key.layer in ("hexsides", "lines"):
        return key.layer in pack.complete
    return key.layer != "features" and value == NOTHING


def facts_seen(board: Board, facts: Facts) -> frozenset[Key]:
    """The facts of ``board`` that a facts file tells for the whole game: its writer has seen them."""
    told = cells_told(facts)
    whole = {
        cell: {kind for kind, one in entries if one.span.whole} for cell, entries in told.items()
    }
    return frozenset(
        key
        for key in (values_of(board) if told else ())
        if not whole.get((key.cell, key.layer), set()).isdisjoint(("", key.name))
    )
