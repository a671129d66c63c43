"""Friends and enemies: how sides are related, and what to ask where that is not known; and units whose place
on the map cannot be told.

All rulesets use these words: an ally counts as a friend; a neutral is neither a friend nor an enemy. A side
that is None, and an answer that is None, are not known.

A unit whose place cannot be told is in no hex of a situation, and so must be thought of wherever the absence
of a unit would hold a move against somebody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.fact import MissingFact
from ...model.game import Game
from ...model.unit import Unit
from ..checks import sides_unknown
from ..ruleset import Situation
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


def of_unclear_place(situation: Situation) -> tuple[str, ...]:
    """The units (no markers) on the map, perhaps in play, whose hex cannot be told at the start of the
    situation."""
    return tuple(
        unit
        for unit, known in situation.game.units.items()
        if known.kind != "marker"
        and situation.where(unit).kind == "unclear"
        and situation.in_play(unit).may_be(True)
    )


def perhaps_with(situation: Situation, unit: str, hex_name: str | None = None) -> tuple[str, ...]:
    """The other units that may be stacked with a unit: those that may be in ``hex_name`` (None: in the hex
    where the unit is), and those whose place cannot be told. All units on hexes if its own place cannot be
    told. Empty if it is off the map."""
    place = situation.where(unit)
    here = place.hex if hex_name is None else hex_name
    found: tuple[str, ...] = ()
    if here is not None:
        found = situation.possibly_in(here)
    elif place.kind == "unclear":
        units = situation.game.units
        found = tuple(
            u for u in units if situation.where(u).kind == "hex" and units[u].kind != "marker"
        )
    else:
        return ()
    return tuple(u for u in (*found, *of_unclear_place(situation)) if u != unit)
