"""Random legal games by the ruleset ``generic``, on a pack that writes its own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any

from play.kit import bare_board, names_of, unit
from vassal_umpire.model.board import Board, Edge, Line
from vassal_umpire.model.finding import Audit
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
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move

COLUMNS, ROWS, TURNS, UNITS = 7, 6, 14, 6
SIDES = ("Red", "Blue")
KINDS = ("foot", "wheels")
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


@cache
def right_game(seed: int) -> tuple[Audit, Game]:
    """The audit of a game in which every move is legal, and that game. Moves that units tried and may not
    make are left out."""
    return put_right(_tried(Random(seed)), lambda found: wrongs(found, "illegal", "unverifiable"))


def judged(game: Game) -> Audit:
    """The audit of a game, in which nothing that is wrong is explained."""
    judge = partial(judge_move, accused=False)
    return audit(game, rulesets().get(game.rules.name), judge=judge)


def wrongs(found: Audit, *verdicts: str) -> set[tuple[str, StepRef]]:
    """Who moved so that it was found illegal, or got another of some verdicts, and at which step."""
    return {
        (unit, move.move.steps[-1])
        for move in found.moves
        if move.verdict in (verdicts or ("illegal",))
        for unit in move.move.units
    }


def put_right(
    game: Game, wrong_of: Callable[[Audit], set[tuple[str, StepRef]]]
) -> tuple[Audit, Game]:
    """The audit of a game without what is wrong in it by its audit, and that game."""
    while wrong := wrong_of(found := judged(game)):
        game = without_moves(game, wrong)
    return found, game


def _tried(rng: Random) -> Game:
    """A game in which each unit is dragged once a turn, whether it may be or not."""
    board = _board(rng)
    names = sorted(board.hexes)
    units = {
        name: unit(name, side, {"class": KINDS[n > UNITS // 2], "ma": rng.randint(5, 7)})
        for side in SIDES
        for n in range(1, UNITS + 1)
        for name in [f"{side} {n}"]
    }
    opening = {name: Place("hex", rng.choice(names)) for name in units}
    where, step = dict(opening), 0
    events: list[PhaseStart | Displacement] = []
    for turn in range(1, TURNS + 1):
        for side in SIDES:
            step += 1
            events.append(PhaseStart(StepRef(1, step), str(turn), "Movement", side))
            for name in rng.sample(sorted(units), len(units)):
                if units[name].side != side:
                    continue
                here = where[name].name
                near = [n for n in names if 2 <= (board.distance(here, n) or 0) <= 4]
                step += 1
                to = Place("hex", rng.choice(near))
                at = StepRef(1, step)
                events.append(Displacement(at, name, where[name], to, actor=side, player=side))
                where[name] = to
    return Game(
        title="country",
        board=board,
        sides=SIDES,
        units=units,
        opening=opening,
        events=tuple(events),
        rules=Rules("generic", tables=TABLES, complete=frozenset((*CHARTS, *OTHER_CHARTS))),
        phases={"Movement": PhaseRule("Movement", "active", ("march",), complete=True)},
        forms={"march": MovementForm("march")},
    )


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


def without_moves(game: Game, wrong: set[tuple[str, StepRef]]) -> Game:
    """``game``, with units staying where they are instead of making one of the ``wrong`` moves."""
    where = dict(game.opening)
    events: list[object] = []
    for event in game.events:
        if isinstance(event, Displacement):
            if (event.unit, event.at) in wrong or where[event.unit] == event.target:
                continue
            event = replace(event, origin=where[event.unit])
            where[event.unit] = event.target
        events.append(event)
    return replace(game, events=tuple(events))  # type: ignore[arg-type]
