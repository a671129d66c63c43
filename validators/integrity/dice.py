"""Dice: every roll of a game, and how often each result came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...model.dice import DiceKind
from ...model.entities import resolved
from ...model.game import StepRef
from ...model.integrity import Roll, Tally
from ...model.table import Actor, ChatLine, DieRoll, LogHistory, Participant, Step, TableHistory
from .steps import numbered

Numbered = tuple[StepRef, Step]

_MOST_SAID = 200
"""Characters of a typed line that are kept."""


def fell(history: TableHistory) -> tuple[tuple[Roll, DiceKind | None], ...]:
    """Every roll of all logs in order, each with its dice (None: not known). A roll that was taken back fell
    all the same."""
    return tuple(
        roll for number, log in enumerate(history.logs, 1) for roll in _of_log(number, log)
    )


def tallied(rolls: Iterable[tuple[Roll, DiceKind | None]]) -> tuple[Tally, ...]:
    """The ledger: for each player and each kind of dice how often each result came. Players and kinds in the
    order of their first rolls; rolls whose results were not read are in none."""
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
    """``kind``, with the name of dice that show no plain numbers."""
    named = roll.kind is not None and roll.kind.named_faces
    return f"{kind} {roll.dice}" if named else kind


def _shown(roll: DieRoll, sides: tuple[int, ...] | None) -> tuple[str, ...]:
    """What the dice showed, as players see it."""
    faces = roll.kind.faces if roll.kind is not None else ()
    return tuple(faces[side - 1] for side in sides) if faces and sides else roll.results


def _once(rolls: Sequence[DieRoll]) -> Iterator[DieRoll]:
    """``rolls``, each once: of dice with pictures the engine logs the faces, and a report of the same roll,
    which names the player."""
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
    """Everybody at the table by name, as far as names are of one player alone."""
    named: dict[str, dict[str, Participant]] = {}
    actors = (step.actor.who for step in log.steps if step.actor is not None)
    for one in (*log.opening.players, *log.end.players, *actors):
        if one.name:
            named.setdefault(one.name, {})[one.label] = one
    return {name: next(iter(found.values())) for name, found in named.items() if len(found) == 1}


def _roller(
    roll: DieRoll, actor: Actor | None, known: dict[str, Participant]
) -> tuple[str, str | None]:
    """Name and side of who rolled: whom the report names, else who did the step."""
    if roll.player:
        one = known.get(roll.player)
        return roll.player, (one.side or None) if one is not None else None
    if actor is None:
        return "", None
    return actor.who.name or actor.who.label, actor.who.side or None


def _typed(line: ChatLine) -> str:
    """What was typed, without the name before it."""
    _, _, text = resolved(line.text).partition("> - ")
    return text.strip()[:_MOST_SAID]


def undone_rolls(
    steps: Sequence[Numbered],
) -> Iterator[tuple[Numbered, Numbered, tuple[Numbered, ...]]]:
    """Undos that took back a step of before a roll, or with one: the step that did it, the step taken back,
    and the steps with rolls from that on. Those that bring a step back are none."""
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
