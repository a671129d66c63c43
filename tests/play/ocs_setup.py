"""Made-up boards and units of ocs."""

from __future__ import annotations

from random import Random

from vassal_umpire.model.board import Board, Line
from vassal_umpire.model.fact import Value

from .kit import (
    bare_board,
    random_path,
    replace,
)
from .ocs_tables import CLASSES, MODES, ROADS


def random_facts(rng: Random, big: bool) -> dict[str, Value | int]:
    kinds = ["combat"] * 8 + ["hq", "transport", "hedgehog"]
    return {
        "class": rng.choice(CLASSES),
        "ma": rng.choice((0, 3, 4, 4, 5, 5, 6, 6, 8, 8))
        if big
        else rng.choice((0, 1, 2, 3, 5, 8, 12)),
        "mode": rng.choice(MODES),
        "dg": rng.random() < 0.15,
        "type": rng.choice(kinds),
        "attack": rng.random() < 0.8,
        "supplied": rng.random() < 0.8,
        "fuel": "lacking" if rng.random() < 0.05 else "full",
        "re": rng.choice((1, 2, 3, 4)),
    }


def random_board(rng: Random, columns: int, rows: int, mild: bool) -> Board:
    whole = ["open", "open", "open", "woods", *([] if mild else ["mountain", "swamp", "city"])]
    more = ["woods", "city nub"] if mild else ["woods", "city nub", "mountain nub", "city"]

    def terrain(name: str) -> list[str]:
        extra = rng.sample(more, rng.choice((0, 0, 0, 1, 2)))
        return [rng.choice(whole), *extra]

    board = bare_board(columns, rows, terrain)
    few: list[tuple[str, ...]] = [(), (), (), (), ("stream",), ("river nub",)]
    if not mild:
        few += [("river",), ("lake",), ("lake", "land"), ("river", "lake")] + 2 * [
            ("river", "land")
        ]
        few += [("stream", "river"), ("river", "bridge")]
    sides = {pair: rng.choice(few) for pair in board.every_side}
    for pair, features in sides.items():
        terrains = {t for name in pair for t in board.hexes[name].terrain or ()}
        if "bridge" in features and terrains & {"mountain", "mountain nub", "swamp"}:
            sides[pair] = ("river",)  # whether a bridge leads into such a hex the text leaves open
    return replace(board, sides={k: v for k, v in sides.items() if v}, lines=_roads(rng, board))


def _roads(rng: Random, board: Board) -> tuple[Line, ...]:
    lines = []
    for _ in range(rng.randint(2, 5)):
        path = random_path(rng, board, rng.choice(sorted(board.hexes)), rng.randint(1, 6))
        if len(path) > 1:
            lines.append(Line(rng.choice(sorted(ROADS)), tuple(path), junctions=rng.random() < 0.5))
    return tuple(lines)
