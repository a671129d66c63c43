"""Nobody is accused in random legal games, written as logs and audited as by `umpire audit`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from play.kit import Kit, kits
from play.legal import play
from play.printing import audit, write
from play.withheld import withhold
from tiers import by_tier
from vassal_umpire.model.finding import ACCUSING, Audit
from vassal_umpire.model.game import Game

MOVES = by_tier(10, ci=60, proof=20_000)
"""Legal moves to be judged, nothing withheld."""
POORER_MOVES = by_tier(20, ci=30, proof=20_000)
"""Drags to be judged with facts withheld."""
DRAGS = by_tier(20, ci=60, proof=500)
"""Drags in a game."""
LEAST_LEGAL = Fraction(9, 10)
"""The share of random legal moves that the audit must find legal if nothing is withheld."""

each_kit = pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)


def accusations(found: Audit) -> list[str]:
    """The accusations, and the problems of checks that failed."""
    told = [f"{f.code} {f.steps}: {f.explanation}" for f in found.findings if f.kind in ACCUSING]
    told += [f"{m.move.steps}: {m.remark}" for m in found.moves if m.verdict == "illegal"]
    return told + [str(p) for p in found.problems if p.severity == "error"]


def moves_in_phases_of_movement(found: Audit, game: Game) -> Counter[str]:
    """Verdicts on what was dragged in phases in which there is nothing but movement."""
    return Counter(
        judged.verdict
        for judged in found.moves
        if judged.judged
        and (rule := game.phases.get(judged.move.phase.phase or ""))
        and rule.complete
    )


@each_kit
def test_legal_play_is_never_accused(kit: Kit, tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    seed = 0
    while verdicts.total() < MOVES // kit.slow:
        seed += 1
        game = play(kit, Random(seed), DRAGS)
        files = write(kit, game.setup, game.actions, tmp_path / str(seed), logs=seed % 3 + 1)
        found, audited = audit(files)
        assert accusations(found) == [], f"seed {seed}"
        counted = moves_in_phases_of_movement(found, audited)
        assert counted, f"nobody moved with seed {seed}"
        verdicts += counted
    assert verdicts["legal"] >= LEAST_LEGAL * verdicts.total(), verdicts


@pytest.mark.ci
@each_kit
def test_legal_play_is_never_accused_for_want_of_facts(kit: Kit, tmp_path: Path) -> None:
    drags = 0
    seed = 10_000
    while drags < POORER_MOVES // kit.slow:
        seed += 1
        rng = Random(seed)
        game = play(kit, rng, DRAGS // 5)
        poorer = withhold(kit, rng)
        files = write(
            kit, game.setup, game.actions, tmp_path / str(seed), logs=seed % 3 + 1, poorer=poorer
        )
        found, _ = audit(files)
        assert accusations(found) == [], f"seed {seed}"
        drags += len(found.moves)
