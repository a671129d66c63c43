"""Friends and enemies: what the sides of units are to each other, and what to ask where it is not known.

The one vocabulary for it in all rulesets: an ally's unit is a friend's, a neutral's is neither a friend's
nor an enemy's. None always means not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.fact import MissingFact
from ...model.game import Game
from ...model.unit import Unit
from ..checks import sides_unknown
from . import missing_facts


def is_enemy(game: Game, side: str | None, other: str | None) -> bool | None:
    """Whether ``other`` is an enemy of ``side``."""
    found = game.relation(side, other)
    return None if found is None else found == "enemy"


def is_friend(game: Game, side: str | None, other: str | None) -> bool | None:
    """Whether ``other`` is ``side`` itself or an ally of it."""
    found = game.relation(side, other)
    return None if found is None else found == "friend"


def missing(
    game: Game, side: str | None, unit: Unit, whose: Iterable[Unit] = ()
) -> Iterator[MissingFact]:
    """What would tell whether ``unit`` is a friend or an enemy of ``side``; nothing if that is known.
    ``whose``: the units that ``side`` is the side of, to be asked about where it is None."""
    if game.relation(side, unit.side) is not None:
        return
    named = {*game.sides, *(name for r in game.relations for name in r.sides)}
    told = unit.side is not None and (not game.sides or unit.side in named)
    if side is not None and unit.side is not None and told:
        yield sides_unknown(side, unit.side)
        return
    others = [one for one in whose if side is None and one.side is None and one.id != unit.id]
    yield from map(missing_facts.of_side, others)
    if not told or not others:
        yield missing_facts.of_side(unit)
