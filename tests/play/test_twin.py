"""Walker and audit agree on every hex of small random boards, and of a few large ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from play.ask import answers, ask
from play.kit import Kit, Phase, Table, kits
from tiers import PROOF, SEED, by_tier, drawn

each_kit = pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
SMALL_BOARDS = by_tier(4, ci=8, proof=10_000)
"""The number of small boards; slow kits get fewer."""
ASKED = by_tier(1, ci=1, proof=2)
"""Units of each side of a large board that are asked about."""


@each_kit
def test_walker_and_search_agree_on_verdict_and_least_cost(kit: Kit) -> None:
    answers: Counter[str] = Counter()
    for seed in range(SMALL_BOARDS // kit.slow):
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
    harness = {"ask.py", "detection.py", "generic_games.py", "printing.py", "see.py"}
    harness |= {"withheld.py", "wrong_packs.py"}  # they ask a ruleset for the names of its charts
    tests = {path.name for path in (*folder.glob("test_*.py"), *folder.glob("proof_*.py"))}
    walkers = [path for path in folder.glob("*.py") if path.name not in harness | tests]
    assert {"kit.py", "legal.py", "ocs.py"} <= {path.name for path in walkers}
    for path in walkers:
        text = path.read_text(encoding="utf-8")
        for other in ("validators", "plugin"):
            assert f"import vassal_umpire.{other}" not in text, path.name
            assert f"from vassal_umpire.{other}" not in text, path.name


@pytest.mark.ci
@pytest.mark.parametrize("kit", drawn([*kits().values()], 2), ids=lambda kit: kit.name)
@pytest.mark.parametrize("seed", drawn(range(1, 5), 1))
def test_they_agree_on_large_boards(kit: Kit, seed: int) -> None:
    """Asked are, for each side, the units that reach most by the walker."""
    setup = kit.setup(Random(seed), big=True)
    table, form, phase = Table(setup), kit.forms[0], kit.sequence[0]
    questions, reach = [], Counter[str]()
    for side in setup.sides if PROOF else [Random(f"{kit.name} {SEED}").choice(setup.sides)]:
        table.apply(Phase(1, phase, side))
        reach.update({unit: len(kit.routes(table, unit, form)) for unit in table.on_map(side)})
        first = sorted(table.on_map(side), key=lambda unit: -reach[unit])[:ASKED]
        questions += [(unit, form, phase, side) for unit in first]
    said = list(answers(kit, setup, questions))
    assert [str(answer) for answer in said if not answer.agree] == []
    legal = Counter(answer.unit for answer in said if answer.audit.startswith("legal"))
    assert legal == {unit: reach[unit] for unit, *_ in questions}
