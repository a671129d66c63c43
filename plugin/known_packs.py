"""The packs that an audit finds by itself: those that come with the program, and those of the user."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from ..importers.pack.files import unsafe
from ..importers.pack.load import load_pack
from ..importers.pack.pack import Pack
from ..importers.vassal.archive import open_archive
from ..importers.vassal.limits import DEFAULT_LIMITS, Limits
from ..importers.vassal.module import Module
from ..model.problem import Problem, UmpireError
from .reports.phrases import PACK_FOUND, vouched_for
from .user_folder import own_folder

INDEX = "shipped.toml"
MADE_FOR = "made-for.toml"
"""In the folder of a pack that was added: an entry as in :data:`INDEX`."""


@dataclass(frozen=True)
class KnownPack:
    """A pack in ``folder``, and the ``module`` that it was made for, with its ``version`` and ``build``, the
    SHA-256 of its build file; all three are "" of one that was added without its module. ``is_own``: the user
    added it; else it comes with the program."""

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
        """Name and version, and who vouches for it; of one that cannot be read, why."""
        try:
            pack = self.pack
        except UmpireError as error:
            return f"cannot be read: {error}"
        return f"{pack.title or pack.name} {pack.version}, {vouched_for(pack.vouched_by)}"

    def is_of(self, module: str) -> bool:
        """Whether it is for modules of this name, in any version. One that cannot be read is for none."""
        if self.module:
            return self.module == module
        try:
            fits = self.pack.fits
        except UmpireError:
            return False
        return bool(fits.modules) and replace(fits, versions=()).module(module, "")


def safe_name(folder: str) -> str:
    """A name made of that of a pack's folder that is one on every system."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder).strip("-. ") or "pack"
    return f"pack-{name}" if unsafe(name) else name


def packs_folder() -> Path:
    """Where the packs of the user lie; it need not be there."""
    return own_folder() / "packs"


def known_packs() -> tuple[KnownPack, ...]:
    """All of them: those that come with the program, then the user's."""
    return (*shipped_packs(), *own_packs())


@cache
def shipped_packs() -> tuple[KnownPack, ...]:
    """Those that come with the program, by name."""
    listed = tomllib.loads(resources.files(__package__).joinpath(INDEX).read_text("utf-8"))["pack"]
    root = Path(__file__).resolve().parent.parent / "samples"
    found = (_entry(one, one["folder"], root / one["folder"] / "pack") for one in listed)
    return tuple(one for one in found if one.folder.is_dir())


def own_packs() -> Iterator[KnownPack]:
    """Those that the user added, by name. A folder without a readable :data:`MADE_FOR` is none of them."""
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


def build_of(file: Path, limits: Limits = DEFAULT_LIMITS) -> str:
    """The SHA-256 of the build file of a module."""
    with open_archive(file, limits) as archive:
        return hashlib.sha256(archive.build_file()[1]).hexdigest()


def made_for(module: Module, file: Path, limits: Limits) -> tuple[KnownPack, ...]:
    """The packs that were made for just this module, by name, version and build file."""
    alike = [o for o in known_packs() if (o.module, o.version) == (module.name, module.version)]
    build = build_of(file, limits) if alike else ""
    return tuple(one for one in alike if one.build == build)


def of_game(module: str) -> Iterable[KnownPack]:
    """The packs for modules of this name, in any version."""
    return (one for one in known_packs() if one.is_of(module))


def found(one: KnownPack) -> Problem:
    """What a report says of a pack that nobody named."""
    who = "was added by whoever made this report" if one.is_own else "comes with the program"
    return Problem(
        PACK_FOUND, f"{who} and was made for just this module", f"the pack {one.name}", "note"
    )
