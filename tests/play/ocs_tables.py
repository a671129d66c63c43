"""The made-up tables that ocs is played with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .kit import (
    Fraction,
    chart_row,
)

P = None
CLASSES = ("leg", "tracked", "truck")
HEXES: dict[str, tuple[int | None, ...]] = {
    "open": (1, 1, 2),
    "woods": (1, 2, 4),
    "swamp": (4, P, P),
    "mountain": (3, P, P),
    "city": (3, 3, 1),
}
"""What a hex costs leg, tracked and truck units; P: prohibited. No game's chart."""
SIDES: dict[str, tuple[int | None, ...]] = {
    "stream": (1, 1, 2),
    "river": (2, 4, P),
    "lake": (P, P, P),
}
BRIDGED = {"river": (1, 1, 3)}
BRIDGE = {"river": (0, 1, 1), "lake": (1, 1, 1)}
ROADS: dict[str, tuple[Fraction, ...]] = {
    "road": (Fraction(1), Fraction(1, 2), Fraction(1, 2)),
    "track": (Fraction(1), Fraction(1), Fraction(1)),
}
SURCHARGE = (1, 1, 3)
UNSTACKED = ("sp", "transport", "air", "port", "airbase", "hedgehog")
IMMOBILE = ("port", "airbase", "hedgehog")
MAY_MOVE = {"Reaction": ("released",), "Exploitation": ("exploitation", "released")}
MODES = ("combat", "combat", "combat", "move", "strat", "reserve", "released", "exploitation")
ONE = Fraction(1)
STACK = 10
"""The RE that may be in a hex (X-STK)."""


def _row(costs: Sequence[Any]) -> dict[str, str]:
    return chart_row(CLASSES, costs)


def tables(factors: Mapping[str, Any]) -> dict[str, Any]:
    sides: dict[str, Any] = {}
    for name, costs in SIDES.items():
        sides[name] = {"cost": _row(costs), "water": name != "stream", "river": name == "river"}
        for key, table in (("bridged", BRIDGED), ("bridge", BRIDGE)):
            if name in table:
                sides[name][key] = _row(table[name])
    return {
        "terrain": {name: _row(costs) for name, costs in HEXES.items()},
        "hexsides": sides,
        "roads": {name: _row(costs) for name, costs in ROADS.items()},
        "factors": factors,
        "overrun": {"form": "overrun", "dearest": 4, "surcharge": _row(SURCHARGE)},
        "stacking": {
            "limit": STACK
        },  # where a chart that is called complete has none, there is none
    }
