"""The ruleset ``ford-game``."""

from vassal_umpire.validators.base import ruleset

RULESET = ruleset(__name__)
