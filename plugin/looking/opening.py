"""Opens a pack for suggestions: what it tells of its board, and the pictures of its maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...importers.pack.pack import Pack
from ...importers.pack.recorded import with_recorded
from ...importers.pack.terrain import with_terrain
from ...importers.vassal.limits import Limits
from ...model.problem import CannotAudit, Problem
from ..board_import import bare_board, stop
from ..ruleset_needs import words_for
from .ground import Ground, grounds
from .pack_board import PackBoard, board_of_pack


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
