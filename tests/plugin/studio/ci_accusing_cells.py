"""Which cells accusations rest on, and which could clear one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")
pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

import partial_pack
from partial_studio import opened
from vassal_umpire.model.board import Board, Edge
from vassal_umpire.model.game import Game
from vassal_umpire.model.vouching import cell_of
from vassal_umpire.plugin.auditing import audit_game
from vassal_umpire.plugin.studio.accusing_cells import accusing_cells
from vassal_umpire.plugin.studio.session import Studio


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    pack = partial_pack.put(tmp_path)
    for name in ("hexes.csv", "lines.csv", "pack.toml"):
        (pack / name).write_bytes((partial_pack.SAMPLE / "pack" / name).read_bytes())
    found = opened(tmp_path, pack)
    yield found
    found.close()


def without(board: Board, name: str) -> Board:
    """A board on which the terrain of a hex is not known."""
    return replace(board, hexes={**board.hexes, name: replace(board.hexes[name], terrain=None)})


def bare(board: Board, side: Edge) -> Board:
    """A board on which nothing lies on a hexside."""
    return replace(board, sides={at: has for at, has in board.sides.items() if at != side})


def accused(studio: Studio, game: Game) -> set[tuple[tuple[str, ...], str]]:
    assert studio.opened is not None
    audit = audit_game(replace(studio.opened, game=game), None)
    return {(f.units, f.code) for f in audit.findings if f.verdict == "illegal"}


def test_a_cell_without_which_an_accusation_falls_is_among_them(studio: Studio) -> None:
    assert studio.opened is not None
    assert studio.audit is not None
    game = studio.opened.game
    found = accusing_cells(studio.audit, game.board, studio.reads)
    before = accused(studio, game)
    clearing = set()
    boards = {name: without(game.board, name) for name in sorted(game.board.hexes)[::4]}
    boards |= {cell_of(side): bare(game.board, side) for side in game.board.sides}
    for cell, board in boards.items():
        if not before <= accused(studio, replace(game, board=board)):
            clearing.add(cell)
    assert clearing
    assert clearing <= found.rest.keys() | found.could.keys()


def test_a_cheaper_way_counts_though_it_is_on_no_bill(studio: Studio) -> None:
    assert studio.audit is not None
    board = studio.opened.game.board  # type: ignore[union-attr]
    (short,) = (f for f in studio.audit.findings if f.code == "GEN-ALLOWANCE")  # 0408 to 0808
    found = accusing_cells(replace(studio.audit, findings=(short,)), board, studio.reads)
    (judged,) = (m for m in studio.audit.moves if m.move.id in short.moves)
    assert set(judged.path) <= found.rest.keys()
    assert "0609/0709" in found.rest or "0608/0709" in found.rest  # the river that is charged for
    assert {"0508", "0509"} <= found.rest.keys()  # on the path and beside it
    beyond = found.could.keys() & board.hexes.keys()
    assert "0506" in beyond  # on the way by the road, that costs as much
    assert not found.could.keys() & found.rest.keys()
    assert "0110" not in beyond  # nowhere near


def test_without_an_accusation_there_are_none(studio: Studio) -> None:
    assert studio.audit is not None
    legal = replace(studio.audit, findings=())
    assert not accusing_cells(legal, studio.opened.game.board, studio.reads)  # type: ignore[union-attr]
