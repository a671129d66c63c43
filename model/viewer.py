"""Whose knowledge an output is limited to: fog of war."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Viewer:
    """Everyone's (the default: only what every player may see), those of one ``side``, or the
    director's, who sees all."""

    side: str | None = None
    director: bool = False

    @property
    def viewers(self) -> tuple[str, ...]:
        """The sides that look, as :meth:`vassal_umpire.model.table.Piece.presence_open_to` asks."""
        return () if self.side is None else (self.side,)

    def may_see(self, seen_by: tuple[str, ...] | None) -> bool:
        """Whether something that only ``seen_by`` may know (None: everyone) is open to this viewer."""
        return self.director or seen_by is None or self.side in seen_by

    def __str__(self) -> str:
        if self.director:
            return "director"
        return "everyone" if self.side is None else f"side {self.side}"


EVERYONE = Viewer()
DIRECTOR = Viewer(director=True)
