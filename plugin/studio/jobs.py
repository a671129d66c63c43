"""Works in the background: how far they are, and how they are stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
