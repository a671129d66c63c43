"""The sample game, the command line, and games kept in folders, as tests of the commands use them."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import Result
from command_line import done, umpire
from command_line import printed as printed
from command_line import report_of as report_of
from sample_pack import CROSSROADS
from sample_pack import PROJECT as PROJECT
from sample_pack import SAMPLES as SAMPLES
from sample_pack import put as put  # tests of commands take it from here
from vassal_umpire.importers.game_folder.folder import GameFolder, read_game_folder
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.finding import Audit
from vassal_umpire.plugin.auditing import Opened
from vassal_umpire.plugin.desk.audits import GameAudits

if TYPE_CHECKING:
    from vassal_umpire.plugin.studio.session import Studio

MODULE, PACK = CROSSROADS / "crossroads.vmod", CROSSROADS / "pack"
LOGS = TURN_1, TURN_2 = CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog"
RIVER = "4d787a62018b"
"""The offence of Blue 4 Inf, which crossed a river."""
BY_KITE = ("--who", "Kite", "--when", "2026-11-23")
NO_RIVER = '[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n'
"""Facts with which Blue 4 Inf of turn 1 did nothing illegal."""
FEWER_MPS = '[[unit]]\nunit = "1790000000108"\nattributes = { ma = 3 }\n'
"""Facts with which it broke the same rule otherwise."""


def refused(*words: object) -> str:
    """What a command says on stderr that refuses what it is asked."""
    result = umpire(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr


def plain(text: str) -> str:
    """On one line."""
    return re.sub(r"\s+", " ", text)


def files(place: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}


def entry_of(archive: Path, name: str) -> str:
    """The text of an entry of a module or another zip."""
    with zipfile.ZipFile(archive) as zipped:
        return zipped.read(name).decode()


def zip_with(archive: Path, made: Path, entries: Mapping[str, bytes | str]) -> Path:
    """A copy of a module or another zip with entries that are new or others."""
    with zipfile.ZipFile(archive) as old:
        kept = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in {**kept, **entries}.items():
            new.writestr(name, data)
    return made


def rewritten(log: Path, made: Path, *changes: tuple[str, str]) -> Path:
    """``log`` as ``made``, with texts of it that are replaced by others."""
    text = read_save(log).text
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return with_text(log, made, text)


def with_text(log: Path, made: Path, text: str) -> Path:
    """A copy of a save or log with another text."""
    return zip_with(log, made, {"savedGame": encode(text, key=0x5A)})


@dataclass(frozen=True)
class Kept:
    """A game kept in a folder on a desk."""

    path: Path

    @property
    def desk(self) -> Path:
        return self.path.parent

    def audited(self) -> tuple[Opened, Audit]:
        """The game as it was read, and all that an audit says of it."""
        with GameAudits(self.read(), DEFAULT_LIMITS) as audits:
            return audits.whole()

    @property
    def toml(self) -> Path:
        return self.path / "game.toml"

    def read(self) -> GameFolder:
        return read_game_folder(self.path)

    def names(self) -> list[str]:
        """The logs in it."""
        return [log.name for log in self.read().logs]

    def files(self) -> dict[Path, bytes]:
        return files(self.path)

    def copy(self, name: str) -> Kept:
        """The same game once more on the desk."""
        shutil.copytree(self.path, self.desk / name)
        return Kept(self.desk / name)

    def edit(self, pattern: str, new: str | Callable[[re.Match[str]], str]) -> None:
        text = self.toml.read_text("utf-8")
        changed = re.sub(pattern, new, text)
        assert changed != text
        self.toml.write_text(changed, "utf-8")

    def write_facts(self, text: str) -> None:
        (self.path / "facts.toml").write_text(text, "utf-8")

    def run(self, command: str, *words: object) -> Result:
        return umpire("game", command, self.path, *words)

    def done(self, command: str, *words: object) -> str:
        return done("game", command, self.path, *words)

    def refused(self, command: str, *words: object) -> str:
        """What is said where it refuses a command; the folder is as it was."""
        before = self.files()
        said = refused("game", command, self.path, *words)
        assert self.files() == before
        return said

    def add(self, *logs: Path) -> str:
        return self.done("add", *logs)

    def status(self, *words: str) -> str:
        return self.done("status", *words)

    def mailed(self, *options: str) -> dict[str, bytes]:
        """The files of the mail by name."""
        self.done("mail", "-o", self.desk / "mail.zip", *options)
        with zipfile.ZipFile(self.desk / "mail.zip") as zipped:
            return {name.removeprefix("mail/"): zipped.read(name) for name in zipped.namelist()}

    def offence(self) -> str:
        """The id of the offence of Blue 4 Inf."""
        return re.findall(r"([0-9a-f]{12})  Blue 4 Inf", self.status())[0]


def copy_of(game: Kept, desk: Path) -> Kept:
    """A copy of a game, with a blank in its name, on another desk."""
    shutil.copytree(game.path, desk / "wren and rook")
    return Kept(desk / "wren and rook")


def studio_on(folder: Path) -> Studio:
    """A studio on the sample game, whose pack lies in ``folder``; its background work does not run."""
    from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
    from vassal_umpire.model.viewer import EVERYONE
    from vassal_umpire.plugin.auditing import read_evidence
    from vassal_umpire.plugin.reading import Named
    from vassal_umpire.plugin.studio.session import Studio

    evidence = read_evidence(Named(LOGS), DEFAULT_LIMITS)
    return Studio(folder, folder / "facts.toml", evidence, EVERYONE, DEFAULT_LIMITS)


class Jobs(list[Callable[[Callable[..., None]], None]]):
    """Works that are done when they are told to."""

    def begin(self, _name: str, run: Callable[[Callable[..., None]], None]) -> bool:
        self.append(run)
        return True

    def is_doing(self, _name: str) -> bool:
        return bool(self)


def without_hexes(folder: Path, grid: str = "") -> Path:
    """The sample's module with another ``grid`` on its map, or none; {} stands for where VASSAL has grids."""
    build = entry_of(MODULE, "buildFile.xml")
    at = "VASSAL.build.module.map.boardPicker.board."
    bare = re.sub(f"<{at}HexGrid.*?</{at}HexGrid>", grid.replace("{}", at), build, flags=re.S)
    assert bare != build
    return zip_with(MODULE, folder / MODULE.name, {"buildFile.xml": bare.encode()})


def another_module(folder: Path, of: Path = MODULE, **texts: str) -> Path:
    """The sample's module under another name, Byways, with ``texts`` of its build file exchanged."""
    build, about = (entry_of(of, name) for name in ("buildFile.xml", "moduledata"))
    for old, new in {'name="Crossroads"': 'name="Byways"', **texts}.items():
        assert old in build
        build = build.replace(old, new)
    about = about.replace("<name>Crossroads", "<name>Byways")
    return zip_with(of, folder / "byways.vmod", {"buildFile.xml": build, "moduledata": about})
