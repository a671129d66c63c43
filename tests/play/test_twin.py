"""Walker and audit agree on every hex of small random boards, and on how many a unit reaches on large."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from play.ask import answers, ask
from play.kit import Kit, Table, kits
from play.reached import BOARDS, FOLDER, reach
from tiers import PROOF, SEED, by_tier, drawn

each_kit = pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
SMALL_BOARDS = by_tier(6, ci=8, proof=10_000)
"""The number of small boards; slow kits get fewer."""


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


# -- The number of hexes that units reach is that of fixed tables, for the walker and for the search --

each_board = pytest.mark.parametrize("seed", drawn(range(1, BOARDS + 1), 1))
ASKED = by_tier(1, ci=1, proof=2)
"""Units of each side that the search is asked about; the walker is about all."""


def fixed(kit: Kit, seed: int) -> dict[str, int]:
    with (FOLDER / f"{kit.name}.toml").open("rb") as file:
        return tomllib.load(file)[str(seed)]


@each_kit
@each_board
def test_the_walker_reaches_as_many_hexes_as_ever(kit: Kit, seed: int) -> None:
    assert reach(kit, seed) == fixed(kit, seed)


@pytest.mark.ci
@each_kit
@each_board
def test_the_search_reaches_as_many_hexes(kit: Kit, seed: int) -> None:
    setup = kit.setup(Random(seed), big=True)
    table, counts = Table(setup), fixed(kit, seed)
    questions = [
        (unit, kit.forms[0], kit.sequence[0], side)
        for side in (setup.sides if PROOF else [Random(f"{kit.name} {SEED}").choice(setup.sides)])
        for unit in sorted(table.on_map(side), key=lambda unit: -counts[unit])[:ASKED]
    ]
    legal = Counter(a.unit for a in answers(kit, setup, questions) if a.audit.startswith("legal"))
    assert legal == {unit: counts[unit] for unit, *_ in questions}
