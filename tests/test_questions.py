"""Every question can be answered: its stanza loads as printed, its answer settles it, and nothing else is
asked about the same fact."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from cases import RULESETS, audit_of, every_case
from tiers import SEED, by_tier
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Game
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.validators.audit import audit

from .questions import (
    filled,
    has_blank,
    is_a_choice_of_charts,
    questions,
    subject,
    told,
)

SAY_SO = "say so"
"""Stands in a question whose stanza has no blank: it is pasted if the answer is yes, and only then."""

SHARE = by_tier(3, ci=40, proof=10_000)
"""Open cases of each ruleset whose questions are answered."""


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_every_question_is_settled_by_its_answer(ruleset: str, tmp_path: Path) -> None:
    every = [c for c in every_case("unverifiable") if c.ruleset == ruleset]
    drawn = Random(SEED).sample(every, min(SHARE, len(every)))
    found = [f"{c.id}: {line}" for c in drawn for line in faults(c.game, audit_of(c), tmp_path)]
    assert "\n".join(found) == ""


def test_questions_are_found_at_all() -> None:
    """Else the test above would hold for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        mute = MissingFact("k", "is it so?")
        assert faults_of(every_case("unverifiable")[0].game, mute, {}, Path(folder)) == [
            "k: no stanza answers: is it so?"
        ]
        hasty = MissingFact("k", "is it so?", "facts.toml", '[[pack]]\noptions = { a = "yes" }')
        assert faults_of(every_case("unverifiable")[0].game, hasty, {}, Path(folder)) == [
            f"k: its stanza answers of its own accord: {hasty.stanza!r}"
        ]


def test_a_side_that_is_told_is_not_asked_for() -> None:
    """Where the mover's side alone is not known, it is that which is asked."""
    rng = Random(SEED)
    asked: list[str] = []
    for case in rng.sample(every_case(), by_tier(20, ci=200)):
        game = case.game
        moved = [e.unit for e in game.events if isinstance(e, Displacement)]
        mover = next((game.units[name] for name in moved if name in game.units), None)
        if mover is None or mover.side is None:
            continue
        game = replace(game, units={**game.units, mover.id: replace(mover, side=None)})
        keys = questions(audit(game, RULESETS[case.ruleset]))
        sure = [u.id for u in game.units.values() if u.side is not None]
        asked += [f"{case.id}: {name}" for name in sure if f"unit {name} side" in keys]
    assert asked == []


def faults(game: Game, audited: Audit, folder: Path) -> list[str]:
    """What is wrong with the questions of a game, one line each."""
    asked = questions(audited)
    return [line for u in asked.values() for line in faults_of(game, u, asked, folder)]


def faults_of(
    game: Game, unknown: MissingFact, before: dict[str, MissingFact], folder: Path
) -> list[str]:
    """What is wrong with one question of a game that asks ``before``."""
    key = unknown.key
    if not unknown.stanza or unknown.file != "facts.toml":
        return [f"{key}: no stanza answers: {unknown.question}"]
    try:
        texts = list(filled(game, unknown.stanza))
    except (AssertionError, ValueError) as error:
        return [f"{key}: {error}"]
    if not has_blank(unknown.stanza) and SAY_SO not in unknown.question.lower():
        return [f"{key}: its stanza answers of its own accord: {unknown.stanza!r}"]
    found: list[str] = []
    refused: list[str] = []
    for text in texts:
        try:
            after = questions(audit(told(game, text, folder), RULESETS[game.rules.name]))
        except WrongPack as error:
            refused.append(f"{key}: refused: {text!r}: {error}")
            continue
        if key in after:
            found.append(f"{key}: asked again after {text!r}")
        new = [u for u in after.values() if u.key not in before]
        if any(subject(u) == subject(unknown) for u in new):
            found.append(f"{key}: asked in other words after {text!r}")
    if refused and (len(refused) == len(texts) or not is_a_choice_of_charts(texts[0])):
        found += refused
    return found[:2]
