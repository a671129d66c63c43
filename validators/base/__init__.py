"""What rulesets build on: the tables of ``generic``, extended by a folder of files.

A ruleset of its own is a package with three files (docs/your-first-ruleset.md builds one step by step):

``manifest.toml``  names the game, says ``extends = "generic"`` and holds the game's charts and rules under
                   ``[rules]``, as a pack would write them; a pack for it need not
``clauses.toml``   the clauses of the game's text; ``base = ["GEN-TERRAIN"]`` says for which clause of
                   ``generic`` one stands, and findings and bills cite it then
``__init__.py``    ``RULESET = ruleset(__name__)``

and an entry point of the group ``vassal_umpire.rulesets``.
"""

from __future__ import annotations

from .extended import ExtendedRuleset, ruleset

__all__ = ["ExtendedRuleset", "ruleset"]
