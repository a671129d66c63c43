"""Read the files that a user names into a game that can be judged."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..importers.analysis.document import read_game
from ..importers.ordinary import open_ordinary
from ..importers.pack.facts_file import load_facts
from ..importers.pack.load import load_pack
from ..importers.pack.on_game import with_facts
from ..importers.pack.pack import Pack
from ..importers.vassal.archive import open_archive
from ..importers.vassal.buildfile import open_module
from ..importers.vassal.collector import collector_paused
from ..importers.vassal.commands import Boards, decode_command
from ..importers.vassal.continuity import gaps_between
from ..importers.vassal.layout import MapLayout, layouts_by_name
from ..importers.vassal.limits import Limits
from ..importers.vassal.metadata import Metadata
from ..importers.vassal.module import Module
from ..importers.vassal.own_numbering import (
    Played,
    calls_alike,
    has_claims,
    named_by_pieces,
    named_otherwise,
)
from ..importers.vassal.replay import replay_log
from ..importers.vassal.roster import Roster, tie
from ..importers.vassal.savefile import SaveFile, read_save
from ..importers.vassal.table_maps import Shared, board_choices
from ..model.game import Game, Source
from ..model.problem import CannotAudit, Problem, UmpireError, Unreadable
from ..model.table import LogHistory, TableHistory
from ..model.viewer import Viewer
from .discovery import (
    ModuleName,
    NoPack,
    SeveralPacks,
    as_named,
    module_file,
    module_problem,
    modules_beside,
    pack_beside,
    sides_in,
    version_problem,
)
from .known_packs import Stated, found, made_for, offered, played_with
from .options import check_side
from .reports.phrases import OTHER_VERSION

AS_SEEN = Problem(
    "part-of-game",
    "holds the game as one reader saw it, who may not have seen all of it: nobody is accused on it",
    severity="note",
)

Told = Callable[[str, int, int], None]
"""A progress callback: what is being done, how much is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Named:
    """The files that the user named: of a game, and what belongs to them. ``digests``: the SHA-256 of logs by
    their names in the facts, if the files may have other names. ``same_players``: by the SHA-256 of a log,
    the sides or names of those who move in it without a seat (:func:`.tie`)."""

    logs: tuple[Path, ...]
    module: Path | None = None
    pack: Path | None = None
    facts: Path | None = None
    digests: Mapping[str, str] = field(default_factory=dict, hash=False)
    same_players: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Every named file; none is ever written to."""
        return tuple(p for p in (*self.logs, self.module, self.pack, self.facts) if p is not None)


def of_no_kind(file: Path) -> Unreadable:
    """The error for a zip that is not a VASSAL file."""
    return Unreadable(
        "is a zip that holds neither a module's build file nor a saved game",
        where=file.name,
        expected="a .vmod, .vmdx, .vsav or .vlog file",
    )


def sorted_files(
    files: Sequence[Path], limits: Limits, module: Path | None = None
) -> tuple[tuple[Path, ...], Path | None, tuple[Path, ...]]:
    """Saves and logs, the module, and extensions; told apart by content. ``module``: if it is named
    apart."""
    kinds: dict[str, list[Path]] = {"saved-game": [], "module": [], "extension": []}
    for path in files:
        kind = "saved-game"  # a missing file too: whoever reads it says so
        if path.exists():
            with open_archive(path, limits) as archive:
                kind = archive.kind
        if kind not in kinds:
            raise of_no_kind(path)
        kinds[kind].append(path)
    modules = [*kinds["module"], *([module] if module is not None else ())]
    extensions = tuple(kinds["extension"])
    if len(modules) > 1:
        names = ", ".join(path.name for path in modules)
        raise UmpireError(
            "there is more than one module", where=names, expected="files of one game"
        )
    if not modules and len(extensions) == 1 and len(files) == 1:
        return (), extensions[0], ()
    return tuple(kinds["saved-game"]), modules[0] if modules else None, extensions


def named_files(
    files: tuple[Path, ...],
    module: Path | None,
    pack: Path | None,
    facts: Path | None,
    limits: Limits,
) -> Named:
    """The input of a command from one log or analysis document, or from several ``files``: logs, and perhaps
    their module."""
    if len(files) > 1:
        logs, module, extensions = sorted_files(files, limits, module)
        files = (*logs, *extensions)  # whoever reads an extension as a log refuses it
    return Named(files, module, pack, facts)


def silent(_what: str, _done: int, _of: int) -> None:
    """A progress callback that does nothing."""


def open_for(
    path: Path, logs: Sequence[Path], limits: Limits, extensions: Sequence[Path] = ()
) -> Module:
    """The module at ``path``, with the named extensions or else those beside it, for a game with these
    ``logs``."""
    module = open_module(path, extensions, limits, find_extensions=not extensions)
    return named_for(module, logs, limits)


def named_for(module: Module, logs: Sequence[Path], limits: Limits) -> Module:
    """The module. If code of its own numbers hexes, it gets the hex names that pieces in ``logs`` store."""
    if not logs or not has_claims(module):
        return module
    saves = (read_save(log, limits) for log in logs)
    return named_by_pieces(
        module, ((layouts_for(module, save), replay_log(save, module)) for save in saves)
    )


def open_module_of(
    log: Path, about: Metadata | None, named: Path | None, limits: Limits
) -> Module | None:
    """The named module, else the one beside the log; None if there is none."""
    path = named if named is not None else module_file(log, about, limits)
    return None if path is None else open_for(path, (log,), limits)


def module_path(named: Named, first: SaveFile, limits: Limits) -> Path:
    """The path of the game's module. Raises :class:`CannotAudit` if it is neither named nor beside the
    log."""
    if named.module is not None:
        return named.module
    return module_of_game(
        named.logs[0],
        first,
        limits,
        f"put the .vmod beside the log, or name it with --module; {without_module(named.logs)}",
        pack=named.pack,
    )


def without_module(logs: Sequence[Path]) -> str:
    """What can be shown of logs without their module."""
    files = shlex.join(as_named(log) for log in logs)
    return f"to see what is known without it: umpire show {files}"


def module_of_game(
    log: Path,
    save: SaveFile,
    limits: Limits,
    hint: str,
    option: str = "--module ",
    pack: Path | None = None,
) -> Path:
    """The module beside a log or the named ``pack``. Raises :class:`CannotAudit` if none is suitable.
    ``hint``, ``option``: see :meth:`ModulesBeside.hint`."""
    beside = modules_beside(log, save.module, limits, pack)
    if beside.found is not None:
        return beside.found
    name = save.module.name if save.module is not None else ""
    refused = tuple(
        one for one in beside.refused if not name or _may_be_its(one[0], log, save, limits)
    )
    beside = replace(beside, refused=refused)
    about = f" {name!r} {save.module.version}".rstrip() if save.module and name else ""
    raise CannotAudit(
        f"the module{about} of this game was not found",
        where=log.name,
        hint=beside.hint(hint, option),
    )


def _may_be_its(file: Path, log: Path, save: SaveFile, limits: Limits) -> bool:
    try:
        module = open_for(file, (log,), limits)
        return calls_alike([(layouts_for(module, save), replay_log(save, module))])
    except UmpireError:
        return False


def pack_for(
    named: Named, module: ModuleName, file: Path, logs: Iterable[Stated], limits: Limits
) -> tuple[Pack, tuple[Problem, ...]]:
    """The pack, and how it was found if it was not named: the named one, else the one beside the first log
    (or the named module) that fits, else the known one made for exactly the module in ``file``, unless one of
    the ``logs`` was played with another. Raises :class:`NoPack` if there is none."""
    if named.pack is not None:
        return load_pack(named.pack), ()
    places = [named.logs[0]] if named.module is None else [named.logs[0], named.module]
    try:
        return pack_beside(places, module), ()
    except SeveralPacks:
        raise
    except NoPack as none:
        exact = made_for(module, file, limits)
        other_module = played_with(module, logs)
        if len(exact) == 1 and not other_module:
            return exact[0].pack, (found(exact[0]),)
        other = offered(module, exact, other_module)
        if other is None:
            raise
        told, name = other
        raise NoPack(none.what, hint=f"{told}; to try it: --pack {name}") from none


@collector_paused()
def read_history(
    named: Named, module: Module | None, limits: Limits, told: Told = silent
) -> TableHistory:
    """All named logs, replayed in order. Raises :class:`Unreadable` if a log is named twice."""
    _refuse_twice(named.logs)
    roster, shared = Roster(), Shared(module)
    logs: list[LogHistory] = []
    played: list[Played] = []
    problems: list[Problem] = []
    for number, path in enumerate(named.logs, 1):
        told("reading logs", number - 1, len(named.logs))
        save = read_save(path, limits)
        amiss = module_problem_of(save, module, path, limits)
        if amiss is not None and not _is_said(amiss, problems):
            problems.append(amiss)
        same = next((log.source for log in logs if log.sha256 == save.sha256), None)
        if same is not None:
            raise Unreadable(
                f"is the same log as {same}", where=path.name, expected="each log once"
            )
        problems += tie(roster, save, named.same_players.get(save.sha256, ()))
        logs.append(replay_log(save, module, roster=roster, log=number, shared=shared))
        if module is not None and "OldLocationName" in save.text:
            played.append((layouts_for(module, save), logs[-1]))
    problems += named_otherwise(played)
    told("reading logs", len(named.logs), len(named.logs))
    return TableHistory(tuple(logs), gaps_between(logs), tuple(problems))


def iter_logs(
    paths: Sequence[Path], named: Path | Module | None, viewer: Viewer, limits: Limits
) -> Iterator[tuple[LogHistory, Module | None]]:
    """Logs replayed in order, each read only when needed, with the module used: the one ``named``, else the
    one beside the log; None if there is none, which is then a problem of the log."""
    roster = Roster()
    opened: dict[Path | None, Shared] = {None: Shared(named if isinstance(named, Module) else None)}
    for number, path in enumerate(paths, 1):
        save = read_save(path, limits)
        file = named if isinstance(named, Path) else None
        if named is None:
            file = module_file(path, save.module, limits)
        if file is not None and file not in opened:
            opened[file] = Shared(open_for(file, paths, limits))
        shared = opened[file]
        module = shared.module
        if number == 1:
            check_side(viewer, sides_in(paths, module, limits) if viewer.side else ())
        history = replay_log(save, module, roster=roster, log=number, shared=shared)
        if (amiss := module_problem_of(save, module, path, limits)) is not None:
            history = replace(history, problems=(*history.problems, amiss))
        yield history, module


def module_problem_of(
    save: SaveFile, module: Module | None, log: Path, limits: Limits
) -> Problem | None:
    """The problem with a log's module, or with modules beside it if it has none; None if there is none."""
    beside = modules_beside(log, save.module, limits) if module is None else None
    amiss = module_problem(save.module, module, log.name, beside)
    return amiss or version_problem(save.module, module, log.name)


