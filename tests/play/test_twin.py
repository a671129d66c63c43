"""The walker and the audit agree on every hex a unit might go to, on random small boards."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from play.ask import ask
from play.kit import FULL, Kit, kits

BOARDS = 5_000 if FULL else 250
"""Small boards, one unit asked on each."""


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_walker_and_search_agree_on_verdict_and_least_cost(kit: Kit) -> None:
    answers: Counter[str] = Counter()
    for seed in range(BOARDS):
        for answer in ask(kit, seed):
            assert answer.agree, f"seed {seed}: {answer}"
            answers[answer.audit.split()[0]] += 1
    # a walker that lets nobody move, or a ruleset that knows nothing, would agree, too
    assert answers["legal"] > answers.total() / 10
    assert answers["illegal"] > answers.total() / 10
    assert answers["unverifiable"] < answers.total() / 4


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_the_walker_knows_nothing_of_the_validators(kit: Kit) -> None:
    """Of what it is to be compared with; the harness around it may."""
    known = {kit.__module__, "play.kit", "play.legal"}
    for name in known:
        text = Path(sys.modules[name].__file__ or "").read_text(encoding="utf-8")
        assert "vassal_umpire.validators" not in text, name
        assert "vassal_umpire.plugin" not in text, name
