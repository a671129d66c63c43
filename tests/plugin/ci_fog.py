"""What not every player may see is in no output; players' ids are in none whatever the options."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest
from vassal_umpire.importers.analysis.columns import TABLES
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands.stream import encode_step
from vassal_umpire.importers.vassal.grids import HexGrid
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS, MIB
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.table import Spot
from vassal_umpire.model.viewer import DIRECTOR, Viewer
from vassal_umpire.plugin.commands import convert
from vassal_umpire.plugin.discovery import module_file
from vassal_umpire.plugin.output import output_to
from vassal_umpire.plugin.output_folder import folder_to
from vassal_umpire.plugin.reading import Named, silent
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage
from vassal_umpire.plugin.table_files import FILE_FORMS
from vassal_umpire.plugin.vassal.annotation import commands_of
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.generic import RULESET

try:
    from pyarrow import parquet
except ImportError:  # the extra [frames]
    parquet = None

from . import kit

_PLAYER = re.compile(r"PLAYER\t([^\t\x1b]+)\t([^\t\x1b]*)\t([^\t\x1b]*)")
_MOVER = re.compile(r"M/[^\x1b]*/([^/\x1b]+?)(?:\\*\x1b|$)")
_SHORT = 4
PATTERNS = ("**/*.vlog", "**/*.vsav", "**/*.log", "**/*.sav", "**/*.txt")
"""All saves and logs."""
DRILL = "engine-written/drill-1-red/drill-1-red.vlog"


def output(*arguments: str | Path) -> str:
    """What a command prints on both streams; it must not fail by a fault of its own."""
    result = kit.umpire(*arguments)
    assert result.exit_code in (0, 2), result.output
    return result.output


def secrets(path: Path) -> set[str]:
    """The ids of a file's players, but for those that are ordinary words of the game as well."""
    try:
        text = read_save(path).text
    except UmpireError:
        return set()
    ids = {found[0] for found in _PLAYER.findall(text)} | set(_MOVER.findall(text))
    # The rest of the file: chat, names, sides, states. An id that also occurs there as a word (a
    # player whose password is his name) may be printed for that reason.
    rest = _MOVER.sub("", _PLAYER.sub(r"\2 \3", text))
    words = set(re.findall(r"[^\s\t\x1b;/|,<>()]+", rest))
    return {i for i in ids if len(i) >= _SHORT and i != "null" and i not in words}


@pytest.fixture(scope="module")
def our_words(corpus: Path) -> str:
    """What the commands print of a game that none of the players of the others played."""
    path = corpus / "synthetic" / "mini36.vlog"
    forms = (("inspect", "json"), ("show", "jsonl"))
    return "".join(output(name, path, "--director", "--format", form) for name, form in forms)


ANY_PACK = """
[pack]
name = "any"
version = "1"
ruleset = "generic"
[board]
sides = ["A", "B"]
complete = ["terrain", "hexsides", "lines", "levels"]
[[board.sheet]]
map = {map}
[[units.are]]
name = ".*"
[units]
side = {{ value = "A" }}
[units.attributes]
ma = {{ value = "3", number = true }}
state = [{{ property = "Invisible" }}, {{ property = "Obscured" }}, {{ property = "playerSide" }}]
[[phase]]
name = "Movement"
movers = "both"
[rules.classes]
names = ["any"]
[rules.allowance]
attribute = "ma"
[rules.terrain.costs]
clear = 2
"""


def any_pack(module: Module, folder: Path) -> Path | None:
    """A pack by which every piece on a map with hexes is a unit; None if no map has hexes."""
    for a_map in module.maps:
        for board in a_map.boards:
            grids = (board.grid, getattr(board.grid, "background", None))
            if any(isinstance(grid, HexGrid) for grid in grids):
                folder.mkdir()
                text = ANY_PACK.format(map=json.dumps(a_map.name, ensure_ascii=False))
                (folder / "pack.toml").write_text(text, encoding="utf-8")
                return folder
    return None


