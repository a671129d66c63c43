"""Boards to judge moves on: the sample board of a ruleset, and its ground laid out over and over."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from zlib import crc32

from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.board import Board, Edge, Hex, Line, edge
from vassal_umpire.model.fact import Value, known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import Displacement, Game, PhaseStart, Place, StepRef
from vassal_umpire.model.hexgrid import from_offset, to_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.ruleset import START, Circumstances, RulesInForce
from vassal_umpire.validators.situation import Situation

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
ENEMIES_EVERY = 40
"""One enemy for so many hexes of a board laid out."""


@cache
def sample_game(name: str) -> Game:
    """The game of the first log in ``samples/<name>``, as an audit reads it."""
    folder = SAMPLES / name
    facts = folder / "facts.toml"
    log = min(folder.glob("*.vlog"))
    named = Named((log,), facts=facts if facts.exists() else None)
    opened = open_game(named, Viewer(), DEFAULT_LIMITS)
    assert all(problem.severity == "note" for problem in opened.problems), opened.problems
    return opened.game


def laid_out(board: Board, hexes: int) -> Board:
    """The ground of ``board`` repeated until there are about ``hexes``: terrain, hexsides, roads.

    An even number of its columns is taken, so that the pieces fit; between two pieces lies nothing.
    """
    at = {to_offset(h.at): h for h in board.hexes.values()}
    wide, high = (max(place[i] for place in at) + 1 for i in (0, 1))
    wide -= wide % 2
    across = max(1, round((hexes * high / wide) ** 0.5 / high))
    down = max(1, round(hexes / (across * wide * high)))
    names: dict[tuple[int, int], dict[str, str]] = {}
    found: dict[str, Hex] = {}
    for tile in ((x, y) for x in range(across) for y in range(down)):
        here = names[tile] = {}
        for (nx, ny), old in at.items():
            if nx < wide:
                column, row = tile[0] * wide + nx, tile[1] * high + ny
                name = here[old.name] = f"{column:03}{row:03}"
                found[name] = replace(old, name=name, at=from_offset(column, row))
    sides: dict[Edge, tuple[str, ...]] = {}
    lines: list[Line] = []
    for here in names.values():
        sides |= {
            edge(here[a], here[b]): features
            for (a, b), features in board.sides.items()
            if a in here and b in here
        }
        for line in board.lines:
            path = tuple(here[name] for name in line.hexes if name in here)
            lines += [replace(line, hexes=path)] if len(path) > 1 else []
    return replace(
        board, hexes=MappingProxyType(found), sides=MappingProxyType(sides), lines=tuple(lines)
    )


@dataclass(frozen=True)
class Field:
    """Moves on a board, and the board once more as a graph of numbers for the bare search.

    ``path_queries``: start and goal of each move, by number. ``least``: what a step costs at least.
    """

    game: Game
    moves: tuple[Move, ...]
    neighbours: Sequence[Sequence[tuple[int, int]]]
    places: Sequence[tuple[int, int]]
    path_queries: tuple[tuple[int, int], ...]
    least: int

    @property
    def hexes(self) -> int:
        return len(self.places)

    def in_force(self) -> RulesInForce:
        """The rules afresh: nothing of the board worked out yet."""
        return rules_of(self.game)

    def situation(self) -> Situation:
        """Everybody where he starts, the phase begun."""
        return situation_of(self.game)

    def only(self, verdict: str, most: int) -> Field:
        """Of its moves those that the ruleset calls so, no more than ``most``; the other movers go.

        Their going may tell on the moves kept (friends negate zones of control), so it is asked again.
        """
        rules, situation = self.in_force(), self.situation()
        kept: list[int] = []
        for i, move in enumerate(self.moves):
            if len(kept) < most and judged(move, situation, rules, self.game) == verdict:
                kept.append(i)
        if len(kept) == len(self.moves):
            return self
        moves = tuple(self.moves[i] for i in kept)
        gone = {move.units[0] for move in self.moves} - {move.units[0] for move in moves}
        units = {name: unit for name, unit in self.game.units.items() if name not in gone}
        opening = {name: self.game.opening[name] for name in units}
        events = tuple(e for e in self.game.events if getattr(e, "unit", "") not in gone)
        game = replace(
            self.game,
            units=MappingProxyType(units),
            opening=MappingProxyType(opening),
            events=events,
        )
        path_queries = tuple(self.path_queries[i] for i in kept)
        return replace(self, game=game, moves=moves, path_queries=path_queries).only(verdict, most)


def rules_of(game: Game) -> RulesInForce:
    return rulesets().get(game.rules.name).in_force(game)


def situation_of(game: Game) -> Situation:
    situation = Situation(game)
    situation.advance_before(StepRef(1, 2))
    return situation


def judged(move: Move, situation: Situation, rules: RulesInForce, game: Game) -> str:
    """The verdict on a move, whatever forms its phase has."""
    forms = game.phases[move.phase.phase or ""].forms
    return judge_move(move, situation, rules, forms=forms or ("",)).judged.verdict


def make_field(
    game: Game,
    board: Board,
    like: str,
    more: Mapping[str, Value],
    phase: str,
    reach: int,
    tries: int,
    among: Board | None = None,
    form: str = "",
) -> Field:
    """Units like the one called ``like``, each with a move of its own on ``board`` to a hex ``reach``
    hexes away. ``more``: attributes they have otherwise. ``among``: a smaller board whose hexes are
    among those of this one: all moves are made there. ``form``: whose steps the bare search takes, where
    several are open."""
    model = next(unit for unit in game.units.values() if unit.name == like)
    attributes = {**model.attributes, **{key: known(value) for key, value in more.items()}}
    wanted = _path_queries(among or board, reach, tries)
    movers = {
        f"u{i}": Unit(f"u{i}", f"Unit {i}", model.side, attributes=attributes)
        for i in range(len(wanted))
    }
    opening = {f"u{i}": Place("hex", start) for i, (start, _) in enumerate(wanted)}
    enemies, theirs = _enemies(game, board, model.side)
    drags = tuple(
        Displacement(StepRef(1, i + 2), f"u{i}", Place("hex", a), Place("hex", b), model.side)
        for i, (a, b) in enumerate(wanted)
    )
    played = replace(
        game,
        board=board,
        units=MappingProxyType({**movers, **enemies}),
        opening=MappingProxyType({**opening, **theirs}),
        events=(PhaseStart(StepRef(1, 1), "1", phase, model.side), *drags),
        gaps=(),
        integrity=(),
    )
    moves = tuple(_move(i, drag, PhaseView("1", phase, model.side)) for i, drag in enumerate(drags))
    number = {name: i for i, name in enumerate(board.hexes)}
    neighbours = _graph(played, number, moves[0], form)
    least = min((cost for steps in neighbours for _, cost in steps), default=0)
    path_queries = tuple((number[a], number[b]) for a, b in wanted)
    places = [tuple(h.at) for h in board.hexes.values()]
    return Field(played, moves, neighbours, places, path_queries, least)


def _path_queries(board: Board, reach: int, tries: int) -> list[tuple[str, str]]:
    """Pairs of hexes ``reach`` apart (or as far as the board goes), from all over it."""
    rng = random.Random(f"{len(board.hexes)} {reach}")
    names = list(board.hexes)
    found: list[tuple[str, str]] = []
    while len(found) < tries:
        start, goal = rng.choice(names), ""
        column, row = to_offset(board.hexes[start].at)
        across = rng.choice((-1, 1)) * rng.randrange(reach // 2, reach + 1)
        for down in rng.sample(range(-reach, reach + 1), 2 * reach + 1):
            goal = (
                board.at(board.hexes[start].sheet, from_offset(column + across, row + down)) or ""
            )
            if goal and board.distance(start, goal) == reach:
                found.append((start, goal))
                break
    return found


def _enemies(
    game: Game, board: Board, side: str | None
) -> tuple[dict[str, Unit], dict[str, Place]]:
    """Those of the game on its own board; on another, the like of them all over it."""
    theirs = [u for u in game.units.values() if u.kind == "unit" and u.side != side]
    if board is game.board:
        return {u.id: u for u in theirs}, {u.id: game.opening[u.id] for u in theirs}
    spots = [name for name in board.hexes if crc32(name.encode()) % ENEMIES_EVERY == 0]
    units = {f"e{i}": replace(theirs[i % len(theirs)], id=f"e{i}") for i in range(len(spots))}
    return units, {f"e{i}": Place("hex", spot) for i, spot in enumerate(spots)}


def _move(number: int, drag: Displacement, phase: PhaseView) -> Move:
    return Move(
        id=number,
        units=(drag.unit,),
        origin=drag.origin,
        target=drag.target,
        waypoints=(drag.origin, drag.target),
        binding=(True, True),
        steps=(drag.at,),
        phase=phase,
    )


def _graph(
    game: Game, number: Mapping[str, int], move: Move, of_form: str
) -> list[list[tuple[int, int]]]:
    """The steps of the first unit from every hex, as its ruleset offers them in the world against it."""
    rules, situation = rules_of(game), situation_of(game)
    form = game.phases[situation.phase.phase or ""].forms or ("",)
    movers = rules.scenarios("u0", Circumstances(situation, ("u0",), form, move=move))[0].movers
    mover = next(mover for mover in movers if of_form in ("", mover.form))
    graph = mover.graph("adverse")
    return [[(number[step.to], step.cost) for step in graph.steps(name, START)] for name in number]
