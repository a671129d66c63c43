"""A game of legal moves by the ruleset ``generic``, and its pack with one wrong fact of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from random import Random
from typing import Any

from play.generic_games import KINDS as OF_UNITS
from play.generic_games import SIDES, legal_part, tried
from play.kit import bare_board, names_of, unit
from vassal_umpire.model.board import Board, Edge, Line, edge
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import (
    Displacement,
    Game,
    PhaseStart,
)
from vassal_umpire.model.suspect import PackFact
from vassal_umpire.model.vouching import cell_of
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move

COLUMNS, ROWS, TURNS, UNITS = 7, 6, 14, 6
TABLES: Mapping[str, Any] = {
    "classes": {"attribute": "class", "names": ["foot", "wheels"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1, "woods": 2, "hills": {"foot": 2, "wheels": 3}, "marsh": 6}},
    "hexsides": {"river": {"cost": "prohibited", "bridges": [{"feature": "bridge", "cost": 0}]}},
    "roads": {"road": {"cost": "1/2", "cancels": ["terrain"]}},
    "zoc": {"enter": "+1"},
}
CHARTS = ("classes", "allowance", "terrain", "hexsides", "roads", "levels", "surcharges", "steps")
OTHER_CHARTS = ("zoc", "enemy_hex", "stacking", "order", "entering", "lacks")


@dataclass(frozen=True)
class Wrong:
    """A game whose pack holds a wrong fact."""

    fact: PackFact
    game: Game


@cache
def right_game(seed: int) -> tuple[Audit, Game]:
    """The audit of a game in which every move is legal, and that game."""
    return legal_part(_tried(Random(seed)))


def _tried(rng: Random) -> Game:
    board = _board(rng)
    units = [
        unit(f"{side} {n}", side, {"class": OF_UNITS[n > UNITS // 2], "ma": rng.randint(5, 7)})
        for side in SIDES
        for n in range(1, UNITS + 1)
    ]
    complete = frozenset((*CHARTS, *OTHER_CHARTS))
    return tried(rng, board, units, TURNS, lambda: (2, 4), TABLES, complete)


def _board(rng: Random) -> Board:
    """Two roads lead through a strip of marsh and over the bridges of a river, which has a gap."""
    every = names_of(COLUMNS, ROWS)
    kinds = {name: rng.choices(["clear", "woods", "hills"], [5, 3, 2])[0] for name in every}
    kinds.update((f"05{row:02}", "marsh") for row in range(1, ROWS + 1))
    board = bare_board(COLUMNS, ROWS, lambda name: (kinds[name],))
    roads = [
        Line("road", tuple(f"{column:02}{row:02}" for column in range(1, COLUMNS + 1)))
        for row in (2, 5)
    ]
    river = [side for side in board.every_side if (side[0][:2], side[1][:2]) == ("03", "04")]
    sides: dict[Edge, tuple[str, ...]] = dict.fromkeys(river, ("river",))
    sides.update(
        {side: ("bridge", "river") for road in roads for side in road.edges() if side in sides}
    )
    del sides["0303", "0403"]
    return replace(board, sides=sides, lines=tuple(roads))


# -- what is wrong ----------------------------------------------------------------------------------


def _used(found: Audit, of: Callable[[tuple[str, ...]], Iterable[Any]]) -> list[Any]:
    """What the legal paths used, most used first."""
    paths = [one.path for one in found.moves if one.verdict == "legal" and len(one.path) > 1]
    count = Counter(thing for path in paths for thing in of(path))
    return [thing for thing, _ in count.most_common()]


def _sides(path: tuple[str, ...]) -> Iterable[Edge]:
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
    for name in _used(found, lambda path: path[-1:]):
        hexes = {**game.board.hexes, name: replace(game.board.hexes[name], terrain=("lake",))}
        board = replace(game.board, hexes=hexes)
        yield PackFact("hex", name, "terrain"), replace(game, board=board, rules=tables)


def river_side(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    for side in _used(found, _sides):
        if side not in game.board.sides:
            sides = {**game.board.sides, side: ("river",)}
            board = replace(game.board, sides=sides)
            fact = PackFact("hexside", cell_of(side), "hexsides", "river")
            yield fact, replace(game, board=board)


def road_crossing(game: Game, found: Audit) -> Iterable[tuple[PackFact, Game]]:
    for side in _used(found, _sides):
        lines = [part for line in game.board.lines for part in _cut(line, side)]
        if len(lines) != len(game.board.lines):
            fact = PackFact("line", cell_of(side), "lines", "road")
            yield fact, replace(game, board=replace(game.board, lines=tuple(lines)))


def _cut(line: Line, side: Edge) -> list[Line]:
    for at in range(1, len(line.hexes)):
        if edge(*line.hexes[at - 1 : at + 1]) == side:
            parts = (line.hexes[:at], line.hexes[at:])
            return [replace(line, hexes=part) for part in parts]
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
    for side in _used(found, _sides):
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
        found = audit(wrong, rulesets().get("generic"), judge=partial(judge_move, accused=False))
        drags = {one.move.steps for one in found.moves if one.verdict == "illegal"}
        if len(drags) >= FEWEST:
            yield Wrong(fact, wrong)
