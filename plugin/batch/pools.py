"""Workers for the engine: processes of this machine, or those of a Dask cluster."""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from ... import __version__
from ...__main__ import GARBAGE
from ...model.problem import UmpireError
from ..installed import install_command
from .engine import Pool, Task

Result = TypeVar("Result")

MOST_PROCESSES = 61
"""The most processes that Windows can wait for."""
AHEAD = 2
"""Tasks in progress or waiting, for each worker."""
LOOK_AGAIN = 5
"""Seconds between two checks of how many workers a cluster has."""
PATIENCE = 30
"""Seconds within which a cluster must answer, and one of its workers must be there."""


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- this machine ----------------------------------------------------------------------------------


class ProcessPool:
    """``workers`` processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._others = set(multiprocessing.active_children())
        self._executor = self._made()

    @property
    def room(self) -> int:
        return AHEAD * self._workers

    def submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        return self._executor.submit(work, task)

    def renew(self) -> None:
        """Replace the remaining processes of a broken pool."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._made()

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        ours: set[BaseProcess] = set(multiprocessing.active_children()) - self._others
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in ours:
            process.terminate()
        for process in ours:
            process.join()

    def _made(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, _context(), initializer=_begin)


def _context() -> BaseContext:
    """How processes start: if the system can fork, from a process that has loaded the program and does
    nothing else."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.work"])
    return context


def _begin() -> None:
    """Prepare a process: it leaves Ctrl-C to its parent, and ends when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*GARBAGE)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


@contextmanager
def process_pool(workers: int) -> Iterator[Pool]:
    """A pool of processes, as a context manager; they have ended when the block is left."""
    pool = ProcessPool(workers)
    try:
        yield pool
    finally:
        pool.close()


# -- a cluster -------------------------------------------------------------------------------------


class ClusterPool:
    """The present workers of a Dask cluster. If a worker ends, Dask gives its task to another one, up to
    ``distributed.scheduler.allowed-failures`` times."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._room, self._asked = 1, -float(LOOK_AGAIN)

    @property
    def room(self) -> int:
        if time.monotonic() - self._asked >= LOOK_AGAIN:
            try:
                threads: dict[str, int] = self._client.nthreads()
            except OSError:
                raise cluster_gone() from None
            self._room = max(1, AHEAD * sum(threads.values()))
            self._asked = time.monotonic()
        return self._room

    def submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        if self._client.status != "running":
            raise cluster_gone()
        found: Future[Result] = self._executor.submit(work, task)
        return found

    def renew(self) -> None:
        """Nothing to do: Dask adds new workers itself."""

    def close(self) -> None:
        """Cancel unfinished tasks."""
        self._executor.shutdown(wait=False)


def cluster_gone() -> UmpireError:
    """The error if a scheduler no longer answers."""
    return UmpireError(
        "the scheduler of the cluster is gone",
        hint="what was done is kept; the same command goes on from there",
    )


@contextmanager
def cluster_pool(address: str) -> Iterator[Pool]:
    """The workers of the cluster whose scheduler has this address, or wrote this file. Raises
    :class:`UmpireError` if Dask is not installed, nobody answers, or the workers have no umpire or another
    version of it."""
    distributed = _distributed()
    how = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    try:
        client = distributed.Client(**how, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UmpireError(
            f"no Dask scheduler answers ({_first_line(error)})",
            where=address,
            expected="the address of a scheduler, such as tcp://127.0.0.1:8786",
        ) from None
    with client:
        pool = ClusterPool(client)
        _check_workers(client, pool, address)
        try:
            yield pool
        finally:
            pool.close()


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise UmpireError(
            "a cluster needs Dask, which is not installed",
            hint=f"install it with: {install_command(['dask[distributed]'])}",
        ) from None
    return distributed


def _check_workers(client: Any, pool: ClusterPool, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        there = pool.submit(version_of, "umpire").result(timeout=PATIENCE)
    except TimeoutError:
        raise UmpireError(
            "has no worker that answers", where=address, hint="start one: dask worker ADDRESS"
        ) from None
    except Exception as error:  # noqa: BLE001 - whatever a worker without umpire raises
        raise UmpireError(
            f"its workers cannot run umpire ({type(error).__name__}: {_first_line(error)})",
            where=address,
            hint="install the same version of vassal-umpire for each worker",
        ) from None
    if there != __version__:
        raise UmpireError(
            f"its workers have vassal-umpire {there}",
            where=address,
            expected=f"{__version__}, as here",
        )


def version_of(_program: str) -> str:
    """The version of this program; called on a worker."""
    return __version__


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
