"""``game.toml``: the files of one game, its logs in order, and the rulings on its offences."""

from __future__ import annotations

import json
import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Literal, get_args

from ...model.codec import ITSELF, Codecs, pairs
from ...model.problem import Problem, Unreadable
from ...model.schemas import Fault
from ..ordinary import is_there
from ..pack.load import wrong
from ..pack.toml_text import Path_, check, line_of, parse_toml, problem_of, read_bytes

GAME_FILE = "game.toml"
LOGS = "logs"
"""The folder, next to ``game.toml``, into which logs are copied."""

DAY_EXPECTED = 'a day such as "2026-12-01" (by which the next log is expected)'

Decision = Literal["upheld", "waived", "corrected", "agreed"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)


@dataclass(frozen=True, slots=True)
class GameLog:
    """A log of the game. ``file``: its path as written. ``follows``: the SHA-256 of the log that it
    continues; "" for the first. ``added``: the day it was added; "" if not stated."""

    file: str
    sha256: str
    follows: str = ""
    added: str = ""

    @property
    def name(self) -> str:
        """Its file's name without folders."""
        return PurePosixPath(self.file.replace("\\", "/")).name


@dataclass(frozen=True, slots=True)
class SamePlayer:
    """The player behind someone who moves in a log without a seat. ``log``: its path as written. ``who``: the
    side or name of a player who has a seat there. Several for one log are in the order of their first
    moves."""

    log: str
    who: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """The decision of the director, or of both players, on an offence. ``found``: the finding at that time.
    ``hidden``: parts of the finding were hidden from some players."""

    offence: str
    decision: Decision
    because: str
    who: str = ""
    when: str = ""
    found: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class GameFolder:
    """A game and its folder ``root``. ``module``, ``pack``, ``facts``: paths as written, "" if none; see
    :meth:`path`. ``players``: side → player. ``told``: offence → the day it was reported outside the logs.
    ``data``: the bytes of ``game.toml``."""

    root: Path
    title: str
    module: str
    module_sha256: str = ""
    pack: str = ""
    facts: str = ""
    procedure: str = "plain"
    due: str = ""
    players: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    logs: tuple[GameLog, ...] = ()
    same_players: tuple[SamePlayer, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    told: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    data: bytes = field(default=b"", repr=False)

    @property
    def file(self) -> Path:
        return self.root / GAME_FILE

    @property
    def utf8(self) -> bytes:
        """``game.toml`` as UTF-8, for changes to the file."""
        return as_utf8(self.data)

    def path(self, written: str) -> Path:
        """The file of a path in ``game.toml``, which may have slashes of either kind."""
        return self.root / Path(written.replace("\\", "/"))

    @property
    def line(self) -> tuple[GameLog, ...]:
        """The logs of the game's current branch, in order: from the first to the one added last, by
        ``follows``."""
        by_digest = {log.sha256: log for log in self.logs}
        found: list[GameLog] = []
        at = self.logs[-1] if self.logs else None
        while at is not None and at not in found:
            found.append(at)
            at = by_digest.get(at.follows)
        return tuple(reversed(found))

    @property
    def set_aside(self) -> tuple[GameLog, ...]:
        """The logs of other branches, in the order in which they were added."""
        line = self.line
        return tuple(log for log in self.logs if log not in line)

    def same_players_in(self, logs: Iterable[GameLog]) -> dict[str, list[str]]:
        """SHA-256 of a log → the sides or names of those who move in it without a seat, in order."""
        found: dict[str, list[str]] = {}
        for log in logs:
            found[log.sha256] = [one.who for one in self.same_players if one.log == log.file]
        return {sha256: who for sha256, who in found.items() if who}


def is_game_folder(root: Path | str) -> bool:
    """Whether a folder has a ``game.toml``, even one that cannot be read."""
    return os.path.lexists(os.path.join(root, GAME_FILE))


def read_game_folder(root: Path) -> GameFolder:
    """The game in a folder (or of a ``game.toml``). Raises :class:`Unreadable`, or :class:`WrongPack` with
    one problem for each fault."""
    if root.name == GAME_FILE and not root.is_dir():
        root = root.parent
    if not is_there(root / GAME_FILE):
        raise Unreadable(
            f"holds no {GAME_FILE}",
            where=str(root),
            expected="the folder of a game",
            hint=f"begin one with: umpire game new {shell_word(root)} --module MODULE --pack PACK",
        )
    data = read_bytes(root / GAME_FILE)
    read, lines = parse_toml(as_utf8(data), GAME_FILE)
    values = _days_as_texts(read)
    problems = check("game", values, GAME_FILE, lines)
    problems = problems or (*_no_day(values, lines), *_out_of_order(values, lines))
    if problems:
        raise wrong(GAME_FILE, list(problems))
    game: GameFolder = _GAME.read({**values["game"], **values, "root": root, "data": data})
    return game


def as_utf8(data: bytes) -> bytes:
    """A text in UTF-8 or cp1252 (Windows, Western Europe) as UTF-8; other bytes unchanged."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError):
            if not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                return data.decode("cp1252").encode("utf-8")
    return data


def shell_word(path: Path) -> str:
    """A path for a command line, quoted if the shell would split it."""
    return str(path) if _PLAIN_WORD.fullmatch(str(path)) else f'"{path}"'


_PLAIN_WORD = re.compile(r"[\w./\\:~+-]+")


def _days_as_texts(value: Any) -> Any:
    """``value`` with TOML dates (days without quotes) as texts."""
    if isinstance(value, dict):
        return {key: _days_as_texts(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_days_as_texts(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _no_day(values: Mapping[str, Any], lines: dict[Path_, int]) -> Iterator[Problem]:
    """A problem if ``due`` is not a day."""
    due = values["game"].get("due", "")
    try:
        fits = not due or (bool(_DAY.fullmatch(due)) and bool(date.fromisoformat(due)))
    except ValueError:
        fits = False
    if not fits:
        found = json.dumps(due, ensure_ascii=False)
        yield problem_of(Fault(("game", "due"), DAY_EXPECTED, found), GAME_FILE, lines)


def _out_of_order(values: Mapping[str, Any], lines: dict[Path_, int]) -> Iterator[Problem]:
    """One problem for each log that is listed twice or does not follow one above it, and for each
    ``[[same_player]]`` with a log that is not listed."""
    before: set[str] = set()
    for number, log in enumerate(values.get("log", ())):
        line = line_of(("log", number), lines)
        where = f"{GAME_FILE} line {line}" if line else GAME_FILE
        follows = log.get("follows", "")
        if log["sha256"] in before:
            yield Problem("log", f"{log['file']} is there twice", where, "error")
        elif follows and follows not in before:
            what = f"{log['file']} follows {follows[:12]}…; expected the sha256 of a log above it"
            yield Problem("log", what, where, "error")
        before.add(log["sha256"])
    files = {log["file"] for log in values.get("log", ())}
    for number, same in enumerate(values.get("same_player", ())):
        if same["log"] not in files:
            found = json.dumps(same["log"], ensure_ascii=False)
            fault = Fault(
                ("same_player", number, "log"),
                "the file of a [[log]] as it is written there",
                found,
            )
            yield problem_of(fault, GAME_FILE, lines)


_CODECS = Codecs({})
LOG = _CODECS.table(GameLog)
_CODECS.table(SamePlayer, keys={"who": "is"})
RULING = _CODECS.table(Ruling)
_GAME = _CODECS.table(
    GameFolder,
    keys={"logs": "log", "same_players": "same_player", "rulings": "ruling"},
    parts={"told": pairs(("offence", "date"), ITSELF, ITSELF)},
)


_NOT_IN_NAMES = frozenset('<>:"/\\|?*')
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")
_LONGEST_STEM = 60


def file_name(name: str) -> str:
    """A file's name made valid on every system and unable to leave its folder."""
    kept = "".join(c if c.isprintable() and c not in _NOT_IN_NAMES else "-" for c in name)
    kept = kept.strip().rstrip(".").lstrip(".") or "log"
    stem, dot, suffix = kept.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, dot, suffix = kept, "", ""
    if _DEVICES.match(kept):
        stem = f"log-{stem}"
    return f"{stem[:_LONGEST_STEM]}{dot}{suffix}"


def path_from(root: Path, file: Path) -> str:
    """The path of a file as ``game.toml`` in ``root`` writes it: relative to ``root``, with slashes; absolute
    if the file is on another drive."""
    try:
        return Path(os.path.relpath(file, root)).as_posix()
    except ValueError:
        return Path(os.path.abspath(file)).as_posix()
