"""The ruleset ``tide-of-iron``: movement in Tide of Iron, squads and vehicles on hexes with hills.

In ``[rules]`` (see ``schema.json``) a pack supplies what the public pages do not say. Whatever it leaves out
stays as in ``tables.toml`` of this package::

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

The attributes of a unit: ``class`` (squad, truck, light, heavy) and ``ma``, or its ``type``; ``officers``,
``engineer``, ``heavy_weapon``, ``tank``, ``transport``; ``action`` (advance, fire-and-movement, assault,
or another), ``token`` (none, active, fatigued, op-fire), ``pinned``, ``disrupted``, ``damage`` (none,
light, heavy); ``aboard`` (no, or the vehicle: its id, or the number of its transport marker), ``works``
(none, entrenchment, pillbox). The condition ``stream`` gives the depth of streams.
"""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
