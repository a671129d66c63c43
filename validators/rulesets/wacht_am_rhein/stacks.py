"""Overstacked hexes (5.3.0-c). The clause is about units that end their movement there. A stack of units
that were there before, retreated there or were placed there breaks nothing."""

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
from .player_questions import ended_in
from .tables import EXPLOITATION, MOVEMENT, Tables


def check_overstacking(
    game: Game, tracks: Sequence[Track], tables: Tables, rule: StackingRule
) -> Iterator[Finding]:
    """Findings for stacks that exceed ``rule``; unverifiable if no unit certainly ended its movement there
    and the facts do not say."""
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
    """Whether the move is certainly movement, and neither an entry onto the map nor a retreat after an
    overrun."""
    kind = tables.phases.get(move.phase.phase or "", "")
    entered = any(place.kind != "hex" for place in move.waypoints)
    if kind not in (MOVEMENT, EXPLOITATION) or entered:
        return False
    own = all(is_friend(game, move.phase.active, game.units[unit].side) for unit in move.units)
    seen = any(move.binding[:-1])
    return kind == MOVEMENT or (own and not seen and not move.resumed)
