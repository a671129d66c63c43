"""Unfinished charts, and places on the board that are told in part, never turn a verdict round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import forgotten
import pytest
import twin
import worlds
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import Game
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.situation import Situation

SEEDS = st.integers(0, 2**40)
Forget = Callable[[Random, Game], Game]


def both(rng: Random, game: Game) -> Game:
    return forgotten.cells(rng, forgotten.charts(rng, game))


def drawn(rng: Random) -> tuple[Game, Move, str]:
    """A game of which all is known, a move just about possible, and what is true of it."""
    game = worlds.complete(rng)
    move = worlds.a_move(rng, game)
    game = forgotten.just_about(rng, game, move)
    answer = twin.Twin(game).judge(worlds.MOVER, move.origin.name, worlds.stops_of(move))
    return game, move, "legal" if answer.legal else "illegal"


def verdict(game: Game, move: Move) -> str:
    judged = judge_move(move, Situation(game), RULESET.in_force(game)).judged
    assert (judged.verdict == "unverifiable") == bool(judged.unknowns)
    return judged.verdict


@examples(300)
@given(SEEDS, st.sampled_from([forgotten.charts, forgotten.cells, both]))
def test_what_a_pack_does_not_say_never_turns_a_verdict_round(seed: int, forget: Forget) -> None:
    rng = Random(seed)
    game, move, truth = drawn(rng)
    assert verdict(forget(rng, game), move) in (truth, "unverifiable")


@pytest.mark.ci
@pytest.mark.parametrize("forget", [forgotten.charts, forgotten.cells, both])
def test_something_is_still_decided(forget: Forget) -> None:
    seen: Counter[str] = Counter()
    for seed in range(100):
        rng = Random(seed)
        game, move, _ = drawn(rng)
        seen[verdict(forget(rng, game), move)] += 1
    assert min(seen[word] for word in ("legal", "illegal", "unverifiable")) > 5, seen
