"""The packs that an audit finds without --pack: those that come with the program, and those that the user
added."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

import tomlkit

from ..importers.folder_lock import is_left, part_in
from ..importers.pack.files import FILES, pack_files, unsafe
from ..importers.pack.load import load_pack
from ..importers.pack.pack import Pack
from ..importers.vassal.buildfile import open_module
from ..importers.vassal.limits import Limits
from ..model.problem import Problem, UmpireError
from ..model.table import TableHistory
from .discovery import ModuleName, build_of, module_beside
from .output import WouldOverwrite
from .output_folder import PackOutput
from .reports.phrases import PACK_FOUND, vouched_for
from .seal import BLANK, is_sealed
from .user_folder import own_folder

INDEX = "shipped.toml"
MADE_FOR = "made-for.toml"
"""In the folder of a pack that was added: an entry as in :data:`INDEX`."""

Stated = tuple[str, str]
"""Name and version of the module that a log was played with; "" if it does not say."""


@dataclass(frozen=True)
class KnownPack:
    """A pack in ``folder``. ``module``, ``version`` and ``build`` (SHA-256 of the build file): of the module
    that it was made for; "" if it was added without one. ``is_own``: the user added it; else it comes with
    the program."""

    name: str
    folder: Path
    module: str
    version: str
    build: str
    is_own: bool = False

    @property
    def pack(self) -> Pack:
        return load_pack(self.folder)

    def told(self) -> str:
        """Name and version, and who vouches for it; if it cannot be read, why."""
        try:
            pack = self.pack
        except UmpireError as error:
            return f"cannot be read: {error}"
        return f"{pack.title or pack.name} {pack.version}, {vouched_for(pack.vouched_by)}"

    def is_of(self, module: str) -> bool:
        """Whether it is for modules of this name, in any version. An unreadable pack is for none."""
        if self.module:
            return self.module == module
        try:
            fits = self.pack.fits
        except UmpireError:
            return False
        return bool(fits.modules) and replace(fits, versions=()).module(module, "")


def safe_name(folder: str) -> str:
    """The name of a pack's folder, made safe for every system."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder).strip("-. ") or "pack"
    return f"pack-{name}" if unsafe(name) else name


def packs_folder() -> Path:
    """The folder of the user's packs; it need not exist."""
    return own_folder() / "packs"


def known_packs() -> tuple[KnownPack, ...]:
    """All known packs: first those that come with the program, then the user's."""
    return (*shipped_packs(), *own_packs())


@cache
def shipped_packs() -> tuple[KnownPack, ...]:
    """Those that come with the program, by name."""
    listed = tomllib.loads(resources.files(__package__).joinpath(INDEX).read_text("utf-8"))["pack"]
    root = Path(__file__).resolve().parent.parent / "samples"
    found = (_entry(one, one["folder"], root / one["folder"] / "pack") for one in listed)
    return tuple(one for one in found if one.folder.is_dir())


def own_packs() -> Iterator[KnownPack]:
    """The user's packs by name. A folder without a readable :data:`MADE_FOR` does not count."""
    folder = packs_folder()
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        try:
            told = tomllib.loads((place / MADE_FOR).read_text("utf-8"))
            yield replace(_entry(told, place.name, place), is_own=True)
        except (OSError, ValueError, KeyError):
            continue


def _entry(told: dict[str, str], name: str, folder: Path) -> KnownPack:
    module, version, build = (str(told[key]) for key in ("module", "version", "build"))
    return KnownPack(name, folder, module, version, build)


def made_for(module: ModuleName, file: Path, limits: Limits) -> tuple[KnownPack, ...]:
    """The packs made for exactly this module, by name, version and build file."""
    alike = [o for o in known_packs() if (o.module, o.version) == (module.name, module.version)]
    build = build_of(file, limits) if alike else ""
    return tuple(one for one in alike if one.build == build)


def of_game(module: str) -> Iterable[KnownPack]:
    """The packs for modules of this name, in any version."""
    return (one for one in known_packs() if one.is_of(module))


def stated_in(history: TableHistory) -> list[Stated]:
    """The module of each log."""
    return [(log.module_name, log.module_version) for log in history.logs]


def played_with(module: ModuleName, logs: Iterable[Stated]) -> str:
    """The module that one of the ``logs`` was played with, if it is not exactly this one; "" if there is no
    such log."""
    for name, version in logs:
        if name and (name, version or module.version) != (module.name, module.version):
            return f"{name} {version}".rstrip()
    return ""


