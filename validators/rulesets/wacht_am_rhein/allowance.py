"""The movement allowance (5.2)."""

from __future__ import annotations

from ....model.bill import Amount
from ...engine.allowance import Mp
from ...engine.clauses import allowance
from ...engine.mover_view import MoverView
from .terms import PA_LEG, PA_MECH, WITH_MPS


@allowance("5.0-g", classes=WITH_MPS)
def by_points(mover: MoverView) -> Mp:
    """The MPs that it may spend in the phase."""
    fact = mover.fact("ma")
    amount = Amount(fact.low or 0, fact.high) if fact.low is not None else Amount.exactly(12)
    return Mp(amount, "5.0-g", (("5.2-d", f"base allowance {amount}"),))


@allowance("5.5-c", classes=(PA_MECH,))
def two_hexes(mover: MoverView) -> Mp:
    """In Prepared Assault a Mech unit moves up to two hexes."""
    return Mp(Amount.exactly(2), "5.5-c", (), "hexes")


@allowance("5.5-b", classes=(PA_LEG,))
def one_hex(mover: MoverView) -> Mp:
    """In Prepared Assault a Leg unit moves one hex."""
    return Mp(Amount.exactly(1), "5.5-b", (), "hexes")
