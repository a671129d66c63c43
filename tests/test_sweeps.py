"""What is said of a game in which something is open holds for everything it may have been."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random

import pytest

from .play.kit import FULL
from .seed import SEED
from .sweeps import DRAWERS, RULESETS, Draw, case_of, contradiction, draws, ever_found

SHARE, ALL = 150, 5000
"""Draws from each ruleset for each thing that is opened."""


def contradictions(drawn: Iterable[Draw]) -> str:
    return "\n".join(line for draw in drawn if (line := contradiction(draw)))


@pytest.mark.parametrize("what", DRAWERS)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_verdict_holds_in_every_completion(ruleset: str, what: str) -> None:
    rng = Random(f"{ruleset} {what} {SEED}")
    assert contradictions(draws(ruleset, what, rng, ALL if FULL else SHARE)) == ""


@pytest.mark.parametrize("draw", ever_found(), ids=json.dumps)
def test_what_was_found_once_stays_mended(draw: Draw) -> None:
    assert contradiction(draw) == ""


def test_every_draw_opens_something() -> None:
    """Else nothing could be found: an open verdict changes now and then when its fact is told."""
    rng = Random(1)
    opened = list(draws("generic", "attribute", rng, 40))
    assert any(draw["or"] for draw in opened)
    assert {case_of(draw).ruleset for draw in opened} == {"generic"}
