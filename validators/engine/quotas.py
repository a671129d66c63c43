"""What a mover takes of quotas that all units of a phase share, as clauses say it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ...model.bill import Amount
from ..ruleset import Draw, Quota
from .asking import Outcome


class Takes(NamedTuple):
    """What a quota clause returns: the mover takes ``amount`` of a quota that allows ``most``. ``name``: of
    the quota, worded to follow a number ("trucks of the 99th")."""

    name: str
    most: Fraction
    amount: Fraction = Fraction(1)


def draws_of(clause: str, full: Callable[[str], str], found: Outcome) -> tuple[Draw, ...]:
    """The draws of a mover by what a clause says. What it says in some of the runs only is a draw that the
    first of the open facts decides. ``full``: the full id of a clause. AssertionError if it depends on a fact
    that cannot be enumerated."""
    assert found.said is not None, f"{clause} depends on too much that is not known"
    runs: list[tuple[Takes, ...]] = [tuple(said or ()) for said in found.said]
    every = dict.fromkeys(take for run in runs for take in run)
    return tuple(
        Draw(
            Quota(take.name, Amount.exactly(take.most), full(clause)),
            take.amount,
            None if all(take in run for run in runs) else found.facts[0],
        )
        for take in every
    )
