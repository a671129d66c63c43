"""The ruleset ``ocs``: section 6 (ground movement) of the Operational Combat Series, series rules v4.

The terrain chart is each game's own: a pack supplies it in ``[rules]`` (``schema.json``; what
is left out stays as ``tables.toml`` of this package has it, mostly unknown)::

    [pack]
    ruleset = "ocs"

    [rules.terrain]                       # leg, tracked, truck
    open = {leg = 1, tracked = 1, truck = 2}
    swamp = {leg = 2, tracked = "prohibited", truck = "prohibited"}

    [rules.hexsides]
    stream = {cost = {leg = "+1", tracked = "+1", truck = "+2"}}
    river = {cost = {leg = "+2", tracked = "+4", truck = "prohibited"}, water = true, river = true}
    lake = {cost = "prohibited", water = true}

    [rules.roads]
    road = {leg = 1, tracked = "1/2", truck = "1/2"}

    [rules.factors]                       # where the game's edition is known
    dg = "1/4"
    reserve = {movement = "1/2"}

Of a unit it asks: ``class`` (leg, tracked, truck), ``ma`` (printed on the side that is up), ``mode``
(combat, move, strat, reserve, released, exploitation), ``dg``, ``type`` (combat, hq, transport, sp,
hedgehog …), ``attack`` (attack-capable), ``supplied``, ``re``. On the board a little bit of terrain is
called ``mountain nub``. A hexside of which water fills only a part, the rest being land, also has the feature
``land``.
"""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
