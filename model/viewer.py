"""The viewer whose knowledge limits an output (fog of war)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Viewer:
    """The reader of an output: everyone (the default; sees only what every player may see), the players of
    one ``side``, or the director, who sees everything."""

    side: str | None = None
    director: bool = False

    @property
    def viewers(self) -> tuple[str, ...]:
        """The sides that look, as :meth:`vassal_umpire.model.table.Concealment.open_to` takes them."""
        return () if self.side is None else (self.side,)

    def may_see(self, seen_by: tuple[str, ...] | None) -> bool:
        """Whether this viewer may see something that only ``seen_by`` may know (None: everyone)."""
        return self.director or seen_by is None or self.side in seen_by

    def __str__(self) -> str:
        if self.director:
            return "director"
        return "everyone" if self.side is None else f"side {self.side}"


EVERYONE = Viewer()
DIRECTOR = Viewer(director=True)
