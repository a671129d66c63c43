"""The judge against the brute-force twin, and what it must never do: accuse because a fact is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import forgotten
import pytest
import twin
import worlds
from hypothesis import example, given
from hypothesis import strategies as st
from tiers import by_tier, examples
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import Game
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.ruleset import Circumstances
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.search import SpendingLimit, cheapest
from vassal_umpire.validators.situation import Situation

SEEDS = st.integers(0, 2**40)
WORLDS = by_tier(80, ci=80, proof=200)


def judge(game: Game, move: Move) -> Judgement:
    return judge_move(move, Situation(game), RULESET.in_force(game))


@examples(50, proof=1000)
@given(SEEDS)
def test_where_all_is_known_judge_and_twin_agree(seed: int) -> None:
    rng = Random(seed)
    game = worlds.complete(rng)
    move = worlds.a_move(rng, game)
    answer = twin.Twin(game).judge(worlds.MOVER, move.origin.name, worlds.stops_of(move))
    judged = judge(game, move).judged
    assert judged.verdict == ("legal" if answer.legal else "illegal")
    if answer.least is not None:
        assert judged.bill.total.is_exact
        if any(charge.clause == "GEN-WHOLE" for charge in judged.bill.charges):
            assert judged.bill.total.lo >= answer.least  # of equals either may be told
        else:
            assert judged.bill.total.lo == answer.least


@examples(50, proof=1000)
@given(SEEDS)
@example(23797)  # an allowance of 1/2 MP, and hexes that take it all
def test_every_hex_within_reach_is_reached_at_the_least_cost(seed: int) -> None:
    rng = Random(seed)
    game = worlds.complete(rng)
    rules = RULESET.in_force(game)
    there = Circumstances(Situation(game), (worlds.MOVER,))
    (scenario,) = rules.scenarios(worlds.MOVER, there)
    (mover,) = scenario.movers
    answer = twin.Twin(game).judge(worlds.MOVER, game.opening[worlds.MOVER].name, ("0202",))
    if mover.barred or game.opening[worlds.MOVER].name == "0202":
        return
    amount = mover.budget.amount
    assert amount.hi is not None
    spending_limit = SpendingLimit(int(amount.hi * rules.scale))
    origin = game.opening[worlds.MOVER].name
    for world in ("favourable", "adverse"):
        graph = mover.graph(world)
        routes = {
            name: cheapest(game.board, graph, origin, (name,), spending_limit)
            for name in game.board.hexes
            if name != origin
        }
        found = {name: route.spent for name, route in routes.items() if route is not None}
        found[origin] = 0
        whole = {name for name, spent in answer.reach.items() if spent == amount.hi}
        assert found.keys() == answer.reach.keys()
        for name in found.keys() - whole:
            assert found[name] == answer.reach[name] * rules.scale


# -- facts hidden, unfinished charts, and places told in part ---------------------------------------


Forget = Callable[[Random, Game], Game]


def facts(rng: Random, game: Game) -> Game:
    return worlds.hide(rng, game, rng.choice((0.05, 0.2, 0.5)))


def both(rng: Random, game: Game) -> Game:
    return forgotten.cells(rng, forgotten.charts(rng, game))


def drawn(rng: Random, forget: Forget) -> tuple[Game, Move, str]:
    """A game of which all is known, a move, and what is true of it. Where it is about the charts and the
    board, the move is just about possible."""
    game = worlds.complete(rng)
    move = worlds.a_move(rng, game)
    if forget is not facts:
        game = forgotten.just_about(rng, game, move)
    answer = twin.Twin(game).judge(worlds.MOVER, move.origin.name, worlds.stops_of(move))
    return game, move, "legal" if answer.legal else "illegal"


@examples(100, default=28, proof=1800)
@given(SEEDS, st.sampled_from([facts, facts, facts, forgotten.charts, forgotten.cells, both]))
def test_what_is_not_known_never_turns_a_verdict_round(seed: int, forget: Forget) -> None:
    rng = Random(seed)
    game, move, truth = drawn(rng, forget)
    judgement = judge(forget(rng, game), worlds.unwitnessed(rng, move))
    said = judgement.judged.verdict
    assert said in (truth, "unverifiable")
    accused = [f for f in judgement.findings if f.verdict == "illegal"]
    assert bool(accused) == (said == "illegal")
    assert bool(judgement.judged.unknowns) == (said == "unverifiable")


@pytest.mark.ci
@pytest.mark.parametrize("forget", [facts, forgotten.charts, forgotten.cells, both])
def test_random_worlds_are_worth_judging(forget: Forget) -> None:
    """The properties above would hold of worlds in which nothing ever happens, too."""
    true, seen = Counter[str](), Counter[str]()
    for seed in range(WORLDS):
        rng = Random(seed)
        game, move, truth = drawn(rng, forget)
        true[truth] += 1
        seen[judge(forget(rng, game), move).judged.verdict] += 1
    assert min(true["legal"], true["illegal"]) > WORLDS // 20, true
    assert min(seen[word] for word in ("legal", "illegal", "unverifiable")) > WORLDS // 40, seen
