"""A pack opened to be looked at: its board as it is told, and the pictures it lies on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...importers.pack.bind import check_fit
from ...importers.pack.board import bind_board
from ...importers.pack.load import PACK_FILE, load_pack, wrong
from ...importers.pack.pack import Pack
from ...importers.pack.recorded import with_recorded
from ...importers.pack.terrain import with_terrain
from ...importers.vassal.buildfile import extensions_beside, open_module
from ...importers.vassal.layout import MapLayout, lay_out
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import BoardChoice, Module
from ...importers.vassal.savefile import read_save
from ...model.problem import CannotAudit, Problem
from ..beside import module_beside, module_file
from ..names import words_for
from ..reading import layouts_for
from .ground import Ground, grounds
from .told import Told, told_by


@dataclass(frozen=True)
class Opened:
    """``pack`` with what it tells, its pictures, what was odd, and all files that were read."""

    pack: Pack
    told: Told
    grounds: tuple[Ground, ...]
    problems: tuple[Problem, ...]
    files: tuple[Path, ...]


def open_to_look(folder: Path, named: Path | None, logs: Sequence[Path], limits: Limits) -> Opened:
    """The pack in ``folder``, under the grid of its module: the one ``named``, else that of the first of
    ``logs`` or the one beside the pack that fits it. A log also says which boards are in use.

    Raises :class:`UmpireError` where there is none, where pack and module do not fit, or where no picture
    can be looked at.
    """
    pack = load_pack(folder)
    first = read_save(logs[0], limits) if logs else None
    file = named
    if file is None and first is not None:
        file = module_file(logs[0], first.moduledata, limits)
    if file is None:
        file = module_beside(folder / PACK_FILE, pack.fits, limits)
    if file is None:
        raise CannotAudit(
            "the module of this pack was not found",
            where=pack.folder,
            hint="put the .vmod beside the pack, or name it with --module",
        )
    module = open_module(file, limits=limits, find_extensions=True)
    check_fit(pack, module)
    layouts = layouts_for(module, first) if first is not None else default_layouts(module, pack)
    files = (file, *extensions_beside(file))
    bare, places, faults = bind_board(pack, layouts)
    _stop(pack, faults)
    drawn, more = with_terrain(bare, pack)
    _stop(pack, more)
    recorded = with_recorded(drawn, pack, module.terrain, places, layouts, words_for(pack))
    found, unseen = grounds(files, drawn, places, layouts, limits)
    if not found:
        raise CannotAudit(
            "; ".join(problem.message for problem in unseen) or "has no hexes to look at",
            where=file.name,
        )
    problems = (*module.problems, *faults, *more, *recorded.problems, *unseen)
    told = told_by(pack, recorded)
    return Opened(pack, told, found, problems, (*files, *logs, *pack.files))


def default_layouts(module: Module, pack: Pack) -> Mapping[str, MapLayout]:
    """How boards lie on the maps before any game. A map whose boards are chosen for each game has the one
    that a sheet of the pack names."""
    wanted = {sheet.map: sheet.board for sheet in pack.sheets if sheet.board is not None}
    choices = {
        a_map.id: [BoardChoice(board)]
        for a_map in module.maps
        if not a_map.default_layout and (board := wanted.get(a_map.identifier)) is not None
    }
    laid = lay_out(module.maps, choices)
    found: dict[str, MapLayout] = {}
    for a_map in module.maps:
        found.setdefault(a_map.identifier, laid[a_map.id])
    return found


def _stop(pack: Pack, problems: Sequence[Problem]) -> None:
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise wrong(pack.folder, errors)
