"""Add a pack to those of the user, and take one away again."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import tomlkit

from ..importers.folder_lock import is_left, part_in
from ..importers.pack.files import FILES, pack_files
from ..importers.pack.load import load_pack
from ..importers.vassal.buildfile import open_module
from ..importers.vassal.limits import Limits
from ..model.problem import UmpireError
from .discovery import module_beside
from .known_packs import MADE_FOR, KnownPack, build_of, known_packs, packs_folder, safe_name
from .output import WouldOverwrite
from .pack_files import PackOutput
from .seal import BLANK, is_sealed


def add_pack(path: Path, module: Path | None, name: str | None, limits: Limits) -> KnownPack:
    """Copy the pack at ``path``, a folder or a zip, to those of the user. ``module``: the one it was made
    for; None: the one beside it, if there is one. ``name``: what it is called from now on; None: as its
    folder or zip. Raises :class:`UmpireError` where it is no pack, is for another module, or the name
    is taken."""
    pack = load_pack(path)
    _, files, there = pack_files(path)
    if name is not None and name != safe_name(name):
        raise UmpireError(
            "is no name for a pack", where=name, expected="letters, digits, dots and dashes"
        )
    name = name or safe_name(path.stem if path.is_file() else pack.folder)
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
    """Take a pack of the user away. Raises :class:`UmpireError` where there is none of this name, it comes
    with the program, or anything in its folder was changed or added since."""
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
    """The known pack of this name. Raises :class:`UmpireError` where there is none."""
    known = {one.name: one for one in known_packs()}
    if name not in known:
        raise UmpireError(f"there is no pack {name!r}", expected=f"one of {', '.join(known)}")
    return known[name]


def _digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def _other(folder: Path) -> str:
    """The name of something in the folder of a pack that is not as :func:`add_pack` wrote it; "": all is."""
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
