"""The ruleset ``tide-of-iron``: movement in Tide of Iron, squads and vehicles on hexes with hills.

A pack supplies what the public pages leave out, in ``[rules]`` (``schema.json``;
what is left out stays as ``tables.toml`` of this package has it)::

    [pack]
    ruleset = "tide-of-iron"

    [rules.terrain]                       # squad, truck, light, heavy
    woods = {squad = 2, truck = 4, light = 3, heavy = 3}

    [rules.stacking]
    limit = 3

    [rules.types."opel blitz"]
    class = "truck"
    ma = 4
    transport = 2

Of a unit it asks: ``class`` (squad, truck, light, heavy) and ``ma``, or its ``type``; ``officers``,
``engineer``, ``heavy_weapon``, ``tank``, ``transport``; ``action`` (advance, fire-and-movement, assault,
or another), ``token`` (none, active, fatigued, op-fire), ``pinned``, ``disrupted``, ``damage`` (none,
light, heavy); ``aboard`` (no, or the id of a vehicle), ``works`` (none, entrenchment, pillbox). The depth
of streams is the condition ``stream``.
"""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
