"""Searches for garbage do not fall into an edit, and are made again afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from vassal_umpire.plugin.studio.judging import Collecting


@pytest.fixture
def collecting() -> Iterator[Collecting]:
    found = Collecting()
    yield found
    found.close()


def test_the_first_time_searches_are_made_as_ever_and_once(collecting: Collecting) -> None:
    before = gc.get_freeze_count()
    with collecting.around():
        assert gc.isenabled()
    assert gc.get_freeze_count() > before
    with collecting.around():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_work_that_fails_or_is_stopped_leaves_searches_on(collecting: Collecting) -> None:
    for _ in range(2):
        with pytest.raises(KeyError), collecting.around():
            raise KeyError
        assert gc.isenabled()
        with collecting.around():
            pass
    collecting.close()
    assert gc.get_freeze_count() == 0


def test_what_an_edit_leaves_behind_is_found_later(collecting: Collecting) -> None:
    class Cell:
        there = 0

        def __init__(self) -> None:
            self.itself = self
            Cell.there += 1

        def __del__(self) -> None:
            Cell.there -= 1

    with collecting.around():
        pass
    with collecting.around():
        Cell()
    assert Cell.there == 1
    gc.collect()
    assert Cell.there == 0
