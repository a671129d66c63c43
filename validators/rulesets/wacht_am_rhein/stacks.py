"""How much may be in a hex, and when (5.3.0)."""

from __future__ import annotations

from fractions import Fraction

from ...concepts.sides import is_friend
from ...engine.clauses import check
from ...engine.declared import EndedThere
from ...engine.phases import Broken, UnitInPhase
from ...engine.rules import Rules
from ...moves import Track
from ...ruleset import Measure, Requirement, StackingLimit, StackingRule
from .terms import EXPLOITATION, MOVEMENT, OTHER

NOBODY = (Requirement("class", ()),)
ANYBODY = (Requirement("class", (), negated=True),)
A_BRIDGE = (Requirement("deployed", ("building", "finished")),)
"""A deployed Bridge Column is a bridge, and no unit (5.7.5)."""


LIMIT = ("stacking", "limit"), "stacking limit", "how many stacking points may be in a hex?"
"""The entry of the tables for the stacking limit, and the question for it."""


def limit_of(rules: Rules) -> Fraction | None:
    """The stacking limit of a hex; None: a pack does not give it."""
    told = rules.tables["stacking"]["limit"]
    return None if told == "unknown" else Fraction(told)


def stacking(rules: Rules) -> StackingRule | None:
    """A unit may not end its movement overstacked. One unit alone never is; whether two are, is open while
    the limit is not known."""
    if not rules.applies("5.3.0-c"):
        return None
    limit = limit_of(rules)
    if limit is None:
        asked = rules.table_question(*LIMIT)
        measure = Measure("units", "", NOBODY, A_BRIDGE, ANYBODY, asked)
    else:
        measure = Measure("stacking points", "stacking", (), A_BRIDGE)
    bound = Fraction(1) if limit is None else limit
    return StackingRule(rules.full("5.3.0-c"), (measure,), (StackingLimit(((bound,),)),))


def ended_there(rules: Rules, track: Track) -> bool:
    """Whether a move is certainly movement that ended, and neither an entry onto the map nor a retreat after
    an overrun: a stack that was there before, retreated there or was placed there breaks nothing."""
    move, game = track.move, rules.game
    kind = rules.phase_kinds.get(move.phase.phase or "", OTHER)
    if kind == OTHER or any(place.kind != "hex" for place in move.waypoints):
        return False
    if kind == MOVEMENT:
        return True
    own = all(is_friend(game, move.phase.active, game.units[unit].side) for unit in move.units)
    return own and not any(move.binding[:-1]) and not move.resumed


ENDED = EndedThere(
    ended_there,
    "a unit ended its movement in {}",
    "did any unit end its movement in {} (5.3.0), rather than retreat or be put there?",
)


@check("5.3.0-c")
def ends_in_a_full_hex(unit: UnitInPhase) -> Broken | None:
    """A unit may not end its movement overstacked, even if others leave the hex afterwards; whether that may
    be so between the moves of two units ("may overstack temporarily when moving units") is open. Of a hex
    that is overstacked when the phase ends, that is said."""
    crowd = unit.crowd() if unit.phase.kind in (MOVEMENT, EXPLOITATION) else None
    if crowd is None or unit.surely_too_many(crowd.stay, crowd.hex, crowd.left):
        return None
    held = unit.too_many(crowd.units, crowd.hex, crowd.left)
    if not held or unit.reading("overstacked_between_moves"):
        return None
    text = f"ended its move in {crowd.hex}: until others left, that held {held}"
    return Broken(text, crowd.came[::-1], (crowd.last, crowd.left), kind="overstack")
