"""Crossroads: the country, the counters and where they stand. All of it is our own."""

from __future__ import annotations

from dataclasses import dataclass

from press.hexes import Grid

GRID = Grid(columns=12, rows=10, dx=55, dy=64, x0=40, y0=31)
WIDTH, HEIGHT = 685, 671

# One letter a hex, a line a row: . clear, w woods, h hills, m marsh, T town.
ROWS = """\
ww....w.....
..w....ww.h.
.......w.hh.
.ww......h..
....T....T..
..w.....w...
.hh....ww...
.hhw....m...
...ww...mm..
?..w........
""".splitlines()
TERRAIN = {".": "clear", "w": "woods", "h": "hills", "m": "marsh", "T": "town", "?": ""}
"""``?``: the corner of the sheet is torn off; nobody knows what the hex holds."""

TOWNS = {"0505": "FOURWAYS", "1005": "MILLBROOK"}


def terrain(name: str) -> str:
    """The terrain of a hex, empty where the sheet is torn."""
    return TERRAIN[ROWS[int(name[2:]) - 1][int(name[:2]) - 1]]


ROADS = {
    "Market Road": [f"{column:02}05" for column in range(1, 13)],
    "North Road": [f"05{row:02}" for row in range(1, 11)],
    "Hill Road": [f"10{row:02}" for row in range(1, 6)],
}

# The river Ease runs down between columns 06 and 07: it parts each hex of column 06 from two of 07.
RIVER = [
    pair
    for row in range(1, 11)
    for pair in ((f"06{row:02}", f"07{row:02}"), (f"06{row:02}", f"07{row + 1:02}"))
    if pair[1] != "0711"
]
BRIDGE = ("0605", "0705")


@dataclass(frozen=True)
class UnitType:
    """What a counter shows: ``symbol`` in its box, size (battalions it counts), allowance in MPs."""

    symbol: str
    movement: str
    size: int
    allowance: int


TYPES = {
    "inf": UnitType("infantry", "foot", 1, 4),
    "mot": UnitType("motorized", "motor", 1, 6),
    "tank": UnitType("armour", "motor", 2, 6),
    "recon": UnitType("recon", "motor", 1, 8),
    "hq": UnitType("hq", "motor", 0, 6),
}

# Piece id, side, name, type, hex at the start.
ORDER_OF_BATTLE = [
    ("1790000000101", "Blue", "1 Tank", "tank", "0205"),
    ("1790000000102", "Blue", "Motor Inf", "mot", "0205"),
    ("1790000000103", "Blue", "Recon", "recon", "0105"),
    ("1790000000104", "Blue", "2 Tank", "tank", "0507"),
    ("1790000000105", "Blue", "1 Inf", "inf", "0203"),
    ("1790000000106", "Blue", "2 Inf", "inf", "0206"),
    ("1790000000107", "Blue", "3 Inf", "inf", "0405"),
    ("1790000000108", "Blue", "4 Inf", "inf", "0408"),
    ("1790000000109", "Blue", "5 Inf", "inf", "0106"),
    ("1790000000110", "Blue", "HQ", "hq", "0104"),
    ("1790000000201", "Red", "1 Inf", "inf", "0705"),
    ("1790000000202", "Red", "2 Inf", "inf", "0803"),
    ("1790000000203", "Red", "3 Inf", "inf", "1007"),
    ("1790000000204", "Red", "Tank", "tank", "1005"),
    ("1790000000205", "Red", "Motor Inf", "mot", "1104"),
    ("1790000000206", "Red", "HQ", "hq", "1205"),
]


def picture(side: str, kind: str) -> str:
    """The name of a counter's picture."""
    return f"{side.lower()}-{kind}.png"
