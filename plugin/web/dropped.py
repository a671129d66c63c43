"""The files that were dropped on the page, told apart by their content, in a folder of their own.

The folder lies in the memory of the page. Zips of whole folders are unpacked there, within limits and only
where every name in them is safe.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

import tomlkit

from ...importers.game_folder.folder import GAME_FILE, GameFolder, read_game_folder
from ...importers.pack.facts import FACTS_FILE
from ...importers.pack.facts_file import records_of
from ...importers.pack.files import FILES, PACK_FILE, unsafe
from ...importers.pack.load import load_pack
from ...importers.vassal.archive import open_archive
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.limits import DEFAULT_LIMITS, MIB
from ...importers.vassal.metadata import Metadata
from ...model.problem import CannotAudit, UmpireError, Unreadable
from ..desk.opening import named_of
from ..discovery import MODULE_SUFFIXES
from ..reading import Named

Kind = Literal["log", "save", "module", "extension", "pack", "table", "facts", "records", "game"]

MOST = 300 * MIB
"""Maximum bytes of all files together, packed and unpacked: what a browser tab can hold beside the
program."""
LIMITS = replace(DEFAULT_LIMITS, total_size=MOST, entry_size=MOST)

USE_THE_PROGRAM = "use the program itself for a game like this (pipx install vassal-umpire)"
MOST_ZIPS = 2
"""Maximum nesting of zips: that of a folder, and one around it."""

SAVE = ".vsav"
_OF_A_FOLDER = (".vlog", ".log", SAVE, ".sav", ".zip", *MODULE_SUFFIXES)
"""What tells a zip of several files from a pack's."""
_EXPECTED = "a log (.vlog), a module (.vmod), an audit pack, facts.toml, or a zip of a game"
_RECORDS = records_of(Path(FACTS_FILE)).name


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that was dropped: its ``name``, unique among them, its kind, and its path (for a zip of a game,
    its folder). ``sides``: those of a module. ``module``: name and version of the module of a log; "" if it
    does not say."""

    name: str
    kind: Kind
    path: Path
    sides: tuple[str, ...] = ()
    module: str = ""


class Dropped:
    """The dropped files in the folder ``root``; ``taken``: by name. ``hint``: what to do with files that are
    too large."""

    def __init__(self, root: Path, hint: str = USE_THE_PROGRAM) -> None:
        self.root, self.hint = root, hint
        self.files = root / "files"
        self.taken: dict[str, Taken] = {}
        self._sizes: dict[str, int] = {}

    def put(self, name: str, data: bytes, within: int = 0) -> tuple[Taken, ...]:
        """Add a file; ``name`` may have folders before it. A zip of a folder gives several. ``within``: how
        many zips it is in. Raises :class:`UmpireError` for a file of an unexpected kind, or too large."""
        plain = PurePosixPath(name).name
        self.refuse(plain, len(data))
        staging = self.root / "new"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        path = staging / plain
        path.write_bytes(data)
        found = self._told(path)
        if not isinstance(found, Taken):
            if within == MOST_ZIPS:
                raise Unreadable("is a zip in a zip in a zip", where=plain, expected=_EXPECTED)
            files = self._of_one_pack(plain, found)
            return self._all(files, within + 1)
        before = self.taken.get(found.name)
        if before is not None:
            if found.kind in ("log", "save") and before.path.read_bytes() != data:
                raise Unreadable(
                    "another log of this name is there", where=plain, hint="give one another name"
                )
            self.remove(found.name)
        home = self.root / "pack" if plain in FILES else self.files
        home.mkdir(exist_ok=True)
        found = replace(found, path=found.path.rename(home / found.path.name))
        self.taken[found.name] = found
        self._sizes[found.name] = len(data)
        return (found,)

    def refuse(self, name: str, size: int) -> None:
        """Raise :class:`Unreadable` if a file of ``size`` bytes is too large beside those present."""
        if sum(self._sizes.values()) - self._sizes.get(name, 0) + size > MOST:
            what = f"is too large: all files together may have {MOST // MIB} MiB"
            raise Unreadable(what, where=name, hint=self.hint)

    def remove(self, name: str) -> None:
        """Remove a file."""
        found = self.taken.pop(name)
        self._sizes.pop(name)
        if found.path.is_dir():
            shutil.rmtree(found.path)
        else:
            found.path.unlink()

    def _all(self, files: list[tuple[str, bytes]], within: int) -> tuple[Taken, ...]:
        """Add all ``files`` of a zip, or none."""
        found: list[Taken] = []
        try:
            for entry, data in files:
                found.extend(self.put(entry, data, within))
        except UmpireError:
            for one in found:
                self.remove(one.name)
            raise
        return tuple(found)

    def without_pack(self) -> None:
        """Remove the pack and all its tables, before another one comes."""
        for name in [name for name, one in self.taken.items() if one.kind in ("pack", "table")]:
            self.remove(name)

    def _of_one_pack(self, where: str, files: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        """The ``files`` of a zip, without tables in another folder than its pack. Removes the former pack."""
        paths = [(PurePosixPath(entry), entry, data) for entry, data in files]
        packs = [path.parent for path, _, _ in paths if path.name == PACK_FILE]
        facts = sum(path.name == FACTS_FILE for path, _, _ in paths)
        for number, what in ((len(packs), "audit packs"), (facts, FACTS_FILE)):
            if number > 1:
                raise Unreadable(f"holds {number} {what}", where=where, expected="one")
        if not packs:
            return files
        self.without_pack()
        return [
            (e, data) for path, e, data in paths if path.name not in FILES or path.parent in packs
        ]

    def named(self, order: Sequence[str], *, with_pack: bool = True) -> Named:
        """The input of an audit: the logs in ``order`` (names), or the game of a zip, with everything that
        belongs to it. ``with_pack``: a pack is required. Raises :class:`CannotAudit` if something is missing,
        or there are two of it."""
        game = self.game
        if game is not None:
            if order:
                raise CannotAudit(
                    f"{order[0]} lies beside the zip of a game, whose logs are in it",
                    hint="take out the one or the other",
                )
            return named_of(read_game_folder(game))
        logs = tuple(self.taken[name].path for name in order)
        if not logs:
            raise CannotAudit("no log is there yet", expected="a log of the game (.vlog)")
        pack = self._needed("pack") if with_pack else self._one("pack")
        return Named(logs, self._needed("module"), pack, self._one("facts"))

    @property
    def game(self) -> Path | None:
        """The folder of the game in a zip, completed with the dropped module and pack; None if there is no
        such zip."""
        found = self._one("game")
        if found is None:
            return None
        folder = _game_in(found)
        text = tomlkit.parse(folder.utf8.decode("utf-8"))
        for key, written in (("module", folder.module), ("pack", folder.pack)):
            beside = self._one(key)
            if beside is not None and not (written and folder.path(written).exists()):
                text["game"][key] = str(beside)
        folder.file.write_text(tomlkit.dumps(text), encoding="utf-8", newline="")
        return folder.root

    def _needed(self, kind: str) -> Path:
        found = self._one(kind)
        if found is None:
            what = {"module": "the module (.vmod)", "pack": "the audit pack (a folder or a zip)"}
            raise CannotAudit(f"{what[kind]} is not there yet", hint="drop it on the page, too")
        return found

    def _one(self, kind: str) -> Path | None:
        """The file of a kind there may be one of; of a module with its extensions beside it."""
        found = [one for one in self.taken.values() if one.kind == kind]
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            raise CannotAudit(f"{names} are both there", expected=f"one {kind}: take the other out")
        if not found:
            return None
        if kind == "module":
            self._put_extensions(found[0].path)
        return found[0].path.parent if found[0].name == PACK_FILE else found[0].path

    def _put_extensions(self, module: Path) -> None:
        """Put the extensions where VASSAL has them."""
        beside = module.with_name(f"{module.stem}_ext")
        for name, one in self.taken.items():
            if one.kind == "extension" and one.path.parent != beside:
                beside.mkdir(exist_ok=True)
                self.taken[name] = replace(one, path=one.path.rename(beside / one.path.name))

    def _told(self, path: Path) -> Taken | list[tuple[str, bytes]]:
        """What a file is; of a zip of a folder its files."""
        name = path.name
        if name == FACTS_FILE:
            return Taken(name, "facts", path)
        if name == _RECORDS:
            return Taken(name, "records", path)
        if name in FILES:
            return Taken(name, "pack" if name == PACK_FILE else "table", path)
        try:
            archive = open_archive(path, LIMITS)
        except Unreadable as error:
            if path.read_bytes()[:2] == b"PK" or not error.expected:
                raise
            raise Unreadable("is nothing to audit", where=name, expected=_EXPECTED) from None
        with archive:
            if archive.kind == "saved-game":
                about = archive.metadata("moduledata") or Metadata()
                kind: Kind = "save" if path.suffix.lower() == SAVE else "log"
                return Taken(name, kind, path, module=f"{about.name} {about.version}".strip())
            if archive.kind == "module":
                return Taken(name, "module", path, open_module(path, limits=LIMITS).sides)
            if archive.kind == "extension":
                return Taken(name, "extension", path)
            homes = [PurePosixPath(entry) for entry in archive.names if not entry.endswith("/")]
            games = sum(home.name == GAME_FILE for home in homes)
            if games > 1:
                raise Unreadable(
                    f"holds {games} games", where=name, expected="one: zip the folder of one game"
                )
            if games:
                home = self._unpacked(path)
                folder = _game_in(home)
                module = folder.path(folder.module)
                sides = open_module(module, limits=LIMITS).sides if module.is_file() else ()
                return Taken(name, "game", home, sides)
            if any(home.suffix.lower() in _OF_A_FOLDER for home in homes):
                return [(entry, data) for entry, data in _files(path) if _is_known(entry)]
        if any(home.name == PACK_FILE for home in homes):
            load_pack(path)
            return Taken(name, "pack", path)
        raise Unreadable("is nothing to audit", where=name, expected=_EXPECTED)

    def _unpacked(self, path: Path) -> Path:
        """The folder that a zip of a game is unpacked to."""
        home = path.with_name(f"{path.name} unpacked")
        for entry, data in _files(path):
            target = home / entry
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        path.unlink()
        return home


def _game_in(home: Path) -> GameFolder:
    """The game in an unpacked zip. Raises :class:`Unreadable` if its ``game.toml`` has an error."""
    return read_game_folder(next(home.rglob(GAME_FILE)).parent)


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files in a zip by name. Raises :class:`Unreadable` at a name that is not safe."""
    with open_archive(path, LIMITS) as archive:
        for entry in archive.names:
            fault = unsafe(entry)
            if fault:
                raise Unreadable(f"is not a zip to be trusted: {fault}", where=path.name)
            if not entry.endswith("/"):
                yield entry, archive.read(entry)


def _is_known(entry: str) -> bool:
    """Whether a file of a folder is looked at; notes and pictures beside a game are not."""
    file = PurePosixPath(entry)
    known = (*_OF_A_FOLDER, ".vmdx", ".mdx")
    return file.name in (*FILES, FACTS_FILE, _RECORDS) or file.suffix.lower() in known
