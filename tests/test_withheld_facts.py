"""No case that is legal turns illegal when facts are withheld from the audit: not one false accusation."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from cases import RULESETS, draw
from tiers import SEED, by_tier
from vassal_umpire.model.board import LAYERS, Board
from vassal_umpire.model.fact import UNKNOWN
from vassal_umpire.model.game import Game
from vassal_umpire.plugin.conformance import run_case

SHARE, TRIES = by_tier((5, 1), ci=(80, 1), proof=(10_000, 24))
"""Cases of each ruleset, and how often facts are withheld from each."""


def poorer(game: Game, rng: random.Random) -> Game:
    """``game`` with facts left out: terrain, layers of the board, attributes and sides of units,
    conditions."""
    share = rng.choice((0.1, 0.3, 0.6))

    def lost() -> bool:
        return rng.random() < share

    board = game.board
    hexes = {
        name: replace(here, terrain=None) if lost() else here for name, here in board.hexes.items()
    }
    complete = frozenset(layer for layer in LAYERS if layer in board.complete and not lost())
    if "terrain" in complete and any(here.terrain is None for here in hexes.values()):
        complete -= {"terrain"}
    lines, sides = board.lines, board.sides
    if "lines" not in complete:
        lines = tuple(line for line in lines if not lost())
    if "hexsides" not in complete:
        sides = {at: tuple(f for f in features if not lost()) for at, features in sides.items()}
    units = {}
    for name, unit in game.units.items():
        facts = {key: UNKNOWN if lost() else fact for key, fact in unit.attributes.items()}
        units[name] = replace(unit, attributes=facts, side=None if lost() else unit.side)
    return replace(
        game,
        board=Board(board.name, hexes, sides, lines, board.links, board.barriers, complete),
        units=units,
        conditions=tuple(c for c in game.conditions if not lost()),
    )


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_nobody_is_accused_for_want_of_facts(ruleset: str) -> None:
    wrong = []
    for case in draw(ruleset, random.Random(SEED), SHARE):
        for seed in range(TRIES if case.expectation.verdict == "legal" else 0):
            game = poorer(case.game, random.Random(f"{SEED} {seed}"))
            found = run_case(replace(case, game=game), RULESETS[ruleset])
            if found.verdict == "illegal" or found.failures:
                told = [f.explanation for f in found.audit.findings]
                wrong.append(f"{case.id} {seed}: {told} {found.failures}")
    assert wrong == []
