"""The packs that come with the program."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from ..importers.pack.load import load_pack
from ..importers.pack.pack import Pack
from ..importers.vassal.archive import open_archive
from ..importers.vassal.limits import DEFAULT_LIMITS, Limits
from ..importers.vassal.module import Module
from ..model.problem import Problem
from .reports.phrases import NOBODY_VOUCHES

INDEX = "shipped.toml"


@dataclass(frozen=True)
class Shipped:
    """A pack that comes with the program: its ``folder``, and the ``module`` that it was made for, with its
    ``version`` and ``build``, the SHA-256 of its build file."""

    name: str
    folder: Path
    module: str
    version: str
    build: str

    @property
    def pack(self) -> Pack:
        return load_pack(self.folder)

    def told(self) -> str:
        """Name and version, and who vouches for it."""
        pack = self.pack
        vouched = f"vouched for by {pack.vouched_by}" if pack.vouched_by else NOBODY_VOUCHES
        return f"{pack.title or pack.name} {pack.version}, {vouched}"


@cache
def shipped_packs() -> tuple[Shipped, ...]:
    """All of them, by name."""
    listed = tomllib.loads(resources.files(__package__).joinpath(INDEX).read_text("utf-8"))["pack"]
    root = Path(__file__).resolve().parent.parent / "samples"
    found = (
        Shipped(
            one["folder"],
            root / one["folder"] / "pack",
            *map(one.get, ("module", "version", "build")),
        )
        for one in listed
    )
    return tuple(one for one in found if one.folder.is_dir())


def build_of(file: Path, limits: Limits = DEFAULT_LIMITS) -> str:
    """The SHA-256 of the build file of a module."""
    with open_archive(file, limits) as archive:
        return hashlib.sha256(archive.build_file()[1]).hexdigest()


def made_for(module: Module, file: Path, limits: Limits) -> Shipped | None:
    """The one pack that was made for just this module, by name, version and build file; None: there is none,
    or more than one."""
    alike = [one for one in of_game(module.name) if one.version == module.version]
    found = [one for one in alike if one.build == build_of(file, limits)] if alike else []
    return found[0] if len(found) == 1 else None


def of_game(module: str) -> Iterable[Shipped]:
    """The packs for modules of this name, in any version."""
    return (one for one in shipped_packs() if one.pack.fits.module(module, one.version))


def used(one: Shipped) -> Problem:
    """What a report says of a pack that nobody named."""
    message = f"comes with the program and was made for this module: it is used ({one.told()})"
    return Problem("shipped-pack", message, f"the pack {one.name}", "note")
