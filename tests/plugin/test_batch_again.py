"""``umpire batch``: what is done again, what is taken for a game, and the time that one may take."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.plugin.batch import work as batch_work
from vassal_umpire.plugin.batch.games import Found
from vassal_umpire.plugin.batch.tasks import Planner
from vassal_umpire.plugin.batch.work import TimeLimit, TimeUp
from vassal_umpire.plugin.reading import Named

from .batches import CROSSROADS, archive, batch, nobody, rows, settings
from .kit import MODULE, PACK, TURN_2, put, zip_with

pytestmark = pytest.mark.usefixtures("unsuspected")


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive"), tmp_path / "out"
    batch(folder, out)
    before = rows(out, "moves")
    summary = batch(folder, out, pool=nobody)
    assert (summary.progress.kept, summary.progress.done) == (3, 0)
    moved = folder.rename(tmp_path / "elsewhere")
    assert batch(moved, out, pool=nobody).others == 0
    assert rows(out, "moves") == before


def test_a_game_of_which_anything_has_changed_is_another(tmp_path: Path) -> None:
    folder, facts = archive(tmp_path / "archive"), tmp_path / "facts.toml"
    facts.write_text("", "utf-8")
    alone, several = settings(whole=True), settings(facts=facts, whole=True)
    keys = []
    for how, change in (
        (alone, lambda: None),
        (alone, (folder / "pack" / "facts.toml").touch),  # a note tells of it
        (alone, lambda: put(folder / "pack" / "hexes.csv", "\n", "\n\n")),
        (alone, lambda: zip_with(MODULE, folder / MODULE.name, {"more": ""})),
        (alone, lambda: shutil.copy(TURN_2, folder / "game-000.vlog")),
        (several, lambda: None),
        (several, (tmp_path / "facts.provenance.csv").touch),
        (several, lambda: (folder / "game-002.vlog").rename(folder / "game-003.vlog")),
    ):
        change()
        keys.append(Planner(how).task(Found("archive", folder)).key)
    assert len(set(keys)) == len(keys)


def test_another_version_or_another_ruleset_does_all_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = archive(tmp_path / "archive", 1), tmp_path / "out"
    batch(folder, out)
    assert batch(folder, out, settings(ruleset="generic")).progress.done == 1
    assert batch(folder, out, settings(ruleset="generic"), pool=nobody).progress.kept == 1
    for module in ("tasks", "work", "run"):
        monkeypatch.setattr(f"vassal_umpire.plugin.batch.{module}.__version__", "99")
    assert batch(folder, out, settings(ruleset="generic")).progress.done == 1


def test_a_pack_that_comes_later_is_found(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 1), tmp_path / "out"
    (tmp_path / "far").mkdir()
    pack = (folder / "pack").rename(tmp_path / "far" / "away")
    assert batch(folder, out).failed == 1
    assert "no audit pack for" in rows(out)[0]["trouble"]
    assert batch(folder, out, pool=nobody).progress.kept == 1
    pack.rename(folder / "pack")
    assert batch(folder, out).failed == 0
    assert [row["status"] for row in rows(out)] == ["done"]
    assert rows(out, "problems") == []


def disk_gone(*_a: Any, **_k: Any) -> None:
    raise OSError(errno.EIO, "Input/output error", "game-001.vlog")


def disk_gone_in_words(*_a: Any, **_k: Any) -> None:
    try:
        disk_gone()
    except OSError:
        raise Unreadable("cannot be opened: Input/output error") from None


def no_memory(*_a: Any, **_k: Any) -> None:
    raise MemoryError


@pytest.mark.ci
@pytest.mark.parametrize(
    ("where", "fault", "said"),
    [
        ("open_game", disk_gone, "Input/output error"),
        ("open_game", disk_gone_in_words, "Input/output error"),
        ("open_game", no_memory, "more memory"),
        ("work", no_memory, "did not come back from its worker"),
    ],
)
def test_a_failure_that_may_pass_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, fault: Any, said: str
) -> None:
    folder, out = archive(tmp_path / "archive", 3), tmp_path / "out"
    (folder / "game-000.vlog").write_bytes(b"")  # fails for good
    real = getattr(batch_work, where)

    def once(first: Any, *rest: Any, **more: Any) -> Any:
        named = first if isinstance(first, Named) else first.named
        at_fault = named.logs[0].name == "game-001.vlog"
        return (fault if at_fault else real)(first, *rest, **more)

    with monkeypatch.context() as patched:
        patched.setattr(batch_work, where, once)
        summary = batch(folder, out, done=batch_work.work)
    assert (summary.progress.failed, summary.failed, summary.others) == (2, 2, 0)
    assert said in {row["game"]: row for row in rows(out)}["game-001.vlog"]["trouble"]
    summary = batch(folder, out)
    assert (summary.progress.kept, summary.progress.done) == (2, 1)
    assert (summary.progress.failed, summary.failed, summary.others) == (0, 1, 0)
    assert [row["status"] for row in rows(out)] == ["failed", "done", "done"]
    assert [row["game"] for row in rows(out, "problems")].count("game-001.vlog") == 0


def test_games_of_earlier_runs_stay(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive"), tmp_path / "out"
    batch(folder, out)
    (folder / "game-002.vlog").unlink()
    assert batch(folder, out, pool=nobody).others == 1
    assert len(rows(out)) == 3


# -- what is taken for a game, the facts of games, and the time that one may take -------------------


EXCUSE = """
[[displacement]]
form = "other"
unit = "Blue 4 Inf"
log = "turn-1.vlog"
steps = "11"
"""


@pytest.fixture
def two_logs(tmp_path: Path) -> Path:
    """A folder with two logs, one below it with a copy of the second, and facts on the first."""
    folder = tmp_path / "archive"
    (folder / "other").mkdir(parents=True)
    for number in (1, 2):
        shutil.copy(CROSSROADS / f"turn-{number}.vlog", folder)
    shutil.copy(CROSSROADS / "turn-2.vlog", folder / "other" / "renamed.vlog")
    (tmp_path / "facts.toml").write_text(EXCUSE, "utf-8")
    return folder


def audited(two_logs: Path, out: str, **more: Any) -> dict[str, dict[str, Any]]:
    """The rows of its games by name."""
    place = two_logs.parent / out
    batch(two_logs, place, settings(module=MODULE, pack=PACK, **more))
    return {row["game"]: row for row in rows(place)}


def test_the_logs_of_a_folder_are_one_game_in_the_order_of_their_names(two_logs: Path) -> None:
    (two_logs / "turn-2.vlog").rename(two_logs / "turn-10.vlog")
    (two_logs / "turn-1.vlog").rename(two_logs / "turn-9.vlog")
    found = audited(two_logs, "out", whole=True)
    assert {name: row["logs"] for name, row in found.items()} == {
        "archive": ["turn-9.vlog", "turn-10.vlog"],
        "other": ["renamed.vlog"],
    }
    assert {row["status"] for row in found.values()} == {"done"}
    alone = audited(two_logs, "alone")
    assert (
        found["archive"]["drags"] == alone["turn-9.vlog"]["drags"] + alone["turn-10.vlog"]["drags"]
    )


def test_facts_are_of_the_logs_that_they_name(two_logs: Path) -> None:
    without, found = (
        audited(two_logs, "without"),
        audited(two_logs, "out", facts=two_logs.parent / "facts.toml"),
    )
    assert found["turn-1.vlog"]["illegal"] == without["turn-1.vlog"]["illegal"] - 1
    assert found["turn-2.vlog"]["illegal"] == without["turn-2.vlog"]["illegal"]
    trouble = found["other/renamed.vlog"]["trouble"]  # nothing says that it is not turn-1.vlog
    assert "renamed.vlog" in trouble
    assert "may be it under a new name" in trouble


def test_drags_that_are_not_decided_are_counted_by_reason(two_logs: Path) -> None:
    game = audited(two_logs, "out")["turn-1.vlog"]
    told = [
        row for row in rows(two_logs.parent / "out", "coverage") if row["game"] == "turn-1.vlog"
    ]
    decided = {row["verdict"]: row["drags"] for row in told if "verdict" in row}
    assert sum(decided.values()) == game["drags_decided"]
    assert sum(row["drags"] for row in told) == game["drags"]
    assert all(("why" in row) is ("verdict" not in row) for row in told)


# what is cut off between opening a file and using it leaves the file to Python, which closes it and says so
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_game_that_takes_too_long_is_a_row_and_is_tried_again(two_logs: Path) -> None:
    found = audited(two_logs, "out", seconds=0.001)
    assert {row["status"] for row in found.values()} == {"failed"}
    assert "took longer than 0.001 s" in found["turn-1.vlog"]["trouble"]
    assert {row["status"] for row in audited(two_logs, "out").values()} == {"done"}


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
