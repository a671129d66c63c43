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
    before = gc.isenabled(), gc.get_threshold()
    with collector_paused(), collector_seldom():
        assert not gc.isenabled()
        assert gc.get_threshold() != before[1]
    assert (gc.isenabled(), gc.get_threshold()) == before


def test_it_is_as_before_when_the_last_of_several_is_done() -> None:
    """Threads of the studio judge side by side, and the first to begin may be the first to end."""
    before, one, other = gc.get_threshold(), collector_seldom(), collector_seldom()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert gc.get_threshold() != before
    other.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_what_was_made_meanwhile_is_old() -> None:
    with collector_paused():
        made = [[number] for number in range(1000)]
    old = {id(one) for one in gc.get_objects(generation=2)}
    assert all(id(one) in old for one in made)
