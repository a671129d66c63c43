"""Evidence in the logs of how a game was played: steps that do not follow, traces, dice.

None of it is an accusation; see :mod:`vassal_umpire.model.integrity`.
"""

from .dice import dice_tests, fell, tallied
from .following import check_integrity
from .reveal import revealed
from .traces import traces

__all__ = ["check_integrity", "dice_tests", "fell", "revealed", "tallied", "traces"]
