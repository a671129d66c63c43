"""The ruleset ``wacht-am-rhein``: section 5 (Movement) of Wacht am Rhein, 2nd edition.

The Movement and Terrain Effects Chart is not public: every cell is unknown until a pack supplies it in
``[rules]`` (``schema.json``). Tables that the pack leaves out keep the values of ``tables.toml``::

    [pack]
    ruleset = "wacht-am-rhein"

    [rules.terrain]                       # mech, leg
    clear = {mech = 2, leg = 2}
    woods = {mech = "prohibited", leg = 3}

    [rules.hexsides]
    stream = {mech = "+2", leg = "+1"}
    minor-river = {leg = "+3"}

    [rules.roads]                         # by road movement; primary is 1/2 by the text
    secondary = 1
    trail = 2

    [rules.adjacent]                      # next to enemies
    cost = {mech = 1, leg = 1}

``docs/rulesets/wacht-am-rhein.md`` lists the attributes of units and the names of hexes, hexsides and
lines. Where the text can be read in more than one way, an option settles it; until then every verdict that
depends on the reading is unverifiable.
"""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
