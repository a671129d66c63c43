"""Friends and enemies: how sides are related, and what to ask where that is not known.

All rulesets use these words: an ally counts as a friend; a neutral is neither a friend nor an enemy. A side
that is None, and an answer that is None, are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.fact import MissingFact
from ...model.game import Game
from ...model.unit import Unit
from ..checks import sides_unknown
from . import missing_facts


def is_enemy(game: Game, side: str | None, other: str | None) -> bool | None:
    """Whether ``other`` is an enemy of ``side``; None: not known."""
    found = game.relation(side, other)
    return None if found is None else found == "enemy"


def is_friend(game: Game, side: str | None, other: str | None) -> bool | None:
    """Whether ``other`` is ``side`` itself or its ally; None: not known."""
    found = game.relation(side, other)
    return None if found is None else found == "friend"


def missing(
    game: Game, side: str | None, unit: Unit, whose: Iterable[Unit] = ()
) -> Iterator[MissingFact]:
    """The facts that would tell whether ``unit`` is a friend or an enemy of ``side``; none if that is known.

    ``whose``: the units whose side ``side`` is. If ``side`` is None, their sides are asked for.
    """
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
