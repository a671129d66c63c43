"""Plants moves in a game that go too far, to measure how many of them an audit finds.

A move of the game is extended to a hex near its end that its ordinary form cannot reach by the pack's own
charts with everything else in its favour. This does not reveal a wrong chart or map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from ..model.board import Board
from ..model.finding import Audit, JudgedMove, Move, Verdict
from ..model.game import Displacement, Game, Place, StepRef
from .audit import audit_known
from .judge import Judgement
from .judgement_cache import JudgementCache
from .phase import Judge
from .ruleset import Ruleset, RulesInForce
from .situation import Situation

FARTHEST = 3
"""The greatest distance, in hexes, from the end of a move to its new end."""
MOST_TRIED = 12
"""How many of these hexes are tried for one move."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A move that was extended to ``target``. ``verdict``: its verdict in the audit of the changed game."""

    move: Move
    target: str
    verdict: Verdict = "unverifiable"

    @property
    def player(self) -> str:
        """The side that made it; "": not known."""
        return self.move.actor or ""


def drawn(found: Audit, random: Random) -> dict[str, list[Move]]:
    """By side, the moves that may be extended, in the order in which they are tried: legal ones of units that
    were not moved on in the same phase."""
    last: dict[tuple[str, str], int] = {}
    for one in found.moves:
        for unit in one.move.units:
            last[unit, str(one.move.phase)] = one.move.id
    moves: dict[str, list[Move]] = {}
    for one in found.moves:
        move = one.move
        ends = all(last[unit, str(move.phase)] == move.id for unit in move.units)
        if ends and _may_be_led_on(one):
            moves.setdefault(move.actor or "", []).append(move)
    for several in moves.values():
        random.shuffle(several)
    return moves


def _may_be_led_on(one: JudgedMove) -> bool:
    move = one.move
    on_map = move.origin.kind == move.target.kind == "hex" and move.origin != move.target
    return one.judged and one.verdict == "legal" and on_map and one.bill is not None


def plant(
    game: Game, ruleset: Ruleset, found: Audit, wanted: int, seed: int, kept: JudgementCache
) -> tuple[Planted, ...]:
    """At most ``wanted`` moves of each side, extended too far, with their verdicts in an audit of the changed
    game. ``found``: the audit of ``game``; ``kept``: its judge. The changed game is audited as if a person
    had looked at the whole map."""
    seen = replace(game, seen=None)
    tries = _Tries(drawn(found, Random(seed)), wanted, seed)  # noqa: S311 - a seed that can be repeated
    audit_known(seen, ruleset, judge=tries.judging(kept.but(lambda _: False), kept.uncached))
    planted = tuple(_chosen(tries, wanted))
    again = audit_known(led_on(seen, planted), ruleset, judge=kept.uncached)
    verdicts = {
        (unit, one.move.steps[-1]): one.verdict
        for one in again.moves
        if one.judged and one.move.steps
        for unit in one.move.units
    }
    return tuple(
        replace(
            one,
            verdict=verdicts.get((one.move.units[0], one.move.steps[-1]), "unverifiable"),
        )
        for one in planted
    )


@dataclass
class _Tries:
    """Finds hexes that the ordinary form cannot reach, while the game is judged once more."""

    moves: Mapping[str, Sequence[Move]]
    wanted: int
    seed: int
    targets: dict[int, str] = field(default_factory=dict)

    def judging(self, judge: Judge, plain: Judge) -> Judge:
        """A judge like ``judge`` that also finds hexes; ``plain``: a judge without a cache."""
        most = 3 * self.wanted
        tried = {move.id for several in self.moves.values() for move in several[:most]}

        def judged(
            move: Move, situation: Situation, rules: RulesInForce, **given: Any
        ) -> Judgement:
            if move.id in tried and given.get("accused", True):
                tried.remove(move.id)
                self._try(plain, move, situation, rules, given)
            return judge(move, situation, rules, **given)

        return judged

    def _try(
        self,
        plain: Judge,
        move: Move,
        situation: Situation,
        rules: RulesInForce,
        given: Mapping[str, Any],
    ) -> None:
        board = situation.game.board
        ordinary = {**given, "forms": tuple(given.get("forms", ("",)))[:1], "accused": False}
        ordinary.pop("declared", None)
        farther = sorted(_within(board, move.target.name) - {move.target.name})
        Random(f"{self.seed} {move.id}").shuffle(farther)  # noqa: S311
        for name in farther[:MOST_TRIED]:
            if name in {place.name for place in move.waypoints}:
                continue
            longer = with_target(move, name)
            judgement = plain(longer, situation, rules, **ordinary)
            over = judgement.judged.bill
            if judgement.judged.verdict == "illegal" and over is not None and over.shortfall:
                self.targets[move.id] = name
                return


def with_target(move: Move, name: str) -> Move:
    """``move`` with another hex as its end."""
    place = Place("hex", name)
    return replace(move, target=place, waypoints=(*move.waypoints[:-1], place))


def _within(board: Board, name: str) -> set[str]:
    found = {name}
    for _ in range(FARTHEST):
        found |= {other for one in found for other in board.neighbours(one)}
    return found


def _chosen(tries: _Tries, wanted: int) -> Iterator[Planted]:
    """The moves that are extended, at most ``wanted`` of a side, each unit once."""
    for several in tries.moves.values():
        taken: set[str] = set()
        number = 0
        for move in several:
            if number < wanted and move.id in tries.targets and taken.isdisjoint(move.company):
                taken |= {*move.units, *move.company}
                number += 1
                yield Planted(move, tries.targets[move.id])


def led_on(game: Game, planted: Iterable[Planted]) -> Game:
    """``game`` in which counters were put down at the ends of ``planted``; later moves begin there."""
    drags: dict[tuple[StepRef, str, str], str] = {}
    for one in planted:
        way = one.move.waypoints
        drags[one.move.steps[-1], way[-2].name, way[-1].name] = one.target
    elsewhere: dict[str, tuple[Place, Place]] = {}
    events = list(game.events)
    for index, event in enumerate(events):
        if not isinstance(event, Displacement):
            continue
        was, now = elsewhere.pop(event.unit, (None, None))
        if now is not None and event.origin == was:
            events[index] = event = replace(event, origin=now)
        target = drags.get((event.at, event.origin.name, event.target.name))
        if target is not None:
            elsewhere[event.unit] = event.target, Place("hex", target)
            events[index] = replace(event, target=Place("hex", target))
    return replace(game, events=tuple(events))


def counts(planted: Iterable[Planted]) -> dict[str, Counter[str]]:
    """How many planted moves of each side have each verdict."""
    found: dict[str, Counter[str]] = {}
    for one in planted:
        found.setdefault(one.player, Counter())[one.verdict] += 1
    return found
