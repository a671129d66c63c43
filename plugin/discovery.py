"""Finding the module and the pack that lie beside a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from ..importers.pack.load import PACK_FILE, load_pack
from ..importers.pack.pack import Fits, Pack
from ..importers.vassal.archive import open_archive
from ..importers.vassal.limits import Limits
from ..importers.vassal.metadata import Metadata
from ..importers.vassal.module import Module
from ..model.problem import CannotAudit, Problem, UmpireError

MODULE_SUFFIXES = (".vmod", ".mod")


class ModuleName(Protocol):
    """What tells which packs are for a module: itself, or what it says of itself."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


def module_file(log: Path, about: Metadata | None, limits: Limits) -> Path | None:
    """The module of a log: in the log's folder or the one above it.

    A module of the name (best: and version) the log gives is taken. Where the log or the module does
    not say its name (files before VASSAL 3.1), the only module there is will do.
    """
    wanted = about.name if about is not None else ""
    version = about.version if about is not None else ""
    for folder in _folders(log):
        named: list[tuple[bool, Path]] = []
        nameless: list[Path] = []
        for path in _modules(folder):
            data = _metadata(path, limits)
            if data is None or not data.name or not wanted:
                nameless.append(path)
            elif data.name == wanted:
                named.append((data.version != version, path))
        if named:
            return min(named)[1]
        if len(nameless) == 1:
            return nameless[0]
    return None


def module_beside(pack_file: Path, fits: Fits, limits: Limits) -> Path | None:
    """The one module in the folder of a pack, or in the one above, that the pack is for; None if there is
    none, or more than one."""
    for folder in _folders(pack_file):
        about = ((path, _metadata(path, limits)) for path in _modules(folder))
        found = [
            path
            for path, data in about
            if data is None or not data.name or fits.module(data.name, data.version)
        ]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def module_problem(about: Metadata | None, module: Module | None, where: str) -> Problem | None:
    """What is amiss with the module that was found (or not) for a log."""
    wanted = about.name if about is not None else ""
    if module is None:
        missing = f"the module {wanted!r}" if wanted else "its module"
        message = (
            f"{missing} was not found beside it or above: places have no names, and what lies on one side's"
            " own map is not known to be hidden; give --module"
        )
        return Problem("no-module", message, where)
    if wanted and module.name and wanted != module.name:
        message = (
            f"it is a game of the module {wanted!r}; {module.name!r} was given; read all the same"
        )
        return Problem("wrong-module", message, where)
    return None


def pack_beside(places: Iterable[Path], module: ModuleName | None) -> Pack:
    """The pack for ``module`` in the folders of ``places`` (files), below or one above them.

    Raises :class:`CannotAudit` if there is none that fits, or more than one.
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
        raise CannotAudit(f"more than one audit pack fits ({names})", hint="choose one with --pack")
    if broken:
        raise broken[0]
    name = f"{module.name!r} {module.version}".rstrip() if module is not None else "these logs"
    others = (
        f"; those found ({', '.join(sorted(set(unfit)))}) are for other modules" if unfit else ""
    )
    raise CannotAudit(
        f"no audit pack for {name} lies beside the log{others}",
        hint="name one with --pack; 'umpire pack new' begins one (docs/packs.md)",
    )


def _folders(file: Path) -> Iterator[Path]:
    folder = file.absolute().parent
    yield folder
    if folder.parent != folder:
        yield folder.parent


def _modules(folder: Path) -> list[Path]:
    return sorted(
        p for p in _entries(folder) if p.suffix.lower() in MODULE_SUFFIXES and p.is_file()
    )


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


def _metadata(path: Path, limits: Limits) -> Metadata | None:
    try:
        with open_archive(path, limits) as archive:
            return archive.metadata("moduledata")
    except UmpireError:
        return None
