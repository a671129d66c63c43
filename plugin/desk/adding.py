"""Logs are added to a game: where each goes on from, who made it, and what is odd about it."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...importers.game_folder.folder import LOGS, GameFolder, GameLog, path_from, plain_log
from ...importers.pack.edit.toml import with_stanza
from ...importers.vassal.atomic import known, whole_file
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.commands import Extension, decode_command
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...importers.vassal.replay import replay_log
from ...importers.vassal.roster import Roster
from ...importers.vassal.savefile import SaveFile, read_save
from ...model.problem import Unreadable
from ...model.table import LogHistory
from ..discovery import module_problem
from ..output import replace_own
from ..reading import Told, silent
from .joining import Join, ends_of, first_other_roll, join
from .opening import digest_of, log_path, module_of
from .position import Ends, moved_between, position_of


@dataclass(frozen=True, slots=True)
class Added:
    """A log that was added to a game: its entry, its ``number`` on the game's line (from 1), the log it goes
    on from, and what is to be said of it.

    ``set_aside``: logs that were on the line and are no longer. ``between``: a line for each piece that was
    moved between the logs; ``hidden_between``: how many more of which not everyone may know. ``makers``:
    whoever did steps of it → how many. ``rolled_anew``: logs with the same opening, with the number of the
    first roll that differs. ``odd``: what is amiss with its module, one line each.
    """

    log: GameLog
    number: int
    follows: GameLog | None
    set_aside: tuple[GameLog, ...]
    between: tuple[str, ...]
    hidden_between: int
    makers: tuple[tuple[str, int], ...]
    rolled_anew: tuple[tuple[GameLog, int], ...]
    odd: tuple[str, ...]
    made_with: str


@dataclass(frozen=True)
class Reader:
    """Reads the logs of one game."""

    folder: GameFolder
    module: Module
    limits: Limits

    def save(self, path: Path) -> SaveFile:
        return read_save(path, self.limits)

    def history(self, log: GameLog) -> LogHistory:
        return self.replayed(self.save(log_path(self.folder, log)))

    def replayed(self, save: SaveFile) -> LogHistory:
        return replay_log(save, self.module, roster=Roster())


def add_logs(
    folder: GameFolder, files: Sequence[Path], limits: Limits, told: Told = silent
) -> tuple[GameFolder, tuple[Added, ...]]:
    """Add ``files`` to the game, in order. All are read before anything is written: whatever is wrong with
    one of them leaves the folder as it was. Raises :class:`Unreadable`."""
    path = module_of(folder)
    module = open_module(path, limits=limits, find_extensions=True)
    reader = Reader(folder, module, limits)
    ends = Ends(folder.root, module.sha256)
    told("reading logs", 0, len(files))
    histories: dict[str, LogHistory] = {}
    positions = ends_of(folder.logs, ends.kept, reader.history, ends.keep)

    def past(log: GameLog) -> LogHistory:
        return histories.get(log.sha256) or reader.history(log)

    now, found, copies = folder, list[Added](), list[tuple[Path, GameLog]]()
    for number, file in enumerate(files, 1):
        save = _log(file, now, limits)
        history = reader.replayed(save)
        joined = join(position_of(history.opening), positions, now.logs, now.line)
        amiss = module_problem(save.moduledata, module, file.name)
        if amiss is not None and (joined.log is None or joined.differing):
            raise Unreadable(
                f"is of the module {save.moduledata.name if save.moduledata else ''!r}",
                where=file.name,
                expected=f"a log of the module {module.name!r}",
            )
        if not joined.of_game:
            raise _other_game(file, folder, joined)
        log = _entry(file, save, joined, now)
        between, hidden = (
            ((), 0)
            if joined.log is None
            else moved_between(
                joined.differing, positions[joined.log.sha256], position_of(history.opening)
            )
        )
        after = replace(now, logs=(*now.logs, log))
        anew = [
            (other, roll)
            for other in now.logs
            if other.follows == log.follows
            and (roll := first_other_roll(past(other), history)) is not None
        ]
        found.append(
            Added(
                log=log,
                number=len(after.line),
                follows=joined.log,
                set_aside=tuple(one for one in now.line if one not in after.line),
                between=tuple(between),
                hidden_between=hidden,
                makers=_makers(history),
                rolled_anew=tuple(anew),
                odd=tuple(_odd(save, module, folder, file.name)),
                made_with=_made_with(history),
            )
        )
        positions[log.sha256] = position_of(history.end)
        histories[log.sha256] = history
        copies.append((file, log))
        now = after
        told("reading logs", number, len(files))
    written = _written(folder, now, copies)
    for _, log in copies:
        ends.keep(log.sha256, positions[log.sha256])
    return written, tuple(found)


def _log(file: Path, folder: GameFolder, limits: Limits) -> SaveFile:
    """A log as read, if it may be added."""
    save = read_save(file, limits)
    there = next((n for n, log in enumerate(folder.logs, 1) if log.sha256 == save.sha256), None)
    if there is not None:
        raise Unreadable(f"is in the game already, as log {there}", where=file.name)
    if save.kind != "log":
        raise Unreadable(
            "is a saved game without steps",
            where=file.name,
            expected="a log (.vlog)",
            hint="a save is looked at by: umpire check",
        )
    return save


def _other_game(file: Path, folder: GameFolder, joined: Join) -> Unreadable:
    assert joined.log is not None
    return Unreadable(
        f"is a log of another game: {len(joined.differing):,} pieces are not where {joined.log.name},"
        " the nearest log, left them",
        where=file.name,
        expected=f"a log of {folder.title!r}",
    )


def _entry(file: Path, save: SaveFile, joined: Join, folder: GameFolder) -> GameLog:
    """The entry of a log that is copied into the game's folder, unless it lies in there."""
    inside = path_from(folder.root, file.resolve())
    written = inside if not inside.startswith(("..", "/")) else _free(file.name, folder)
    return GameLog(
        file=written,
        sha256=save.sha256,
        follows=joined.log.sha256 if joined.log is not None else "",
        differs=len(joined.differing),
        added=datetime.date.today().isoformat(),
    )