def offered(
    module: ModuleName, exact: Sequence[KnownPack], other_module: str
) -> tuple[str, str] | None:
    """A message about packs that an audit does not use by itself, and the name of the one to try; None if
    there is none. ``exact``: those made for exactly the module. ``other_module``: from
    :func:`played_with`."""
    if exact and other_module:
        mine = f"{module.name} {module.version}".rstrip()
        told = f"the pack {exact[0].name} was made for {mine}, and a log is of {other_module}"
        return told, exact[0].name
    if exact:
        those = " and ".join(one.name for one in exact)
        return f"more than one pack was made for this module ({those})", exact[0].name
    other = next(iter(of_game(module.name)), None)
    if other is None:
        return None
    copy = f"made for another copy of this module (version {other.version})"
    made = copy if other.build else "that does not say for which copy of this module it was made"
    whose = "is one of your own" if other.is_own else "comes with the program"
    return f"a pack {made} {whose} ({other.told()})", other.name


def pack_path(named: str) -> Path:
    """The path of the known pack called ``named``; ``named`` itself if there is none, or a file or folder has
    this name."""
    path = Path(named)
    if path.name != named or os.path.lexists(path):
        return path
    return next((one.folder for one in known_packs() if one.name == named), path)


def found(one: KnownPack) -> Problem:
    """What a report says of a pack that nobody named."""
    who = "was added by whoever made this report" if one.is_own else "comes with the program"
    return Problem(
        PACK_FOUND, f"{who} and was made for exactly this module", f"the pack {one.name}", "note"
    )


def add_pack(path: Path, module: Path | None, name: str | None, limits: Limits) -> KnownPack:
    """Copy the pack at ``path``, a folder or a zip, to the user's packs. ``module``: the one it was made for;
    None: the one beside it, if any. ``name``: its new name; None: that of its folder or zip, or if that is
    ``pack``, the one in pack.toml. Raises :class:`UmpireError` if it is not a pack, is for another module, or
    the name is taken."""
    pack = load_pack(path)
    _, files, there = pack_files(path)
    if name is not None and name != safe_name(name):
        raise UmpireError(
            "is not a valid name for a pack",
            where=name,
            expected="letters, digits, dots and dashes",
        )
    called = path.stem if path.is_file() else pack.folder
    name = name or safe_name(pack.name if called == "pack" else called)
    if any(one.name.lower() == name.lower() for one in known_packs()):
        raise WouldOverwrite(
            "there is a pack of this name already",
            where=name,
            hint=f"give it another with --name, or take that one away: umpire packs remove {name}",
        )
    module = module or module_beside(there[0], pack.fits, limits)
    told = {"module": "", "version": "", "build": ""}
    if module is not None:
        opened = open_module(module, limits=limits)
        if not pack.fits.module(opened.name, opened.version):
            raise UmpireError(
                f"the pack {pack.name} is for another module",
                where=module.name,
                expected=" or ".join(pack.fits.modules + pack.fits.versions),
            )
        told = {
            "module": opened.name,
            "version": opened.version,
            "build": build_of(module, limits),
        }
    target = packs_folder() / name
    target.parent.mkdir(parents=True, exist_ok=True)
    about = tomlkit.dumps({**told, "files": _digests(files)})
    entry = f"# Written by umpire packs add.\n{about}# {BLANK}\n".encode()
    PackOutput(target, target, {}).write_as_they_are({**files, MADE_FOR: entry})
    return KnownPack(name, target, **told, is_own=True)


def remove_pack(name: str) -> KnownPack:
    """Remove a pack of the user. Raises :class:`UmpireError` if there is none of this name, it comes with the
    program, or its folder was changed since."""
    one = named_pack(name)
    if not one.is_own:
        raise UmpireError("comes with the program, and stays", where=name)
    other = _other(one.folder)
    if other:
        raise WouldOverwrite(
            f"is kept: {other} in it was changed, or added by others",
            where=str(one.folder),
            hint="copy what you need, and delete the folder yourself",
        )
    with part_in(one.folder.parent) as part:
        one.folder.rename(part)
    return one


def named_pack(name: str) -> KnownPack:
    """The known pack of this name. Raises :class:`UmpireError` if there is none."""
    known = {one.name: one for one in known_packs()}
    if name not in known:
        raise UmpireError(f"there is no pack {name!r}", expected=f"one of {', '.join(known)}")
    return known[name]


def _digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def _other(folder: Path) -> str:
    """The name of something in a pack's folder that is not as :func:`add_pack` wrote it; "" if there is
    none."""
    if folder.is_symlink():
        return "what the link leads to"
    if not is_sealed(folder / MADE_FOR):
        return MADE_FOR
    listed = tomllib.loads((folder / MADE_FOR).read_text("utf-8"))["files"]
    for name in sorted(os.listdir(folder)):
        file = folder / name
        if name == MADE_FOR or is_left(name):
            continue
        if name not in FILES or file.is_symlink() or not file.is_file():
            return name
        if _digests({name: file.read_bytes()})[name] != listed.get(name):
            return name
    return ""
