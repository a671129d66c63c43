"""The ruleset ``battle-for-moscow``: how units move in Frank Chadwick's Battle for Moscow (GDW, 1986)."""

from ..generic import ruleset

RULESET = ruleset(__name__)
