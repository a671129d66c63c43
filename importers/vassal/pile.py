"""What lies in one stack or deck at one moment."""

from __future__ import annotations

from typing import NamedTuple


class Pile(NamedTuple):
    """``members``: ids of the pieces from the bottom up; ``hidden``: of those not everybody sees."""

    members: tuple[str, ...]
    hidden: frozenset[str] = frozenset()

    def place(self, piece: str) -> int:
        """A piece's place from the bottom, from 0; -1: it is not in there."""
        return self.members.index(piece) if piece in self.members else -1
