"""What it costs to say which facts of a pack are suspected, against the audit itself.

    python benchmarks/suspecting.py

Games of more and more moves on 4,000 hexes; three in ten are illegal by one wrong chart cell.
"""

from __future__ import annotations

import time
from dataclasses import replace

from clock import ratio, show
from judging import MOVES, game_on, make_field
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.suspects import suspects

ALLOWANCE, WRONG = 12, 4


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
    rows = []
    for turns in (2, 8, 32):
        game = game_of(turns)
        found, kept = judged(game)
        wrong = sum(move.verdict == "illegal" for move in found.moves)

        def look(game: Game = game, found: Audit = found, kept: JudgementCache = kept) -> None:
            suspects(game, RULESET, found, kept)

        what = f"suspects, {turns * MOVES:,} moves, {wrong:,} illegal"
        again = lambda game=game: judged(game)  # noqa: E731
        rows.append(ratio(what, look, "the audit", again, runs=2, clock=time.process_time))
    show("what a pack is suspected of", rows)


if __name__ == "__main__":
    main()
