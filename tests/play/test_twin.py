"""Walker and audit agree on every hex that a unit may go to, on random small boards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from play.ask import ask
from play.kit import Kit, kits
from tiers import by_tier

BOARDS = by_tier(6, ci=16, proof=10_000)
"""The number of small boards; slow kits get fewer."""


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_walker_and_search_agree_on_verdict_and_least_cost(kit: Kit) -> None:
    answers: Counter[str] = Counter()
    for seed in range(BOARDS // kit.slow):
        for answer in ask(kit, seed):
            assert answer.agree, f"seed {seed}: {answer}"
            answers[answer.audit.split()[0]] += 1
    # a walker that lets nobody move, or a ruleset that knows nothing, would agree, too
    assert answers["legal"] > answers.total() / 10
    assert answers["illegal"] > answers.total() / 10
    assert answers["unverifiable"] < answers.total() / 4


def test_no_kit_knows_anything_of_the_validators() -> None:
    """Kits import nothing of what they are compared with. The harness may."""
    folder = Path(__file__).parent
    harness = {"ask.py", "detection.py", "generic_games.py", "printing.py", "reached.py", "see.py"}
    harness |= {"withheld.py", "wrong_packs.py"}  # they ask a ruleset for the names of its charts
    tests = {path.name for path in (*folder.glob("test_*.py"), *folder.glob("proof_*.py"))}
    walkers = [path for path in folder.glob("*.py") if path.name not in harness | tests]
    assert {"kit.py", "legal.py", "ocs.py"} <= {path.name for path in walkers}
    for path in walkers:
        text = path.read_text(encoding="utf-8")
        for other in ("validators", "plugin"):
            assert f"import vassal_umpire.{other}" not in text, path.name
            assert f"from vassal_umpire.{other}" not in text, path.name
