"""The cells that decide a move soonest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")
pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

import partial_pack
from partial_studio import opened, read_anew
from vassal_umpire.plugin.studio.deciding_cells import FEW, deciding_cells
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.studio.suggest_area import area
from vassal_umpire.plugin.studio.suggest_desk import LAYERS, desk_of
from vassal_umpire.plugin.studio.suggest_looks import look

ALL = ",".join(LAYERS)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    found = opened(tmp_path, partial_pack.put(tmp_path))
    yield found
    found.close()


def test_a_look_at_the_few_cells_decides_a_move(studio: Studio) -> None:
    assert studio.audit is not None
    before = {m.move.id for m in studio.audit.moves if m.judged and m.verdict != "unverifiable"}
    shown = area(studio, {"layers": ALL, "cell": "next", "few": "1", "across": "18", "down": "11"})
    assert shown["few"]
    assert 0 < len(shown["cells"]) < 60
    truth = partial_pack.truth()
    rivers = partial_pack.rivers()
    said = {
        str(at): truth[cell["cell"]]
        if cell["layer"] == "terrain"
        else "river"
        if cell["layer"] == "hexsides" and cell["cell"] in rivers
        else "none"
        for at, cell in enumerate(shown["cells"])
    }
    every = list(range(len(shown["cells"])))
    asked = {"sheet": shown["id"], "said": said, "rest": "confirm", "switched": True, "seen": every}
    look(studio, asked)
    read_anew(studio)
    after = {m.move.id for m in studio.audit.moves if m.judged and m.verdict != "unverifiable"}
    assert after > before


def test_moves_of_no_known_phase_are_left_out(studio: Studio) -> None:
    assert studio.audit is not None
    assert studio.opened is not None
    game, every = studio.opened.game, frozenset(desk_of(studio).base.bare.hexes)
    board = desk_of(studio).base.bare
    moves = [m for m in studio.audit.moves if m.judged and m.verdict == "unverifiable"]
    assert len(moves) > FEW
    assert deciding_cells(board, moves, game.phases, every)
    assert not deciding_cells(board, moves, {}, every)
    assert not deciding_cells(board, moves, game.phases, frozenset())
    legal = [replace(m, verdict="legal") for m in moves]
    assert not deciding_cells(board, legal, game.phases, every)
