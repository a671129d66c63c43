"""The parts of a way that the board does not tell, for the bills and paths of open moves.

The way of an open move is found by filling in what is not known as it suits the mover. Nobody believes that
way: where the board tells nothing it runs along a road over open sea. Its bill says where the way is known,
and its path leaves the rest out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from ..model.bill import Amount, Charge, total
from .checks import FACTS
from .ruleset import WeightedFact

_CELL = re.compile(r"hex \S+ terrain|hexside \S+ lines|board lines")


def is_untold(fact: WeightedFact) -> bool:
    """Whether a missing fact is a terrain or a line without which a step may be closed or may cost any
    number of MPs."""
    return fact.weight is None and _CELL.match(fact.unknown.key) is not None


def told_hexes(
    hexes: Sequence[str], untold: Collection[tuple[str, str]], stops: Collection[str]
) -> tuple[str, ...]:
    """The ``hexes`` of a path without those inside a stretch of steps in ``untold``, but for ``stops``, in
    which the counter was put down."""
    around = list(
        zip(hexes, [("", ""), *pairwise(hexes)], [*pairwise(hexes), ("", "")], strict=True)
    )
    return tuple(
        name
        for name, before, after in around
        if name in stops or before not in untold or after not in untold
    )


def as_far_as_told(
    charges: Iterable[Charge], untold: Collection[tuple[str, str]]
) -> Iterator[Charge]:
    """``charges``, with one in place of those of each stretch of steps in ``untold`` (pairs of hexes): the
    least that any way between the ends of the stretch that is open to the mover can cost."""
    for unsure, group in groupby(charges, key=lambda c: (c.origin, c.hex) in untold):
        stretch = list(group)
        if not unsure:
            yield from stretch
            continue
        start, end = stretch[0].origin, stretch[-1].hex
        least = Amount(total(stretch).lo, None)
        yield Charge(end, least, FACTS, f"way not known between {start} and {end}", start)
