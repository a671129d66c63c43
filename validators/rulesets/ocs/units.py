"""Which units move in a segment, and how far (5, 6.0, 6.1b, 6.1c, 6.1h, 6.3a)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from ....model.bill import Amount
from ...cost_interval import hull
from ...engine.allowance import Mp
from ...engine.clauses import allowance, forbid_move
from ...engine.mover_view import MoverView
from .terms import EXPLOITATION, REACTION, is_overrun, types

OF_MODE = {"strat": "X-5.S", "reserve": "X-5.R", "released": "X-5.R", "exploitation": "X-5.E"}
MAY_MOVE = {EXPLOITATION: ("exploitation", "released"), REACTION: ("released",)}
"""The modes in which units may move, by segment; in the other segments every mode may."""
ONE = Amount.exactly(1)


def printed(mover: MoverView) -> Mp:
    """The printed allowance, times a factor for the mode and for DG. Fractions are kept."""
    mp = Mp(mover.bounds("ma"), "6.1b-a", minimum="6.1c-a")
    modes = MAY_MOVE[mover.phase] if set_free(mover) else (str(mover.known["mode"].value),)
    factors = [mode_factor(mover, mode) for mode in modes]
    factor = factors[0] if len(factors) == 1 else hull(*factors)
    clause = OF_MODE.get(modes[0], "6.1h-a") if len(modes) == 1 else "6.1h-a"
    name = modes[0] if len(modes) == 1 else "unknown"
    mp = times(mover, mp, clause, f"mode {name} in {mover.phase}", factor)
    if mover.known["dg"].must_be(True):
        text = "by what does DG multiply the movement allowance in this edition (5.7 to 5.10)?"
        dg = mover.number(("factors", "dg"), "factor of DG", text)
        mp = times(mover, mp, "X-5.DG", "DG", dg)
    assert mp.amount is not None
    if not mover.rule("6.1h-b"):
        lo, hi = mp.amount.lo, mp.amount.hi
        return mp._replace(
            amount=Amount(Fraction(floor(lo)), None if hi is None else Fraction(floor(hi)))
        )
    broken = mp.amount.is_exact and mp.amount.lo.denominator > 1 and mp.stages
    return mp.because("6.1h-b", "the fraction is kept") if broken else mp


def times(mover: MoverView, mp: Mp, clause: str, reason: str, factor: Amount) -> Mp:
    if factor == ONE or not mover.rule(clause) or not mover.rule("6.1h-a"):
        return mp
    return mp.times(clause, f"{reason}: times {factor}", factor)


def mode_factor(mover: MoverView, mode: str) -> Amount:
    reason = f"mode {mode} in {mover.phase}"
    text = f"by what does {reason} multiply the movement allowance in this edition (5.7 to 5.10)?"
    return mover.number(("factors", mode, mover.phase), f"factor of {reason}", text)


@allowance("6.1b-a")
def movement_allowance(mover: MoverView) -> Mp:
    """A unit spends no more than its MA in one phase. The minimum move is not for overruns (6.1c-b)."""
    mp = printed(mover)
    assert mp.amount is not None
    if mp.amount.hi == 0 and not mover.rule("6.1c-e"):
        mp = mp._replace(amount=Amount.exactly(Fraction(1, 2 * mover.rules.scale)))
    if is_overrun(mover) and mover.rule("6.1c-b") and mover.rule("6.1c-a"):
        return mp._replace(minimum="").because("6.1c-b", "no minimum move in an overrun")
    return mp


@forbid_move("6.1c-e", "has a movement allowance of 0")
def nothing_left(mover: MoverView) -> bool:
    """Only a unit whose MA is above 0 has a minimum move."""
    amount = printed(mover).amount
    return amount is not None and mover.is_zero(amount)


@forbid_move("6.0-c", "is declared to lack the fuel it needs")
def no_fuel(mover: MoverView) -> bool:
    """A unit goes as far as its fuel lets it. It lacks fuel only where the facts declare it."""
    return mover.tells("fuel") and mover.is_("fuel", "lacking")


@forbid_move(
    "6.3a-a", lambda mover: f"is moved by the player not phasing in a {mover.phase} segment"
)
def designated(mover: MoverView) -> bool:
    """Only the player whose phase it is moves ground units."""
    return mover.phase != REACTION and not mover.moves_with("friend") and not captured(mover)


@forbid_move("6.3a-b", lambda mover: f"is moved by the phasing player in a {mover.phase} segment")
def designated_in_reaction(mover: MoverView) -> bool:
    """In Reaction it is the player who is not phasing; a pack may name that one as active."""
    if mover.phase != REACTION:
        return False
    if mover.rules.options["reaction_names"] == "reacting":
        return not mover.moves_with("friend") and not captured(mover)
    if mover.moves_with("enemy"):
        return False
    other = mover.may_follow_the_other_side()
    return not (other and mover.reading("reaction_names", "reacting")) and not captured(mover)


def captured(mover: MoverView) -> bool:
    """Whether supplies, or what carries them, have fallen to the other side."""
    text = f"was {mover.unit.name} captured, and moved by its captor?"
    return mover.possibly("type", *types(mover, "carried", "exempt")) and mover.told(
        "captured", text, mover.unit
    )


def set_free(mover: MoverView) -> bool:
    """Whether the facts say that a unit was released, or marked for exploitation, before it moved."""
    allowed = MAY_MOVE.get(mover.phase, ())
    out = bool(allowed) and mover.known["mode"].value not in allowed and mover.rule("X-ELIG")
    return out and mover.says("released before it moved")


@forbid_move(
    "X-ELIG",
    lambda mover: f"may not move in {mover.phase}, being in mode {mover.known['mode'].value}",
)
def mode(mover: MoverView) -> bool:
    """In Exploitation only units marked for it and released reserves move, in Reaction only released
    reserves. Whether transport points do, 13.2 would say."""
    allowed = MAY_MOVE.get(mover.phase)
    if allowed is None or mover.known["mode"].value in allowed or set_free(mover):
        return False
    marked = "released" if mover.phase == REACTION else "released, or marked for exploitation,"
    text = f"was {{}} {marked} before it moved?"
    if mover.may_have_had("mode", "reserve", *allowed) and mover.told_now(
        "released before it moved", text
    ):
        return False
    if mover.possibly("type", *types(mover, "carried")) and carried(mover):
        return False
    exempt = types(mover, "exempt")
    return not (
        mover.possibly("type", *exempt)
        and mover.reading("transports_move")
        and mover.is_("type", *exempt)
    )


def carried(mover: MoverView) -> bool:
    return mover.told_now(
        "carried by transport points", "was {} carried by transport points (13.2)?"
    )


def no_allowance_of(mover: MoverView) -> str:
    kind = mover.known["type"].value
    how = "" if mover.surely("type", *types(mover, "immobile")) else " that nobody carried"
    return f"has no movement allowance, being a {kind}{how}"


@forbid_move("6.1b-c", no_allowance_of)
def no_allowance(mover: MoverView) -> bool:
    """Supply points, ports, air bases, hedgehogs and some others have no MA; supplies move when carried."""
    if mover.is_("type", *types(mover, "immobile")):
        text = "was {} meant to be placed where it was put in the end?"
        return not (mover.came_in and mover.told_now("placed where it was put last", text))
    return mover.is_("type", *types(mover, "carried")) and not carried(mover)
