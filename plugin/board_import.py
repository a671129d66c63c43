"""Import tables from other people and programs into the board of a pack, to be looked at; and the board under
the grid of its module, without a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import __version__
from ..importers.pack.bind import check_fit
from ..importers.pack.board import Places, bind_board
from ..importers.pack.edit.draft import FILES as EDITED
from ..importers.pack.edit.draft import Draft
from ..importers.pack.edit.fill import Fill, fill
from ..importers.pack.files import PACK_FILE
from ..importers.pack.imported_table import ACROSS, ImportedFact, Reading, some
from ..importers.pack.imported_tables import TableRead, read_table, united
from ..importers.pack.load import load_pack, wrong
from ..importers.pack.pack import Pack
from ..importers.pack.provenance import moment
from ..importers.vassal.buildfile import extensions_beside
from ..importers.vassal.layout import MapLayout, layouts_by_name
from ..importers.vassal.limits import Limits
from ..importers.vassal.module import BoardChoice, Module
from ..importers.vassal.savefile import read_save
from ..model.board import Board
from ..model.names import HEXSIDE, LINE, TERRAIN, NameUsed, Words, unknown_names
from ..model.problem import CannotAudit, Problem, WrongPack
from ..model.provenance import Key, Method
from .discovery import ModulesBeside, module_beside, module_file, modules_beside
from .printable import MOST_SAID
from .reading import layouts_for, open_for


@dataclass(frozen=True)
class BareBoard:
    """A pack's ``board`` without any entries, and its sources. ``file``: of the module; ``files``: all of the
    module; ``problems``: of module and board."""

    pack: Pack
    module: Module
    file: Path
    layouts: Mapping[str, MapLayout]
    board: Board
    places: Places
    files: tuple[Path, ...]
    problems: tuple[Problem, ...]


def bare_board(folder: Path, named: Path | None, logs: Sequence[Path], limits: Limits) -> BareBoard:
    """The board of the pack in ``folder``, under the grid of its module: the ``named`` one, else that of the
    first of ``logs``, else the fitting one beside the pack. A log also says which boards are in use.

    Raises :class:`UmpireError` if there is no module, or if pack and module do not fit.
    """
    pack = load_pack(folder)
    first = read_save(logs[0], limits) if logs else None
    file = named
    if file is None and first is not None:
        file = module_file(logs[0], first.module, limits, folder)
    if file is None:
        file = module_beside(folder / PACK_FILE, pack.fits, limits)
    if file is None:
        beside = ModulesBeside() if first is None else modules_beside(logs[0], first.module, limits)
        raise CannotAudit(
            "the module of this pack was not found",
            where=pack.folder,
            hint=beside.hint("put the .vmod beside the pack, or name it with --module"),
        )
    module = open_for(file, logs, limits)
    check_fit(pack, module)
    layouts = layouts_for(module, first) if first is not None else default_layouts(module, pack)
    bare, places, faults = bind_board(pack, layouts)
    stop(pack, faults)
    files = (file, *extensions_beside(file))
    return BareBoard(pack, module, file, layouts, bare, places, files, (*module.problems, *faults))


def default_layouts(module: Module, pack: Pack) -> Mapping[str, MapLayout]:
    """How boards lie on the maps before any game. If a map's boards are chosen for each game, it has the one
    that a sheet of the pack names."""
    wanted = {sheet.map: sheet.board for sheet in pack.sheets if sheet.board is not None}
    choices = {
        a_map.id: [BoardChoice(board)]
        for a_map in module.maps
        if not a_map.default_layout and (board := wanted.get(a_map.identifier)) is not None
    }
    return layouts_by_name(module.maps, choices)


def stop(pack: Pack, problems: Sequence[Problem]) -> None:
    """Raise :class:`WrongPack` for the errors among ``problems``, if any."""
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise wrong(pack.folder, errors)


WHOLE = ("hexsides", "lines")
FILES = EDITED[:5]
"""The files of a pack that make a draft."""


@dataclass(frozen=True)
class Imported:
    """An import. ``filling``: the edits that enter it, and what they leave alone. ``differ``: a line for each
    cell in which the files differ. ``left_out``: a line for each kind of unused content. ``unknown``: names
    that the ruleset does not know. ``method``, ``when``: as in the records."""

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
    """The import of ``files`` with their contents (None: they are read), for the pack in ``draft``. All of it
    has the status imported, which counts as not known. Raises :class:`UmpireError` for a file that is no such
    table, and :class:`WrongPack` for faults in any of the files and names that a complete chart of the pack
    lacks."""
    every = list(files)
    crossing = reading.across | _crossing(words, reading.names)
    tables: list[TableRead] = []
    faults: list[Problem] = []
    for path, data in every:
        try:
            tables.append(read_table(path, board, replace(reading, across=crossing), data))
        except WrongPack as error:
            faults += error.problems
    if faults:
        told = some([str(one) for one in faults], MOST_SAID)
        hint = "nothing was filled in: correct these places or take them out, then import again"
        raise WrongPack(told, tuple(faults), hint=hint)
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
    """The names, also in the files, that lead across hexsides: by the ruleset's tables, else by
    convention."""
    lines = set(words[LINE].names) if words is not None and LINE in words else set()
    lines |= ACROSS - (words[HEXSIDE].names if words is not None and HEXSIDE in words else set())
    return frozenset(lines | {theirs for theirs, ours in names.items() if ours in lines})


def _unknown(
    pack: Pack, words: Mapping[str, Words] | None, facts: Mapping[Key, ImportedFact]
) -> tuple[Problem, ...]:
    """Names that the ruleset does not know; an error if its chart is complete."""
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
