"""What the logs of a game tell of how it was played: steps that do not follow, traces, dice.

Nothing here accuses anybody; see :mod:`vassal_umpire.model.integrity`.
"""

from .dice import dice_tests, fell, tallied
from .following import check_integrity
from .reveal import revealed
from .traces import traces

__all__ = ["check_integrity", "dice_tests", "fell", "revealed", "tallied", "traces"]
