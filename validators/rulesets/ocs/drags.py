"""What else a drag may have been: an overrun, rail, air or sea, carried, put back by an overrun."""

from __future__ import annotations

from ...engine.clauses import interpretation
from ...engine.declared import NO_MOVEMENT
from ...engine.mover_view import MoverView
from .terms import types

OWN = ("6.1b-a", "6.1c-e", "6.0-c", "6.3b-a", "X-5.S")
"""The clauses that bind a unit only where it moves by its own MPs."""


@interpretation("overrun", lifts=())
def overrun(mover: MoverView) -> bool:
    """It overran enemies who were where it was put down, or who left their hexes in the phase."""
    if not unnamed(mover) or not mover.rule("6.1-f") or not mover.may_have_met_enemies():
        return False
    return mover.told_now("overran", "was it an overrun by which {} went to the enemies' hex?")


@interpretation("rail", lifts=OWN)
def rail(mover: MoverView) -> bool:
    """It was carried by rail, to a hex at a railroad (13.3)."""
    if not unnamed(mover) or not mover.target.line_perhaps("rail", "roads"):
        return False
    anybody = "does anybody go by rail (13.3) in what these logs hold?"
    return mover.told("rail movement in the game", anybody) and mover.told_now(
        "moved by rail", "was {} carried by rail (13.3)?"
    )


@interpretation("lift", lifts=(*OWN, "6.1d-a", "6.2c-a"))
def lift(mover: MoverView) -> bool:
    """It was carried by air or sea, from air base to air base or from port to port."""
    if not unnamed(mover) or not bases(mover, mover.origin) & bases(mover, mover.target):
        return False
    anybody = "is anybody carried by air or sea in what these logs hold?"
    return mover.told("air or sea movement in the game", anybody) and mover.told_now(
        "moved by air or sea", "was {} carried by air or sea?"
    )


@interpretation("carried", lifts=(*OWN, "6.1d-a", "6.2c-a", "6.1b-c"))
def carried(mover: MoverView) -> bool:
    """It is supplies that transport points carried (13.2)."""
    if not mover.possibly("type", *types(mover, "carried")) or not mover.rule("6.1b-c"):
        return False
    return mover.told_now(
        "carried by transport points", "was {} carried by transport points (13.2)?"
    )


@interpretation("retreat", lifts=(*OWN, "6.1d-a", "6.3a-a", "6.3a-b", "X-ELIG", "6.3b-b"))
def retreat(mover: MoverView) -> bool:
    """An overrun put it back; or the phase is none of movement, in which it can only be put back."""
    if mover.phase == NO_MOVEMENT:
        return True
    named = mover.tables["overrun"]["form"] in mover.forms
    if not (unnamed(mover) or named) or not mover.rule("6.1-f"):
        return False
    if mover.target.surely_enemies or not mover.may_have_been_attacked():
        return False
    return mover.told_now("put back by an overrun", "was {} put back by an overrun?")


def unnamed(mover: MoverView) -> bool:
    """Whether the pack names no movement forms."""
    return mover.forms == ("",)


def bases(mover: MoverView, at: object) -> set[str]:
    """Which bases for transport a hex holds or may hold, as counters or on the map: ``air``, ``port``."""
    words = at.words_perhaps("type", ("airbase", "port"))  # type: ignore[attr-defined]
    return {key for key in ("air", "port") for w in words if w.startswith(key) and w != "air"}
