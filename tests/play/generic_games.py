"""Random legal games by the ruleset ``generic``, on a pack that writes its own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from play.kit import bare_board, names_of, unit
from vassal_umpire.model.board import Board, Line, edge
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
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit

COLUMNS, ROWS, TURNS = 7, 6, 8
SIDES = ("Red", "Blue")
KINDS = ("foot", "wheels")
TABLES = {
    "classes": {"attribute": "class", "names": ["foot", "wheels"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1, "woods": 2, "hills": {"foot": 2, "wheels": 3}}},
    "hexsides": {"river": {"cost": {"foot": "+1", "wheels": "+2"}}},
    "roads": {"road": {"cost": "1/2"}},
}


def generic_game(rng: Random) -> tuple[Audit, Game]:
    """A game in which every move is legal, and its audit. Moves that units tried and may not make are left
    out."""
    return legal_part(_tried(rng))


def legal_part(game: Game) -> tuple[Audit, Game]:
    """The audit of a game without those of its moves that are not legal, and that game."""
    ruleset = rulesets().get("generic")
    while True:
        found = audit(game, ruleset)
        wrong = {
            (unit, step)
            for move in found.moves
            if move.verdict != "legal"
            for unit in move.move.units
            for step in move.move.steps
        }
        if not wrong:
            return found, game
        game = without_moves(game, wrong)


def _tried(rng: Random) -> Game:
    board = _board(rng)
    units = [
        unit(f"{side} {n}", side, {"class": rng.choice(KINDS), "ma": rng.randint(4, 7)})
        for side in SIDES
        for n in range(1, 7)
    ]
    return tried(rng, board, units, TURNS, lambda: (1, rng.randint(2, 6)), TABLES)


def tried(
    rng: Random,
    board: Board,
    those: Sequence[Unit],
    turns: int,
    reach: Callable[[], tuple[int, int]],
    tables: Mapping[str, Any],
    complete: frozenset[str] | None = None,
) -> Game:
    """A game in which each unit is dragged once a turn, whether it may be or not. ``reach``: for each drag
    how far it goes at least and at most."""
    names = sorted(board.hexes)
    units = {unit.id: unit for unit in those}
    opening = {name: Place("hex", rng.choice(names)) for name in units}
    where, step = dict(opening), 0
    events: list[PhaseStart | Displacement] = []
    for turn in range(1, turns + 1):
        for side in SIDES:
            step += 1
            events.append(PhaseStart(StepRef(1, step), str(turn), "Movement", side))
            for name in rng.sample(sorted(units), len(units)):
                if units[name].side != side:
                    continue
                here, (least, most) = where[name].name, reach()
                near = [n for n in names if least <= (board.distance(here, n) or 0) <= most]
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
        rules=Rules("generic", tables=tables, complete=complete),
        phases={"Movement": PhaseRule("Movement", "active", ("march",), complete=True)},
        forms={"march": MovementForm("march")},
    )


def _board(rng: Random) -> Board:
    every = names_of(COLUMNS, ROWS)
    kinds = {name: rng.choices(["clear", "woods", "hills"], [5, 3, 2])[0] for name in every}
    board = bare_board(COLUMNS, ROWS, lambda name: (kinds[name],))
    sides = {edge(a, b) for a in every for b in board.neighbours(a)}
    rivers = rng.sample(sorted(sides), len(sides) // 10)
    roads = []
    for _ in range(3):
        path = [rng.choice(every)]
        while len(path) < 6:
            onward = [n for n in board.neighbours(path[-1]) if n not in path]
            path.append(rng.choice(onward or list(board.neighbours(path[-1]))))
        roads.append(Line("road", tuple(path)))
    return replace(board, sides=dict.fromkeys(rivers, ("river",)), lines=tuple(roads))


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
