"""How far infantry moves, and when it may not (5.33, 6.31, 6.4, 12.2, 13.8, 14.7)."""

from __future__ import annotations

from fractions import Fraction

from ....model.bill import Amount
from ...engine.allowance import Mp
from ...engine.clauses import allowance, forbid_move
from ...engine.mover_view import MoverView
from .terms import FOOT, LEADERS, SQUADS, leaders_with

OF = {"leader": "6.31-a", "hero": "6.31-a", "squad": "6.31-b", "half-squad": "6.31-c"}


@allowance("6.31-b", classes=FOOT, phase="movement")
def infantry(mover: MoverView) -> Mp:
    """Leaders have 6 MPs, squads 4, or 6 if a leader goes along all the way; assault movement halves them,
    and a heavy weapon takes 1."""
    cls, rates = str(mover.known["class"].value), mover.tables["rates"]
    together = mover.form != "alone" and cls in SQUADS
    leaders = leaders_with(mover, mover.drags, mover.move) if together else []
    led, lost = any(along for _, along, _ in leaders), lost_after(mover, leaders)
    led = led or bool(lost and keeps_bonus(mover, lost))
    mp = rate(mover, cls, rates["led"] if led else None)
    if led or not mp.amount:
        return mp
    if lost:
        return mp._replace(clause="6.31-g")
    left = left_behind(mover) if leaders_count(mover, cls) else []
    names = " and ".join(left)
    return mp.because("6.31-d", f"{names} did not go along all the way") if left else mp


def leaders_count(mover: MoverView, cls: str) -> bool:
    """Whether a leader would give the unit more MPs."""
    rates = mover.tables["rates"]
    more = cls in SQUADS and mover.form != "alone" and mover.rule("6.31-d")
    return more and rates["led"] > rates[cls]


def left_behind(mover: MoverView) -> list[str]:
    """The names of the leaders that were certainly where the unit started."""
    history = mover.history
    first = history.phase(mover.drags[0])[0]
    start = history.start(history.in_phase(mover.unit.id, mover.drags[0])[0])
    others = (mover.other(name) for name in mover.rules.may_be("class", LEADERS))
    return [
        other.unit.name
        for other in others
        if other.unit.id != mover.unit.id
        and history.place(other.unit.id, first) == start
        and other.surely("class", *LEADERS)
        and mover.surely_friend(other.unit)
    ]


def rate(mover: MoverView, cls: str, led: int | None) -> Mp:
    rates = mover.tables["rates"]
    mp = Mp(Amount.exactly(rates["leader" if cls in LEADERS else cls]), OF[cls], minimum="6.6-a")
    if led is not None and mover.rule("6.31-d"):
        mp = mp.set(max(led, rates[cls]), "6.31-d")
    assault = is_assault(mover) and mover.rule("6.4-b")
    heavy = cls in SQUADS and mover.known["weapon"].must_be("heavy") and mover.rule("12.2-a")
    first = mover.rule("6.4-c")
    less = rates["heavy"] if heavy else 0
    if heavy and not first:
        mp = mp.changed("12.2-a", f"heavy weapon: {less} less", less=less)
    if assault:
        mp = mp.changed("6.4-b", "assault movement: halved", Fraction(1, 2), up=not first)
    if heavy and first:
        order = ", after halving: VV-6.4-c" if assault else ""
        mp = mp.changed("12.2-a", f"heavy weapon: {less} less{order}", less=less)
    return mp if mover.rule(OF[cls]) else Mp(None, "")


def is_assault(mover: MoverView) -> bool:
    return mover.known["assault"].must_be(True) or mover.form == mover.tables["forms"]["assault"]


def lost_after(mover: MoverView, leaders: list[tuple[str, bool, int]]) -> int:
    """After how many drags the last leader that had come along was lost: pinned, or off the map; 0: none
    was."""
    lost = [
        shared
        for name, along, shared in leaders
        if not along and shared and is_lost(mover, name, mover.drags[shared])
    ]
    return max(lost, default=0)


def is_lost(mover: MoverView, leader: str, index: int) -> bool:
    history = mover.history
    place = history.place(leader, index)
    gone = place is None or place.kind in ("box", "nowhere")
    return gone or history.value(leader, "pinned", index).must_be(True)


def keeps_bonus(mover: MoverView, lost: int) -> bool:
    """Whether the loss of its leader does not matter, since the clause that says what follows is off."""
    if not mover.rule("6.31-e"):
        return True
    if mover.rule("6.31-f") and mover.rule("6.31-g"):
        return False
    return not mover.rule("6.31-f" if beyond_its_own(mover, lost) else "6.31-g")


def beyond_its_own(mover: MoverView, lost: int) -> bool:
    """Whether it had certainly spent more than its own MPs when its leader was lost."""
    spent, own = mover.least_spent(lost), rate(mover, str(mover.known["class"].value), None)
    return spent is not None and own.amount is not None and spent > own.amount.lo


@forbid_move("6.31-f", classes=SQUADS, phase="movement")
def lost_too_far_on(mover: MoverView) -> str | bool:
    """Units that have spent more than their own MPs when their leader is lost stop where they are."""
    leaders = leaders_with(mover, mover.drags, mover.move)
    lost = lost_after(mover, leaders)
    if not lost or any(along for _, along, _ in leaders) or not mover.rule("6.31-e"):
        return False
    if not beyond_its_own(mover, lost):
        return False
    name = mover.move.waypoints[lost].name
    return f"goes on from {name}, where its leader was lost, beyond its own MPs"


@forbid_move("14.7-a", "is pinned, and does nothing")
def pinned(mover: MoverView) -> bool:
    """A pinned unit does nothing. An AFV cannot be pinned (14.1): on it the marker means something else."""
    if mover.known["class"].must_be("afv"):
        return mover.marked_in_place_of("pinned", "immobile")
    return mover.marked("pinned")


@forbid_move("5.33-a", "has fired, and does not move", phase="movement")
def has_fired(mover: MoverView) -> bool:
    """A unit marked as having fired does not move."""
    return mover.marked("fired")


@forbid_move("5.33-b", "has moved before in the phase", phase="movement")
def has_moved(mover: MoverView) -> bool:
    """A unit marked as having moved does not move again in the phase."""
    return mover.marked("moved")


@forbid_move("13.8-a", "goes on after it was pinned or immobilized on the way")
def hit_on_the_way(mover: MoverView) -> bool:
    """A unit that is pinned or immobilized on the way stops in the hex that it has entered."""
    afv, topic = mover.known["class"].must_be("afv"), "hit on its way"
    text = "was {} stopped by Opportunity Fire before it was dragged on (13.8)?"
    if afv and mover.marked_on_the_way("immobile", topic, text):
        return True
    return mover.marked_on_the_way("pinned", topic, text, sure=not afv)


@forbid_move("12.2-b", "carries more than one support weapon", classes=FOOT)
def one_weapon(mover: MoverView) -> str | bool:
    """A unit carries one support weapon, a leader a light one. Where nothing is told, it carries one."""
    if mover.known["class"].value in LEADERS and mover.known["weapon"].must_be("heavy"):
        return "carries a heavy weapon, being a leader"
    return mover.tells("weapons") and not mover.most("weapons", 1)
