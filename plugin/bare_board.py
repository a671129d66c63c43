"""The board of a pack under the grid of its module, without a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..importers.pack.bind import check_fit
from ..importers.pack.board import Places, bind_board
from ..importers.pack.files import PACK_FILE
from ..importers.pack.load import load_pack, wrong
from ..importers.pack.pack import Pack
from ..importers.vassal.buildfile import extensions_beside
from ..importers.vassal.layout import MapLayout, lay_out
from ..importers.vassal.limits import Limits
from ..importers.vassal.module import BoardChoice, Module
from ..importers.vassal.savefile import read_save
from ..model.board import Board
from ..model.problem import CannotAudit, Problem
from .discovery import ModulesBeside, module_beside, module_file, modules_beside
from .reading import layouts_for, open_for


@dataclass(frozen=True)
class BareBoard:
    """A pack's ``board``, with nothing told of it, and what it was made from. ``file``: that of the module;
    ``files``: the module's; ``problems``: what was odd about module and board."""

    pack: Pack
    module: Module
    file: Path
    layouts: Mapping[str, MapLayout]
    board: Board
    places: Places
    files: tuple[Path, ...]
    problems: tuple[Problem, ...]


def bare_board(folder: Path, named: Path | None, logs: Sequence[Path], limits: Limits) -> BareBoard:
    """The pack in ``folder``, under the grid of its module: the one ``named``, else that of the first of
    ``logs`` or the one beside the pack that fits it. A log also says which boards are in use.

    Raises :class:`UmpireError` where there is none, or where pack and module do not fit.
    """
    pack = load_pack(folder)
    first = read_save(logs[0], limits) if logs else None
    file = named
    if file is None and first is not None:
        file = module_file(logs[0], first.module, limits)
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


def stop(pack: Pack, problems: Sequence[Problem]) -> None:
    """Raise :class:`WrongPack` for those that are errors, if any is."""
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise wrong(pack.folder, errors)
