"""The search for garbage waits while much is made that stays, and goes on as before afterwards."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from vassal_umpire.importers.vassal import collector
from vassal_umpire.importers.vassal.collector import (
    collect_if_grown,
    collector_paused,
    collector_seldom,
    freeze,
    unfreeze,
)


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    gc.enable()
    yield
    unfreeze()
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
    gc.freeze()
    assert all(id(one) in old for one in made)


@pytest.mark.parametrize("by", [freeze, gc.freeze], ids=["by the studio", "by somebody else"])
def test_what_was_frozen_stays_frozen(by: Callable[[], None]) -> None:
    by()
    frozen = gc.get_freeze_count()
    with collector_paused():
        pass
    assert gc.get_freeze_count() >= frozen / 2


@pytest.mark.parametrize(("last", "freed"), [(1, True), (10**12, False)])
def test_all_is_searched_where_objects_have_grown(
    monkeypatch: pytest.MonkeyPatch, last: int, freed: bool
) -> None:
    monkeypatch.setattr(collector, "_ROOM", 0)
    monkeypatch.setattr(collector, "_AT_LAST", [last])

    class Ring:
        pass

    ring: Any = Ring()
    ring.own = ring
    gone = weakref.ref(ring)
    gc.disable()
    del ring
    collect_if_grown()
    assert (gone() is None) is freed
