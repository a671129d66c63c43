"""A game of legal moves by the ruleset ``generic``, and its pack with one wrong fact of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from play.generic_games import SIDES, judged, right_game
from vassal_umpire.model.board import Edge, Line, edge
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Game, PhaseStart
from vassal_umpire.model.suspect import PackFact
from vassal_umpire.model.vouching import cell_of


@dataclass(frozen=True)
class Wrong:
    """A game whose pack holds a wrong fact."""

    fact: PackFact
    game: Game


def used(found: Audit, of: Callable[[tuple[str, ...]], Iterable[Any]]) -> list[Any]:
    """What the legal paths used, most used first."""
    paths = [one.path for one in found.moves if one.verdict == "legal" and len(one.path) > 1]
    count = Counter(thing for path in paths for thing in of(path))
    return [thing for thing, _ in count.most_common()]


def crossed(path: tuple[str, ...]) -> Iterable[Edge]:
    return (edge(a, b) for a, b in pairwise(path))


def _chart(game: Game, path: str, value: Any) -> tuple[PackFact, Game]:
    def put(plain: Mapping[str, Any], keys: list[str]) -> dict[str, Any]:
        key, *rest = keys
        return {**plain, key: put(plain.get(key, {}), rest) if rest else value}

    tables = put(game.rules.tables, path.split(" > "))
    return PackFact("chart", path), replace(game, rules=replace(game.rules, tables=tables))


def chart_cell(game: Game, _: Audit) -> Iterable[tuple[PackFact, Game]]:
    yield _chart(game, "terrain > costs > woods", 5)
    yield _chart(game, "terrain > costs > woods", "prohibited")


def allowance(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    moved = Counter(unit for one in found.moves for unit in one.move.units)
    for name, _ in moved.most_common():
        one = game.units[name]
        slow = replace(one, attributes={**one.attributes, "ma": known(1)})
        yield PackFact("unit", name, name="ma"), replace(game, units={**game.units, name: slow})


def terrain(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    tables = _chart(game, "terrain > costs > lake", "prohibited")[1].rules
    for name in used(found, lambda path: path[-1:]):
        hexes = {**game.board.hexes, name: replace(game.board.hexes[name], terrain=("lake",))}
        board = replace(game.board, hexes=hexes)
        yield PackFact("hex", name, "terrain"), replace(game, board=board, rules=tables)


def river_side(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    for side in used(found, crossed):
        if side not in game.board.sides:
            sides = {**game.board.sides, side: ("river",)}
            board = replace(game.board, sides=sides)
            fact = PackFact("hexside", cell_of(side), "hexsides", "river")
            yield fact, replace(game, board=board)


def road_crossing(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    for side in used(found, crossed):
        for at, line in enumerate(game.board.lines):
            if (parts := _cut(line, side)) != [line]:
                lines = (*game.board.lines[:at], *parts, *game.board.lines[at + 1 :])
                fact = PackFact("line", cell_of(side), "lines", line.kind)
                yield fact, replace(game, board=replace(game.board, lines=lines))


def _cut(line: Line, side: Edge) -> list[Line]:
    for at in range(1, len(line.hexes)):
        if edge(*line.hexes[at - 1 : at + 1]) == side:
            parts = (line.hexes[:at], line.hexes[at:])
            return [replace(line, hexes=part) for part in parts if len(part) > 1]
    return [line]


def phase_border(game: Game, _: Audit) -> Iterable[tuple[PackFact, Game]]:
    """A phase that begins three drags too early."""
    for at, start in list(enumerate(game.events))[FEWEST:]:
        last = game.events[at - FEWEST : at]
        if isinstance(start, PhaseStart) and all(isinstance(one, Displacement) for one in last):
            began = replace(start, at=last[0].at)
            events = (*game.events[: at - FEWEST], began, *last, *game.events[at + 1 :])
            yield PackFact("phase", str(began.at)), replace(game, events=events)


def form_not_declared(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    """Units of the class wheels moved twice as far as they may by march, in a form that is left out."""
    units = {
        name: replace(unit, attributes={**unit.attributes, "ma": known(Fraction(ma, 2))})
        if unit.fact("class").value == "wheels"
        and isinstance(ma := unit.fact("ma").value, int | Fraction)
        else unit
        for name, unit in game.units.items()
    }
    yield PackFact("form", "Movement", instead="wheels"), replace(game, units=units)


def wrong_side(game: Game, _: Audit) -> Iterable[tuple[PackFact, Game]]:
    for name, one in game.units.items():
        other = SIDES[1 - SIDES.index(one.side or "")]
        units = {**game.units, name: replace(one, side=other)}
        yield PackFact("unit", name, name="side"), replace(game, units=units)


def zoc_rule(game: Game, _: Audit) -> Iterable[tuple[PackFact, Game]]:
    yield _chart(game, "zoc > stop", True)


def completeness(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    """A hexside with a bridge that the pack does not have, though it says that it has all."""
    for side in used(found, crossed):
        if "bridge" in game.board.sides.get(side, ()):
            board = replace(game.board, sides={**game.board.sides, side: ("river",)})
            yield PackFact("hexside", cell_of(side), "hexsides"), replace(game, board=board)


Planting = Callable[[Game, Audit], Iterable[tuple[PackFact, Game]]]
KINDS: tuple[Planting, ...] = (
    chart_cell, allowance, terrain, river_side, road_crossing, phase_border, form_not_declared,
    wrong_side, zoc_rule, completeness,
)  # fmt: skip
FEWEST = 3
"""So many drags must be illegal by the wrong fact."""


def planted(kind: str, seed: int = 1) -> Wrong:
    """A game in which a wrong fact of a kind makes enough drags illegal. StopIteration if there is none."""
    plant = next(one for one in KINDS if one.__name__ == kind)
    return next(_telling(plant, *right_game(seed)))


def _telling(plant: Planting, right: Audit, game: Game) -> Iterator[Wrong]:
    for fact, wrong in plant(game, right):
        drags = {one.move.steps for one in judged(wrong).moves if one.verdict == "illegal"}
        if len(drags) >= FEWEST:
            yield Wrong(fact, wrong)
