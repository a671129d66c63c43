"""What other units count as: Mech or Leg (5.7, 5.8), and of which formation (5.3.5)."""

from __future__ import annotations

from ....model.fact import UNKNOWN, Fact
from ...engine.enemy import Enemy
from .facts import NAMELESS
from .terms import LEG, MECH, STRATEGIC, US, is_a, is_bridge, is_marked


def is_mech(unit: Enemy) -> bool:
    """Whether a unit counts as Mech."""
    if is_a(unit, "bridge"):
        return not is_bridge(unit)
    return is_marked(unit, "motor") or by_itself(unit)


def is_mech_by_road(unit: Enemy) -> bool:
    """Whether a unit counts as Mech to a road mover, who takes deployed artillery and static HQs for Leg
    (5.7.4)."""
    if is_a(unit, "bridge"):
        return not is_bridge(unit)
    if unit.rule("5.7.4") and is_a(unit, "artillery") and unit.is_("battery", "in"):
        return False
    if is_marked(unit, "motor"):
        return True
    if unit.rule("5.7.4") and is_a(unit, "hq") and is_marked(unit, "static"):
        return False
    return by_itself(unit)


def by_itself(unit: Enemy) -> bool:
    """Whether a unit counts as Mech without a Motor Unit marker. US Leg AT and engineers keep their trucks in
    Strategic Mode (5.7.3-c)."""
    if is_a(unit, "artillery"):
        return unit.rule("5.8.0-b") or unit.is_("class", MECH)
    if unit.is_("class", MECH):
        return True
    if not is_a(unit, "at", "engineer") or not unit.is_("nation", US):
        return False
    if not unit.rule("5.7.3-c"):
        return True
    return unit.is_("mode", STRATEGIC)


def formation_of(unit: Enemy) -> tuple[Fact, str]:
    """The formation of which a unit counts, and the attribute that tells it: the one to which it is attached,
    else its own (5.3.5-c)."""
    own, attached = unit.fact("formation"), unit.fact("attached")
    if not unit.rule("5.3.5-c") or attached.must_be("no") or attached.must_be(False):
        return own, "formation"
    named = [str(option).lower() for option in attached.options or ("yes",)]
    return (UNKNOWN if any(name in NAMELESS for name in named) else attached), "attached"


def same_formation(one: Enemy, other: Enemy, *, attached: bool = True) -> bool:
    """Whether two units are of one formation. ``attached``: the one to which they are attached counts."""
    (mine, about), (his, its) = (
        formation_of(unit) if attached else (unit.fact("formation"), "formation")
        for unit in (one, other)
    )
    asked = [one.asked(about)] if not mine.is_known else []
    asked += [other.asked(its)] if not his.is_known else []
    return one.alike((other.moving.id, attached), mine, his, *asked)


def same_command(one: Enemy, other: Enemy) -> bool:
    """Whether two units are of the same corps or army."""
    mine, his = one.fact("command"), other.fact("command")
    asked = [u.asked("command") for u, f in ((one, mine), (other, his)) if not f.is_known]
    return one.alike((other.moving.id, "command"), mine, his, *asked)


def is_attached(unit: Enemy) -> bool:
    """Whether a unit is known to be attached to a named formation."""
    said = unit.fact("attached")
    return said.is_known and str(said.value).lower() not in NAMELESS


def is_leg_engineer(unit: Enemy) -> bool:
    return is_a(unit, "engineer") and unit.is_("class", LEG)
