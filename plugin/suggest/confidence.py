"""How sure a suggestion is: probabilities fitted to boards whose true terrain is known (``tuned.json``)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .cells import Floats

TUNED = Path(__file__).with_name("tuned.json")
"""Written by ``benchmarks/suggest_tuning.py``."""

_WIDEST = 4.0


class Confidence(Enum):
    """How far to trust a suggestion. The values are the words that users see."""

    SURE = "sure"
    UNSURE = "unsure"
    UNLIKE = "unlike anything you showed me"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``kind``: what is suggested; None, for sides only, if nothing is there. ``chance``: the probability of
    being right."""

    kind: str | None
    confidence: Confidence
    chance: float


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic regression over clues. ``mean``, ``spread``: to scale each clue. ``weights``: the constant,
    then a weight for each clue. ``sure``: the logit from which a suggestion is sure; ``unlike``: the logit
    below which it is unlike every example."""

    mean: Floats
    spread: Floats
    weights: Floats
    sure: float
    unlike: float

    def logits(self, clues: Floats) -> Floats:
        """The log odds of being right, one for each row of ``clues``."""
        scaled = np.clip((clues - self.mean) / self.spread, -_WIDEST, _WIDEST)
        return np.asarray(self.weights[0] + scaled @ self.weights[1:], dtype=np.float32)

    def class_of(self, logit: float) -> Confidence:
        """The confidence at a logit."""
        if logit >= self.sure:
            return Confidence.SURE
        return Confidence.UNSURE if logit >= self.unlike else Confidence.UNLIKE


def chance(logit: float) -> float:
    """The probability that corresponds to log odds."""
    return float(1.0 / (1.0 + np.exp(-np.clip(logit, -50.0, 50.0))))


@cache
def model(name: str) -> Model:
    """The model ``name`` of ``tuned.json``: hexes, hexes-printed (maps with much print), along, across,
    along-nothing, across-nothing."""
    read: dict[str, Any] = json.loads(TUNED.read_text("utf-8"))["models"][name]
    mean, spread, weights = (
        np.array(read[key], dtype=np.float32) for key in ("mean", "spread", "weights")
    )
    return Model(mean, spread, weights, sure=float(read["sure"]), unlike=float(read["unlike"]))
