"""Who moves in a phase (6-a, 6.A.4-b, 6.D), and what else may have displaced a unit (6-b, 6.A.3-c,
6.A.4-d); what holds in a whole phase: one unit after the other, turned units, stacks (6.A, 6.A.5, ST).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ....model.finding import Finding
from ...engine.clauses import choice, forbid_move
from ...engine.mover_view import MoverView
from ...engine.phase_checks import moved_on_unless, out_of_order
from ...engine.rules import Rules
from ...engine.unit_at_event import InOrder, UnitAtEvent
from ...moves import Track
from ...ruleset import Measure, OrderRule, StackingLimit, StackingRule
from .allowance import in_reserve, share_of
from .rating import ma
from .terms import (
    BY_COMBAT,
    BY_OVERRUN,
    BY_TRANSPORT,
    CLASSES,
    COMBAT,
    EXPLOITATION,
    INITIAL,
    LOST,
    REACTION,
    advances,
    form_named,
)

WHOSE = ("6-a", "6.D.2-a", "6.D.3-a")
"""The clauses about whose units move in a phase."""
ALL = (*WHOSE, "6.A.4-b", "6.D.2-c", "6.D.4-d", "6.D.5-T")

# -- whose phase it is -----------------------------------------------------------------------------


def of_other_side(mover: MoverView) -> str:
    return f"is of the side not phasing and moves in the {mover.phase} phase"


@forbid_move("6.D.2-a", of_other_side, phase=INITIAL)
def phasing(mover: MoverView) -> bool:
    """In the initial phase units of the phasing side move."""
    return not advances(mover) and not mover.moves_with("friend")


@forbid_move("6-a", of_other_side, phase=EXPLOITATION)
def exploiting(mover: MoverView) -> bool:
    """The player whose phase it is moves his units."""
    return not advances(mover) and not mover.moves_with("friend")


@forbid_move("6.D.3-a", "is of the phasing side and moves in the reaction phase", phase=REACTION)
def reacting(mover: MoverView) -> bool:
    """In the reaction phase units of the side not phasing move; a pack may name that one as active."""
    if advances(mover):
        return False
    if mover.rules.options["reaction_names"] == "reacting":
        return not mover.moves_with("friend")
    if mover.moves_with("enemy"):
        return False
    return not (mover.may_follow_the_other_side() and mover.reading("reaction_names", "reacting"))


def shut_out(mover: MoverView, clause: str) -> str:
    """How a unit of its class and status does not move in the phase, by a clause; empty: it does (6.D.5)."""
    if advances(mover) or share_of(mover) != ("none", clause):
        return ""
    said, reserve = str(mover.known["status"].value), in_reserve(mover)
    lost = said.removeprefix(LOST) if said.startswith(LOST) else ""
    how = "in reserve" if reserve else "not in reserve"
    how += f" (it lost that status, ZC-{lost})" if lost else ""
    return f"moves in the {mover.phase} phase, being a {mover.known['class'].value} unit {how}"


@forbid_move("6.D.2-c")
def on_foot(mover: MoverView) -> str:
    """Non-motorized reserves do not move in the initial phase."""
    return shut_out(mover, "6.D.2-c")


@forbid_move("6.D.3-a")
def only_reserves(mover: MoverView) -> str:
    """In reaction only reserves move."""
    return shut_out(mover, "6.D.3-a")


@forbid_move("6.D.4-d")
def not_in_exploitation(mover: MoverView) -> str:
    """S/m and non-motorized units that are not in reserve do not move in exploitation."""
    return shut_out(mover, "6.D.4-d")


@forbid_move("6.D.5-T", "may be of a class that does not move in the phase")
def of_another_class(mover: MoverView) -> bool:
    """A class that the table does not have may be any of those that it has."""
    strange = mover.known["class"].value not in CLASSES
    return strange and not advances(mover) and mover.doubted("class")


@forbid_move("6.A.4-b", "has a movement allowance of 0")
def nothing_to_spend(mover: MoverView) -> bool:
    """A unit with an MA of 0 does not move."""
    return not advances(mover) and mover.is_zero(ma(mover).amount)


# -- what else it may have been --------------------------------------------------------------------


@choice(BY_OVERRUN, lifts=ALL)
def put_back(mover: MoverView) -> bool:
    """An overrun by its enemies put it back (6.A.4-d). If the form is certainly an overrun, it made that
    itself."""
    overrun = form_named(mover.rules, "overrun")
    if mover.form not in ("", overrun) or mover.forms == (overrun,) or mover.phase == COMBAT:
        return False
    if not mover.rule("6.A.4-d") or not mover.barred_by(*WHOSE) or not mover.may_be_beset():
        return False
    return mover.told_now("put back by an overrun", "was {} put back by an overrun (Rule 12)?")


@choice(BY_TRANSPORT, lifts=("6.D.2-c", "6.A.4-b"))
def transport(mover: MoverView) -> bool:
    """It was carried by rail, river, air or sea, where the pack names no forms (6-b)."""
    if mover.form or mover.phase == COMBAT:
        return False
    anybody = (
        "is anybody carried by rail, river, air or sea (Rules 7, 23, 35) in what these logs hold?"
    )
    text = "was {} carried by rail, river, air or sea (Rules 7, 23, 35)?"
    return mover.told("transport in the game", anybody) and mover.told_now(
        "carried by rail, river, air or sea", text
    )


@choice(BY_COMBAT, lifts=ALL)
def retreat(mover: MoverView) -> bool:
    """A combat result put it back, in the form of an advance (6.A.4-b)."""
    if not advances(mover) or mover.surely_phasing():
        return False
    return mover.told_now("put back by a combat result", "was {} put back by a combat result?")


ONE_BY_ONE = OrderRule("ZC-6.A-d", resume=False)


def stacking(rules: Rules) -> StackingRule | None:
    """At most so many size points are in a hex at the end of a phase, if a pack gives a limit (ZC-ST)."""
    limit = rules.tables["stacking"].get("limit")
    if limit is None or not rules.applies("ST"):
        return None
    measure = Measure("size points", "size")
    missing = rules.complete.questions("stacking")
    return StackingRule("ZC-ST", (measure,), (StackingLimit(((Fraction(limit),),)),), missing)


def whole(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings for units that moved on after others had moved: those that had been turned, and others
    unless they had paused."""
    told: dict[tuple[str, int], str] = {}
    if rules.applies("6.A.5-b"):
        for found in out_of_order(rules, tracks, turned):
            told[found.units[0], rules.history.timeline.phase_number(found.steps[0])] = (
                found.verdict
            )
            yield found
    if rules.applies("6.A-d"):
        for found in moved_on_unless(rules, tracks, ONE_BY_ONE, paused):
            number = rules.history.timeline.phase_number(found.steps[0])
            if told.get((found.units[0], number)) not in ("illegal", found.verdict):
                yield found


