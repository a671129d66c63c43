"""What it costs to say which facts of a pack are suspected, against the audit itself.

    python benchmarks/suspecting.py

Games of more and more moves on 4,000 hexes: three in ten are illegal by one wrong chart cell, or all by
their allowances.
"""

from __future__ import annotations

import time
from dataclasses import replace

from clock import Ratio, ratio, show
from judging import MOVES, game_on, make_field
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.suspects import suspects

ALLOWANCE, TOO_LITTLE, WRONG = 12, 4, 4
AIM = 2


def judged(game: Game) -> tuple[Audit, JudgementCache]:
    """The audit, and what it remembers."""
    kept = JudgementCache()
    return audit(game, RULESET, judge=kept), kept


def game_of(turns: int) -> Game:
    """Moves that were legal by the right chart."""
    game = game_on(make_field(4_000, 6), ALLOWANCE, turns)
    tables = {**game.rules.tables, "terrain": {"costs": {"clear": 1, "woods": 2, "hills": WRONG}}}
    return replace(game, rules=replace(game.rules, tables=tables))


def main() -> None:
    """Measure and print."""
    show("a chart cell is wrong", [measured(turns, game_of(turns)) for turns in (2, 8, 32)])
    field = make_field(4_000, 6)
    games = [(turns, game_on(field, TOO_LITTLE, turns)) for turns in (2, 8)]
    show("allowances are too little", [measured(*one) for one in games])


def measured(turns: int, game: Game) -> Ratio:
    """Looking for suspects against the audit."""
    found, kept = judged(game)
    wrong = sum(move.verdict == "illegal" for move in found.moves)
    return ratio(
        f"suspects, {turns * MOVES:,} moves, {wrong:,} illegal",
        lambda: suspects(game, RULESET, found, kept),
        "the audit",
        lambda: judged(game),
        runs=3,
        aim=AIM,
        clock=time.process_time,
    )


if __name__ == "__main__":
    main()
