"""Writes suggestions into a pack's files, for ``umpire pack suggest``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from ...importers.ordinary import is_there
from ...importers.pack.edit.hexes import FILE as HEXES
from ...importers.pack.edit.hexes import HexTable
from ...importers.pack.edit.lines import FILE as LINES
from ...importers.pack.edit.lines import LineTable, Step
from ...importers.pack.edit.records import RecordTable
from ...importers.pack.edit.toml import values_of, with_value
from ...importers.pack.files import PACK_FILE
from ...importers.pack.pack import Pack
from ...importers.pack.provenance import FILE as PROVENANCE
from ...importers.pack.provenance import Unrecorded, provenance_csv, vouched_by
from ...importers.pack.recorded import with_recorded
from ...importers.pack.terrain import with_terrain
from ...importers.vassal.atomic import ChangedMeanwhile
from ...importers.vassal.limits import Limits
from ...model.problem import CannotAudit, Problem, UmpireError
from ...model.provenance import Key, Method, Record, Status, by_key, entered
from ...model.vouching import NOTHING
from ..board_import import bare_board, stop
from ..output import alone_in, refuse_link, replace_own
from ..ruleset_needs import words_for
from ..suggest.confidence import Confidence
from .ground import Ground, grounds
from .pack_board import PackBoard, board_of_pack, side_layer
from .proposals import Examples, Sheet, facts_of

FILES = (PACK_FILE, PROVENANCE, HEXES, LINES)
"""The files, in the order in which they are written. ``pack.toml`` and the records come first: if
writing stops half way, no suggestion counts as known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact to be written, with what its record says. ``chance``: the probability of being right; None for
    an example. ``picture``: the SHA-256 of the picture; '' for an example."""

    key: Key
    value: str
    status: Status
    chance: float | None
    picture: str


@dataclass(frozen=True)
class Filling:
    """A pack's folder as it was read: the content of each of :data:`FILES`, None for a missing one."""

    folder: Path
    files: Mapping[str, bytes | None]

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write those ``files`` that differ, each moved into place whole. Raises :class:`UmpireError`, before
        anything is written, if one was changed since it was read; also if one cannot be written."""
        new = [name for name in FILES if files[name] != (self.files[name] or b"")]
        with alone_in(self.folder):
            for name in new:
                if _content(self.folder / name) != self.files[name]:
                    raise ChangedMeanwhile(self.folder / name)
            for name in new:
                replace_own(self.folder / name, self.files[name], files[name])


def filling(folder: Path) -> Filling:
    """Read a pack's files. Raises :class:`UmpireError` if it is not a folder, or one of them is a link."""
    if not folder.is_dir():
        adopt = shlex.join(("umpire", "pack", "adopt", str(folder)))
        raise UmpireError(
            "is not a folder, and other packs are read-only",
            where=folder.name,
            expected="the folder of a pack of yours",
            hint=f"to make one of it: {adopt} --name NAME -o my-pack",
        )
    for name in FILES:
        refuse_link(folder / name)
    return Filling(folder, {name: _content(folder / name) for name in FILES})


def _content(file: Path) -> bytes | None:
    """What is in a file; None: there is none. Raises :class:`UmpireError` if it is not an ordinary file."""
    return file.read_bytes() if is_there(file) else None


def filled(
    files: Mapping[str, bytes | None],
    pack_board: PackBoard,
    entries: Iterable[Entry],
    method: str,
    who: str,
    when: str,
) -> dict[str, bytes]:
    """The files with ``entries`` written in, each with a record by the program ``who``. Every fact that was
    typed without a record gets one, and ``pack.toml`` then says that facts without a record are not known."""
    board, data = pack_board.drawn, {name: read or b"" for name, read in files.items()}
    hexes, lines = HexTable(data[HEXES], board), LineTable(data[LINES], board)
    records = by_key(pack_board.own)
    without = Unrecorded(vouched_by(values_of(data[PACK_FILE], PACK_FILE)), when)
    for key, value in pack_board.vouched_for():
        records[key] = without.record(key, value)
    every = list(entries)
    for entry in every:
        cell, layer, name = entry.key
        if layer == "terrain":
            hexes.set(cell, layer, entry.value)
        elif (on := side_layer(layer)) is not None and not name:
            side = pack_board.edge(cell)
            new = () if entry.value == NOTHING else entry.value.split("+")
            for old in pack_board.drawn_names(side, on):
                if old not in new:
                    lines.set(Step(on, old, side), "")
                    records.pop(Key(cell, layer, old), None)
            for one in new:
                lines.set(Step(on, one, side), "yes")
    new_records = [
        Record(
            e.key,
            e.value,
            e.status,
            (who,),
            when,
            Method("program", method),
            None if e.chance is None else Fraction(round(e.chance * 1000), 1000),
            e.picture,
        )
        for e in every
    ]
    records = entered(records, new_records, who)
    toml = data[PACK_FILE]
    if not pack_board.required:
        toml = with_value(toml, ("board", "provenance"), "required", PACK_FILE)
    vouching = _records(data[PROVENANCE], records)
    return {HEXES: hexes.data(), LINES: lines.data(), PROVENANCE: vouching, PACK_FILE: toml}


