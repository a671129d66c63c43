"""The ruleset ``valor-and-victory``: movement in Valor & Victory, Standard Game Rules of January 2021."""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
