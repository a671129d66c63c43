"""Findings that went when a fact of the board was changed."""

from __future__ import annotations

from ...model.finding import Audit
from ...model.game import Game
from ..audit import audit_known
from ..remembered import Remembered
from ..ruleset import Ruleset
from .accused import accusations, cleared
from .trying import Shown


def went_with(before: Game, ruleset: Ruleset, found: Audit, kept: Remembered, shown: Shown) -> int:
    """How many findings there would be in the game as it was ``before`` that are not ``found``."""
    then = shown(audit_known(before, ruleset, judge=kept))
    return len(cleared(accusations(then), found))
