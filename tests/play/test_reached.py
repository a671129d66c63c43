"""The number of hexes that units reach is that of fixed tables, for the walker and for the search."""

from __future__ import annotations

import tomllib
from collections import Counter
from random import Random

import pytest
from play.ask import answers
from play.kit import Kit, Table, kits
from play.reached import BOARDS, FOLDER, reach
from tiers import by_tier, drawn

each_kit = pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
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
        for side in setup.sides
        for unit in sorted(table.on_map(side), key=lambda unit: -counts[unit])[:ASKED]
    ]
    legal = Counter(a.unit for a in answers(kit, setup, questions) if a.audit.startswith("legal"))
    assert legal == {unit: counts[unit] for unit, *_ in questions}
