"""Whole files that changed ones are made of: the project's own games, and what its commands write."""

from __future__ import annotations

import json
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin.cli import main

PROJECT = Path(__file__).resolve().parents[2]
CROSSROADS = PROJECT / "samples" / "crossroads"
DRILL = PROJECT / "tests" / "importers" / "pack" / "drill"
DATA = PROJECT / "tests" / "importers" / "vassal" / "data"


@dataclass(frozen=True)
class Game:
    """A log with its module and pack; ``ids``: the players' ids (passwords) that it holds."""

    log: Path
    module: Path | None
    pack: Path | None
    facts: Path | None
    ids: tuple[str, ...]


CROSS = Game(
    CROSSROADS / "turn-1.vlog",
    CROSSROADS / "crossroads.vmod",
    CROSSROADS / "pack",
    CROSSROADS / "settled.toml",
    ("crossroads-key-of-wren",),
)
RED = Game(DRILL / "drill-1-red.vlog", DRILL / "drill.vmod", None, None, ("drill-key-r",))
BLUE = Game(
    DRILL / "drill-2-blue.vlog", DRILL / "drill.vmod", None, None, ("drill-key-r", "drill-key-u")
)
DECK = Game(DATA / "deck.vlog", None, None, None, ("oracle-secret",))
RICH = Game(DATA / "rich.vlog", None, None, None, ("pw1",))
GAMES = (CROSS, CROSS, RED, BLUE, DECK, RICH)
MODULES = (
    CROSSROADS / "crossroads.vmod",
    DRILL / "drill.vmod",
    DATA / "grids.vmod",
    DATA / "zones.vmod",
)


def secret(number: int) -> str:
    """What stands in place of a player's id: as long a text as no output holds by chance."""
    return f"umpire-secret-{number}-of-nobody"


@cache
def log_text(game: Game) -> str:
    """The text of a log, with :func:`secret` for the ids of its players."""
    text = read_save(game.log).text
    for number, one in enumerate(game.ids):
        text = text.replace(one, secret(number))
    return text


@cache
def entries(module: Path) -> dict[str, bytes]:
    """The entries of a module."""
    with zipfile.ZipFile(module) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@cache
def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


@cache
def analysis() -> dict[str, Any]:
    """The sample game as an analysis document."""
    return _written("convert", CROSS.log, "--pack", CROSS.pack, "--facts", CROSS.facts, "-o")


@cache
def bare_analysis() -> dict[str, Any]:
    """The same with nothing in it but the game, which is what an audit looks at."""
    return {key: part for key, part in analysis().items() if key not in ("module", "table")}


@cache
def report() -> dict[str, Any]:
    """The JSON report of the sample game."""
    return _written("audit", CROSS.log, "--format", "json", "-o")


def _written(*arguments: object) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.json"
        result = CliRunner().invoke(main, [*map(str, arguments), str(target)])
        assert result.exit_code in (0, 1), result.output
        return json.loads(target.read_text("utf-8"))


@cache
def packs() -> tuple[Path, ...]:
    """The packs of the samples."""
    return tuple(sorted(path.parent for path in PROJECT.glob("samples/*/pack/pack.toml")))


@cache
def case_files() -> tuple[Path, ...]:
    return tuple(sorted(PROJECT.glob("tests/conformance/*/*.toml")))
