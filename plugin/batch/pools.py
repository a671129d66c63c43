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
"""Windows can wait for no more."""
AHEAD = 2
"""Tasks that are under way or wait, for each worker."""
LOOK_AGAIN = 5
"""Seconds after which a cluster is asked again how many workers it has."""
PATIENCE = 30
"""Seconds until a cluster must have answered, and a worker of it must be there."""


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
        """Take new processes in the place of those that are left of a broken pool."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._made()

    def close(self) -> None:
        """End all processes, whatever they are at."""
        ours: set[BaseProcess] = set(multiprocessing.active_children()) - self._others
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in ours:
            process.terminate()
        for process in ours:
            process.join()

    def _made(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, _context(), initializer=_begin)


def _context() -> BaseContext:
    """How a process is begun: where the system knows forks, as one of a process that has loaded the program
    and does nothing else."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.work"])
    return context


def _begin() -> None:
    """What a process does first: it leaves Ctrl-C to the one that began it, and ends with that one."""
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
    """A pool of processes, which have ended when this is left."""
    pool = ProcessPool(workers)
    try:
        yield pool
    finally:
        pool.close()


# -- a cluster -------------------------------------------------------------------------------------


class ClusterPool:
    """The workers of a Dask cluster, however many there are at the time. A task whose worker ends is given by
    Dask to another one, until it has ended more than ``distributed.scheduler.allowed-failures`` of them."""

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
        """Dask takes new workers in itself."""

    def close(self) -> None:
        """Take back what is not done yet."""
        self._executor.shutdown(wait=False)


def cluster_gone() -> UmpireError:
    """The error where a scheduler that answered does so no longer."""
    return UmpireError(
        "the scheduler of the cluster is gone",
        hint="what was done is kept; the same command goes on from there",
    )


@contextmanager
def cluster_pool(address: str) -> Iterator[Pool]:
    """The workers of the cluster whose scheduler has this address, or wrote this file. Raises
    :class:`UmpireError` where Dask is not installed, nobody answers, or the workers have no umpire or another
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
    """The version of this program where it is called."""
    return __version__


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
