"""Background jobs: their progress, and how to stop them."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...model.problem import UmpireError
from ..reading import Told

OFTEN = 0.25
"""Minimum seconds between two progress messages of a job."""


class Cancelled(BaseException):
    """A background job was stopped; no ``except Exception`` may catch it."""


@dataclass(slots=True)
class Job:
    """A background job: its present part, how much is done, and of how much (0: not known)."""

    name: str
    what: str = ""
    done: int = 0
    of: int = 0
    stop: bool = False

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {"name": self.name, "what": self.what, "done": self.done, "of": self.of}

    def teller(self, changed: Callable[[], None]) -> Told:
        """The progress callback of the job. ``changed`` is called when there is something to show. Raises
        :class:`Cancelled` once the job is to stop."""
        last = 0.0

        def told(what: str, done: int, of: int) -> None:
            nonlocal last
            if self.stop:
                raise Cancelled
            now = time.monotonic()
            if what != self.what or now - last > OFTEN:
                last = now
                self.what, self.done, self.of = what, done, of
                changed()

        return told


class Jobs:
    """The background jobs that users started. ``changed`` is called when there is something to show.
    ``failed``: by name, why the last job failed, until it is started again."""

    def __init__(self, lock: threading.RLock, changed: Callable[[], None]) -> None:
        self._lock, self._changed = lock, changed
        self._jobs: dict[str, Job] = {}
        self._closed = False
        self.failed: dict[str, str] = {}

    def begin(self, name: str, run: Callable[[Told], object]) -> bool:
        """Start a background job with progress; False if it is running already. An :class:`UmpireError` of
        ``run`` is shown until the job is started again."""
        job = Job(name)
        with self._lock:
            if name in self._jobs or self._closed:
                return False
            self._jobs[name] = job
            self.failed.pop(name, None)
            self._changed()

        def work() -> None:
            with contextlib.suppress(Cancelled):
                try:
                    run(job.teller(self._changed))
                except UmpireError as error:
                    self.failed[name] = f"{name}: {error}"
                finally:
                    with self._lock:
                        self._jobs.pop(name, None)
                        self._changed()

        threading.Thread(target=work, name=f"studio {name}", daemon=True).start()
        return True

    def is_doing(self, name: str) -> bool:
        """Whether a job is running."""
        with self._lock:
            return name in self._jobs

    def cancel(self, name: str) -> None:
        """Stop a job."""
        with self._lock:
            if name in self._jobs:
                self._jobs[name].stop = True

    def close(self) -> None:
        """Stop all jobs, and start no more."""
        with self._lock:
            self._closed = True
            for job in self._jobs.values():
                job.stop = True

    def plain(self) -> list[dict[str, Any]]:
        """All running jobs as JSON."""
        with self._lock:
            return [job.plain() for job in self._jobs.values()]
