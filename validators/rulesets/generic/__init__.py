"""The ruleset ``generic``: movement by tables alone, for any hex wargame whose rules fit them.

The tables come from ``[rules]`` of a pack (``schema.json``). All of it, with examples::

    [pack]
    ruleset = "generic"

    [rules.classes]                       # every cost may be a number for all classes, or class = cost
    attribute = "class"                   # left out: every unit is of the first class
    names = ["foot", "wheels", "tracks"]

    [rules.allowance]
    attribute = "ma"                      # printed on the counter; or by_class = {foot = 4, wheels = 10}
    minimum_move = true                   # one hex as the sole step, whatever it costs
    immobile = [{reason = "is pinned", if = [{attribute = "status", is = ["pinned"]}]}]

    [[rules.allowance.modifiers]]         # in this order
    reason = "mud"
    op = "multiply"
    value = "1/2"
    round = "up"
    if = [{condition = "weather", is = ["mud"]}, {attribute = "class", not = ["foot"]}]

    [rules.terrain]
    combine = "dearest"                   # of several terrains in a hex; or "sum"
    [rules.terrain.costs]
    clear = 1
    forest = {foot = 2, wheels = "prohibited", tracks = 3}
    marsh = {foot = "all", wheels = "unknown", tracks = "prohibited"}
    fort = "+1"                           # added to the rest; features of a hex count if named here

    [rules.hexsides.river]
    cost = {foot = 2, wheels = "prohibited", tracks = 3}
    bridges = [{feature = "bridge"}, {feature = "rail bridge", cost = {wheels = 1, others = 0}}]

    [rules.roads.primary]                 # a kind of line
    cost = {foot = "1/2", wheels = "1/4", tracks = "1/4"}
    cancels = ["terrain", "hexsides", "levels"]       # the default
    continuity = "edge"                   # the road crosses the hexside; "path": and was followed so far

    [rules.levels]
    up = 1
    down = 0
    most = 1

    [[rules.surcharges]]
    reason = "night"
    cost = 1
    if = [{condition = "night", is = [true]}]

    [[rules.steps]]                       # rules about certain steps: cost or stop, for those that fit all
    reason = "frozen river"
    across = ["river"]                    # into, out_of, along, not_along, climbs, friends
    cost = 0                              # besides the charts, but for
    instead_of = ["hexsides"]
    if = [{condition = "weather", is = ["frost"]}]

    [[rules.steps]]
    into = ["marsh"]
    stop = true
    if = [{side = true, is = ["Soviet"]}]

    [rules.zoc]
    exerted_by = [{attribute = "combat", least = 1}]
    negated_by_friends = true
    not_across = ["river"]
    enter = 1                             # and/or leave = 1, within = "prohibited", stop = true

    [rules.enemy_hex]                     # left out: no enemy's hex may be entered
    cost = 2                              # the hex of those who do not bar it; without barred_by: of all
    barred_by = [{attribute = "combat", least = 1}]

    [rules.entering]                      # coming onto the map in the phase; left out: not known
    spent = "as entered"                  # or "terrain" (without roads), "unknown", a cost, class = cost

    [[rules.lacks]]                       # what the game has and these tables lack: such moves stay open
    what = "facing costs MPs"
    effect = "hinders"                    # or "helps", "either"
    phases = ["Movement"]
    if = [{attribute = "class", is = ["wheels"]}]

    [rules.values]
    weather = ["dry", "mud", "frost"]     # a fact that says else is an error

    [rules.stacking]
    limit = 2
    limits = [{terrain = ["town"], limit = 3}]
    exempt = [{attribute = "class", is = ["leader"]}]
    checked = "move-end"

A class left out of a table of costs has the cost of ``others``; without that its cost is not known
(along a road: it cannot use it; for zones of control and surcharges: nothing). A cost of which only
bounds are known is ``{from = 1, to = 3}``.

**A small game** builds on these tables: a package with at least the first three of these files
(docs/your-first-ruleset.md builds one step by step), and an entry point of the group
``vassal_umpire.rulesets``.

``manifest.toml``  names the game, says ``extends = "generic"`` and holds the game's charts and rules under
                   ``[rules]``, as a pack would write them; a pack for it need not
``clauses.toml``   the clauses of the game's text; ``base = ["GEN-TERRAIN"]`` says for which clause of
                   ``generic`` one stands, and findings and bills cite it then
``__init__.py``    ``RULESET = ruleset(__name__)``, and small functions where tables do not reach
                   (:mod:`.own`)
``schema.json``    only if its Python reads charts of its own: their ``properties`` and ``$defs``
``page.md``        the part of its documentation page that is written by hand
``cases``          conformance cases
"""

from __future__ import annotations

from ...engine.clauses import cost, forbid, must_stop
from .book import TableRuleset, ruleset
from .own import OwnHex, OwnStep

RULESET = ruleset(__name__)

__all__ = [
    "OwnHex", "OwnStep", "TableRuleset", "cost", "forbid", "must_stop", "ruleset",
]  # fmt: skip
