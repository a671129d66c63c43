"""Find the module and the pack beside a log, and the sides in it."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import click

from ..importers.pack.load import PACK_FILE, load_pack
from ..importers.pack.pack import Fits, Pack
from ..importers.vassal.archive import open_archive
from ..importers.vassal.limits import DEFAULT_LIMITS, Limits
from ..importers.vassal.metadata import Metadata
from ..importers.vassal.module import Module
from ..importers.vassal.roster import OBSERVER, players_in
from ..importers.vassal.savefile import SaveFile, read_save
from ..model.problem import CannotAudit, Problem, UmpireError
from .reports.phrases import OTHER_VERSION, WRONG_MODULE

ALL_THE_SAME = "read all the same"
MODULE_SUFFIXES = (".vmod", ".mod")


class ModuleName(Protocol):
    """The name and version by which packs for a module are found: of the module, or from its metadata."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ModulesBeside:
    """The result of looking for a log's module: the file that was ``found`` (None: no suitable one), and
    those ``refused``, each with the reason."""

    found: Path | None = None
    refused: tuple[tuple[Path, str], ...] = ()

    def hint(self, or_else: str, option: str = "--module ") -> str:
        """What to do if none was found: the command that names a refused one with the ``option``, or else the
        given advice."""
        lines = (
            f"{path.name} {reason}; if it is the right one: {_typed()}{option}{shlex.quote(as_named(path))}"
            for path, reason in self.refused
        )
        return "; ".join((*lines, or_else))


def _typed() -> str:
    """The command that the user typed, to which an option can be added; "" if there is none."""
    ctx = click.get_current_context(silent=True)
    return "" if ctx is None else f"{shlex.join(('umpire', *(ctx.obj or ())))} "


def module_file(
    log: Path, about: Metadata | None, limits: Limits, pack: Path | None = None
) -> Path | None:
    """The module of a log, as :func:`modules_beside` finds it; None if there is none."""
    return modules_beside(log, about, limits, pack).found


def modules_beside(
    log: Path, about: Metadata | None, limits: Limits, pack: Path | None = None
) -> ModulesBeside:
    """The module of a log: in the log's folder or the one above it.

    A module whose name (and preferably version) is that in the log is taken; a module's name is in its
    metadata, else in its build file. If the log or the module has no name, the only module there is is taken.
    Else the module of a pack is taken, see :func:`_of_pack`; ``pack``: the one that was named.
    """
    wanted = about.name if about is not None else ""
    version = about.version if about is not None else ""
    refused: list[tuple[Path, str]] = []
    for folder in _folders(log):
        there = [(path, _named(path, limits)) for path in modules_in(folder, limits)]
        fit = [path for path, named in there if wanted and named == (wanted, version)]
        same = [path for path, (name, _) in there if wanted and name == wanted]
        nameless = [path for path, (name, _) in there if not wanted or not name]
        found = _one(fit, limits) or _one(same or nameless, limits)
        if found is not None:
            return ModulesBeside(found)
        refused += [(path, _refusal(named, about)) for path, named in there]
        if refused and not wanted:
            break  # which of several it is nobody can tell, and one farther off is no better
    return ModulesBeside(_of_pack(log, wanted, limits, pack), tuple(refused))


def _of_pack(log: Path, wanted: str, limits: Limits, named: Path | None) -> Path | None:
    """The module of the ``named`` pack, else of those beside the log, if the pack is also for logs of the
    module ``wanted``. None if there is none, or more than one."""
    beside = (file for folder in _folders(log) for file in _packs(folder))
    found: set[Path] = set()
    for file in beside if named is None else (named / PACK_FILE if named.is_dir() else named,):
        try:
            fits = load_pack(file.parent if file.name == PACK_FILE else file).fits
        except UmpireError:  # whoever reads it says what is wrong
            continue
        if wanted in fits.logs:
            path = module_beside(log, fits, limits) or module_beside(file, fits, limits)
            found |= {path} if path is not None else set()
    return found.pop() if len(found) == 1 else None


def _refusal(named: tuple[str, str], about: Metadata | None) -> str:
    """Why a module beside a log is not taken for the log's."""
    name, version = named
    if about is None or not about.name:
        return "is one of several here, and the log does not say which is its module"
    if name == about.name:
        return f"is version {version or 'unknown'} of it, one of several here; the log is of {about.version}"
    if not name:
        return "does not say its name, nor does another here"
    return f"is the module {name!r}"


def as_named(path: Path) -> str:
    """A file as the user would write it, relative to the working folder."""
    try:
        return os.path.relpath(path)
    except ValueError:  # on another drive
        return str(path)


def in_studio(*files: Path) -> str:
    """The command that opens the studio on files, each named once."""
    return shlex.join(("umpire", "studio", *dict.fromkeys(map(as_named, files))))


def module_beside(pack_file: Path, fits: Fits, limits: Limits) -> Path | None:
    """The one module in the folder of a pack, or in its parent, that the pack is for; None if there is none,
    or more than one."""
    for folder in _folders(pack_file):
        about = ((path, _named(path, limits)) for path in modules_in(folder, limits))
        found = [path for path, (name, version) in about if not name or fits.module(name, version)]
        if found:
            return _one(found, limits)
    return None


