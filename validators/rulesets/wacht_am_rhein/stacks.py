"""How much may be in a hex, and when (5.3.0); in which order units move in a phase, and units that are
dragged together (5.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ....model.finding import Finding
from ...concepts.sides import is_friend
from ...engine.clauses import Broken, check
from ...engine.declared import EndedThere
from ...engine.one_by_one import check_one_by_one
from ...engine.phases import UnitInPhase
from ...engine.rules import Rules
from ...moves import Track
from ...ruleset import Measure, OrderRule, Requirement, StackingLimit, StackingRule
from ...situation import Situation
from .terms import ASSAULT, EXPLOITATION, MOVEMENT, OTHER, ROAD, ROADS, STRATEGIC, TACTICAL

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


IN_ORDER = {STRATEGIC: "5.0-l1", ROAD: "5.0-l2", TACTICAL: "5.0-l3", ASSAULT: "5.0-l4"}
"""The forms of movement in their order, each with its clause."""


def ranks(rules: Rules) -> OrderRule:
    """First units move strategically, then by road, then tactically, then in Prepared Assault. Whether this
    order binds the exploitation phase, and whether a unit may be dragged on later, is open."""
    there = rules.options["order_in_exploitation"]
    exploiting = [name for name, kind in rules.phase_kinds.items() if kind == EXPLOITATION]
    later = rules.options["dragged_on_later"]
    return OrderRule(
        ranks={
            form: (rank, rules.full(clause))
            for rank, (form, clause) in enumerate(IN_ORDER.items(), 1)
            if rules.applies(clause)
        },
        unranked=frozenset(exploiting if there == "no" else ()),
        perhaps_ranked=dict.fromkeys(
            exploiting if there == "undecided" else (),
            rules.reading_question("order_in_exploitation"),
        ),
        interleaved=None if later == "yes" else rules.reading_question("dragged_on_later"),
        uninterrupted=later == "no",
    )


def one_by_one(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """Units move one by one (5.0-f): of some that were dragged together one may stand in another's way where
    it ends, or where it sets out."""
    yield from check_one_by_one(rules, tracks, may_obstruct)


def may_obstruct(rules: Rules, situation: Situation, units: Sequence[str]) -> bool:
    """Whether units may obstruct each other: they set out on a road (5.3.4, 5.6.3), or may belong to
    different formations (5.3.5)."""
    start = situation.where(units[0]).hex
    if any(line.kind in ROADS and start in line.hexes for line in situation.board.lines):
        return True
    formations = [situation.fact(unit, "formation") for unit in units]
    alike = len({fact.value for fact in formations}) == 1 and formations[0].is_known
    return rules.applies("5.3.5-a") and not alike
