"""The dice of a button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiceKind:
    """``number`` dice of ``sides`` sides each. ``low``: the number on the lowest side. ``total``: only the
    sum, plus ``add``, is reported. ``faces``: names of the pictures on the sides, from the lowest; they are
    reported as numbers, from ``low``."""

    number: int
    sides: int
    low: int = 1
    total: bool = False
    add: int = 0
    faces: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What one result counts: ``d6``, or ``sum of 2d6``."""
        if self.total and self.number > 1:
            return f"sum of {self.number}d{self.sides}"
        return f"d{self.sides}"

    @property
    def named_faces(self) -> tuple[str, ...]:
        """``faces``, unless they are the numbers from 1 on; empty otherwise."""
        plain = self.faces == tuple(str(number) for number in range(1, self.sides + 1))
        return () if plain else self.faces

    def thrown(self, results: Sequence[str]) -> tuple[int, ...] | None:
        """The sides that came up, from 1, or their sum; None if these dice cannot show ``results``."""
        summed = self.total and self.number > 1
        if len(results) != (1 if summed else self.number):
            return None
        if not all(len(text) < 9 and text.removeprefix("-").isdecimal() for text in results):
            return None
        most = self.sides * (self.number if summed else 1)
        least = self.number if summed else 1
        shift = (self.low - 1) * (self.number if summed else 1) + (self.add if self.total else 0)
        found = tuple(int(text) - shift for text in results)
        return found if all(least <= one <= most for one in found) else None

    def chances(self) -> dict[int, int]:
        """Relative frequencies of the results of :meth:`thrown`."""
        if not self.total:
            return dict.fromkeys(range(1, self.sides + 1), 1)
        sums = {0: 1}
        for _ in range(self.number):
            more: dict[int, int] = {}
            for so_far, times in sums.items():
                for side in range(1, self.sides + 1):
                    more[so_far + side] = more.get(so_far + side, 0) + times
            sums = more
        return sums
