"""Gaps between logs: only what somebody changed counts, not what the engine keeps for itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.table import LogHistory


@pytest.fixture(scope="module")
def turns(project: Path) -> tuple[LogHistory, LogHistory]:
    """The two logs of Crossroads; the first moves ten counters and disrupts an eleventh."""
    folder = project / "samples" / "crossroads"
    module = open_module(folder / "crossroads.vmod")
    one, two = (replay_log(read_save(folder / f"turn-{n}.vlog"), module, log=n) for n in (1, 2))
    return one, two


def test_logs_that_join_leave_no_gap(turns: tuple[LogHistory, LogHistory]) -> None:
    assert gaps_between(turns) == ((),)


def test_log_begun_from_an_older_position_differs_in_all_it_had_changed(
    turns: tuple[LogHistory, LogHistory],
) -> None:
    one, _ = turns
    [between] = gaps_between([one, one])
    elsewhere = {gap.before.name for gap in between if gap.place_differs and gap.before}
    assert elsewhere == {
        *(f"Blue {n} Inf" for n in range(1, 6)),
        *("Blue 1 Tank", "Blue 2 Tank", "Blue Motor Inf", "Blue Recon", "Blue HQ"),
    }
    otherwise = {gap.before.name for gap in between if gap.state_differs and gap.before}
    assert otherwise == {"Red 1 Inf disrupted", "Blue 4 Inf"}


def test_piece_that_is_gone_is_a_gap(turns: tuple[LogHistory, LogHistory]) -> None:
    one, two = turns
    gone = next(iter(two.opening.pieces))
    others = {key: piece for key, piece in two.opening.pieces.items() if key != gone}
    late = replace(two, opening=replace(two.opening, pieces=others))
    [[gap]] = gaps_between([one, late])
    assert (gap.id, gap.place_differs, gap.after) == (gone, True, None)
    assert gap.before is not None
