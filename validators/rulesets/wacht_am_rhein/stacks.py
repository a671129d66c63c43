"""Stacks that are too high (5.3.0-c). The text speaks of units that end their movement so: what stood there
before, came there by a retreat or was put there is held against nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....model.finding import Finding, Move
from ....model.game import Game
from ...answers import answer
from ...concepts.sides import is_friend
from ...moves import Track
from ...ruleset import StackingRule
from ...stacking import check_stacking
from ...timeline import Timeline
from .people import ended_in
from .tables import EXPLOITATION, MOVEMENT, Tables


def crowds(
    game: Game, tracks: Sequence[Track], tables: Tables, rule: StackingRule
) -> Iterator[Finding]:
    """The stacks that exceed ``rule``, left open where no unit is seen to have ended its movement there."""
    moves = {track.move.id: track.move for track in tracks}
    for found in check_stacking(game, tracks, rule, Timeline(game)):
        told = [*found.moves, *([found.follows_from] if found.follows_from is not None else [])]
        if found.verdict != "illegal" or any(_moved(moves[n], game, tables) for n in told):
            yield found
            continue
        name = found.hexes[0]
        question = ended_in(name, found.steps[-1])
        said = answer(game, question)
        if said:
            yield found
        if said is not None:
            continue
        asked = question.unknown(f"stack in {name}")
        yield replace(
            found,
            kind="unverifiable",
            verdict="unverifiable",
            unknowns=(asked,),
            remedy=asked.question,
        )


def _moved(move: Move, game: Game, tables: Tables) -> bool:
    """Whether it is a movement for certain, and no retreat after an overrun."""
    kind = tables.phases.get(move.phase.phase or "", "")
    entered = any(place.kind != "hex" for place in move.waypoints)
    if kind not in (MOVEMENT, EXPLOITATION) or entered:
        return False
    own = all(is_friend(game, move.phase.active, game.units[unit].side) for unit in move.units)
    seen = any(move.binding[:-1])
    return kind == MOVEMENT or (own and not seen and not move.resumed)
