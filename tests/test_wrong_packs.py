"""A wrong fact of each of ten kinds, put into the pack of a game of legal moves, is suspected first.
By default ``test_suspects.py`` holds most kinds, in smaller games."""

from __future__ import annotations

import pytest
from play.wrong_packs import KINDS, planted
from tiers import drawn
from vassal_umpire.model.provenance import Key
from vassal_umpire.model.suspect import PackFact
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.suspects import suspects

LOOKED_AT = {"completeness": "river"}
"""What a person has looked at on the hexside: else it explains as much that there is a river as that there is
no bridge."""


@pytest.mark.ci
@pytest.mark.parametrize("kind", drawn([kind.__name__ for kind in KINDS], 4))
def test_a_wrong_fact_of_each_kind_is_the_first_that_is_suspected(kind: str) -> None:
    wrong = planted(kind)
    ruleset, kept = rulesets().get("generic"), JudgementCache()
    found = audit(wrong.game, ruleset, judge=kept)
    looked = {Key(wrong.fact.cell, "hexsides", LOOKED_AT[kind])} if kind in LOOKED_AT else set()
    named = suspects(wrong.game, ruleset, found, kept, retired=looked).facts
    assert named, "nothing is suspected"
    assert is_same(wrong.fact, named[0].fact), [str(one.fact) for one in named]


def is_same(wrong: PackFact, named: PackFact) -> bool:
    """Whether a look at ``named`` shows that ``wrong`` is so. What is missing has no name."""
    if (wrong.kind, wrong.cell) != (named.kind, named.cell):
        return False
    return wrong.kind in ("phase", "form") or named.name in (wrong.name, "")
