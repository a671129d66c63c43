"""The engine of a batch: submits tasks to an executor, a few at a time, and collects their results.

It knows neither games nor tables. An :class:`Executor` of :mod:`concurrent.futures` does the work: a pool of
processes on this machine, or a Dask cluster (:mod:`.pools`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

Task = TypeVar("Task", bound=Hashable)
Result = TypeVar("Result")

STRIKES = 2
"""A task is given up after it has ended its worker this many times while running alone."""


class WorkerLost(Exception):
    """A worker ended repeatedly while it worked on this task."""


class Pool(Protocol):
    """Workers. Futures fail with ``BrokenExecutor`` if a worker ended at an unknown task: any task in
    progress may be the cause, and the pool must be renewed. Any other failure belongs to its task."""

    @property
    def room(self) -> int:
        """Maximum number of tasks in progress or waiting for a worker."""

    def submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]: ...
    def renew(self) -> None: ...


@dataclass
class Run(Generic[Task, Result]):
    """Has every task worked on; each is taken or given up once. At most ``pool.room`` results are held at a
    time.

    When a worker ends, the tasks in progress are tried again one by one, each alone, to find the one that
    ends its worker.
    """

    tasks: Iterator[Task]
    work: Callable[[Task], Result]
    pool: Pool
    take: Callable[[Task, Result], None]
    give_up: Callable[[Task, Exception], None]
    _under_way: dict[Future[Result], Task] = field(default_factory=dict)
    _suspects: deque[Task] = field(default_factory=deque)
    _strikes: Counter[Task] = field(default_factory=Counter)

    def go(self) -> None:
        while self._fill():
            done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            lost = self._gather(done)
            if lost:
                wait(self._under_way)  # they all fail, or were done just before
                self._judge([*lost, *self._gather(set(self._under_way))])

    def _fill(self) -> bool:
        """Submit tasks while there is room; returns whether any are in progress."""
        if self._suspects:
            if not self._under_way:
                self._submit(self._suspects.popleft())
            return True
        while len(self._under_way) < self.pool.room:
            task = next(self.tasks, None)
            if task is None:
                break
            self._submit(task)
        return bool(self._under_way)

    def _submit(self, task: Task) -> None:
        try:
            future = self.pool.submit(self.work, task)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        self._under_way[future] = task

    def _gather(self, done: set[Future[Result]]) -> list[Task]:
        """Collect finished tasks; returns the tasks whose worker may have ended."""
        lost = []
        for future in done:
            task = self._under_way.pop(future)
            try:
                result = future.result()
            except BrokenExecutor:
                lost.append(task)
            except Exception as error:  # noqa: BLE001 - the work raises nothing: it is the way there or back
                self.give_up(task, error)
            else:
                self.take(task, result)
        return lost

    def _judge(self, lost: list[Task]) -> None:
        self.pool.renew()
        if len(lost) > 1:
            self._suspects.extend(lost)
            return
        (task,) = lost
        self._strikes[task] += 1
        if self._strikes[task] < STRIKES:
            self._suspects.append(task)
        else:
            del self._strikes[task]
            self.give_up(task, WorkerLost())
