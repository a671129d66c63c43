"""The task for each game, and the key under which it counts as done."""

from __future__ import annotations

import hashlib
import json
import os
import traceback
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ... import __version__
from ...importers.game_folder.folder import is_game_folder, read_game_folder
from ...importers.ordinary import is_there
from ...importers.pack.facts_file import load_facts, records_of
from ...importers.pack.load import load_pack
from ...importers.vassal.archive import open_archive
from ...importers.vassal.atomic import known
from ...importers.vassal.buildfile import extensions_beside, open_module
from ...importers.vassal.limits import Limits
from ...importers.vassal.metadata import Metadata
from ...importers.vassal.savefile import read_save
from ...model.problem import CannotAudit, Problem, UmpireError
from ...model.viewer import Viewer
from ..auditing import facts_beside
from ..desk.opening import digest_of, log_path, module_of, named_of
from ..discovery import ModuleName, ModulesBeside, modules_beside
from ..known_packs import Stated
from ..reading import Named, is_document, pack_for
from ..registry import rulesets
from .games import Found, logs_in
from .tables import Do

FORM = 2
"""Version of the way games become rows; when it changes, everything is done again."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What to do with every game. ``module``, ``pack``: for all games; None: each game's own. ``facts``: for
    all games except those with a ``game.toml``; None: none. ``whole``: the logs of a folder are one game.
    ``seconds``: limit for one game; None: no limit."""

    do: Do
    viewer: Viewer
    limits: Limits
    module: Path | None = None
    pack: Path | None = None
    ruleset: str | None = None
    facts: Path | None = None
    whole: bool = False
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A game to work on: its ``name`` in the tables, the ``key`` it is then done under, and its files.
    ``trouble``: why it cannot be worked on; "": no known reason. ``problems``: notes on how its pack was
    found."""

    name: str
    key: str
    named: Named
    settings: Settings
    trouble: str = ""
    problems: tuple[Problem, ...] = ()


class Planner:
    """Finds module and pack of each game as the other commands do, and caches the results."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._kept: dict[Hashable, Any] = {}
        self._versions = {name: part.version for name, part in rulesets().parts.items()}

    def task(self, found: Found) -> Task:
        """The task for a game. Any error in it is its ``trouble``."""
        path = found.path.absolute()  # workers may work elsewhere
        named, digests = Named((path,)), []
        problems: tuple[Problem, ...] = ()
        trouble = found.trouble
        if not trouble:
            try:
                named, problems = self._named(path)
                digests = self._digests(named)
            except UmpireError as error:
                trouble = one_line(error)
            except OSError as error:
                trouble = f"{path.name}: {error.strerror or 'cannot be read'}"
            except Exception as error:  # noqa: BLE001 - the others go on, whatever is wrong with this one
                trouble = bug(error)
        if trouble and not digests:
            digests = _digest_if_any(path)
        same = [named.same_players] if named.same_players else []
        how = [str(one) for one in problems]
        key = [FORM, __version__, _plain(self.settings), digests, trouble, *same, *how]
        digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()
        return Task(found.name, digest, named, self.settings, trouble, problems)

    def _named(self, path: Path) -> tuple[Named, tuple[Problem, ...]]:
        """The files of a game, and notes on how its pack was found. Raises as
        :func:`..auditing.open_game`."""
        settings = self.settings
        audits = settings.do == "audit"
        if is_game_folder(path):
            folder = read_game_folder(path)
            if audits:
                return named_of(folder), ()
            if not folder.line:
                raise UmpireError("has no logs yet", where=path.name)
            same = folder.same_players_in(folder.line)
            paths = tuple(log_path(folder, log) for log in folder.line)
            return Named(paths, module_of(folder), same_players=same), ()
        if is_document(path):
            if audits:
                return Named((path,), facts=settings.facts), ()
            raise UmpireError(
                "is an analysis document", where=path.name, expected="a log or a save of VASSAL"
            )
        logs = logs_in(path) if path.is_dir() else (path,)
        beside = ModulesBeside(settings.module) if settings.module else self._modules(logs[0])
        module = beside.found
        if not audits:
            return Named(logs, module), ()
        if module is None:
            raise CannotAudit(
                "the module of this game was not found",
                where=path.name,
                hint=beside.hint("put the .vmod beside it, or name it with --module"),
            )
        pack, how = (settings.pack, ()) if settings.pack else self._pack(logs, module)
        return Named(logs, module, pack, settings.facts, self._other_logs(logs[0])), how

    def _other_logs(self, log: Path) -> dict[str, str]:
        """The SHA-256 of other logs that the facts name and that are beside this one, so it is not one of
        them renamed."""
        if self.settings.facts is None:
            return {}
        return {
            name: self._digest(log.parent / name)
            for name in self._facts_name(self.settings.facts)
            if name == Path(name).name and (log.parent / name).is_file()
        }

    def _facts_name(self, path: Path) -> tuple[str, ...]:
        """The names of logs in a facts file."""
        key = ("facts", path, known(path))
        if key not in self._kept:
            self._kept[key] = tuple(str(one) for one in load_facts(path).logs)
        found: tuple[str, ...] = self._kept[key]
        return found

    def _modules(self, log: Path) -> ModulesBeside:
        """The modules beside a log: its own, and those refused."""
        about = self._about(log)
        key = ("module", log.parent, _stated(about))
        if key not in self._kept:
            self._kept[key] = modules_beside(log, about, self.settings.limits, self.settings.pack)
        found: ModulesBeside = self._kept[key]
        return found

    def _about(self, log: Path) -> Metadata | None:
        """What a log says about its module; None: nothing."""
        with open_archive(log, self.settings.limits) as archive:
            about = archive.metadata("moduledata")
            if about is None or not about.name:
                about = read_save(archive, self.settings.limits).module
        return about

    def _pack(self, logs: Sequence[Path], module: Path) -> tuple[Path, tuple[Problem, ...]]:
        """The pack for logs, and how it was found. Raises :class:`CannotAudit` if there is none, or more than
        one."""
        stated = tuple(dict.fromkeys(_stated(self._about(log)) for log in logs))
        key = ("pack", logs[0].parent, module, stated)
        if key not in self._kept:
            try:
                self._kept[key] = self._pack_of(logs[0], module, stated)
            except UmpireError as error:
                self._kept[key] = error
        found: tuple[Path, tuple[Problem, ...]] | UmpireError = self._kept[key]
        if isinstance(found, UmpireError):
            raise found
        return found

    def _pack_of(
        self, log: Path, module: Path, stated: Sequence[Stated]
    ) -> tuple[Path, tuple[Problem, ...]]:
        limits = self.settings.limits
        pack, how = pack_for(Named((log,)), self._name(module), module, stated, limits)
        return pack.files[0].parent, how

    def _name(self, module: Path) -> ModuleName:
        """Name and version of a module; of several copies of a file only the first is opened."""
        key = ("name", self._digest(module))
        if key not in self._kept:
            opened = open_module(module, limits=self.settings.limits)
            self._kept[key] = Metadata(opened.name, opened.version)
        name: Metadata = self._kept[key]
        return name

    def _digests(self, named: Named) -> list[str]:
        """The SHA-256 of everything that the rows depend on, the names of the logs, and the version of the
        ruleset."""
        found = [f"{log.name} {digest_of(log)}" for log in named.logs]
        if named.module is not None:
            parts = (named.module, *extensions_beside(named.module))
            found.append(f"module {' '.join(self._digest(part) for part in parts)}")
        if named.pack is not None:
            sha256, ruleset = self._pack_told(named.pack)
            version = self._versions.get(self.settings.ruleset or ruleset, "")
            found.append(f"pack {sha256} {ruleset} {version}")
        if named.facts is not None:
            told = (file for file in (named.facts, records_of(named.facts)) if is_there(file))
            digests = " ".join(map(self._digest, told))
            found.append(f"facts {digests} {sorted(named.digests.items())}")
        return found

    def _digest(self, path: Path) -> str:
        key = ("digest", path, known(path))
        if key not in self._kept:
            self._kept[key] = digest_of(path)
        digest: str = self._kept[key]
        return digest

    def _pack_told(self, path: Path) -> tuple[str, str]:
        """The digest of all files of a pack and whether facts are beside it; and the ruleset it names."""
        key = ("told", path)
        if key not in self._kept:
            pack = load_pack(path)
            told = f"{pack.sha256} {pack.records_sha256} {facts_beside(pack) is not None}"
            self._kept[key] = told, pack.ruleset
        found: tuple[str, str] = self._kept[key]
        return found


def one_line(error: UmpireError) -> str:
    """An error on one line; for a pack with many errors, the first."""
    problems = getattr(error, "problems", ())
    if not problems:
        return str(error)
    more = f" (the first of {len(problems):,} problems)" if len(problems) > 1 else ""
    return f"{error.where or 'the pack'}: {problems[0]}{more}"


def bug(error: Exception) -> str:
    """A bug of this program on one line, as from :func:`..cli.tell_bug`; it may not quote the input."""
    where = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" in {os.path.basename(where[0].filename)} line {where[0].lineno}" if where else ""
    return f"this is a bug in umpire, not in the file ({type(error).__name__}{place})"


def _stated(about: Metadata | None) -> Stated:
    return (about.name, about.version) if about is not None else ("", "")


def _digest_if_any(path: Path) -> list[str]:
    """The SHA-256 of an unreadable file, so that it counts as another once it has changed."""
    try:
        return [digest_of(path)] if path.is_file() else []
    except (UmpireError, OSError):
        return []


def _plain(settings: Settings) -> list[Any]:
    """The settings that rows depend on; module and pack count by content."""
    limits = sorted(asdict(settings.limits).items())
    return [settings.do, str(settings.viewer), settings.ruleset, limits]
