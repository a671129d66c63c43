"""One test per player of whether his dice fell as fair dice do.

Pearson's chi-square, summed over the kinds of his dice; results that are expected fewer than five times are
put together with their neighbours. The p-values are corrected for the number of players tested by Holm's
method (1979). The tail of the distribution is computed exactly, by its finite series for whole degrees of
freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from ...model.integrity import DiceTest, Tally

LEAST_ROLLS = 100
"""A player who rolled less often is not tested."""

_LEAST_EXPECTED = 5


def dice_tests(tallies: Iterable[Tally]) -> tuple[DiceTest, ...]:
    """One test for each named player with at least :data:`LEAST_ROLLS` rolls, in the order of ``tallies``."""
    by_player: dict[str, list[Tally]] = {}
    for tally in tallies:
        if tally.player:
            by_player.setdefault(tally.player, []).append(tally)
    found = [one for one in map(_tested, by_player.values()) if one is not None]
    corrected = holm([one[3] for one in found])
    return tuple(
        DiceTest(
            own[0].player,
            own[0].side,
            tuple(one.kind for one in own),
            sum(one.rolls for one in own),
            chi_square,
            freedom,
            p,
            adjusted,
            len(found),
        )
        for (own, chi_square, freedom, p), adjusted in zip(found, corrected, strict=True)
    )


def _tested(tallies: Sequence[Tally]) -> tuple[list[Tally], float, int, float] | None:
    """The tallies that count, the sum of their chi-squares, its degrees of freedom, and its p-value; None
    where there are too few rolls."""
    parts = [(one, pearson(one.counts, one.chances)) for one in tallies]
    counted = [(one, part) for one, part in parts if part is not None]
    if sum(one.rolls for one, _ in counted) < LEAST_ROLLS:
        return None
    chi_square = float(sum((part[0] for _, part in counted), Fraction()))
    freedom = sum(part[1] for _, part in counted)
    return [one for one, _ in counted], chi_square, freedom, tail(chi_square, freedom)


def pearson(
    counts: Sequence[tuple[int, int]], chances: Sequence[tuple[int, int]]
) -> tuple[Fraction, int] | None:
    """Chi-square and its degrees of freedom; None where there are too few results for two classes."""
    number, every = sum(n for _, n in counts), sum(n for _, n in chances)
    classes: list[tuple[int, Fraction]] = []
    seen, expected = 0, Fraction()
    for (_, count), (_, chance) in zip(counts, chances, strict=True):
        seen, expected = seen + count, expected + Fraction(number * chance, every)
        if expected >= _LEAST_EXPECTED:
            classes.append((seen, expected))
            seen, expected = 0, Fraction()
    if classes and expected:
        last, before = classes.pop()
        classes.append((last + seen, before + expected))
    if len(classes) < 2:
        return None
    return sum((Fraction((n - e) ** 2) / e for n, e in classes), Fraction()), len(classes) - 1


def tail(chi_square: float, freedom: int) -> float:
    """How likely a chi-square of so many degrees of ``freedom`` is at least ``chi_square``."""
    half = chi_square / 2
    if half <= 0:
        return 1.0
    odd = freedom % 2
    total = math.erfc(math.sqrt(half)) if odd else 0.0
    for i in range(freedom // 2):
        power = i + 0.5 * odd
        total += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(1.0, total)


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for their number, in the order given [Holm 1979]."""
    found, least = [0.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, (len(values) - rank) * values[index]))
        found[index] = least
    return found
