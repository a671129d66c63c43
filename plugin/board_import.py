"""Tables of other people and programs, filled into the board of a pack for somebody to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import __version__
from ..importers.pack.edit.draft import FILES as EDITED
from ..importers.pack.edit.draft import Draft
from ..importers.pack.edit.fill import Fill, fill
from ..importers.pack.imported_table import ACROSS, ImportedFact, Reading
from ..importers.pack.imported_tables import read_table, united
from ..importers.pack.load import wrong
from ..importers.pack.pack import Pack
from ..importers.pack.provenance import moment
from ..model.board import Board
from ..model.names import HEXSIDE, LINE, TERRAIN, NameUsed, Words, unknown_names
from ..model.problem import Problem
from ..model.provenance import Key, Method

WHOLE = ("hexsides", "lines")
FILES = EDITED[:5]
"""The files of a pack that a draft is made of."""


@dataclass(frozen=True)
class Imported:
    """What files tell of a board. ``filling``: the edits that enter it, with what is left as it is;
    ``differ``: a line for each cell in which the files differ; ``left_out``: for each kind of content that
    was not used; ``unknown``: names that the ruleset does not know. ``method``, ``when``: as in the records.
    """

    filling: Fill
    differ: Sequence[str]
    left_out: Sequence[str]
    unknown: tuple[Problem, ...]
    method: Method
    when: str


def imported(
    draft: Draft,
    board: Board,
    pack: Pack,
    words: Mapping[str, Words] | None,
    files: Iterable[tuple[Path, bytes | None]],
    reading: Reading,
) -> Imported:
    """What ``files`` tell, with what is in them (None: it is read), for a pack that ``draft`` holds. All of
    it has the status imported, which counts as not known. Raises :class:`UmpireError` for what is no such
    table, :class:`WrongPack` for names that the pack's charts do not have although they are complete."""
    every = list(files)
    crossing = reading.across | _crossing(words, reading.names)
    tables = [
        read_table(path, board, replace(reading, across=crossing), data) for path, data in every
    ]
    facts, differ = united(table.facts for table in tables)
    unknown = _unknown(pack, words, facts)
    when = moment()
    names = ", ".join(path.name for path, _ in every)
    method = Method("program", f"umpire {__version__} pack import {names}")
    record = {"status": "imported", "who": "umpire", "when": when, "method": str(method)}
    filling = fill(draft, ((key, t.value, t.where) for key, t in facts.items()), record)
    left_out = [line for table in tables for line in table.left_out]
    return Imported(filling, differ, left_out, unknown, method, when)


def _crossing(words: Mapping[str, Words] | None, names: Mapping[str, str]) -> frozenset[str]:
    """The names, theirs as well, that lead across hexsides by the ruleset's tables, else by custom."""
    lines = set(words[LINE].names) if words is not None and LINE in words else set()
    lines |= ACROSS - (words[HEXSIDE].names if words is not None and HEXSIDE in words else set())
    return frozenset(lines | {theirs for theirs, ours in names.items() if ours in lines})


def _unknown(
    pack: Pack, words: Mapping[str, Words] | None, facts: Mapping[Key, ImportedFact]
) -> tuple[Problem, ...]:
    """Names that the ruleset does not know; an error where its chart is complete."""
    used = (use for key, taken in facts.items() for use in _used(key, taken))
    found = tuple(unknown_names(used, words or {}, pack.charts))
    errors = [
        replace(
            problem,
            message=f"{problem.message}; umpire pack import --name {_found(problem.message)}=… says what"
            " it means",
        )
        for problem in found
        if problem.severity == "error"
    ]
    if errors:
        raise wrong(pack.folder, errors)
    return found


def _found(message: str) -> str:
    return message.rpartition("found ")[2].partition(",")[0]


def _used(key: Key, taken: ImportedFact) -> Iterable[NameUsed]:
    if key.layer == "terrain":
        for name in taken.value.split("+"):
            yield NameUsed(TERRAIN, name, taken.where, taken.file)
    elif key.layer in WHOLE and key.name:
        kind = HEXSIDE if key.layer == "hexsides" else LINE
        yield NameUsed(kind, key.name, taken.where, taken.file)
