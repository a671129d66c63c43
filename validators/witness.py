"""Witnesses: events that make a stop binding and a take-back too late, because somebody saw the position."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from ..model.game import Displacement, Game, StateChange, Witness


class Witnesses:
    """The witnesses of a game, by the index of their event.

    The methods look at the events strictly between the indices ``a`` and ``b``. ``side``: the side that made
    the step in question; None if not known, and then what other sides did is ignored unless it has no known
    actor.
    """

    __slots__ = ("_actors", "_acts", "_flips", "_logs", "_next", "_rolls")

    def __init__(self, game: Game) -> None:
        self._rolls: list[int] = []
        self._flips: list[int] = []
        self._acts: list[int] = []
        self._actors: list[str] = []
        self._logs: list[int] = [event.at.log for event in game.events]
        for index, event in enumerate(game.events):
            if isinstance(event, Witness):
                self._note(index, event)
            elif isinstance(event, Displacement | StateChange) and event.actor is not None:
                self._acted(index, event.actor)
        self._next = _next_other(self._actors)

    def _note(self, index: int, witness: Witness) -> None:
        if witness.kind == "roll" or (witness.kind == "other-side" and witness.actor is None):
            self._rolls.append(index)
        elif witness.kind == "other-side" and witness.actor is not None:
            self._acted(index, witness.actor)
        elif witness.kind in ("flip", "log-end"):
            self._flips.append(index)

    def _acted(self, index: int, actor: str) -> None:
        self._acts.append(index)
        self._actors.append(actor)

    def too_late(self, a: int, b: int, side: str | None) -> bool:
        """Whether a die was rolled or another side did something between ``a`` and ``b``. Then the position
        at ``a`` can no longer be taken back."""
        return _any(self._rolls, a, b) or self._other(a, b, side)

    def bound(self, a: int, b: int, side: str | None) -> bool:
        """Whether a stop that began at ``a`` and ended at ``b`` was witnessed: as :meth:`too_late`, or a
        counter was flipped, or the log ended."""
        if self._logs[a] != self._logs[b]:
            return True
        return _any(self._flips, a, b) or self.too_late(a, b, side)

    def _other(self, a: int, b: int, side: str | None) -> bool:
        if side is None:
            return False
        found = bisect_right(self._acts, a)
        if found < len(self._actors) and self._actors[found] == side:
            found = self._next[found]
        return found < len(self._acts) and self._acts[found] < b


def _any(indices: list[int], a: int, b: int) -> bool:
    return bisect_right(indices, a) < bisect_left(indices, b)


def _next_other(actors: list[str]) -> list[int]:
    """For each entry, the index of the next entry with a different actor; ``len(actors)`` if there is
    none."""
    following = [len(actors)] * len(actors)
    for place in range(len(actors) - 2, -1, -1):
        same = actors[place] == actors[place + 1]
        following[place] = following[place + 1] if same else place + 1
    return following
