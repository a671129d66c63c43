"""Units whose place on the map cannot be told. They are in no hex of a situation, and so must be thought of
wherever the absence of a unit would hold a move against somebody."""

from __future__ import annotations

from ..ruleset import Situation


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
