"""Random games of which the pack does not say all: charts with rows and keys left out, which nobody calls
whole, and places on the board where more may be than is told. What is left is true of the game as it was."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import twin
import worlds
from vassal_umpire.model.board import Board, Edge, Exceptions, Names
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import Game

CHARTS = (
    *("classes", "allowance", "terrain", "hexsides", "roads", "levels", "surcharges"),
    *("zoc", "enemy_hex", "steps", "lacks"),
)
SAID_ELSEWHERE = ("stacking", "order", "entering")
HALF = Fraction(1, 2)
MORE_IN_HEXES = ("fort", "village", "ditch")
MORE_ON_SIDES = ("river", "cliff", "bridge", "rail bridge", "wall")
MORE_LINES = ("highway", "track", "canal")


def just_about(rng: Random, game: Game, move: Move) -> Game:
    """``game`` in which the mover has just the MPs for the move, or a few less."""
    told = game.rules.tables["allowance"]
    kept = {k: told[k] for k in ("minimum_move", "counts", "modifiers", "immobile") if k in told}
    tables = {**game.rules.tables, "allowance": {"attribute": "ma", **kept}}
    game = replace(game, rules=replace(game.rules, tables=tables))
    stops = worlds.stops_of(move)
    least = twin.Twin(_with(game, Fraction(5))).judge(worlds.MOVER, move.origin.name, stops).least
    if not least:
        return game
    return _with(game, max(Fraction(1, 12), least - rng.choice((0, 0, Fraction(1, 12), HALF))))


def _with(game: Game, allowance: Fraction) -> Game:
    mover = game.units[worlds.MOVER]
    mover = replace(mover, attributes={**mover.attributes, "ma": known(allowance)})
    return replace(game, units={**game.units, worlds.MOVER: mover})


def charts(rng: Random, game: Game) -> Game:
    """``game`` with an unfinished chart, seldom two."""
    written = [chart for chart in CHARTS if game.rules.tables.get(chart)]
    unfinished = {rng.choice(written)}
    if rng.random() < 0.3:
        unfinished.add(rng.choice(CHARTS))
    tables = copy.deepcopy(dict(game.rules.tables))
    if "terrain" in unfinished:
        terrain = tables["terrain"]
        first, *others = terrain["costs"]
        _forget(rng, terrain, keep=("costs",))
        for name in others:
            _forget_cells(rng, terrain["costs"][name])
        _forget(rng, terrain["costs"], keep=(first,))
    if "hexsides" in unfinished:
        sides = tables.get("hexsides", {})
        for side in sides.values():
            _forget_cells(rng, side["cost"])
            side["bridges"] = [one for one in side.get("bridges", ()) if rng.random() < 0.6]
            for bridge in side["bridges"]:
                _forget(rng, bridge, keep=("feature",))
        _forget(rng, sides)
    if "roads" in unfinished:
        roads = tables.get("roads", {})
        for road in roads.values():
            _forget_cells(rng, road["cost"])
            _forget(rng, road, keep=("cost",))
        rules = tables.get("steps", ())
        named = {n for rule in rules for key in ("along", "not_along") for n in rule.get(key, ())}
        _forget(rng, roads, keep=named)
    if "levels" in unfinished:
        _forget(rng, tables.get("levels", {}))
        if not tables.get("levels") or rng.random() < HALF:
            tables.pop("levels", None)
    if "surcharges" in unfinished:
        tables["surcharges"] = _forget_some(rng, tables.get("surcharges", []))
        for row in tables["surcharges"]:
            row["if"] = _forget_some(rng, row["if"])
            _forget(rng, row, keep=("cost", "if"))
    if "zoc" in unfinished:
        held = tables.pop("zoc", [])
        rows = _forget_some(rng, [held] if isinstance(held, dict) else held)
        for row in rows:
            _forget(rng, row)
        if rows:
            tables["zoc"] = rows
    if "enemy_hex" in unfinished:
        enemy = tables.get("enemy_hex", {})
        _forget(rng, enemy)
        if not enemy:
            tables.pop("enemy_hex", None)
    if "allowance" in unfinished:
        allowance = tables["allowance"]
        _forget(rng, allowance, keep=("attribute", "by_class", "modifiers", "immobile"))
        for key, least in (("modifiers", 0), ("immobile", 1)):
            rows = _forget_some(rng, allowance.pop(key, []))
            for row in rows:
                row["if"] = row["if"][:least] if rng.random() < 0.4 else row["if"]
            if rows:
                allowance[key] = rows
    if "steps" in unfinished:
        tables["steps"] = _forget_some(rng, tables.get("steps", []))
    whole = frozenset({*CHARTS, *SAID_ELSEWHERE} - unfinished)
    return replace(game, rules=replace(game.rules, tables=tables, complete=whole))


def _forget(rng: Random, table: dict[str, Any], keep: Collection[str] = ()) -> None:
    """Leave out some keys of a table, whatever it has, but those to ``keep``."""
    for key in [key for key in table if key not in keep]:
        if rng.random() < 0.4:
            del table[key]


def _forget_some(rng: Random, rows: list[Any]) -> list[Any]:
    return [row for row in rows if rng.random() < 0.6]


def _forget_cells(rng: Random, row: Any) -> None:
    """Leave some classes out of a row of costs, not all of them."""
    for name in list(row) if isinstance(row, dict) else ():
        if len(row) > 1 and rng.random() < 0.3:
            del row[name]


def cells(rng: Random, game: Game) -> Game:
    """``game`` with some of the places on its board told in part: more may be there, by name or anything;
    what is told is there."""
    board, share = game.board, rng.choice((0.1, 0.3, 0.6))
    hexes, in_hexes = dict(board.hexes), dict[str, Names]()
    for name, here in board.hexes.items():
        if here.terrain is not None and rng.random() < share:
            kept, in_hexes[name] = _part(rng, here.features, MORE_IN_HEXES)
            hexes[name] = replace(here, features=kept)
    sides, on_sides = dict(board.sides), dict[Edge, Names]()
    for side in board.every_side:
        if rng.random() < share:
            sides[side], on_sides[side] = _part(rng, sides.get(side, ()), MORE_ON_SIDES)
    sides = {side: features for side, features in sides.items() if features}
    return replace(game, board=_with_lines(rng, board, share, hexes, sides, in_hexes, on_sides))


def _part(
    rng: Random, there: tuple[str, ...], others: tuple[str, ...]
) -> tuple[tuple[str, ...], Names]:
    """Some of what is in a place, and what may be there besides: all the rest, and others."""
    kept = tuple(name for name in there if rng.random() < 0.4)
    perhaps = {*there, *rng.sample(others, rng.choice((0, 1, 2)))} - {*kept}
    return kept, frozenset(perhaps) if rng.random() < 0.8 else None


def _with_lines(
    rng: Random,
    board: Board,
    share: float,
    hexes: Mapping[str, Any],
    sides: Mapping[Edge, tuple[str, ...]],
    in_hexes: Mapping[str, Names],
    on_sides: Mapping[Edge, Names],
) -> Board:
    gone = [line for line in board.lines if rng.random() < share]
    perhaps: dict[Edge, Names] = {}
    for side in board.every_side:
        kinds = {line.kind for line in gone if side in set(line.edges())}
        others = {rng.choice(MORE_LINES)} if rng.random() < share / 2 else set()
        if kinds or others:
            perhaps[side] = frozenset(kinds | others) if rng.random() < 0.8 else None
    return replace(
        board,
        hexes=hexes,
        sides=sides,
        lines=tuple(line for line in board.lines if line not in gone),
        exceptions=Exceptions(in_hexes, on_sides, perhaps),
    )
