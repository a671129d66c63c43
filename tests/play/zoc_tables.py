"""The made-up tables that zoc-classes is played with."""

from __future__ import annotations

from math import ceil, floor

from .kit import Fraction

P = None
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
COLUMNS = ("first", "second", "mountain")
PLUS, MINUS = "1/2M+1", "1/2M-1"
Cell = int | str | None
HEXES: dict[str, dict[str, tuple[Cell, ...]]] = {
    "clear": {
        "clear": (1, 1, 1),
        "forest": (PLUS, 2, 2),
        "mountain": (PLUS, 3, 2),
        "swamp": (P, 3, 4),
        "lake": (P, P, P),
    },
    "mud": {
        "clear": (2, 2, 1),
        "forest": (PLUS, 3, 3),
        "mountain": (P, 3, 3),
        "swamp": (P, P, P),
        "lake": (P, P, P),
    },
}
"""What a hex costs by weather, in the three columns; P: prohibited. Made up but for what the text prints."""
SIDES: dict[str, dict[str, tuple[Cell, ...]]] = {
    "clear": {
        "minor river": (MINUS, MINUS, MINUS),
        "major river": (P, PLUS, PLUS),
        "wadi": (MINUS, 1, 1),
        "canal": (2, 2, 1),
    },
    "mud": {
        "minor river": (PLUS, MINUS, MINUS),
        "major river": (P, P, PLUS),
        "wadi": (MINUS, 2, 1),
        "canal": (2, 2, 2),
    },
}
ROADS: dict[str, dict[str, tuple[Cell, ...]]] = {
    "clear": {"road": (1, 1, 1), "track": ("1/2", 1, 1)},
    "mud": {"road": (1, 2, 2), "track": (2, 2, 2)},
}
CLASSES = ("none", "partial", "full", "double", "triple")
LEAVE, LEAVE_GERMAN, ENTER = (0, 1, 2, 3, 4), (0, 0, 1, 2, 3), (0, 1, 2, 3, 4)
SCREENED = (0, 0, 1, 2, 3)
INTERDICTION = 2
ZONES = ("arctic", "arid")
LIMITS = {
    (True, "c/m"): ("up", "full", "down"),
    (True, "s/m"): ("up", "down", "down"),
    (True, "non-motorized"): ("none", "up", "down"),
    (False, "c/m"): ("full", "down", "none"),
    (False, "s/m"): ("full", "none", "none"),
    (False, "non-motorized"): ("full", "none", "none"),
}
"""6.D.5: reserve or not, class → initial, exploitation, reaction."""
PHASES = ("Initial", "Exploitation", "Reaction")
ROUNDED = {"up": ceil, "down": floor, "keep": lambda x: x}
