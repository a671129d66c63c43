"""The one engine of a batch: tasks go to an executor, a few at a time, and what comes back is taken in.

It knows neither games nor tables. An :class:`Executor` of :mod:`concurrent.futures` does the work: a pool of
processes on this machine, or a Dask cluster (:mod:`.pools`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import Generic, Protocol, TypeVar

Task = TypeVar("Task", bound=Hashable)
Result = TypeVar("Result")

STRIKES = 2
"""A task that has ended its worker so many times, alone each time, is given up."""


class WorkerLost(Exception):
    """A worker ended while it worked on this task, again and again."""


class Pool(Protocol):
    """Workers. Futures fail with ``BrokenExecutor`` where a worker ended and it is not known at which task:
    all of those under way are in question, and the pool is to be renewed. Any other failure is of its
    task."""

    @property
    def room(self) -> int:
        """How many tasks may be under way or wait for a worker at one time."""

    def submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]: ...
    def renew(self) -> None: ...


def run(
    tasks: Iterable[Task],
    work: Callable[[Task], Result],
    pool: Pool,
    take: Callable[[Task, Result], None],
    give_up: Callable[[Task, Exception], None],
) -> None:
    """Have every task worked on; each is taken or given up once. No more results than ``pool.room`` are held
    at a time.

    When a worker ends, the tasks that were under way are tried again one after the other, each alone, to
    find which of them ends its worker.
    """
    _Run(iter(tasks), work, pool, take, give_up).go()


class _Run(Generic[Task, Result]):
    def __init__(
        self,
        tasks: Iterable[Task],
        work: Callable[[Task], Result],
        pool: Pool,
        take: Callable[[Task, Result], None],
        give_up: Callable[[Task, Exception], None],
    ) -> None:
        self._tasks = iter(tasks)
        self._work, self._pool, self._take, self._give_up = work, pool, take, give_up
        self._under_way: dict[Future[Result], Task] = {}
        self._suspects: deque[Task] = deque()
        self._strikes: Counter[Task] = Counter()

    def go(self) -> None:
        while self._fill():
            done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            lost = self._gather(done)
            if lost:
                wait(self._under_way)  # they all fail, or were done just before
                self._judge([*lost, *self._gather(set(self._under_way))])

    def _fill(self) -> bool:
        """Submit as much as there is room for; whether anything is under way."""
        if self._suspects:
            if not self._under_way:
                self._submit(self._suspects.popleft())
            return True
        while len(self._under_way) < self._pool.room:
            task = next(self._tasks, None)
            if task is None:
                break
            self._submit(task)
        return bool(self._under_way)

    def _submit(self, task: Task) -> None:
        try:
            future = self._pool.submit(self._work, task)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        self._under_way[future] = task

    def _gather(self, done: set[Future[Result]]) -> list[Task]:
        """Take in what is done; the tasks whose worker may have ended."""
        lost = []
        for future in done:
            task = self._under_way.pop(future)
            try:
                result = future.result()
            except BrokenExecutor:
                lost.append(task)
            except Exception as error:  # noqa: BLE001 - the work raises nothing: it is the way there or back
                self._give_up(task, error)
            else:
                self._take(task, result)
        return lost

    def _judge(self, lost: list[Task]) -> None:
        self._pool.renew()
        if len(lost) > 1:
            self._suspects.extend(lost)
            return
        (task,) = lost
        self._strikes[task] += 1
        if self._strikes[task] < STRIKES:
            self._suspects.append(task)
        else:
            del self._strikes[task]
            self._give_up(task, WorkerLost())
