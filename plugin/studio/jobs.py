"""Works in the background: how far they are, and how they are stopped."""

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
"""Seconds between two tellings of one thing."""


class Cancelled(BaseException):
    """A background work was stopped; no ``except Exception`` on the way may swallow it."""


@dataclass(slots=True)
class Job:
    """A work in the background: what it is at, how much of it is done, of how much (0: not known)."""

    name: str
    what: str = ""
    done: int = 0
    of: int = 0
    stop: bool = False

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {"name": self.name, "what": self.what, "done": self.done, "of": self.of}

    def teller(self, changed: Callable[[], None]) -> Told:
        """What the work tells how far it is; ``changed`` is called whenever that is worth showing. Raises
        :class:`Cancelled` once the work is to stop."""
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
    """The works in the background that users began. ``changed`` is called whenever there is something to
    show; ``failed``: why the last one of a name failed, until it is begun again."""

    def __init__(self, lock: threading.RLock, changed: Callable[[], None]) -> None:
        self._lock, self._changed = lock, changed
        self._jobs: dict[str, Job] = {}
        self._closed = False
        self.failed: dict[str, str] = {}

    def begin(self, name: str, run: Callable[[Told], object]) -> bool:
        """Do something long in the background, with progress; False if the same is under way already. What
        ``run`` raises as :class:`UmpireError` is shown until the same is begun again."""
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
        """Whether a work is under way."""
        with self._lock:
            return name in self._jobs

    def cancel(self, name: str) -> None:
        """Stop a work."""
        with self._lock:
            if name in self._jobs:
                self._jobs[name].stop = True

    def close(self) -> None:
        """Stop all, and begin no more."""
        with self._lock:
            self._closed = True
            for job in self._jobs.values():
                job.stop = True

    def plain(self) -> list[dict[str, Any]]:
        """All that are under way, as JSON."""
        with self._lock:
            return [job.plain() for job in self._jobs.values()]
