"""What ``umpire batch`` takes for a game, the facts of games, and the time that one may take."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.plugin.batch.work import TimeLimit, TimeUp

from .batches import CROSSROADS, batch, rows, settings
from .kit import MODULE, PACK

EXCUSE = """
[[displacement]]
form = "other"
unit = "Blue 4 Inf"
log = "turn-1.vlog"
steps = "11"
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A folder with two logs, one below it with a copy of the second, and facts on the first."""
    folder = tmp_path / "archive"
    (folder / "other").mkdir(parents=True)
    for number in (1, 2):
        shutil.copy(CROSSROADS / f"turn-{number}.vlog", folder)
    shutil.copy(CROSSROADS / "turn-2.vlog", folder / "other" / "renamed.vlog")
    (tmp_path / "facts.toml").write_text(EXCUSE, "utf-8")
    return folder


def audited(archive: Path, out: str, **more: Any) -> dict[str, dict[str, Any]]:
    """The rows of its games by name."""
    place = archive.parent / out
    batch(archive, place, settings(module=MODULE, pack=PACK, **more))
    return {row["game"]: row for row in rows(place)}


def test_the_logs_of_a_folder_are_one_game_in_the_order_of_their_names(archive: Path) -> None:
    (archive / "turn-2.vlog").rename(archive / "turn-10.vlog")
    (archive / "turn-1.vlog").rename(archive / "turn-9.vlog")
    found = audited(archive, "out", whole=True)
    assert {name: row["logs"] for name, row in found.items()} == {
        "archive": ["turn-9.vlog", "turn-10.vlog"],
        "other": ["renamed.vlog"],
    }
    assert {row["status"] for row in found.values()} == {"done"}
    alone = audited(archive, "alone")
    assert (
        found["archive"]["drags"] == alone["turn-9.vlog"]["drags"] + alone["turn-10.vlog"]["drags"]
    )


def test_facts_are_of_the_logs_that_they_name(archive: Path) -> None:
    without, found = (
        audited(archive, "without"),
        audited(archive, "out", facts=archive.parent / "facts.toml"),
    )
    assert found["turn-1.vlog"]["illegal"] == without["turn-1.vlog"]["illegal"] - 1
    assert found["turn-2.vlog"]["illegal"] == without["turn-2.vlog"]["illegal"]
    trouble = found["other/renamed.vlog"]["trouble"]  # nothing says that it is not turn-1.vlog
    assert "renamed.vlog" in trouble
    assert "may be it under a new name" in trouble


def test_drags_that_are_not_decided_are_counted_by_reason(archive: Path) -> None:
    game = audited(archive, "out")["turn-1.vlog"]
    told = [row for row in rows(archive.parent / "out", "coverage") if row["game"] == "turn-1.vlog"]
    decided = {row["verdict"]: row["drags"] for row in told if "verdict" in row}
    assert sum(decided.values()) == game["drags_decided"]
    assert sum(row["drags"] for row in told) == game["drags"]
    assert all(("why" in row) is ("verdict" not in row) for row in told)


# what is cut off between opening a file and using it leaves the file to Python, which closes it and says so
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_game_that_takes_too_long_is_a_row_and_is_tried_again(archive: Path) -> None:
    found = audited(archive, "out", seconds=0.001)
    assert {row["status"] for row in found.values()} == {"failed"}
    assert "took longer than 0.001 s" in found["turn-1.vlog"]["trouble"]
    assert {row["status"] for row in audited(archive, "out").values()} == {"done"}


def test_a_limit_ends_what_goes_on_and_nothing_else() -> None:
    def forever() -> None:
        with TimeLimit(0.01):
            while True:
                pass

    with pytest.raises(TimeUp):
        forever()
    for _ in range(200):  # the time is up about when it is left
        try:
            with TimeLimit(0.0005):
                sum(range(9_000))
        except TimeUp:
            pass
    sum(range(100_000))
