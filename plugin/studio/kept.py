"""Answers that are worked out once and kept for as long as what they rest on stays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from .session import Studio

T = TypeVar("T")


class Kept(Generic[T]):
    """One answer for each studio, under a key that tells all it rests on; values that are compared by
    ``is`` go in as they are."""

    def __init__(self) -> None:
        self._held: WeakKeyDictionary[Studio, tuple[Hashable, object, T]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(self, studio: Studio, key: Hashable, rests_on: object, make: Callable[[], T]) -> T:
        """The answer; made anew where ``key`` is another one, or ``rests_on`` another object."""
        with self._lock:
            held = self._held.get(studio)
        if held is not None and held[0] == key and held[1] is rests_on:
            return held[2]
        made = make()
        with self._lock:
            self._held[studio] = (key, rests_on, made)
        return made
