"""Judging moves with the ruleset generic, against a bare A* on the same graph; and whole audits."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import MappingProxyType

import bare
from clock import Ratio, ratio, seconds, show
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import (
    Displacement,
    Game,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StepRef,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.situation import Situation

COSTS = {"clear": 1, "woods": 2, "hills": 3}
TABLES = {
    "classes": {"names": ["foot"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": COSTS},
    "zoc": {"enter": 1},
    "stacking": {"limit": 3},
}
MOVES = 60


@dataclass(frozen=True)
class Field:
    """A random board, twice: for the judge by name, for the bare search by number."""

    board: Board
    names: tuple[str, ...]
    neighbours: list[list[tuple[int, int]]]
    places: list[tuple[int, int]]
    path_queries: list[tuple[int, int]]


def make_field(hexes: int, reach: int) -> Field:
    """``hexes`` in rows of twice as many columns, and path queries of about ``reach`` hexes."""
    rng = random.Random(hexes * 1000 + reach)
    rows = max(1, int((hexes / 2) ** 0.5))
    columns = hexes // rows
    named = {
        f"{c:03}{r:03}": Hex(f"{c:03}{r:03}", from_offset(c, r), (rng.choice(list(COSTS)),))
        for c in range(columns)
        for r in range(rows)
    }
    board = Board("field", MappingProxyType(named))
    names = tuple(named)
    number = {name: i for i, name in enumerate(names)}
    neighbours = [
        [(number[n], COSTS[(named[n].terrain or ("clear",))[0]]) for n in board.neighbours(name)]
        for name in names
    ]
    path_queries = []
    while len(path_queries) < MOVES:
        c, r = rng.randrange(columns - reach), rng.randrange(rows)
        away = rng.randrange(-(reach // 2), reach // 2 + 1)
        end = (c + reach, min(max(r + away, 0), rows - 1))
        path_queries.append((number[f"{c:03}{r:03}"], number[f"{end[0]:03}{end[1]:03}"]))
    places = [tuple(h.at) for h in named.values()]
    return Field(board, names, neighbours, places, path_queries)


def game_on(field: Field, allowance: int, turns: int = 1) -> Game:
    """One unit for each path query, moved there in one drag a turn, and back the turn after."""
    names, count = field.names, len(field.path_queries)
    places = [
        tuple(Place("hex", names[n]) for n in path_query) for path_query in field.path_queries
    ]
    events: list[PhaseStart | Displacement] = []
    for turn in range(turns):
        first = turn * (count + 1) + 1
        events.append(PhaseStart(StepRef(1, first), str(turn), "Movement", "Red"))
        for i, (here, there) in enumerate(places):
            way = (there, here) if turn % 2 else (here, there)
            events.append(Displacement(StepRef(1, first + i + 1), f"u{i}", *way, actor="Red"))
    return Game(
        title="field",
        board=field.board,
        sides=("Red", "Blue"),
        units={
            f"u{i}": Unit(f"u{i}", f"Unit {i}", "Red", attributes={"ma": known(allowance)})
            for i in range(count)
        },
        opening={f"u{i}": here for i, (here, _) in enumerate(places)},
        events=tuple(events),
        rules=Rules("generic", tables=TABLES),
        phases={"Movement": PhaseRule("Movement", "active", ("march",), complete=True)},
        forms={"march": MovementForm("march")},
    )


def moves_of(game: Game) -> list[Move]:
    drags = [event for event in game.events if isinstance(event, Displacement)]
    return [
        Move(
            id=i,
            units=(drag.unit,),
            origin=drag.origin,
            target=drag.target,
            waypoints=(drag.origin, drag.target),
            binding=(True, True),
            steps=(drag.at,),
            phase=PhaseView("1", "Movement", "Red"),
        )
        for i, drag in enumerate(drags)
    ]


def verdicts(hexes: int, reach: int, allowance: int, wanted: str, aim: float | None) -> Ratio:
    """Judge every path query; the bare search looks for the same ways."""
    field = make_field(hexes, reach)
    game = game_on(field, allowance)
    rules, situation, moves = RULESET.in_force(game), Situation(game), moves_of(game)
    situation.advance_before(StepRef(1, 2))

    def judge() -> None:
        for move in moves:
            assert judge_move(move, situation, rules).judged.verdict == wanted

    def search() -> None:
        for start, goal in field.path_queries:
            assert bare.a_star(field.neighbours, field.places, start, goal, 1) is not None

    what = f"{wanted} verdict, {reach} hexes, board of {hexes:,}"
    return ratio(what, judge, "integer A* alone", search, aim=aim)


def audit_growth() -> None:
    print("\na whole audit by the number of moves (flat: linear in them)")
    field = make_field(4_000, 6)
    base = 0.0
    for turns in (8, 16, 32, 64):
        game, count = game_on(field, 30, turns), turns * MOVES
        cost = min(seconds(lambda game=game: audit(game, RULESET)) for _ in range(3)) / count
        base = base or cost
        print(
            f"  {count:>6} moves {cost * 1e6:>9.1f} µs a move {cost / base:>7.2f} times the first"
        )


def main() -> None:
    sizes = (1_000, 5_000, 10_000, 40_000)
    show("a legal verdict, 8 hexes", [verdicts(n, 8, 40, "legal", 8) for n in sizes])
    show("a legal verdict, 20 hexes", [verdicts(n, 20, 90, "legal", 8) for n in sizes])
    show("a verdict of a missed cost", [verdicts(n, 8, 4, "illegal", None) for n in sizes])
    audit_growth()


if __name__ == "__main__":
    main()
