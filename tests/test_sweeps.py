"""What is said of a game in which something is open holds for everything it may have been."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain, repeat
from random import Random

import pytest
from cases import RULESETS
from tiers import SEED, by_tier

from . import sweeps
from .sweeps import DRAWERS, Draw, contradiction, draws, ever_found

SHARE = by_tier(4, ci=150, proof=5000)
"""Draws from each ruleset for each thing that is opened."""


def contradictions(drawn: Iterable[Draw]) -> str:
    return "\n".join(line for draw in drawn if (line := contradiction(draw)))


@pytest.mark.parametrize("what", DRAWERS)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_verdict_holds_in_every_completion(ruleset: str, what: str) -> None:
    rng = Random(f"{ruleset} {what} {SEED}")
    assert contradictions(draws(ruleset, what, rng, SHARE)) == ""


@pytest.mark.parametrize("draw", ever_found(), ids=json.dumps)
def test_what_was_found_once_stays_mended(draw: Draw) -> None:
    assert contradiction(draw) == ""


@pytest.mark.parametrize(
    ("said", "completed", "told"),
    [
        ("legal", "illegal", True),
        ("illegal", "legal", True),
        ("illegal", "unverifiable", True),
        ("legal", "unverifiable", False),
        ("unverifiable", "illegal", False),
        ("legal", "legal", False),
    ],
)
def test_what_belies_a_verdict_is_told(
    said: str, completed: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the tests above would hold for nothing."""
    (draw,) = draws("generic", "attribute", Random(1), 1)
    verdicts = chain([said], repeat(completed))
    monkeypatch.setattr(sweeps, "_verdict", lambda _case, _game: next(verdicts))
    assert bool(contradiction(draw)) is told
