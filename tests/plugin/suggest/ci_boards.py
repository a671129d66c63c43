"""Two boards whose truth is known, of those the constants were not fitted to."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

import boards
import suggesting


@pytest.fixture(scope="module", params=[("bd72", False), ("bdn", True)], ids=["bd72", "bdn-scan"])
def board(request: pytest.FixtureRequest) -> boards.Board:
    where = boards.folder()
    if where is None:
        pytest.skip("the boards are not on this machine (set UMPIRE_CORPUS)")
    name, scan = request.param
    return boards.board(where / name, scan=scan)


def test_the_printed_grid_and_terrain(board: boards.Board) -> None:
    answers = [each for seed in range(3) for each in suggesting.hex_answers(board, 3, seed)]
    sure = [each for each in answers if suggesting.is_sure(each)]
    assert len(sure) >= 0.8 * len(answers)
    assert sum(not suggesting.is_right(each) for each in sure) <= 0.005 * len(sure)
    assert board.survey.fit.fits is True
    moved = board.survey.cells.shifted(8.0, 5.0)
    assert boards.Survey(board.survey.picture, moved).fit.fits is False


def test_roads(board: boards.Board) -> None:
    answers = [
        one for seed in range(2) for one in suggesting.side_answers(board, 3, seed, lines=True)
    ]
    there = [each for each in answers if each[1] is not None]
    said = [each for each in answers if suggesting.is_sure(each) and each[0].kind is not None]
    assert sum(suggesting.is_right(each) for each in said) >= 0.8 * len(there)
    assert sum(not suggesting.is_right(each) for each in said) <= 0.06 * len(said)
