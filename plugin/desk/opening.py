"""Open a game folder: find the files of its present line of logs."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ...importers.game_folder.folder import (
    GameFolder,
    GameLog,
    is_game_folder,
    read_game_folder,
    shell_word,
)
from ...importers.ordinary import open_ordinary
from ...importers.vassal.limits import Limits
from ...model.problem import CannotAudit, UmpireError, Unreadable
from ..reading import Named, named_files


def digest_of(path: Path) -> str:
    """The SHA-256 of a file. Raises :class:`Unreadable`."""
    try:
        with open_ordinary(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        what = error.strerror or "unknown error"
        raise Unreadable(f"cannot be read ({what})", where=str(path)) from error


def module_of(folder: GameFolder) -> Path:
    """The module's file. Raises :class:`Unreadable` if it is missing."""
    return _there(folder, folder.module, "module")


def _there(folder: GameFolder, name: str, key: str) -> Path:
    """A file or folder that a ``key`` of game.toml names. Raises :class:`Unreadable` if it is missing."""
    path = folder.path(name)
    if not (path.exists() if key == "pack" else path.is_file()):
        raise Unreadable(
            f"the {key} {'are' if key == 'facts' else 'is'} not there",
            where=name,
            hint=f"put it there, or write its new path into game.toml ({key} = …)",
        )
    return path


def own_files(folder: GameFolder) -> tuple[Path, ...]:
    """The files of a game that are never overwritten: ``game.toml`` and every log, also those set aside."""
    return folder.file, *(folder.path(log.file) for log in folder.logs)


def log_path(folder: GameFolder, log: GameLog) -> Path:
    """A log's file. Raises :class:`Unreadable` if it is missing or has changed."""
    path = folder.path(log.file)
    if not path.is_file():
        raise Unreadable("the log is not there", where=log.file, hint="put it back")
    if digest_of(path) != log.sha256:
        raise Unreadable(
            "is not the log that was added: its SHA-256 is another",
            where=log.file,
            hint="put the log back as it was; to add a new version of the log: umpire game add",
        )
    return path


def named_of(folder: GameFolder) -> Named:
    """The input of an audit of the game: its present line of logs, module, pack and facts. Raises
    :class:`CannotAudit` if there is no log or no pack yet."""
    line = folder.line
    where = str(folder.root)
    if not line:
        raise CannotAudit(
            "has no logs yet",
            where=where,
            hint=f"add one with: umpire game add {shell_word(folder.root)} LOG",
        )
    if not folder.pack:
        raise CannotAudit(
            "game.toml names no pack",
            where=where,
            hint="make one (umpire pack new), then write its path into game.toml (pack = …)",
        )
    pack = _there(folder, folder.pack, "pack")
    facts = _there(folder, folder.facts, "facts") if folder.facts else None
    names = [log.name for log in folder.logs]
    return Named(
        tuple(log_path(folder, log) for log in line),
        module_of(folder),
        pack,
        facts,
        {log.name: log.sha256 for log in folder.logs if names.count(log.name) == 1},
        same_players=folder.same_players_in(line),
    )


def named_by(
    logs: tuple[Path, ...],
    module: Path | None,
    pack: Path | None,
    facts: Path | None,
    limits: Limits,
) -> tuple[Named, GameFolder | None]:
    """The input of an audit of ``logs``. If they are one game folder alone, the input of its audit, and the
    game. Raises as :func:`named_of` does, and :class:`UmpireError` if a folder comes with other files: a game
    names its own."""
    if len(logs) != 1 or not is_game_folder(logs[0]):
        return named_files(logs, module, pack, facts, limits), None
    if (module, pack, facts) != (None, None, None):
        raise UmpireError(
            "a game's folder names its module, pack and facts itself",
            where=str(logs[0]),
            hint="--module, --pack and --facts are for logs",
        )
    game = read_game_folder(logs[0])
    return named_of(game), game
