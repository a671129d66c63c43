"""The tier of tests that runs, how much of what is drawn it draws, and the seed it draws by.

``conftest.py`` sets the tier from ``--all`` and ``--proof`` before a test module is read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from random import Random
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


def drawn(every: Sequence[T], ci: int) -> list[T]:
    """So many of ``every`` as ``ci`` runs, drawn by the seed, in their order; a proof takes all."""
    number = by_tier(min(ci, len(every)), min(ci, len(every)), len(every))
    return [every[i] for i in sorted(Random(SEED).sample(range(len(every)), number))]


def examples(ci: int, default: int = 20, proof: int = 0, **more: Any) -> settings:
    """How many examples hypothesis draws; a proof draws ten times as many as ``ci`` where it is not said.
    ``more``: settings."""
    return settings(max_examples=by_tier(min(default, ci), ci, proof or 10 * ci), **more)
