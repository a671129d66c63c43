"""The base for rulesets: the tables of ``generic``, extended by a folder of files.

Such a ruleset is a package with at least the first three of these files (docs/your-first-ruleset.md builds
one step by step):

``manifest.toml``  names the game, says ``extends = "generic"`` and holds the game's charts and rules under
                   ``[rules]``, as a pack would write them; a pack for it need not
``clauses.toml``   the clauses of the game's text; ``base = ["GEN-TERRAIN"]`` says for which clause of
                   ``generic`` one stands, and findings and bills cite it then
``__init__.py``    ``RULESET = ruleset(__name__)``, and small functions where tables do not reach
                   (:mod:`.own_clauses`)
``schema.json``    only if its Python reads charts of its own: their ``properties`` and ``$defs``
``page.md``        the part of its documentation page that is written by hand
``cases``          conformance cases

and an entry point of the group ``vassal_umpire.rulesets``.
"""

from __future__ import annotations

from .extended import ExtendedRuleset, ruleset
from .own_clauses import OwnClause, cost, forbid, must_stop
from .own_step import OwnHex, OwnStep

__all__ = [
    "ExtendedRuleset",
    "OwnClause",
    "OwnHex",
    "OwnStep",
    "cost",
    "forbid",
    "must_stop",
    "ruleset",
]
