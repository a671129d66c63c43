"""What the logs of a game share does not change what is read of any of them."""

from __future__ import annotations

from pathlib import Path

from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import BoardChoice
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.table_maps import Shared

CROSSROADS = Path(__file__).resolve().parents[3] / "samples" / "crossroads"
LOGS = (CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog")


def test_a_log_read_after_others_is_read_as_it_is_alone() -> None:
    module = open_module(CROSSROADS / "crossroads.vmod")
    shared = Shared(module)
    for log in (*LOGS, *LOGS):
        save = read_save(log)
        together, alone = replay_log(save, module, shared=shared), replay_log(save, module)
        for one, other in (
            (together.opening, alone.opening),
            (together.end, alone.end),
        ):
            assert dict(one.pieces) == dict(other.pieces)
            for name, piece in one.pieces.items():
                assert piece.location == other.pieces[name].location
                assert piece.properties == other.pieces[name].properties
        assert together.steps == alone.steps
        assert together.problems == alone.problems


def test_boards_that_an_opening_chose_are_not_those_of_another() -> None:
    module = open_module(CROSSROADS / "crossroads.vmod")
    (first, *_) = (one for one in module.maps if one.boards)
    shared = Shared(module)
    by_default = shared.layouts({})
    chosen = shared.layouts({first.id: [BoardChoice(first.boards[0].name, 1, 0, reversed=False)]})
    assert shared.layouts({}) is by_default
    assert chosen is not by_default
    assert chosen.layout(first.identifier) is not by_default.layout(first.identifier)