def _is_said(one: Problem, before: Sequence[Problem]) -> bool:
    """Whether the same version was already reported for another log."""
    said = (two.message for two in before if two.code == OTHER_VERSION)
    return one.code == OTHER_VERSION and one.message in said


def _refuse_twice(logs: Sequence[Path]) -> None:
    named: set[str] = set()
    for path in logs:
        real = os.path.realpath(path) if "\0" not in str(path) else str(path)
        if real in named:
            raise Unreadable("is named twice", where=path.name, expected="each log once")
        named.add(real)


def layouts_for(module: Module, save: SaveFile) -> dict[str, MapLayout]:
    """How the boards lie on the maps of the module, as a game's opening chose them."""
    opening = (decode_command(text) for text in save.opening if "BoardPicker" in text)
    choices = board_choices(module, [c for c in opening if isinstance(c, Boards)])
    return layouts_by_name(module.maps, choices)


def default_layouts(module: Module) -> dict[str, MapLayout]:
    """How the boards lie on the maps of the module before any game has chosen others."""
    return layouts_by_name(module.maps)


def is_document(path: Path) -> bool:
    """Whether a file is JSON, judged by its first character."""
    try:
        with open_ordinary(path) as file:
            head = file.read(64)
    except OSError:
        return False
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def read_analysis(named: Named, limits: Limits) -> tuple[Game, tuple[Problem, ...]]:
    """The game of an analysis document, with the named facts. The document becomes its first source."""
    if named.module or named.pack:
        raise UmpireError(
            "--module and --pack do not go with an analysis document",
            hint="it holds the game as its pack made it",
        )
    path = named.logs[0]
    game = read_game(path, limits)
    problems: tuple[Problem, ...] = ()
    if named.facts is not None:
        game, problems = with_facts(game, load_facts(named.facts))
    if game.is_part:
        problems = (*problems, replace(AS_SEEN, where=path.name))
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    document = Source(path.name, "analysis", digest)
    return replace(game, sources=(document, *game.sources)), problems
