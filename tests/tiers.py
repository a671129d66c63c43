"""The tier of tests that runs, how much of what is drawn it draws, and the seed it draws by.

``conftest.py`` sets the tier from ``--all`` and ``--proof`` before a test module is read.
"""

from __future__ import annotations

import os
from datetime import date
from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")

TIER = os.environ.get("UMPIRE_TIER", "default")
"""``default``: what ``pytest`` alone runs; ``ci``: what guards a landing; ``proof``: all of it, for hours."""
PROOF = TIER == "proof"

SEED = int(os.environ.get("UMPIRE_SEED") or (1 if TIER == "default" else date.today().toordinal()))
"""The default tier draws the same every day, the others anew each day. ``UMPIRE_SEED`` repeats a draw."""


def by_tier(default: T, ci: T, proof: T | None = None) -> T:
    """The value for the tier that runs; ``proof`` None: as in ``ci``."""
    return {"default": default, "ci": ci, "proof": ci if proof is None else proof}[TIER]


def examples(ci: int, default: int = 20, **more: Any) -> settings:
    """How many examples hypothesis draws; a proof draws ten times as many as ``ci``. ``more``: settings."""
    return settings(max_examples=by_tier(min(default, ci), ci, 10 * ci), **more)
