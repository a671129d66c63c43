"""The search for garbage waits while much is made that stays, and goes on as before afterwards."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cases import RULESETS, cases
from vassal_umpire.importers.vassal.collector import collector_paused, freeze, unfreeze
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.validators.audit import audit

LOG = Path(__file__).resolve().parents[3] / "samples" / "crossroads" / "turn-1.vlog"


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
    with collector_paused():
        assert not gc.isenabled()
    assert (gc.isenabled(), gc.get_threshold()) == before


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


def test_a_replayed_log_and_a_judged_game_leave_no_cycles() -> None:
    save = read_save(LOG)
    games = [(r, one.game) for r in RULESETS for one in list(cases(r).values())[:3]]

    def work() -> None:
        replay_log(save)
        for ruleset, game in games:
            audit(game, RULESETS[ruleset])

    work()  # what is kept for good is made now
    gc.collect()
    gc.disable()
    work()
    assert gc.collect() < 50, "compiled patterns are a few"
