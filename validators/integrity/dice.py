"""Dice: every roll of a game, the number of each result, and one test of fair dice per player.

The test is Pearson's chi-square, summed over the kinds of a player's dice; results that are expected fewer
than five times are merged with their neighbours. The p-values are corrected for the number of players tested
by Holm's method (1979). The tail of the distribution is computed exactly, by its finite series for whole
degrees of freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from ...model.dice import DiceKind
from ...model.entities import resolved
from ...model.game import StepRef
from ...model.integrity import DiceTest, Roll, Tally
from ...model.table import Actor, ChatLine, DieRoll, LogHistory, Participant, Step, TableHistory
from .following import numbered

Numbered = tuple[StepRef, Step]

_MOST_SAID = 200
"""The most characters of a typed line that are kept."""


def fell(history: TableHistory) -> tuple[tuple[Roll, DiceKind | None], ...]:
    """Every roll of all logs in order, each with its dice (None: not known), including rolls that were taken
    back."""
    return tuple(
        roll for number, log in enumerate(history.logs, 1) for roll in _of_log(number, log)
    )


def tallied(rolls: Iterable[tuple[Roll, DiceKind | None]]) -> tuple[Tally, ...]:
    """The number of each result, for each player and kind of dice, in the order of their first rolls. Rolls
    whose results were not read are left out."""
    counts: dict[tuple[str, str, tuple[str, ...]], Counter[int]] = {}
    first: dict[tuple[str, str, tuple[str, ...]], tuple[Roll, DiceKind]] = {}
    number: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    for roll, kind in rolls:
        if kind is None or not roll.sides:
            continue
        key = roll.player, roll.kind, kind.named_faces
        first.setdefault(key, (roll, kind))
        counts.setdefault(key, Counter()).update(roll.sides)
        number[key] += 1
    found = []
    for key, (roll, kind) in first.items():
        chances = tuple(sorted(kind.chances().items()))
        came = tuple((side, counts[key][side]) for side, _ in chances)
        found.append(Tally(roll.player, roll.side, roll.kind, number[key], came, chances, key[2]))
    players = list(dict.fromkeys(one.player for one in found))
    return tuple(sorted(found, key=lambda one: players.index(one.player)))


def _of_log(number: int, log: LogHistory) -> Iterator[tuple[Roll, DiceKind | None]]:
    undone = {
        step.undoing.step: at
        for at, step in numbered(number, log)
        if step.undoing is not None and step.undoing.step is not None and not step.undoing.redo
    }
    known = _players(log)
    said: dict[str, str] = {}
    for at, step in numbered(number, log):
        if step.displacements:
            said.clear()
        said.update((line.author, _typed(line)) for line in step.chat if line.kind == "player")
        for roll in _once(step.rolls):
            player, side = _roller(roll, step.actor, known)
            sides = roll.kind.thrown(roll.results) if roll.kind is not None else None
            name = roll.kind.name if roll.kind is not None and sides else ""
            yield (
                Roll(
                    at,
                    player,
                    side,
                    roll.dice,
                    _shown(roll, sides),
                    _named(name, roll) if name else "",
                    sides or (),
                    said.get(player, ""),
                    undone.get(step.number),
                ),
                roll.kind,
            )


def _named(kind: str, roll: DieRoll) -> str:
    """``kind``, followed by the name of the dice if they do not show plain numbers."""
    named = roll.kind is not None and roll.kind.named_faces
    return f"{kind} {roll.dice}" if named else kind


def _shown(roll: DieRoll, sides: tuple[int, ...] | None) -> tuple[str, ...]:
    """The results as players see them."""
    faces = roll.kind.faces if roll.kind is not None else ()
    return tuple(faces[side - 1] for side in sides) if faces and sides else roll.results


def _once(rolls: Sequence[DieRoll]) -> Iterator[DieRoll]:
    """``rolls``, each once. For dice with pictures the engine logs the faces, and also a report of the same
    roll, which names the player; the two are merged."""
    reports = [roll for roll in rolls if roll.text]
    for roll in rolls:
        if roll.text:
            continue
        same = next((one for one in reports if one.dice == roll.dice), None)
        if same is not None:
            reports.remove(same)
            yield DieRoll(roll.dice, roll.results, same.player, same.text, roll.kind)
        else:
            yield roll
    yield from reports


def _players(log: LogHistory) -> dict[str, Participant]:
    """Name → player, for everyone at the table whose name no other player has."""
    named: dict[str, dict[str, Participant]] = {}
    actors = (step.actor.who for step in log.steps if step.actor is not None)
    for one in (*log.opening.players, *log.end.players, *actors):
        if one.name:
            named.setdefault(one.name, {})[one.label] = one
    return {name: next(iter(found.values())) for name, found in named.items() if len(found) == 1}


def _roller(
    roll: DieRoll, actor: Actor | None, known: dict[str, Participant]
) -> tuple[str, str | None]:
    """The name ("": not known) and side (None: not known) of the player who rolled: the one named in the
    report, else the one who did the step."""
    if roll.player:
        one = known.get(roll.player)
        return roll.player, (one.side or None) if one is not None else None
    if actor is None:
        return "", None
    return actor.who.name or actor.who.label, actor.who.side or None


def _typed(line: ChatLine) -> str:
    """The typed text, without the name before it."""
    _, _, text = resolved(line.text).partition("> - ")
    return text.strip()[:_MOST_SAID]


def undone_rolls(
    steps: Sequence[Numbered],
) -> Iterator[tuple[Numbered, Numbered, tuple[Numbered, ...]]]:
    """Undos of a step with a roll, or followed by one: (the undo, the step taken back, the steps with rolls
    from that step on). Redos are left out."""
    by_number = {step.number: (place, step) for place, step in steps}
    rolled = [one for one in steps if one[1].rolls]
    for place, step in steps:
        undo = step.undoing
        back = by_number.get(undo.step or 0) if undo is not None and not undo.redo else None
        if back is None:
            continue
        since = tuple(one for one in rolled if back[1].number <= one[1].number < step.number)
        if since:
            yield (place, step), back, since


LEAST_ROLLS = 100
"""The fewest rolls of a player who is tested."""

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
    """The tallies that count, the sum of their chi-squares, its degrees of freedom, and its p-value; None if
    there are too few rolls."""
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
    """Chi-square and its degrees of freedom; None if there are too few results for two classes."""
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
    """The probability that a chi-square with ``freedom`` degrees of freedom is at least ``chi_square``."""
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