def _free(name: str, folder: GameFolder) -> str:
    """A name among the logs that no file has yet."""
    stem, suffix = Path(name).stem, Path(name).suffix
    taken = {log.file for log in folder.logs}
    number = 1
    while True:
        written = f"{LOGS}/{stem}{'' if number == 1 else f'-{number}'}{suffix}"
        if written not in taken and not folder.path(written).exists():
            return written
        number += 1


def _written(
    before: GameFolder, now: GameFolder, copies: Sequence[tuple[Path, GameLog]]
) -> GameFolder:
    """Copy the logs, then name them in ``game.toml``."""
    data = before.data
    for file, log in copies:
        target = now.path(log.file)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(target, known(target)) as part:
                part.write_bytes(file.read_bytes())
            if digest_of(target) != log.sha256:
                raise Unreadable("was changed while it was read", where=file.name)
        data = with_stanza(data, "log", None, dict(plain_log(log)), "game.toml")
    replace_own(now.file, before.data, data)
    return replace(now, data=data)


def _makers(history: LogHistory) -> tuple[tuple[str, int], ...]:
    """Whoever did steps of a log, with how many; those whose maker is not known last."""
    counts: Counter[str] = Counter()
    for step in history.steps:
        who = step.actor.who if step.actor is not None else None
        called = "" if who is None else who.name or who.side or who.label
        if who is not None and who.side and who.name:
            called = f"{who.name} ({who.side})"
        counts[called] += 1
    ranked = sorted(counts.items(), key=lambda one: (not one[0], -one[1], one[0]))
    return tuple((name or "nobody knows who", count) for name, count in ranked)


def _made_with(history: LogHistory) -> str:
    module = " ".join(part for part in (history.module_name, history.module_version) if part)
    engine = f"VASSAL {history.vassal_version}" if history.vassal_version else ""
    return ", ".join(part for part in (module, engine) if part)


def _odd(save: SaveFile, module: Module, folder: GameFolder, where: str) -> list[str]:
    """What is amiss with the module that a log was made with."""
    found = []
    problem = module_problem(save.moduledata, module, where)
    if problem is not None:
        found.append(problem.message)
    version = save.moduledata.version if save.moduledata is not None else ""
    if version and module.version and version != module.version:
        found.append(f"it was made with version {version} of the module; here is {module.version}")
    found += _extensions(save, module)
    if folder.module_sha256 and module.sha256 != folder.module_sha256:
        found.append(f"{folder.module} is not the module that the game began with (SHA-256)")
    return found


def _extensions(save: SaveFile, module: Module) -> Iterator[str]:
    """What differs between the extensions that a log was made with and those beside the module."""
    commands = (decode_command(text) for text in save.opening if text.startswith("EXT\t"))
    made = {one.name: one.version for one in commands if isinstance(one, Extension)}
    here = {one.name: one.version for one in module.extensions}
    for name in sorted(made.keys() - here.keys()):
        yield f"it was made with the extension {name} {made[name]}, which is not beside the module"
    for name in sorted(here.keys() - made.keys()):
        yield f"it was made without the extension {name}, which is beside the module"
    for name in sorted(made.keys() & here.keys()):
        if made[name] != here[name]:
            yield f"it was made with version {made[name]} of the extension {name}; here is {here[name]}"
