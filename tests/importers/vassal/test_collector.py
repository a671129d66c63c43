"""The search for garbage waits while much is made that stays, and goes on as before afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from vassal_umpire.importers.vassal.collector import collector_paused, collector_seldom


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


@pytest.mark.parametrize("on", [True, False])
def test_it_is_as_before_afterwards(on: bool) -> None:
    if not on:
        gc.disable()
    before = gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()
    with collector_paused(), collector_seldom():
        assert not gc.isenabled()
        assert gc.get_threshold() != before[1]
    assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == before


def test_what_was_made_meanwhile_is_old() -> None:
    with collector_paused():
        made = [[number] for number in range(1000)]
    old = {id(one) for one in gc.get_objects(generation=2)}
    assert all(id(one) in old for one in made)
