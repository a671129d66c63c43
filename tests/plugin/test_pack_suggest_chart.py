"""``umpire pack suggest-chart``: what the moves say of costs that a pack lacks; it writes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from charted import PROHIBITED, Chart, a_game
from click.testing import Result
from vassal_umpire.importers.analysis.document import document, encode
from vassal_umpire.model import schemas
from vassal_umpire.model.game import Rules

from . import kit
from .kit import files, put

CHART = Chart(
    {"clear": 1, "forest": 2, "rough": 3, "lake": PROHIBITED}, {"river": 1, "wall": 2}, 1, 6
)


def run(*args: str) -> Result:
    return kit.umpire("pack", "suggest-chart", *args)


def drawn(folder: Path, *missing: str) -> Path:
    """A drawn game as an analysis document, of whose terrain chart some rows are missing."""
    played = a_game(Random(5), CHART, phases=36, units=10)
    tables: dict[str, Any] = CHART.tables()
    for name in missing:
        del tables["terrain"]["costs"][name]
    file = folder / "drawn.json"
    game = replace(played.game, rules=Rules("generic", tables))
    file.write_bytes(encode(document(game=game)))
    return file


def test_a_missing_cost_is_told_with_what_speaks_for_it(tmp_path: Path) -> None:
    game = str(drawn(tmp_path, "forest", "lake"))
    result = run(game, "--format", "json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert schemas.faults("suggest-chart", told) == ()
    (foot,) = told["classes"]
    forest, lake = foot["numbers"]
    assert (forest["row"], forest["status"], forest["value"]) == ("forest", "pinned", "2")
    assert "at 3, " in forest["evidence"]
    assert "would be impossible; at 1, " in forest["evidence"]
    assert forest["path"] == ["rules", "terrain", "costs", "forest"]
    assert (lake["status"], lake["says"], lake["value"]) == ("no evidence", "no evidence", None)
    assert "please decide" in lake["evidence"]
    said = " ".join(run(game).output.split())
    assert "terrain forest: pinned at 2 at 3, " in said
    assert "none of them counts" in said


def test_a_class_with_few_moves_is_not_asked_and_the_pack_stays_as_it_was(game: Path) -> None:
    pack = game / "pack"
    put(pack / "pack.toml", "hills = 2\n", "")
    put(pack / "pack.toml", '"terrain", "hexsides"', '"hexsides"')
    before = files(pack)
    result = run("pack", "turn-1.vlog")
    assert result.exit_code == 0, result.output
    assert "foot is not asked: fewer than 20" in " ".join(result.output.split())
    assert files(pack) == before


def test_a_whole_chart_lacks_nothing(game: Path) -> None:
    assert "have a cost for everything" in run("pack", "turn-1.vlog").output


def test_of_a_board_of_which_nothing_is_known_no_chart_is_called_whole(game: Path) -> None:
    kit.done("pack", "new", "crossroads.vmod", "turn-1.vlog", "-o", "new")
    result = run("new", "turn-1.vlog")
    assert result.exit_code == 2
    assert "nothing is known yet of what is on the board" in result.stderr


def test_without_logs_it_says_what_to_name(game: Path) -> None:
    result = run("pack")
    assert result.exit_code == 2
    assert "name the logs of a game" in result.output
