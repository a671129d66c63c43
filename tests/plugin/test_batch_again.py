"""``umpire batch`` run again: what is done is not done again, and what has changed or may have passed is."""

from __future__ import annotations

import errno
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.plugin.batch import work as batch_work
from vassal_umpire.plugin.batch.games import Found
from vassal_umpire.plugin.batch.tables import tables_of
from vassal_umpire.plugin.batch.tasks import Planner
from vassal_umpire.plugin.reading import Named

from .batches import CROSSROADS, archive, batch, nobody, rows, settings


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive"), tmp_path / "out"
    batch(folder, out)
    before = rows(out, "moves")
    summary = batch(folder, out, pool=nobody)
    assert (summary.progress.kept, summary.progress.done) == (3, 0)
    moved = folder.rename(tmp_path / "elsewhere")
    assert batch(moved, out, pool=nobody).others == 0
    assert rows(out, "moves") == before


def changed_log(folder: Path) -> None:
    shutil.copy(CROSSROADS / "turn-2.vlog", folder / "game-000.vlog")


def changed_pack(folder: Path) -> None:
    with (folder / "pack" / "hexes.csv").open("a", encoding="utf-8") as file:
        file.write("\n")


def changed_module(folder: Path) -> None:
    with zipfile.ZipFile(folder / "crossroads.vmod", "a") as module:
        module.comment = b"changed"


@pytest.mark.ci
@pytest.mark.parametrize(
    ("change", "again"), [(changed_log, 1), (changed_pack, 3), (changed_module, 3)]
)
def test_what_has_changed_is_done_again(tmp_path: Path, change: Any, again: int) -> None:
    folder, out = archive(tmp_path / "archive"), tmp_path / "out"
    batch(folder, out)
    change(folder)
    summary = batch(folder, out)
    assert (summary.progress.kept, summary.progress.done) == (3 - again, again)
    assert [row["game"] for row in rows(out)] == [f"game-00{number}.vlog" for number in range(3)]
    fresh = tmp_path / "fresh"
    batch(folder, fresh)
    for table in tables_of("audit"):
        assert rows(out, table) == rows(fresh, table)


def test_a_game_whose_facts_or_names_have_changed_is_another(tmp_path: Path) -> None:
    folder, facts = archive(tmp_path / "archive"), tmp_path / "facts.toml"
    facts.write_text("", "utf-8")
    several, alone = settings(facts=facts, whole=True), settings(whole=True)
    keys = []
    for change in (
        lambda: None,
        (tmp_path / "facts.provenance.csv").touch,
        lambda: (folder / "game-002.vlog").rename(folder / "game-003.vlog"),
    ):
        change()
        keys.append(Planner(several).task(Found("archive", folder)).key)
    for change in (lambda: None, (folder / "pack" / "facts.toml").touch):  # a note tells of it
        change()
        keys.append(Planner(alone).task(Found("archive", folder)).key)
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


def test_a_batch_that_was_stopped_goes_on(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 5), tmp_path / "out"

    def stop(now: Any) -> None:
        if now.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(folder, out, told=stop)
    assert {path.name for path in out.iterdir()} == {"batch.sqlite"}
    summary = batch(folder, out)
    assert (summary.progress.kept, summary.progress.done) == (2, 3)
    assert [row["game"] for row in rows(out)] == [f"game-00{number}.vlog" for number in range(5)]


def test_games_of_earlier_runs_stay(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive"), tmp_path / "out"
    batch(folder, out)
    (folder / "game-002.vlog").unlink()
    assert batch(folder, out, pool=nobody).others == 1
    assert len(rows(out)) == 3
