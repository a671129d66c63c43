"""Keeps only accusations that depend on cells a person has looked at.

If a pack keeps records, most cells of a big board were entered by a program or declared complete at once.
Such cells may clear a move but never support an accusation. So phases with accusations are judged again on a
board where only facts that a person has looked at are known. An accusation that is not made there is left
open. Its question is one look at a cut-out of the map: the hexes through which a way within the allowance can
lead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..model.board import Board
from ..model.fact import MissingFact, known
from ..model.finding import OF_MOVES, Audit, Finding, JudgedMove, Move
from ..model.game import Condition, Game, StepRef
from ..model.seen import cells_of_look
from ..model.vouching import values_of
from .answers import MARCHES
from .judge import Judgement, favourable_hexes
from .phase import Judge
from .readings import timeline_as_told
from .rereading import Accused, Drag, Focus, Subjects, accused, drags, units_of
from .ruleset import RulesInForce
from .scenarios import near_ways_of, ways_of
from .situation import Situation
from .verdicts import left_open

MOST_SEARCHED = 10
"""For up to this many moves, the hexes through which they can lead are searched. If there are more, a chart
or a map is probably wrong, and the question is about the hexes around the shortest ways."""

Again = Callable[[Game, Focus, Callable[[Judge], Judge]], Audit]
"""Returns the audit of a game in which only moves within the focus are judged; its judge is made from the one
in use."""


def accused_by_what_was_seen(game: Game, found: Audit, audited: Again) -> Audit:
    """``found``, the audit of ``game``, with accusations as the board seen by persons supports them; others
    are left open."""
    accusations = list(accused(found))
    if game.seen is None or not accusations:
        return found
    ways = _Ways({drag for one in accusations for drag in drags(one)})
    looks = _Looks(game, ways.found)
    if not looks.unseen:
        return found
    seen = audited(
        _marching(game.as_seen(), found, {unit for one in accusations for unit in units_of(one)}),
        Subjects(timeline_as_told(game)).phases_of(accusations),
        ways.judging,
    )
    return _Held(found, seen, looks).result()


def _marching(seen: Game, found: Audit, accused_units: set[str]) -> Game:
    """``seen`` with conditions that the accused units may move on from their hexes: on the whole board these
    are open to them, and a missing look at them does not show otherwise."""
    moved = (one.move for one in found.moves if accused_units.intersection(one.move.units))
    starts = sorted({move.origin.name for move in moved})
    told = (Condition(f"{MARCHES} {name}", known(True), StepRef(1, 0)) for name in starts)
    return replace(seen, conditions=(*seen.conditions, *told))


@dataclass
class _Ways:
    """Notes the hexes of the possible ways of drags that are not illegal on the board as seen."""

    wanted: set[Drag]
    found: dict[Drag, frozenset[str]] = field(default_factory=dict)
    searched: int = 0

    def judging(self, judge: Judge) -> Judge:
        """A judge like ``judge`` that also notes the ways."""

        def judged(
            move: Move, situation: Situation, rules: RulesInForce, **given: Any
        ) -> Judgement:
            judgement = judge(move, situation, rules, **given)
            moved = {(unit, step) for unit in move.units for step in move.steps} & self.wanted
            if moved and judgement.judged.verdict != "illegal":
                of = ways_of if self.searched < MOST_SEARCHED else near_ways_of
                hexes = favourable_hexes(move, situation, rules, of=of, **given)
                self.searched += 1
                for drag in moved:
                    self.found[drag] = self.found.get(drag, frozenset()) | hexes
            return judgement

        return judged


class _Looks:
    """The questions that a look at the map answers. ``unseen``: by cell, how many known facts no person has
    looked at."""

    def __init__(self, game: Game, ways: Mapping[Drag, frozenset[str]]) -> None:
        self._board, self._ways = game.board, ways
        seen = game.seen or frozenset()
        self.unseen: dict[str, int] = {}
        for key in values_of(game.board):
            if key not in seen:
                self.unseen[key.cell] = self.unseen.get(key.cell, 0) + 1

    def of(self, one: Accused) -> MissingFact | None:
        """The look that decides an accusation; None if a person has seen all of the board."""
        moved = set[str]().union(*(self._ways.get(drag, frozenset()) for drag in drags(one)))
        if isinstance(one, Finding):
            own = one.hexes
        else:
            own = tuple(place.name for place in one.move.waypoints if place.kind == "hex")
        hexes = moved.union(name for name in own if name in self._board.hexes)
        while hexes and self.unseen:
            number = sum(self.unseen.get(cell, 0) for cell in cells_of_look(self._board, hexes))
            if number:
                return look_at(self._board, hexes, own, number)
            more = hexes.union(*(self._board.neighbours(name) for name in hexes))
            if more == hexes:
                break
            hexes = more
        return None


def look_at(board: Board, hexes: Iterable[str], ends: Iterable[str], unseen: int) -> MissingFact:
    """The question whether the pack is right about a cut-out of the map. ``ends``: the hexes between which it
    lies; ``unseen``: how many of its facts no person has looked at."""
    order = {name: number for number, name in enumerate(board.hexes)}
    names = tuple(sorted(set(hexes), key=lambda name: order.get(name, len(order))))
    near = list(dict.fromkeys(name for name in ends if name in order))
    where = f"between {near[0]} and {near[-1]}" if len(near) > 1 else f"around {(*near, *names)[0]}"
    many = f"{len(names):,} hexes" if len(names) > 1 else "1 hex"
    question = (
        f"is everything on the map {where} ({many}) as the pack has it? No person has looked at"
        f" {unseen:,} facts there"
    )
    return MissingFact(f"look {' '.join(names)}", question, look=names)


class _Held:
    """The accusations of an audit, and those of them that the audit of the board as seen also makes."""

    def __init__(self, found: Audit, seen: Audit, looks: _Looks) -> None:
        self._found, self._looks = found, looks
        self._moves: dict[Drag, JudgedMove] = {}
        for move in seen.moves:
            if move.verdict == "illegal":
                self._moves.update(dict.fromkeys(drags(move), move))
        self._findings = [one for one in seen.findings if one.verdict == "illegal"]

    def result(self) -> Audit:
        findings = dict.fromkeys(self._finding(one) for one in self._found.findings)
        return replace(
            self._found,
            moves=tuple(self._judged(one) for one in self._found.moves),
            findings=tuple(findings),
        )

    def _judged(self, one: JudgedMove) -> JudgedMove:
        if one.verdict != "illegal":
            return one
        same = next((self._moves[drag] for drag in drags(one) if drag in self._moves), None)
        if same is not None:
            return replace(same, move=one.move, before=one.before)
        look = self._looks.of(one)
        return replace(
            one,
            verdict="unverifiable",
            path=(),
            bill=None,
            unknowns=(look,) if look is not None else (),
            remark=UNSEEN,
        )

    def _finding(self, one: Finding) -> Finding:
        if one.verdict != "illegal":
            return one
        same = max(self._findings, key=partial(_likeness, one), default=None)
        if same is not None and any(_likeness(one, same)):
            return replace(same, moves=one.moves, follows_from=one.follows_from)
        look = self._looks.of(one)
        told = f"{', '.join(dict.fromkeys(one.names))}, {' to '.join(_ends(one))}: {UNSEEN}"
        return replace(
            left_open(one, *((look,) if look is not None else ())), bill=None, explanation=told
        )


UNSEEN = (
    "it would be illegal by the pack's map, but no person has looked at everything that decides it"
)


def _ends(one: Finding) -> list[str]:
    return list(dict.fromkeys((*one.hexes[:1], *one.hexes[-1:])))


def _likeness(one: Finding, other: Finding) -> tuple[bool, bool, int]:
    """The similarity of two findings: the same units in the same steps, the same rule, and how many drags
    they share. Zero if only one of them is about a move."""
    if bool(one.moves) != bool(other.moves) or (one.kind in OF_MOVES) != (other.kind in OF_MOVES):
        return False, False, 0
    common = len(drags(one) & drags(other))
    if not one.moves or one.kind not in OF_MOVES:
        alike = (one.code, set(one.units), one.hexes, one.steps) == (
            other.code,
            set(other.units),
            other.hexes,
            other.steps,
        )
        return alike, alike, common if alike else 0
    if not common:
        return False, False, 0
    whole = (set(one.units), one.steps) == (set(other.units), other.steps)
    return whole, one.code == other.code, common