@pytest.fixture(scope="module")
def own_words(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The names of keys, columns and properties, as a game of none of the players holds them."""
    folder = tmp_path_factory.mktemp("words")
    return "".join(everything(corpus / DRILL, folder, packed=True))


def everything(path: Path, folder: Path, *, packed: bool) -> list[str]:
    """What ``convert`` and ``audit`` write for the director: all their formats, read once."""
    save = read_save(path)
    file = module_file(path, save.moduledata, DEFAULT_LIMITS)
    pack = any_pack(open_module(file), folder / "pack") if file is not None and packed else None
    named = Named((path,), file, pack)
    found = convert.read(named, (), DIRECTOR, DEFAULT_LIMITS, silent)
    shown = []
    for form in (f for f in convert.FORMS if parquet is not None or f != "parquet"):
        output = folder / form
        files = form in FILE_FORMS
        names = (f"{table}.{form}" for table in TABLES)
        out = folder_to(output, names, (path,)) if files else output_to(output, (path,))
        convert.write(found, form, out, DIRECTOR)
        if form == "parquet":  # its columns are compressed
            shown.extend(str(parquet.read_table(f).to_pylist()) for f in output.glob("*.parquet"))
            continue
        written = sorted(output.iterdir()) if files else [output]
        shown.extend(file.read_bytes().decode("utf-8", "replace") for file in written)
    if found.game is not None:
        shown.extend(told(audit(found.game, RULESET), found.game, DIRECTOR).values())
    return shown


def told(audited: Audit, game: Game, viewer: Viewer) -> dict[str, str]:
    """An audit in every form there is, and what would be added to an annotated log."""
    options = ReportOptions(viewer=str(viewer), verbose=True, scene=stage(game, viewer))
    shown = {name: report.render(audited, options) for name, report in reports().parts.items()}
    centres = {name: Spot("Main", 1, 1) for name in game.board.hexes}
    added = commands_of(audited, game, centres, 1, 0)
    steps = (encode_step(s) for _, a in sorted(added.items()) for s in a)
    return {**shown, "annotate": "\n".join(steps)}


@pytest.mark.each_corpus_file(*PATTERNS, one_in=12)
def test_no_player_id_is_in_any_output(
    path: Path, our_words: str, own_words: str, tmp_path: Path
) -> None:
    """Even for the director, even out of the states of hidden and masked pieces."""
    forms, ids = (("inspect", "json"), ("show", "jsonl")), secrets(path)
    told = [output(name, path, "--director", "--format", form) for name, form in forms]
    leaked = sum(1 for one in ids for text in told if one in text and one not in our_words)
    try:
        shown = everything(path, tmp_path, packed=path.stat().st_size < MIB)
    except UmpireError:
        shown = []
    spelled = {(s, json.dumps(s)[1:-1]) for s in ids if s not in own_words}
    leaked += sum(1 for ways in spelled for text in shown if any(s in text for s in ways))
    assert leaked == 0  # the number only: a failing test must not print an id


def test_ids_are_there_to_leak_and_hidden_pieces_are_not_counted(corpus: Path) -> None:
    files = sorted({path for pattern in PATTERNS for path in corpus.glob(pattern)})
    assert len(list(islice(filter(secrets, files), 30))) == 30
    for command in ("show", "inspect"):
        assert "expected one of Blue, Red" in kit.refused(command, corpus / DRILL, "--as", "Rot")
    assert "exclude each other" in kit.refused("show", corpus / DRILL, "--as", "Red", "--director")
    # At the end of Deck one tank is hidden; the deck's cards are counted, as all see them.
    end = corpus / "engine-written" / "drill-1-red" / "drill-1-red-end.vsav"
    form, eyes = ("--format", "json"), ((), ("--as", "Red"), ("--director",))
    counts = {who: json.loads(output("inspect", end, *form, *who))["pieces"] for who in eyes}
    assert counts[()] <= counts[("--as", "Red")] <= counts[("--director",)]