def paused(unit: UnitAtEvent) -> bool:
    """Whether a unit had paused for an overrun or an engineering function (6.A-e)."""
    return unit.rule("6.A-e") and unit.is_("pause", "true", "yes")


def turned(unit: InOrder) -> Finding | None:
    """A unit that was turned to show that it had moved has finished: neither a pause nor a stack explains it
    if it moves on after another has moved (6.A.5-b)."""
    return moved_on(unit) or stayed(unit)


def is_turned(unit: UnitAtEvent) -> bool:
    return unit.is_("turned", "true", "yes")


def moved_on(unit: InOrder) -> Finding | None:
    """It was dragged, turned, and dragged on after another unit had been dragged."""
    first, *later = unit.own
    text = "{} had been turned to show that it had moved, and moved on after {others} had moved"
    for second in later:
        for other in unit.between(first.event, second.event):
            there, then = unit.at(other.event), unit.at(second.event)
            if is_turned(unit.at_opening()) or not is_turned(there) or not is_turned(then):
                continue
            if not unit.by_hand(other, second.event):
                return unit.accused("6.A.5-b", text, (first.track, other.track, second.track))
    return None


def stayed(unit: InOrder) -> Finding | None:
    """It was turned in the hex where it began the phase, so that its movement was over, and was dragged after
    another unit had been dragged and seen."""
    first = unit.own[0]
    text = "{} had been turned to show that it stayed, and moved after {others} had moved"
    if not unit.at_opening().surely("turned", "false", "no"):
        return None
    for other in unit.between(-1, first.event):
        events = (other.event, first.event)
        shown = all(unit.at(event).surely("turned", "true", "yes") for event in events)
        if shown and unit.surely_between(other, first.event):
            return unit.accused("6.A.5-b", text, (other.track, first.track))
    return None
