"""Friends and enemies: the relations of sides and the questions about them; and units whose hex is not known.

In all rulesets an ally counts as a friend; a neutral is neither a friend nor an enemy. None, for a side or a
result, means not known.

A unit whose hex is not known is in no hex of a situation. A check that accuses a move because no unit is in a
hex must therefore consider these units as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.fact import MissingFact
from ...model.game import Game
from ...model.unit import Unit
from ..checks import sides_unknown
from ..situation import Situation
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

    ``whose``: the units of side ``side``. If ``side`` is None, their sides are among the facts.
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
    """The units (no markers) on the map, perhaps in play, whose hex is not known at the start of the
    situation."""
    return tuple(
        unit
        for unit, known in situation.game.units.items()
        if known.kind != "marker"
        and situation.where(unit).kind == "unclear"
        and situation.in_play(unit).may_be(True)
    )


def perhaps_with(situation: Situation, unit: str, hex_name: str | None = None) -> tuple[str, ...]:
    """The other units that may be stacked with a unit: those that may be in ``hex_name`` (None: in the unit's
    own hex), and those whose hex is not known. If the unit's own hex is not known: all units in hexes. Empty
    if it is off the map."""
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
