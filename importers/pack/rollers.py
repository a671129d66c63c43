"""Whose dice fell: the side of the player whom the report of a roll names."""

from __future__ import annotations

from collections import defaultdict

from ...model.table import Actor, DieRoll, LogHistory, Participant


class Rollers:
    """The players of one log, by the names that reports of rolls have for them."""

    def __init__(self, log: LogHistory) -> None:
        self._known: dict[str, set[Participant]] = defaultdict(set)
        acting = (step.actor.who for step in log.steps if step.actor is not None)
        for who in (*log.opening.players, *log.end.players, *acting):
            self._known[who.name].add(who)

    def side(self, roll: DieRoll, actor: Actor | None) -> str | None:
        """The side whose player rolled; None if the report names nobody, a name that several have, or
        somebody else than the one who moved in the same step (``actor``)."""
        mover = actor.who.side if actor is not None and actor.known_by == "move" else ""
        if not roll.player:
            return mover or None
        found = self._known.get(roll.player, set())
        side = next(iter(found)).side if len(found) == 1 else ""
        return (side or None) if mover in ("", side) else None
