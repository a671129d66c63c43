"""The audit of a game as one viewer is told it, for tests of games that come from no files."""

from __future__ import annotations

from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.phase import Judge
from vassal_umpire.validators.ruleset import Ruleset
from vassal_umpire.validators.unseen import held_by_truth, seen_game


def seen_audit(game: Game, ruleset: Ruleset, viewer: Viewer, judge: Judge = judge_move) -> Audit:
    """What ``viewer`` is told of ``game``."""
    seen = seen_game(game, viewer)
    if seen is game:
        return audit(game, ruleset, judge=judge)
    found = audit(seen, ruleset, judge=judge, is_part=True)
    return held_by_truth(seen, found, lambda _: audit(game, ruleset, judge=judge))
