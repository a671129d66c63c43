"""Add logs to a game: find where each goes on from, who made it, and what is odd about it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...importers.game_folder.folder import LOG, LOGS, GameFolder, GameLog, file_name
from ...importers.pack.edit.toml import with_stanza
from ...importers.vassal.actors import actors_seen
from ...importers.vassal.atomic import reporting_errors, whole_file
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.collector import collector_paused
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...importers.vassal.replay import replay_log
from ...importers.vassal.roster import Roster, without_seat
from ...importers.vassal.savefile import SaveFile, read_save
from ...model.problem import UmpireError, Unreadable
from ...model.table import LogHistory
from ...model.viewer import EVERYONE
from ..discovery import module_problem
from ..output import NotWritten, WouldOverwrite, alone_in, replace_own
from ..reading import Told, silent
from .joining import (
    Join,
    Position,
    differing,
    first_other_roll,
    join,
    moved_between,
    position_of,
)
from .opening import digest_of, log_path, module_of
from .players import (
    Seat,
    listed,
    made_with,
    makers_of,
    may_have_new_id,
    odd_about,
    seats_of,
    strangers,
)
from .store import KeptPositions, Store


@dataclass(frozen=True, slots=True)
class Added:
    """A log that was added to a game: its entry, its ``number`` on the game's line (from 1), and the log it
    goes on from.

    ``set_aside``: logs that this one removed from the line. ``between``: a line for each piece that was moved
    between the logs; ``hidden_between``: how many more such pieces are hidden from somebody. ``makers``: who
    made the log → number of steps. ``may_be``: players, one of whom may have moved in it under a new id that
    has no seat. ``rolled_anew``: logs with the same public opening, with the number of the first roll that
    differs. ``odd``: what is wrong with its module, one line each. ``history``: the replayed log.
    """

    log: GameLog
    number: int
    follows: GameLog | None
    set_aside: tuple[GameLog, ...]
    between: tuple[str, ...]
    hidden_between: int
    makers: tuple[tuple[str, int], ...]
    may_be: tuple[Seat, ...]
    rolled_anew: tuple[tuple[GameLog, int], ...]
    odd: tuple[str, ...]
    made_with: str
    history: LogHistory = field(repr=False, compare=False)


@dataclass(frozen=True)
class Reader:
    folder: GameFolder
    module: Module
    limits: Limits

    def save(self, path: Path) -> SaveFile:
        return read_save(path, self.limits)

    def history(self, log: GameLog) -> LogHistory:
        return self.replayed(self.save(log_path(self.folder, log)))

    def replayed(self, save: SaveFile) -> LogHistory:
        return replay_log(save, self.module, roster=Roster())


@collector_paused()
def add_logs(
    folder: GameFolder,
    files: Sequence[Path],
    limits: Limits,
    told: Told = silent,
    *,
    other_players: bool = False,
) -> tuple[GameFolder, tuple[Added, ...]]:
    """Add ``files`` to the game, in order. All are read before anything is written: an error in one of them
    leaves the folder unchanged. ``other_players``: also accept a log of unknown players that does not begin
    exactly where another log ends. Raises :class:`Unreadable`."""
    path = module_of(folder)
    module = open_module(path, limits=limits, find_extensions=True)
    with Store(folder.root) as store:
        kept = KeptPositions(store, module)
        return _add(Reader(folder, module, limits), kept, files, told, other_players=other_players)


def _add(
    reader: Reader, kept: KeptPositions, files: Sequence[Path], told: Told, *, other_players: bool
) -> tuple[GameFolder, tuple[Added, ...]]:
    folder, module, limits = reader.folder, reader.module, reader.limits
    told("reading logs", 0, len(files))
    histories: dict[str, LogHistory] = {}
    found_seats: dict[str, tuple[Seat, ...]] = {}
    openings: dict[str, Position] = {}

    def read(log: GameLog) -> LogHistory:
        history = reader.history(log)
        openings[log.sha256] = position_of(history.opening)
        kept.put("opening", log.sha256, openings[log.sha256])
        return history

    positions = kept.ends_of(folder.logs, read)
    for log in folder.logs:
        if log.sha256 not in openings and (known := kept.get("opening", log.sha256)) is not None:
            openings[log.sha256] = known
        elif log.sha256 not in openings:
            read(log)

    def past(log: GameLog) -> LogHistory:
        return histories.get(log.sha256) or reader.history(log)

    tied = [one for log in folder.logs for one in _tied_in(log, folder, limits)]
    now, found, copies = folder, list[Added](), list[tuple[Path, GameLog]]()
    for number, file in enumerate(files, 1):
        save = _log(file, now, len(folder.logs), limits)
        history = reader.replayed(save)
        opening, end = position_of(history.opening), position_of(history.end)
        joined = join(opening, positions, now.logs, now.line)
        astray = [
            log
            for log in now.logs
            if (
                differing(positions[log.follows], openings[log.sha256])
                if log.follows
                else joined.differing
            )
        ]
        alike = (log for log in astray if not differing(openings[log.sha256], opening))
        if joined.differing and (twin := next(alike, None)) is not None:
            joined = _beside(twin, opening, positions, now)
        else:
            earlier_than = [log for log in astray if not differing(end, openings[log.sha256])]
            _refuse_earlier(file, earlier_than, folder)
        amiss = module_problem(save.module, module, file.name)
        if amiss is not None and (joined.log is None or joined.differing):
            raise Unreadable(
                f"is of the module {save.module.name if save.module else ''!r}",
                where=file.name,
                expected=f"a log of the module {module.name!r}",
            )
        if not joined.of_game:
            raise _other_game(file, folder, joined)
        others = strangers(seats_of(save), _known_players(now, limits, found_seats))
        found_seats[save.sha256] = seats_of(save)
        if others and now.logs and (joined.log is None or joined.differing) and not other_players:
            raise _of_others(file, now, joined, others)
        log = _entry(file, save, joined, now)
        between, hidden = (
            ((), 0)
            if joined.log is None
            else moved_between(joined.differing, positions[joined.log.sha256], opening)
        )
        after = replace(now, logs=(*now.logs, log))
        anew = [
            (other, roll)
            for other in now.logs
            if other.follows == log.follows
            and _looks_alike(openings[other.sha256], opening)
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
                makers=makers_of(actors_seen(history, EVERYONE)),
                may_be=may_have_new_id(save, tied),
                rolled_anew=tuple(anew),
                odd=(*odd_about(save, module, folder, file.name), *_by_others(others, now)),
                made_with=made_with(history),
                history=history,
            )
        )
        positions[log.sha256] = end
        openings[log.sha256] = opening
        histories[log.sha256] = history
        copies.append((file, log))
        now = after
        told("reading logs", number, len(files))
    written = _written(folder, now, copies)
    for _, log in copies:
        kept.put("end", log.sha256, positions[log.sha256])
        kept.put("opening", log.sha256, openings[log.sha256])
    return written, tuple(found)


def _looks_alike(one: Position, other: Position) -> bool:
    """Whether two positions are the same in all that is public."""
    seen, _hidden = moved_between(differing(one, other), one, other)
    return not seen


def _beside(
    twin: GameLog, opening: Position, ends: Mapping[str, Position], folder: GameFolder
) -> Join:
    """Where a log goes on from if it begins with the same position as ``twin``: from the log before ``twin``.
    ``ends``: final positions by SHA-256."""
    before = next((log for log in folder.logs if log.sha256 == twin.follows), None)
    return Join(before) if before is None else Join(before, differing(ends[before.sha256], opening))


def _refuse_earlier(file: Path, later: Sequence[GameLog], folder: GameFolder) -> None:
    """Raise :class:`Unreadable` if there are ``later`` logs: they go on from no log and begin where this one
    ends, so it was played before them. ``folder``: the game without the logs of this command."""
    for one in later:
        there = one in folder.logs
        raise Unreadable(
            f"ends where {one.name} begins, so it was played before it",
            where=file.name,
            expected="the logs in the order in which they were played",
            hint=f"take {one.name} out of game.toml, then add both in order"
            if there
            else f"name it before {one.name}",
        )


def _log(file: Path, folder: GameFolder, before: int, limits: Limits) -> SaveFile:
    """A log as read. Raises :class:`Unreadable` if it may not be added. ``before``: the number of logs that
    the game had before this command."""
    save = read_save(file, limits)
    there = next((n for n, log in enumerate(folder.logs, 1) if log.sha256 == save.sha256), None)
    if there is not None and there > before:
        raise Unreadable("is named twice", where=file.name, expected="each log once")
    if there is not None:
        raise _there_already(file, folder, folder.logs[there - 1])
    if save.kind != "log":
        raise Unreadable(
            "is a saved game without steps",
            where=file.name,
            expected="a log (.vlog)",
            hint="a save is looked at by: umpire check",
        )
    return save


def _there_already(file: Path, folder: GameFolder, log: GameLog) -> Unreadable:
    if log in folder.line:
        number = folder.line.index(log) + 1
        return Unreadable(f"is in the game already, as log {number}", where=file.name)
    return Unreadable(
        "is in the game already, set aside",
        where=file.name,
        hint="to play on from it again, add a log that goes on from it",
    )


def _other_game(file: Path, folder: GameFolder, joined: Join) -> Unreadable:
    assert joined.log is not None
    return Unreadable(
        f"is a log of another game: {len(joined.differing):,} pieces are not where {joined.log.name},"
        " the nearest log, left them",
        where=file.name,
        expected=f"a log of {folder.title!r}",
    )


def _known_players(
    folder: GameFolder, limits: Limits, read: Mapping[str, tuple[Seat, ...]]
) -> Iterator[Seat]:
    """The players named in the logs and in ``game.toml``. ``read``: seats of logs that are not copied yet.
    Logs that cannot be read are skipped."""
    yield from (Seat(name, side) for side, name in folder.players.items())
    for log in reversed(folder.logs):
        if log.sha256 in read:
            yield from read[log.sha256]
            continue
        with suppress(UmpireError):
            yield from seats_of(read_save(folder.path(log.file), limits))


def _tied_in(log: GameLog, folder: GameFolder, limits: Limits) -> Iterator[str]:
    """Ids without a seat in the logs whose players ``game.toml`` names; logs that cannot be read are left
    out."""
    told = folder.same_players_in([log]).get(log.sha256, ())
    if told:
        with suppress(UmpireError):
            yield from without_seat(read_save(folder.path(log.file), limits))[: len(told)]


def _by_others(others: Sequence[Seat], folder: GameFolder) -> Iterator[str]:
    if others and folder.logs:
        yield f"none of its players ({listed(others)}) plays in the logs before it"


def _of_others(file: Path, folder: GameFolder, joined: Join, others: Sequence[Seat]) -> Unreadable:
    """The error for a log that may be of another game from the same setup."""
    if joined.log is None:
        first = next(log for log in folder.logs if not log.follows)
        what = f"begins where {first.name} began"
    else:
        number = len(joined.differing)
        are, them = ("piece is", "it") if number == 1 else ("pieces are", "them")
        what = f"{number:,} {are} not where {joined.log.name} left {them}"
    return Unreadable(
        f"{what}, and its players ({listed(others)}) are not those of {folder.title!r}: it may be of another"
        " game from the same setup",
        where=file.name,
        hint="if it is of this game, add it with --other-players",
    )


def _entry(file: Path, save: SaveFile, joined: Join, folder: GameFolder) -> GameLog:
    """The entry of a log. It is copied to a free name in the game's folder unless it lies there already."""
    return GameLog(
        file=_inside(file, folder) or _free(file.name, save.sha256, folder),
        sha256=save.sha256,
        follows=joined.log.sha256 if joined.log is not None else "",
        added=datetime.date.today().isoformat(),
    )


