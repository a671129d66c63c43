"""What several clauses say: classes, actions, tokens, the ways of a step."""

from __future__ import annotations

import re

from ....model.fact import UNKNOWN, Fact
from ....model.patterns import compile_pattern
from ...engine.subject import Subject

SQUAD, TRUCK, LIGHT, HEAVY, NO_CLASS = "squad", "truck", "light", "heavy", ""
CLASSES = (SQUAD, TRUCK, LIGHT, HEAVY)
VEHICLES = (TRUCK, LIGHT, HEAVY)
ON_FOOT = (SQUAD, NO_CLASS)
"""Squads, and units of a class that no rule names."""
NOUNS = {NO_CLASS: "an unknown class", **{name: f"a {name}" for name in CLASSES}}
ADVANCE, FIRE_AND_MOVEMENT, ASSAULT = "advance", "fire-and-movement", "assault"
ACTIONS = (ADVANCE, FIRE_AND_MOVEMENT, ASSAULT)
"""The actions in which MPs are spent (MV-b)."""
NOT_ACTIVATED = "none"
ASSAULTS = "assaults at all"
"""A fact of the mover: whether the game ever says which hex it assaulted."""
ACTIONS_NAMED = (
    *ACTIONS,
    "concentrated-fire",
    "prepare-op-fire",
    "strategy-card",
    "fatigue",
    "special-action",
    NOT_ACTIVATED,
)
SPENT = ("fatigued", "op-fire")
"""The tokens of a unit that has been activated and is not fresh."""
DEPTH, DEPTHS = "condition:stream", ("shallow", "deep", "flooded", "frozen")
STREAM, WADI, RAILWAY = "stream", "wadi", "railway"
WIRE, TRAP, MINES = "razor wire", "tank trap", "minefield"
HALF, BRIDGE, SNOW_BRIDGE = "half hex", "bridge", "snow bridge"
FEATURES = (HALF, BRIDGE, SNOW_BRIDGE, WIRE, TRAP, MINES, "entrenchment", "two entrenchments")
"""Features of hexes that these rules know besides those in the terrain chart."""
OFF_ROAD, OVER_BRIDGE, ANY_ROAD = "", "a bridge", "a road"
"""Ways in which a step is made, besides along a road of a kind that the chart has."""


def spelt(action: Fact) -> Fact:
    """An action, spelt as in :data:`ACTIONS_NAMED`: "Fire and Movement" becomes ``fire-and-movement``. Not
    known if a word is none of these."""
    if action.options is None:
        return action
    words = {
        re.sub(r"[\s_-]+", "-", str(o).strip().lower().replace("&", " and ")): None
        for o in action.options
    }
    if not words.keys() <= set(ACTIONS_NAMED):
        return UNKNOWN
    return Fact(tuple(words), source=action.source)


def round_of(unit: Subject, turn: str | None) -> str:
    """The name of the round that contains the turn of this name; empty if it is not known."""
    pattern = unit.tables["turns"]["round"]
    if turn is None or not pattern:
        return turn or ""
    found = compile_pattern(pattern).search(turn)
    return "" if found is None else found.whole
