"""Count the findings that disappeared when a fact of the board was changed."""

from __future__ import annotations

from ...model.finding import Audit
from ...model.game import Game
from ..audit import audit_known
from ..judgement_cache import JudgementCache
from ..ruleset import Ruleset
from .accused import accusations, cleared
from .trying import Shown


def went_with(
    before: Game, ruleset: Ruleset, found: Audit, kept: JudgementCache, shown: Shown
) -> int:
    """The number of accusations in the game as it was ``before`` the change that are gone in ``found``.

    ``found``: the audit after the change. ``kept``: remembered judgements to reuse. ``shown`` reduces an
    audit to what its reader may know.
    """
    then = shown(audit_known(before, ruleset, judge=kept))
    return len(cleared(accusations(then), found))