def _inside(file: Path, folder: GameFolder) -> str:
    """The path of a log as ``game.toml`` writes it; "" if the log lies outside the game's folder, or has a
    name that some systems cannot write."""
    try:
        inside = file.resolve().relative_to(folder.root.resolve())
    except ValueError:
        return ""
    return inside.as_posix() if all(part == file_name(part) for part in inside.parts) else ""


def _free(name: str, sha256: str, folder: GameFolder) -> str:
    """A file name that no other log has; letter case does not count as a difference."""
    safe = Path(file_name(name))
    taken = {log.file.casefold() for log in folder.logs}
    number = 1
    while True:
        written = f"{LOGS}/{safe.stem}{'' if number == 1 else f'-{number}'}{safe.suffix}"
        place = folder.path(written)
        if written.casefold() not in taken and (
            not place.exists() or (place.is_file() and digest_of(place) == sha256)
        ):
            return written
        number += 1


def _written(
    before: GameFolder, now: GameFolder, copies: Sequence[tuple[Path, GameLog]]
) -> GameFolder:
    """Copy the logs, then name them in ``game.toml``. On any error, Ctrl-C too, the folder is left
    unchanged."""
    place = now.root / LOGS
    if place.exists() and not place.is_dir():
        raise WouldOverwrite("is a file", where=str(place), expected="a folder for the logs")
    data, made = before.utf8, list[GameLog]()
    with alone_in(now.root):
        is_new = not place.exists()
        try:
            for file, log in copies:
                target = now.path(log.file)
                if not target.exists():
                    with reporting_errors(log.file, NotWritten):
                        place.mkdir(exist_ok=True)
                        with whole_file(target, None) as part:
                            part.write_bytes(file.read_bytes())
                    made.append(log)
                if digest_of(target) != log.sha256:
                    raise Unreadable("was changed while it was read", where=file.name)
                data = with_stanza(data, "log", None, LOG.write(log), "game.toml")
            replace_own(now.file, before.data, data)
        except BaseException:
            with suppress(OSError):
                _take_back(now, made, place if is_new else None)
            raise
    return replace(now, data=data)


def _take_back(folder: GameFolder, made: Sequence[GameLog], place: Path | None) -> None:
    """Remove the copied logs and ``place``, the folder created for them (None: none was created). Logs that
    ``game.toml`` names by now stay: another command may have added them."""
    named = folder.file.read_bytes()
    for log in made:
        if log.sha256.encode() not in named:
            with suppress(OSError):
                folder.path(log.file).unlink()
    if place is not None:
        with suppress(OSError):
            place.rmdir()
