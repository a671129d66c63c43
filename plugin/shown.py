"""An audit as its reader gets it: what he may see, with what else there is to say of it."""

from __future__ import annotations

from ..model.finding import Audit
from ..model.viewer import Viewer
from ..validators.judgement_cache import JudgementCache
from .auditing import Opened, audit_game, seen_by
from .integrity import with_integrity
from .options import check_side
from .reading import Told, silent
from .suspecting import with_suspects


def audit_shown(
    opened: Opened, ruleset: str | None, viewer: Viewer, told: Told = silent
) -> tuple[Audit, Audit]:
    """Everything there is to say of a game, and what of it ``viewer`` may see, with what the pack is
    suspected of and how the game was played. Raises as :func:`.auditing.audit_game` does, and for a side that
    nobody plays."""
    kept = JudgementCache()
    audited = audit_game(opened, ruleset, told, kept)
    check_side(viewer, opened.game.sides)
    shown = with_suspects(opened, ruleset, seen_by(audited, viewer), kept, viewer, told)
    return audited, with_integrity(opened, shown, viewer)
