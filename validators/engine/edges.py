"""Kinds and directions of the edges of a board."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    pass


Place = dict[str, tuple[tuple[Hashable, int | None], ...]]


class Edges:
    """Kinds and directions of the edges of a board, and the neighbours of its hexes."""

    def __init__(self, board: Any) -> None:
        self.board = board
        self.edges: dict[tuple[str, str], tuple[Hashable, int | None]] = {}
        self.ways: dict[str, tuple[int | None, ...]] = {}
        self.near: dict[str, Sequence[str]] = {}
        self.features: dict[Any, Any] = {}
        self.lines: dict[str, Any] = {}
