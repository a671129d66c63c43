"""Games over several logs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.history import continuity, iter_history, read_history
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.model.table import TableHistory

GAPS = {
    "0606-2.log": 27, "0606-4.log": 10, "0607-2.log": 56, "0607-3.log": 40, "0608-2.log": 4,
    "0609-1.log": 2,
}  # fmt: skip
"""How many pieces lie elsewhere, or are or are not there, where a log begins: folding the engine's
answers over the log before gives the same (corpus README)."""


@pytest.fixture
def game(longest_day: tuple[Module, TableHistory]) -> TableHistory:
    logs = longest_day[1].logs
    return TableHistory(logs, tuple(continuity(*pair) for pair in pairwise(logs)))


def test_gaps_of_a_real_game(game: TableHistory) -> None:
    found = {
        after.source: sum(gap.place_differs for gap in gaps)
        for after, gaps in zip(game.logs[1:], game.gaps, strict=True)
    }
    assert len(found) == 16
    assert {name: count for name, count in found.items() if count} == GAPS


def test_a_log_can_go_on_from_an_earlier_one(game: TableHistory) -> None:
    """0607-3 fits the end of 0607-1 better than that of 0607-2."""
    by_name = {log.source: log for log in game.logs}
    gaps = continuity(by_name["0607-1.log"], by_name["0607-3.log"])
    assert sum(gap.place_differs for gap in gaps) == 37


def test_a_gap_tells_both_sides(game: TableHistory) -> None:
    gaps = [gap for gaps in game.gaps for gap in gaps]
    assert all(gap.before is not None or gap.after is not None for gap in gaps)
    for gap in gaps:
        if gap.before is not None and gap.after is not None:
            assert gap.place_differs == (gap.before.spot != gap.after.spot)
            assert gap.place_differs or gap.state_differs


def test_labels_of_players_go_on_from_log_to_log(game: TableHistory) -> None:
    names: dict[str, set[str]] = {}
    for step in game.steps:
        if step.actor is not None and step.actor.known_by == "move":
            names.setdefault(step.actor.who.label, set()).add(step.actor.who.side)
    assert names["player 1"] == {"Allies"}
    assert names["player 2"] == {"Germans"}


def test_logs_are_numbered_and_named(game: TableHistory) -> None:
    assert [log.source for log in game.logs][:2] == ["0606-1.log", "0606-2.log"]
    assert {step.log for step in game.logs[3].steps} == {4}
    assert all(len(log.sha256) == 64 for log in game.logs)


def test_the_end_of_a_written_log_is_the_save_made_then(corpus: Path) -> None:
    for name in ("drill-1-red", "drill-2-blue"):
        folder = corpus / "engine-written" / name
        paths = [folder / f"{name}.vlog", folder / f"{name}-end.vsav"]
        history = read_history(paths, open_module(folder / "drill.vmod"))
        assert history.gaps == ((),)


def test_a_game_goes_on_in_the_other_players_log(corpus: Path) -> None:
    folder = corpus / "engine-written"
    paths = [folder / name / f"{name}.vlog" for name in ("drill-1-red", "drill-2-blue")]
    history = read_history(paths, open_module(folder / "drill-1-red" / "drill.vmod"))
    assert history.gaps == ((),)
    assert {p.side for log in history.logs for p in log.opening.players} == {"Red", "Blue"}


def test_a_file_that_is_no_save_ends_it(corpus: Path) -> None:
    with pytest.raises(Unreadable):
        list(iter_history([corpus / "damaged" / "not-a-save.vlog"]))
