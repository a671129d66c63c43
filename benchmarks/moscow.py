"""The map of Battle for Moscow with the table somebody typed in from it (see ``boards.py``)."""

from __future__ import annotations

import math
import re
from pathlib import Path

from boards import Board, picture
from vassal_umpire.plugin.suggest.cells import Cells, Edge
from vassal_umpire.plugin.suggest.survey import Survey

_LEFT, _COLUMN, _HEIGHT, _SIDE = 62.1, 86.1, 101.83, 57.5  # pixels, measured on the picture
_FIRST = ("N", "NE", "SE", "S", "SW", "NW")


def moscow(corpus: Path) -> Board | None:
    """The board; None where it is not on this machine."""
    table = corpus / "battle-for-moscow" / "capp_area.js"
    image = corpus / "battle-for-moscow" / "capp_map.png"
    if not (table.is_file() and image.is_file()):
        return None
    text = table.read_text("utf-8").split("b4mGrid", 1)[1]
    rows = [each for each in text.split("}, {") if "terrain:" in each]
    places = {_place(row): row for row in rows}
    centres = {_name(place): _centre(place) for place in places}
    edges, along, across = [], {}, {}
    for place, row in places.items():
        for way, other in _ways(place).items():
            back = _FIRST[(_FIRST.index(way) + 3) % 6]
            if other not in places or other < place:
                continue
            edge = _edge(place, other)
            edges.append(edge)
            for key, called, found in (("river", "river", along), ("rail", "rail", across)):
                there = way in _list(row, key) or back in _list(places[other], key)
                found[edge.key] = called if there else None
    kinds = {_name(place): _kind(row) for place, row in places.items()}
    survey = Survey(picture(image), Cells(centres, tuple(edges)))
    return Board("Battle for Moscow", False, survey, kinds, kinds, along, across)


def _place(row: str) -> tuple[int, int]:
    found = re.search(r"x: (\d+),\s+y: (\d+)", row)
    assert found is not None
    return int(found[1]), int(found[2])


def _kind(row: str) -> str:
    found = re.search(r"terrain: '(\w+)'", row)
    assert found is not None
    return "city" if "city:" in row else found[1]


def _list(row: str, key: str) -> set[str]:
    found = re.search(rf"{key}: \[([^\]]*)\]", row)
    return set(re.findall(r"[NSEW]+", found[1])) if found else set()


def _name(place: tuple[int, int]) -> str:
    return f"{place[0]},{place[1]}"


def _centre(place: tuple[int, int]) -> tuple[float, float]:
    column, row = place
    return _LEFT + _COLUMN * column, _HEIGHT * (row + (0.0 if column % 2 else 0.5))


def _ways(place: tuple[int, int]) -> dict[str, tuple[int, int]]:
    column, row = place
    up, down = (row - 1, row) if column % 2 else (row, row + 1)
    there = [
        (column, row - 1),
        (column + 1, up),
        (column + 1, down),
        (column, row + 1),
        (column - 1, down),
        (column - 1, up),
    ]
    return dict(zip(_FIRST, there, strict=True))


def _edge(one: tuple[int, int], other: tuple[int, int]) -> Edge:
    (ax, ay), (bx, by) = _centre(one), _centre(other)
    length = math.hypot(bx - ax, by - ay)
    x, y = (ax + bx) / 2, (ay + by) / 2
    ox, oy = -(by - ay) / length * _SIDE / 2, (bx - ax) / length * _SIDE / 2
    return Edge(_name(one), _name(other), (x - ox, y - oy), (x + ox, y + oy))
