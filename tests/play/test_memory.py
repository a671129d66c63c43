"""Caches change no verdict: an audit that forgets everything before each move says the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from play.kit import Action, Drag, GameSetup, Kit, Phase, kits
from play.legal import play
from play.printing import audit, write
from play.withheld import withhold
from tiers import SEED, by_tier, drawn
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import Game
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit as look_through
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.ruleset import RulesInForce
from vassal_umpire.validators.situation import Situation

GAMES = by_tier(1, 1, proof=40)
DRAGS = by_tier(20, 20, proof=40)
WILD = 3
"""Drags to anywhere in each phase of one turn more."""


def wild(setup: GameSetup, actions: Sequence[Action], rng: Random) -> Iterator[Action]:
    """One more turn, in which everybody is dragged anywhere."""
    phases = [action for action in actions if isinstance(action, Phase)]
    turn = phases[-1].turn + 1
    for phase, side in dict.fromkeys((action.phase, action.active) for action in phases):
        yield Phase(turn, phase, side)
        own = [name for name, unit in setup.units.items() if unit.side == side]
        for unit in rng.sample(own, min(WILD, len(own))):
            yield Drag((unit,), rng.choice(list(setup.board.hexes)))


class Forgetful:
    """Judges each move by rules and in a situation that nothing has been asked of before."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ruleset = rulesets().get(game.rules.name)

    def __call__(
        self, move: Move, situation: Situation, _rules: RulesInForce, **more: Any
    ) -> Judgement:
        game = situation.game  # as the audit reads it: words made alike
        afresh = Situation(game)
        afresh.advance_before(situation.at)
        assert afresh.applied == situation.applied
        span = afresh.over(afresh.timeline.step_of(situation.until - 1))
        assert span.until == situation.until
        return judge_move(move, span, self.ruleset.in_force(game), **more)


@pytest.mark.ci
@pytest.mark.parametrize("kit", drawn([*kits().values()], 2), ids=lambda kit: kit.name)
def test_an_audit_that_forgets_says_the_same(kit: Kit, tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    seeds = range(20_000 + SEED, 20_000 + SEED + max(1, GAMES // kit.slow))
    for seed in seeds:
        rng = Random(seed)
        game = play(kit, rng, DRAGS)
        poorer = withhold(kit, rng) if seed % 2 else lambda _pack: None
        actions = [*game.actions, *wild(game.setup, game.actions, rng)]
        files = write(kit, game.setup, actions, tmp_path / str(seed), logs=2, poorer=poorer)
        found, audited = audit(files)
        forgetful = Forgetful(audited)
        again = look_through(audited, forgetful.ruleset, judge=forgetful)
        assert again.moves == found.moves, f"seed {seed}"
        assert sorted(map(repr, again.findings)) == sorted(map(repr, found.findings)), seed
        verdicts.update(m.verdict for m in found.moves if m.judged)
    if len(seeds) > 1 or seeds[0] % 2 == 0:  # of one game with facts withheld all may be open
        assert verdicts["legal"] >= 5 * len(seeds)
        assert verdicts["illegal"] >= len(seeds)
