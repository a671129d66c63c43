"""Many games: the game folders below a folder, and which of them a log belongs to."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...importers.game_folder.folder import GAME_FILE, GameFolder, is_game_folder, read_game_folder
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.limits import Limits
from ...importers.vassal.savefile import read_save
from ...model.problem import UmpireError, Unreadable
from ...model.viewer import EVERYONE, Viewer
from ..discovery import module_problem
from ..reading import Told, silent
from .adding import Reader
from .audits import GameAudits
from .joining import join, position_of
from .opening import module_of
from .record import record_of
from .status import Status, is_overdue, status_of
from .store import KeptPositions, Store
from .text import changed_since


@dataclass(frozen=True, slots=True)
class Row:
    """A game on the desk. ``status``: None if it could not be audited; ``trouble`` says why. ``changed``: a
    line for each move whose verdict changed since the game was last added to or mailed."""

    root: Path
    folder: GameFolder | None
    status: Status | None
    trouble: str = ""
    changed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The game's folder as commands name it, with the title if that differs."""
        folder = self.root.resolve().name
        title = self.folder.title if self.folder is not None else folder
        return folder if title == folder else f"{folder} ({title})"

    @property
    def overdue(self) -> bool:
        return self.folder is not None and is_overdue(self.folder, datetime.date.today())


def game_roots(root: Path) -> list[Path]:
    """The game folders in ``root``, by name: itself and its direct subfolders. Raises :class:`Unreadable` if
    there is none."""
    if not root.is_dir():
        raise Unreadable("is not a folder", where=str(root), expected="a folder with games in it")
    found = [place for place in (root, *sorted(root.iterdir())) if is_game_folder(place)]
    if not found:
        raise Unreadable(
            "holds no games",
            where=str(root),
            expected=f"folders with a {GAME_FILE}",
            hint="begin one with: umpire game new",
        )
    return found


def rows(
    roots: Sequence[Path], viewer: Viewer, limits: Limits, told: Told = silent
) -> Iterator[Row]:
    """Each game, audited. An error in one game does not affect the others."""
    for number, root in enumerate(roots):
        told("games", number, len(roots))
        folder: GameFolder | None = None
        try:
            folder = read_game_folder(root)
            with GameAudits(folder, limits) as audits:
                audited, (seen, shown) = audits.whole()[1], audits.seen_by(viewer)
                public = audits.seen_by(EVERYONE)[1]
            status = status_of(folder, seen.game, shown, audited, datetime.date.today())
            yield Row(root, folder, status, changed=tuple(changed_since(root, record_of(public))))
        except (UmpireError, OSError) as error:
            what = error.strerror if isinstance(error, OSError) else None
            yield Row(root, folder, None, what or str(error))


def game_of(file: Path, roots: Iterable[Path], limits: Limits) -> Path:
    """The folder of the game that a log continues exactly. Raises :class:`Unreadable` if it continues none of
    them, or several."""
    save = read_save(file, limits)
    exact: list[Path] = []
    near: list[tuple[int, Path]] = []
    for root in roots:
        try:  # what is wrong with a game is told by 'umpire desk'
            folder = read_game_folder(root)
        except (UmpireError, OSError):
            continue
        if any(log.sha256 == save.sha256 for log in folder.logs):
            raise Unreadable(f"is in the game {folder.title!r} already, in {root}", where=file.name)
        if not folder.logs:
            continue
        try:
            module = open_module(module_of(folder), limits=limits, find_extensions=True)
        except (UmpireError, OSError):
            continue
        if module_problem(save.module, module, file.name) is not None:
            continue
        reader = Reader(folder, module, limits)
        with Store(root) as store:
            kept = KeptPositions(store, module)
            positions = kept.ends_of(folder.logs, reader.history)
        opening = position_of(reader.replayed(save).opening)
        joined = join(opening, positions, folder.logs, folder.line)
        if not joined.differing:
            exact.append(root)
        elif joined.of_game:
            near.append((len(joined.differing), root))
    if len(exact) == 1:
        return exact[0]
    if exact:
        names = ", ".join(root.name for root in exact)
        raise Unreadable(
            f"goes on from several games: {names}",
            where=file.name,
            hint="name the one: umpire game add DIR LOG",
        )
    nearest = min(near, default=None)
    hint = "add it with: umpire game add DIR LOG"
    if nearest is not None:
        number, root = nearest
        hint = f"the nearest is {root.name}, from which {number:,} pieces differ; {hint}"
    raise Unreadable("goes on from none of the games, piece by piece", where=file.name, hint=hint)
