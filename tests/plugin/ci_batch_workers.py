"""Workers of ``umpire batch`` that end: every row is there once all the same."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import batch_work
import pytest
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.batch.engine import Run, WorkerLost
from vassal_umpire.plugin.batch.pools import ClusterPool, cluster_pool, process_pool
from vassal_umpire.plugin.batch.run import Progress
from vassal_umpire.plugin.batch.tables import tables_of

from . import kit
from .batches import archive, batch, done, nobody, rows, settings

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")


class Fragile:
    """A pool that works when asked to, in order. At a ``deadly`` task it breaks, with all under way."""

    room = 4

    def __init__(self, deadly: Counter[str]) -> None:
        self.deadly, self.waiting, self.most, self.renewed = deadly, [], 0, 0  # type: ignore[var-annotated]
        self.tried: Counter[str] = Counter()

    def submit(self, _work: Callable[[Any], Any], task: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, task))
        self.most = max(self.most, sum(not f.done() for f, _ in self.waiting))
        if len(self.waiting) == self.room or task.startswith("last"):
            self.go()
        return future

    def go(self) -> None:
        broken = False
        for future, task in self.waiting:
            self.tried[task] += 1
            if self.deadly[task] > 0:
                self.deadly[task] -= 1
                broken = True
            if broken:
                future.set_exception(BrokenProcessPool())
            else:
                future.set_result(task.upper())
        self.waiting.clear()

    def renew(self) -> None:
        self.renewed += 1
        self.room = 1 if self.renewed else self.room


def test_the_task_that_ends_its_worker_twice_is_given_up_and_no_other() -> None:
    pool = Fragile(Counter({"b": 5, "e": 1}))
    taken: list[str] = []
    lost: list[str] = []

    def give_up(task: str, error: Exception) -> None:
        assert isinstance(error, WorkerLost)
        lost.append(task)

    tasks = iter("abcdefgh")
    Run(tasks, str.upper, pool, lambda _task, result: taken.append(result), give_up).go()
    assert sorted(taken) == ["A", "C", "D", "E", "F", "G", "H"]
    assert lost == ["b"]
    assert pool.tried["b"] == 3, "once with others, twice alone"


def test_no_more_is_under_way_than_there_is_room_for() -> None:
    asked: list[int] = []
    pool = Fragile(Counter())
    taken: list[str] = []

    def tasks() -> Iterator[str]:
        for number in range(16):
            asked.append(number - len(taken))
            yield f"t{number}"

    Run(tasks(), str.upper, pool, lambda _task, result: taken.append(result), nobody).go()
    assert len(taken) == 16
    assert max(asked) < pool.room


def every_row_once(folder: Path, out: Path, tmp_path: Path) -> None:
    """The tables in ``out`` are those of a conversion in which nothing went wrong."""
    batch(folder, tmp_path / "quiet", settings("convert"))
    for table in tables_of("convert"):
        assert rows(out, table) == rows(tmp_path / "quiet", table)


@POSIX
def test_a_worker_that_is_killed_costs_no_row_and_doubles_none(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 5), tmp_path / "out"
    (folder / "game-002.vlog").rename(folder / "kills.vlog")
    (folder / "game-004.vlog").rename(folder / "once.vlog")
    how = {"pool": partial(process_pool, 2), "done": batch_work.ends_its_worker}
    batch(folder, out, settings("convert"), **how)
    found = {row["game"]: row for row in rows(out)}
    assert list(found) == sorted(found)
    assert {name: row["status"] for name, row in found.items()} == {
        "game-000.vlog": "done",
        "game-001.vlog": "done",
        "game-003.vlog": "done",
        "kills.vlog": "failed",
        "once.vlog": "done",
    }
    assert found["kills.vlog"]["trouble"].startswith("its worker ended each time")
    assert (folder / "once.seen").exists()
    (problem,) = [row for row in rows(out, "problems") if row["game"] == "kills.vlog"]
    assert problem["code"] == "worker-lost"
    again = batch(folder, out, settings("convert"))
    assert (again.progress.kept, again.progress.done, again.failed, again.others) == (4, 1, 0, 0)
    assert batch(folder, out, settings("convert"), pool=nobody).progress.kept == 5


@POSIX
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "killed"])
def test_a_run_that_ends_leaves_its_work_alone(tmp_path: Path, sign: signal.Signals) -> None:
    folder, out = archive(tmp_path / "archive", 5), tmp_path / "out"
    command = [sys.executable, batch_work.__file__, "batch", folder, "-o", out]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(
        [*map(str, command), "--do", "convert", "--workers", "1"],
        **streams,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    printed = [process.stdout.readline().strip() for _ in range(2)]
    if sign == signal.SIGINT:
        os.killpg(process.pid, sign)  # as a terminal does: the worker gets it, too
    else:
        process.send_signal(sign)
    rest, said = process.communicate()  # to the end of its output, which the worker holds, too
    assert rest == ""
    if sign == signal.SIGINT:
        assert process.returncode == 130
        line = "umpire: interrupted; 2 of 5 games done; the same command goes on from there"
        assert said.splitlines() == [line]
        assert [path.name for path in out.iterdir()] == ["batch.sqlite"]
    assert done(out) == printed
    summary = batch(folder, out, settings("convert"))
    assert (summary.progress.kept, summary.progress.done) == (2, 3)
    every_row_once(folder, out, tmp_path)


def test_a_worker_leaves_ctrl_c_to_the_command() -> None:
    with process_pool(1) as pool:
        assert not pool.submit(batch_work.hears_ctrl_c, None).result()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A real one on this machine: a scheduler, and two workers in processes of their own."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed ([cluster])")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made


@POSIX
def test_a_killed_worker_of_a_cluster_costs_no_row(cluster: Any, tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 10), tmp_path / "out"
    killed: list[int] = []

    def told(now: Progress) -> None:
        if now.done == 4:
            pid = next(iter(cluster.workers.values())).pid
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    how = {"pool": partial(cluster_pool, cluster.scheduler_address), "told": told}
    summary = batch(folder, out, settings("convert"), done=batch_work.with_number, **how)
    assert len(killed) == 1
    assert (summary.progress.done, summary.failed) == (10, 0)
    by = Counter(row.pop("umpire") for row in rows(out))
    assert str(os.getpid()) not in by, "the workers did the work"
    batch(folder, tmp_path / "quiet", settings("convert"))
    for table in tables_of("convert"):
        mine, quiet = rows(out, table), rows(tmp_path / "quiet", table)
        for row in (*mine, *quiet) if table == "games" else ():
            del row["umpire"]
        assert mine == quiet


def test_the_command_has_a_cluster_work(cluster: Any, tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 3), tmp_path / "out"
    shutil.copy(folder / "crossroads.vmod", folder / "bad.vlog")
    how = ["--to", "jsonl", "--cluster", cluster.scheduler_address]
    result = kit.umpire("batch", folder, "-o", out, *how)
    assert result.exit_code == 1, result.output
    assert [row["status"] for row in rows(out)] == ["failed", "done", "done", "done"]
    batch(folder, tmp_path / "here", settings("audit"))
    for table in tables_of("audit"):
        assert rows(out, table) == rows(tmp_path / "here", table)


def test_no_scheduler_that_answers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed ([cluster])")
    monkeypatch.setattr("vassal_umpire.plugin.batch.pools.PATIENCE", 0.1)
    folder = archive(tmp_path / "archive", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        result = kit.refused("batch", folder, "-o", tmp_path / "out", "--cluster", address)
        assert "no Dask scheduler answers" in result
        assert len(result.splitlines()) == 1, result


class Gone:
    """A client of a cluster whose scheduler was there, and is not any more."""

    status = "running"

    def get_executor(self, **_how: Any) -> Gone:
        return self

    def nthreads(self) -> dict[str, int]:
        raise OSError("connection closed")

    def submit(self, _work: Callable[[Any], Any], _task: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def test_where_the_scheduler_goes_away_the_batch_stops(tmp_path: Path) -> None:
    folder, out = archive(tmp_path / "archive", 2), tmp_path / "out"
    said = "the scheduler of the cluster is gone; what was done is kept"
    client, how = Gone(), settings("convert")
    for change in ({}, {"nthreads": lambda: {"tcp://worker": 1}}, {"status": "closed"}):
        vars(client).update(change)
        with pytest.raises(UmpireError, match=said):
            batch(folder, out, how, pool=lambda: nullcontext(ClusterPool(client)))
    assert batch(folder, out, how).progress.done == 2
