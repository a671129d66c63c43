"""What else a drag may have been: then the unit went where the log shows it, and no clause on movement
applies."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.clauses import interpretation
from ...engine.mover_view import MoverView
from .terms import DRIVEN, FOOT


@interpretation("carried")
def carried(mover: MoverView) -> bool:
    """It was carried: by a unit that the log shows going the same way."""
    unit, history = mover.unit, mover.history
    rode = {
        history.carried(unit, drag, mover.rules.may_be("class", DRIVEN)) for drag in mover.drags
    }
    if len(rode) == 1 and None not in rode:
        return bool(rode.pop())
    target = mover.move.target.name
    if history.carrier(unit.id, mover.drags[0]) not in (None, ""):
        return mover.told(
            f"carried to {target}", f"was {unit.name} carried in its move to {target}?", unit
        )
    return mover.doubted("aboard")


@interpretation("borne")
def borne(mover: MoverView) -> bool:
    """It is a support weapon's counter, which goes with whoever carries it."""
    if not mover.known["class"].must_be("weapon"):
        return False
    bearers = [
        u for u in mover.rules.may_be("class", FOOT) if mover.rules.may_be_friends(mover.unit, u)
    ]
    return all(any(mover.history.goes_along(u, drag) for u in bearers) for drag in mover.drags)


@interpretation("put back")
def put_back(mover: MoverView) -> bool:
    """Opportunity Fire stopped it in a hex on its way, and its counter was put back there (13.8)."""
    return mover.phase != "advance" and was_put_back(mover)


def was_put_back(mover: MoverView) -> bool:
    name, unit = mover.unit.name, mover.unit
    hexes = mover.history.put_back(unit.id, mover.drags)
    text = "was {} stopped in {} by Opportunity Fire (13.8), and put back there?"
    return ask(mover, "stopped in", ((h, text.format(name, h)) for h in hexes))


@interpretation("failed assault")
def failed_assault(mover: MoverView) -> bool:
    """It was put into an enemy hex only to show its close assault, which failed (15)."""
    if mover.phase == "movement" or mover.known["class"].value not in FOOT:
        return False
    hexes = mover.history.shown_and_back(mover.unit, mover.drags)
    text = "was {} put in {} for a close assault (15) that failed?"
    return ask(mover, "assaulting", ((h, text.format(mover.unit.name, h)) for h in hexes))


@interpretation("entered elsewhere")
def entered_elsewhere(mover: MoverView) -> bool:
    """It entered the map by a hex on its edge, and had only been put down in another first."""
    hexes = mover.history.entered_anew(mover.unit, mover.drags)
    text = "did {} enter the map by {}, and was only put down elsewhere before?"
    return ask(mover, "entering by", ((h, text.format(mover.unit.name, h)) for h in hexes))


def ask(mover: MoverView, topic: str, hexes: Iterable[tuple[str, str]]) -> bool:
    """Whether it was so in any of these hexes."""
    return any(mover.told(f"{topic} {name}", text, mover.unit) for name, text in hexes)