def module_problem(
    about: Metadata | None, module: Module | None, where: str, refused: ModulesBeside | None = None
) -> Problem | None:
    """The problem with the module that was found (or not) for a log. ``refused``: other modules beside it."""
    wanted = about.name if about is not None else ""
    if module is None:
        missing = f"the module {wanted!r}" if wanted else "its module"
        message = (
            f"{missing} was not found beside it or above: places have no names, and what lies on one side's"
            " own map is not known to be hidden; "
        )
        message += (refused or ModulesBeside()).hint("give --module")
        return Problem("no-module", message, where)
    if wanted and module.name and wanted != module.name:
        message = (
            f"it is a game of the module {wanted!r}; {module.name!r} was given; {ALL_THE_SAME}"
        )
        return Problem(WRONG_MODULE, message, where)
    return None


def version_problem(about: Metadata | None, module: Module | None, where: str) -> Problem | None:
    """A note that a log was played with another version of the module; None if it was not."""
    played, read = (one.version if one is not None else "" for one in (about, module))
    if not played or not read or played == read:
        return None
    message = (
        f"it was played with version {played} of the module; the module that was read is {read}"
    )
    return Problem(OTHER_VERSION, message, where, "note")


class NoPack(CannotAudit):
    """No pack for the module lies where packs are looked for."""


class SeveralPacks(NoPack):
    """More than one lies there; the user chooses."""


def pack_beside(places: Iterable[Path], module: ModuleName | None) -> Pack:
    """The pack for ``module`` in the folders of ``places`` (files), below or one above them.

    Raises :class:`NoPack` if there is none that fits, :class:`SeveralPacks` if there is more than one.
    """
    found: dict[Path, Pack] = {}
    unfit: list[str] = []
    broken: list[UmpireError] = []
    for folder in dict.fromkeys(f for place in places for f in _folders(place)):
        for file in _packs(folder):
            try:
                pack = load_pack(file.parent)
            except UmpireError as error:
                broken.append(error)
                continue
            if module is None or pack.fits.module(module.name, module.version):
                found[file.parent.resolve()] = pack
            else:
                unfit.append(pack.name)
        if found:
            break
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        names = ", ".join(sorted(path.name for path in found))
        lines = (f"{_typed()}--pack {shlex.quote(as_named(path))}" for path in sorted(found))
        raise SeveralPacks(
            f"more than one audit pack fits ({names})", hint=f"choose one: {'; or: '.join(lines)}"
        )
    if broken:
        raise broken[0]
    name = f"{module.name!r} {module.version}".rstrip() if module is not None else "these logs"
    others = (
        f"; those found ({', '.join(sorted(set(unfit)))}) are for other modules" if unfit else ""
    )
    raise NoPack(
        f"no audit pack for {name} lies beside the log{others}",
        hint="name one with --pack; 'umpire pack new' begins one (docs/packs.md)",
    )


def _folders(file: Path) -> Iterator[Path]:
    folder = file.absolute().parent
    yield folder
    if folder.parent != folder:
        yield folder.parent


def modules_in(folder: Path, limits: Limits) -> list[Path]:
    """The modules in a folder, by their suffix; a ``.zip``, as browsers rename them, by its content."""
    return sorted(
        p
        for p in _entries(folder)
        if p.is_file() and (p.suffix.lower() in MODULE_SUFFIXES or _is_zipped(p, limits))
    )


def _is_zipped(path: Path, limits: Limits) -> bool:
    if path.suffix.lower() != ".zip":
        return False
    try:
        with open_archive(path, limits) as archive:
            return archive.kind == "module"
    except UmpireError:
        return False


def _packs(folder: Path) -> list[Path]:
    """``pack.toml`` in the folder itself, or in one of its folders."""
    here = folder / PACK_FILE
    if here.is_file():
        return [here]
    return sorted(p / PACK_FILE for p in _entries(folder) if (p / PACK_FILE).is_file())


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def build_of(file: Path, limits: Limits = DEFAULT_LIMITS) -> str:
    """The SHA-256 of the build file of a module."""
    with open_archive(file, limits) as archive:
        return hashlib.sha256(archive.build_file()[1]).hexdigest()


def _one(files: Sequence[Path], limits: Limits) -> Path | None:
    """The only one of ``files``, or the first of copies with the same build file; None if they are others."""
    with suppress(UmpireError):
        if len(files) == 1 or len({build_of(file, limits) for file in files}) == 1:
            return files[0]
    return None


def _named(path: Path, limits: Limits) -> tuple[str, str]:
    """Name and version of a module; empty if it does not say, or cannot be read."""
    try:
        with open_archive(path, limits) as archive:
            data = archive.metadata("moduledata")
            if data is not None and data.name:
                return data.name, data.version
            return archive.build_name()
    except UmpireError:
        return "", ""


def sides_in(logs: Iterable[Path], module: Module | None, limits: Limits) -> set[str]:
    """Every side the module names or somebody plays in one of the logs."""
    sides = set(module.sides) if module is not None else set()
    for path in logs:
        sides |= sides_of(read_save(path, limits))
    return sides


def sides_of(save: SaveFile) -> set[str]:
    """The sides somebody plays in a save or log."""
    return {player.side for player in players_in(save)} - {OBSERVER, ""}
