"""An audit as its reader gets it: what he may see, with what else there is to say of it."""

from __future__ import annotations

from ..model.finding import Audit
from ..model.viewer import Viewer
from ..validators.judge import judge_move
from ..validators.judgement_cache import JudgementCache
from ..validators.phase import Judge
from .auditing import Opened, audit_game
from .integrity import with_integrity
from .options import check_side
from .reading import Told, silent
from .suspecting import with_suspects


def audit_shown(
    opened: Opened,
    ruleset: str | None,
    viewer: Viewer,
    told: Told = silent,
    truth: Audit | None = None,
    judge: Judge = judge_move,
) -> Audit:
    """What there is to say of a game that was opened for ``viewer``, with what the pack is suspected of and
    how the game was played. ``truth``: see :func:`.auditing.audit_game`. Raises as that does, and for a side
    that nobody plays."""
    kept = JudgementCache(judge)
    shown = audit_game(opened, ruleset, told, kept, truth=truth)
    check_side(viewer, opened.game.sides)
    shown = with_suspects(opened, ruleset, shown, kept, told)
    return with_integrity(opened, shown, viewer)
