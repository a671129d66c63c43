"""A cache of results that depend on whole boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import ref

from ..model.board import Board

Made = TypeVar("Made")


class BoardCache(Generic[Made]):
    """The results of one computation on a board, or on several boards together. Boards never change, so a
    result is kept for as long as they exist."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], tuple[tuple[ref[Board], ...], Made]] = {}

    def of(self, boards: tuple[Board, ...], make: Callable[[], Made]) -> Made:
        """The result for ``boards``, in this order; computed by ``make`` at the first call."""
        key = tuple(map(id, boards))
        kept = self._kept.get(key)
        if kept is not None and all(r() is b for r, b in zip(kept[0], boards, strict=True)):
            return kept[1]
        made = make()
        self._kept[key] = (
            tuple(ref(board, lambda _: self._kept.pop(key, None)) for board in boards),
            made,
        )
        return made