def _records(data: bytes, wanted: Mapping[Key, Record]) -> bytes:
    """``provenance.csv`` with exactly the records ``wanted``; other text in it stays as it is."""
    if not data:
        return provenance_csv(wanted.values()).encode()
    table = RecordTable(data)
    for record in tuple(table.all()):
        if record.key not in wanted:
            table.set(record.key, None)
    for key, record in wanted.items():
        table.set(key, record)
    return table.data()


def entries_of(
    sheets: Iterable[Sheet], pack_board: PackBoard, more: Examples, who: str, *, unsure: bool
) -> list[Entry]:
    """What the program ``who`` is to write: the sure suggestions, and the examples in ``more`` that the pack
    does not have itself. ``unsure``: the unsure suggestions too, but never those unlike every example.

    What another program has suggested on a hexside stays. A terrain also says that its hex has no features,
    unless some are drawn or recorded, or ``?`` holds them open.
    """
    wanted = {Confidence.SURE, Confidence.UNSURE} if unsure else {Confidence.SURE}
    found: list[Entry] = []
    for sheet in sheets:
        for one in sheet.proposals:
            if one.confidence in wanted and pack_board.keeps_suggested(one.key, one.value, who):
                for key, value in facts_of(one.key, one.value):
                    found.append(Entry(key, value, "suggested", one.chance, one.picture))
    for key, value in more.items():
        if _is_open(key, pack_board):
            for fact, text in facts_of(key, value):
                found.append(Entry(fact, text, "imported", None, ""))
    bare = [entry for entry in found if entry.key.layer == "terrain"]
    for entry in bare:
        key = Key(entry.key.cell, "features")
        if pack_board.may_be_bare(key.cell) and key not in pack_board.records:
            found.append(replace(entry, key=key, value=NOTHING))
    return found


def _is_open(key: Key, pack_board: PackBoard) -> bool:
    layer = side_layer(key.layer)
    if layer is None:
        return pack_board.is_unsaid(key.cell)
    return pack_board.is_unsaid_side(pack_board.edge(key.cell), layer)


@dataclass(frozen=True)
class Opened:
    """``pack`` with what it tells, its pictures, problems found, and all files that were read."""

    pack: Pack
    pack_board: PackBoard
    grounds: tuple[Ground, ...]
    problems: tuple[Problem, ...]
    files: tuple[Path, ...]


def open_to_look(folder: Path, named: Path | None, logs: Sequence[Path], limits: Limits) -> Opened:
    """The pack in ``folder``, with the grid of its module: the one ``named``, else (None) that of the first
    of ``logs`` or the one beside the pack that fits it. A log also says which boards are in use.

    Raises :class:`UmpireError` where there is none, where pack and module do not fit, or where no picture
    can be looked at.
    """
    bare = bare_board(folder, named, logs, limits)
    pack, files = bare.pack, bare.files
    drawn, more = with_terrain(bare.board, pack)
    stop(pack, more)
    recorded = with_recorded(
        drawn, pack, bare.module.terrain, bare.places, bare.layouts, words_for(pack)
    )
    found, unseen = grounds(files, drawn, bare.places, bare.layouts, limits)
    if not found:
        raise CannotAudit(
            "; ".join(problem.message for problem in unseen) or "has no hexes to look at",
            where=bare.file.name,
        )
    problems = (*bare.problems, *more, *recorded.problems, *unseen)
    pack_board = board_of_pack(pack, recorded)
    return Opened(pack, pack_board, found, problems, (*files, *logs, *pack.files))
