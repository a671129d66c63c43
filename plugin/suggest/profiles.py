"""Profiles: what a patch of the map looks like, as numbers to compare with another patch's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cells import Bytes, Floats

WEIGHTS = np.array([0.5, 2.0, 2.0, 1.5], dtype=np.float32)
"""Weights of lightness, the two colour channels and texture. Lightness counts less, for it changes with
relief and scanning."""

COLOUR = np.array([0.7, 1.6, 1.6], dtype=np.float32)
"""Weights of lightness and the two colour channels where texture is left out."""

Measure = Callable[[Floats, Floats], Floats]
"""Gives the distance of each profile of one table (rows) from each of another (columns), in grey levels."""

_SAMPLE = 12_000
_ROUNDS = 10
_BLOCK = 200_000


def profile(samples: Bytes | Floats, steps: int) -> Floats:
    """For each patch (first axis) ``steps`` quantiles of each channel over its samples (second axis).

    Channels are weighted. The difference of two profiles says by how much the pixels of one patch must
    change to become the other's.
    """
    ordered = np.sort(samples, axis=1)
    count = ordered.shape[1]
    places = [int(count * (i + 0.5) / steps) for i in range(steps)]
    chosen = ordered[:, places].astype(np.float32) * WEIGHTS[: samples.shape[-1]]
    return np.asarray(chosen.reshape(len(chosen), -1), dtype=np.float32)


def apart(one: Floats, other: Floats) -> Floats:
    """The distance of each profile of ``one`` from each of ``other``: root mean square, in grey levels."""
    square = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2.0 * one @ other.T
    return np.asarray(np.sqrt(np.maximum(square, 0.0) / one.shape[1]), dtype=np.float32)


def apart_by_steps(one: Floats, other: Floats) -> Floats:
    """The distance of each profile of ``one`` from each of ``other``: mean absolute difference, in grey
    levels. Slower than :func:`apart`, and less affected by a few odd pixels."""
    out = np.empty((len(one), len(other)), dtype=np.float32)
    away = np.empty_like(other)
    share = np.full(other.shape[1], 1.0 / other.shape[1], dtype=other.dtype)
    for row, mine in enumerate(one):
        np.abs(np.subtract(other, mine, out=away), out=away)
        np.matmul(away, share, out=out[row])  # the mean, faster than as a mean
    return out


def colours(samples: Bytes, count: int, weights: Floats = COLOUR) -> Floats:
    """The ``count`` colours into which ``samples`` (last axis: the channels) fall, as weighted channels. This
    is k-means with a fixed start, so the result is always the same."""
    flat = samples.reshape(-1, samples.shape[-1])
    points = flat[np.linspace(0, len(flat) - 1, min(_SAMPLE, len(flat))).astype(np.intp)] * weights
    middle = points[spread(points, count)]
    for _ in range(_ROUNDS):
        nearest = _nearest(points, middle)
        for k in range(len(middle)):
            mine = points[nearest == k]
            if len(mine):
                middle[k] = mine.mean(axis=0)
    return np.asarray(middle, dtype=np.float32)


def sort_into(samples: Bytes, middle: Floats, weights: Floats = COLOUR) -> Bytes:
    """The number of the colour in ``middle`` (256 at most) that is nearest to each sample."""
    flat = samples.reshape(-1, samples.shape[-1])
    out = np.empty(len(flat), dtype=np.uint8)
    for start in range(0, len(flat), _BLOCK):
        out[start : start + _BLOCK] = _nearest(flat[start : start + _BLOCK] * weights, middle)
    return out.reshape(samples.shape[:-1])


def spread(points: Floats, count: int, outliers: float = 0.005) -> list[int]:
    """``count`` rows far from one another. Each next row is the farthest from all chosen so far, apart from
    the share ``outliers`` of rows that are farther still."""
    chosen = [len(points) // 3]
    far = ((points - points[chosen[0]]) ** 2).sum(axis=1)
    for _ in range(min(count, len(points)) - 1):
        place = int((len(far) - 1) * (1.0 - outliers))
        chosen.append(int(np.argpartition(far, place)[place]))
        far = np.minimum(far, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return chosen


def _nearest(points: Floats, middle: Floats) -> Bytes:
    far = (middle**2).sum(axis=1)[None, :] - 2.0 * points @ middle.T
    return np.asarray(far.argmin(axis=1), dtype=np.uint8)
