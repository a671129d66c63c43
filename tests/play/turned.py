"""Draws the same case differently: turned, mirrored, renamed, with a unit far away, dragged step by step.

What is given as a direction (:data:`DIRECTED`) turns with the board, as the ruleset's table ``facings``
reads it. Names of hexes are renamed wherever they stand as a word of
their own: in conditions (``zoc 0201``), in attributes, in tables.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from vassal_umpire.importers.analysis.game_json import game_of, plain_game, step_of
from vassal_umpire.model.board import Hex
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import JudgedMove
from vassal_umpire.model.game import Game, Place, Spent
from vassal_umpire.model.hexgrid import Axial, neighbours

DIRECTED = frozenset({"facing"})
"""Attributes whose values are directions."""
TIES = frozenset(
    {"formation", "attached", "designation", "transport_marker", "battery", "command", "army"}
)
"""Attributes that make units belong together: quotas and marks are about all of them, wherever they are."""
RULESETS = Path(__file__).parent.parent.parent / "validators" / "rulesets"
FAR = 300
"""Hexes from the board to the island that a unit is put on."""
ROOM = 40
"""Steps of a log that one step becomes: room to split a drag."""


# -- turned and mirrored ----------------------------------------------------------------------------


def turned(game: Game, sixths: int, *, mirrored: bool) -> Game:
    """The board turned clockwise by ``sixths`` of a circle, then mirrored."""
    facings = {str(name): int(number) for name, number in facings_of(game).items()}

    def place(q: int, r: int) -> list[int]:
        for _ in range(sixths):
            q, r = -r, q + r
        return [-q, q + r] if mirrored else [q, r]

    def point(plain: Any) -> Any:
        """Of a fact as JSON has it: a value, or several."""
        if isinstance(plain, dict):
            return {key: point(value) for key, value in plain.items()}
        if isinstance(plain, list):
            return [point(value) for value in plain]
        number = facings.get(str(plain))
        if number is None:
            return plain
        number = (number + sixths) % 6
        number = -number % 6 if mirrored else number
        alike = [n for n in facings if n.isdigit() == str(plain).isdigit()]
        return next(name for name in alike if facings[name] == number)

    told = json.loads(json.dumps(plain_game(game)))
    for here in told["board"]["hexes"]:
        here["at"] = place(*here["at"])
    for unit in told["units"]:
        facts = unit.get("attributes", {})
        facts.update({key: point(facts[key]) for key in DIRECTED & facts.keys()})
    for event in told["events"]:
        if event.get("attribute") in DIRECTED:
            event.update({when: point(event[when]) for when in ("before", "after")})
    return game_of(told)


def facings_of(game: Game) -> Mapping[str, int]:
    """The directions of a ruleset and a pack, as numbers 0 to 5 clockwise from "up"."""
    file = RULESETS / game.rules.name.replace("-", "_") / "tables.toml"
    shipped = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {**shipped.get("facings", {}), **game.rules.tables.get("facings", {})}


# -- renamed ----------------------------------------------------------------------------------------


def renamed(game: Game) -> Game:
    """The game with other names for all hexes, in the opposite order."""
    old = sorted(game.board.hexes)
    names = {name: f"X{len(old) - number:03}" for number, name in enumerate(old)}
    word = re.compile(r"\b(?:" + "|".join(map(re.escape, old)) + r")\b")

    def numbers(told: dict[str, Any]) -> dict[str, Any]:
        """A name of nothing but figures may have been read as a number."""
        return {
            key: names.get(f"{value:04}", value) if type(value) is int else value
            for key, value in told.items()
        }

    text = word.sub(lambda found: names[found[0]], json.dumps(plain_game(game)))
    return game_of(json.loads(text, object_hook=numbers))


# -- a unit far away --------------------------------------------------------------------------------


def with_a_far_unit(game: Game) -> Game:
    """The game with an island far from the board, on which each side has a unit like its first one."""
    ground = next(iter(game.board.hexes.values()), None)
    if ground is None:
        return game
    hexes, units, opening = dict(game.board.hexes), dict(game.units), dict(game.opening)
    for number, side in enumerate(game.sides):
        like = next((u for u in game.units.values() if u.side == side and u.kind == "unit"), None)
        if like is None:
            continue
        middle = Axial(ground.at.q + FAR, ground.at.r + 10 * number)
        for count, at in enumerate((middle, *neighbours(middle))):
            name = f"far-{number}-{count}"
            hexes[name] = Hex(name, at, ground.terrain, ground.level, (), ground.sheet)
        facts = {k: known("far") if k in TIES else fact for k, fact in like.attributes.items()}
        name = f"far {side}"
        units[name] = replace(like, id=name, name=name, seen_by=None, attributes=facts)
        opening[f"far {side}"] = Place("hex", f"far-{number}-0")
    return replace(game, board=replace(game.board, hexes=hexes), units=units, opening=opening)


# -- step by step -----------------------------------------------------------------------------------


def split(game: Game, moves: tuple[JudgedMove, ...]) -> tuple[Game, int]:
    """Every drag of one unit that was judged for certain, done hex by hex along the path found; and how
    many there were."""
    said = {event.unit for event in game.events if isinstance(event, Spent)}
    paths = {
        (move.move.steps[0], move.move.units[0]): move.path
        for move in moves
        if move.judged
        and move.verdict != "unverifiable"
        and len(move.move.units) == len(move.move.steps) == 1
        and 2 < len(move.path) < ROOM
        and move.move.units[0] not in said  # of a drag of several it may be said of the last
    }
    told = json.loads(json.dumps(plain_game(game)))
    late: dict[str, int] = {}
    events = []
    for event in told["events"]:
        at = event["at"]
        path = paths.get((step_of(at), event.get("unit", "")), ())
        if event["event"] == "displacement" and path and path[0] == event["origin"]:
            late[at] = len(path) - 2
            for number, (a, b) in enumerate(pairwise(path)):
                events.append({**event, "at": _spread(at, number), "origin": a, "target": b})
        else:  # or it is the rest of a way that began with another drag
            steps = {key: event[key] for key in ("at", "cancels") if key in event}
            events.append({**event, **{k: _spread(s, late.get(s, 0)) for k, s in steps.items()}})
    for condition in told["conditions"]:
        for key, more in (("first", 0), ("last", ROOM - 1)):
            if condition.get(key) is not None:
                condition[key] = _spread(condition[key], more)
    integrity = tuple(
        (step_of(_spread(str(at), late.get(str(at), 0))), line) for at, line in game.integrity
    )
    return replace(game_of({**told, "events": events}), integrity=integrity), len(paths)


def _spread(at: str, more: int = 0) -> str:
    log, step = step_of(at)
    return f"{log}:{step * ROOM + more if step else 0}"
