"""Suggests from examples what lies along the sides of hexes, and what crosses them.

A strip is the part of the picture over one side.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from .cells import Bools, Bytes, Cells, Floats, Ints
from .clues import Distances, Patches, distances, family_clues, soft_log
from .profiles import apart, colours, profile, sort_into, spread
from .surface import PITCH_OF_SIDES, Surface

NOTHING = 0
"""The number of the kind "nothing here"."""

_ALONG = np.linspace(0.1, 0.9, 21, dtype=np.float32)
_OFF = np.arange(-16, 17, 2)  # 60ths of the pitch
_CORE = np.abs(_OFF) <= 4
_STEPS = 11
_COLOURS = 48
_WINDOW = 4
_SLANTS = (-0.5, -0.25, 0.0, 0.25, 0.5)
_STEPS_OF_SIDE = 21 / 37.5  # samples along a side for each 60th of the pitch
_FEW = 0.004  # a colour's share of a strip below which it says little
_STRONGEST = 2.5
_TOLD = 0.1
_MOST_ASKED = 8
_OTHER = 0.3  # one kind under two names lies below, two kinds above


class What(Enum):
    """What is looked for."""

    ALONG = "features along sides"
    ACROSS = "lines across sides"


_AHEAD = {What.ALONG: 0.0, What.ACROSS: 0.7}


@dataclass(frozen=True)
class Strips:
    """The strips over all sides, as arrays (side, place along it, place across it, channel). ``what``:
    what is looked for on them."""

    look: Bytes
    sharp: Bytes
    what: What

    @cached_property
    def patches(self) -> Patches:
        """What each strip looks like."""
        if self.what is What.ALONG:
            full = np.concatenate([self.sharp, self.look[..., 3:]], axis=-1)
            line = full[:, :, np.abs(_OFF) <= 2].mean(axis=2, dtype=np.float32)
            ground = full[:, :, np.abs(_OFF) >= 8].mean(axis=2, dtype=np.float32)
            core = full[:, :, _CORE]
            return Patches(
                (
                    profile(core.reshape(len(core), -1, 4), _STEPS),
                    profile(core.mean(axis=2, dtype=np.float32), _STEPS),
                    profile(line - ground, _STEPS),
                ),
                apart,
            )
        left = self._band((_OFF <= -4) & (_OFF >= -12))
        right = self._band((_OFF >= 4) & (_OFF <= 12))
        both = self.look[:, :, (np.abs(_OFF) >= 4) & (np.abs(_OFF) <= 12)]
        pair = [profile(each(left, right), _STEPS) for each in (np.minimum, np.maximum)]
        return Patches(
            (
                profile(both.reshape(len(both), -1, 4), _STEPS),
                np.concatenate(pair, axis=1),
                profile(both.mean(axis=2, dtype=np.float32), _STEPS),
            ),
            apart,
        )

    def _band(self, chosen: Bools) -> Floats:
        return np.asarray(self.look[:, :, chosen].mean(axis=2, dtype=np.float32))

    @cached_property
    def _used(self) -> Bools:
        """Which places across a strip are used. For lines across sides the printed hexside itself is not."""
        return np.asarray(np.abs(_OFF) <= 6 if self.what is What.ALONG else np.abs(_OFF) >= 4)

    @cached_property
    def colour(self) -> Bytes:
        """The number of each sample's colour."""
        pixels = np.ascontiguousarray(self.sharp[:, :, self._used])
        return sort_into(pixels, colours(pixels, _COLOURS))

    @cached_property
    def usual(self) -> Floats:
        """The share of each colour in all strips (estimated from every third one)."""
        return self.shares(np.arange(0, len(self.colour), 3))

    def shares(self, rows: Ints) -> Floats:
        """The share of each colour in the strips ``rows``."""
        counts = np.bincount(self.colour[rows].ravel(), minlength=_COLOURS)
        return np.asarray(counts / max(1, counts.sum()), dtype=np.float32)

    def evidence(self, shown: Ints, empty: Ints, rows: Ints | None = None) -> Floats:
        """How far the colours of each strip support what the strips ``shown`` have and the strips ``empty``
        have not: five numbers for each. ``rows``: the strips to look at; None for all."""
        third = len(self.colour) / 3
        without = (self.usual * third + self.shares(empty) * len(empty)) / (third + len(empty))
        weight = np.log((self.shares(shown) + _FEW) / (without + _FEW))
        weight = np.clip(weight, -_STRONGEST, _STRONGEST).astype(np.float32)
        said = weight[self.colour if rows is None else self.colour[rows]]
        return _along(said) if self.what is What.ALONG else _across(said, _OFF[self._used])

    def spread(self, count: int) -> list[int]:
        """The rows of ``count`` strips as different from one another as possible, for the user to look
        through for sides with nothing on them."""
        return spread(np.concatenate(self.patches.profiles, axis=1), count, outliers=0.02)


def strips(ground: Surface, cells: Cells) -> tuple[Strips, Strips]:
    """The strips over the sides of ``cells``: for what lies along them, and for what crosses them.
    ``ground``: the surface made for sides."""
    start = np.array([edge.start for edge in cells.edges], dtype=np.float32)
    along = np.array([edge.end for edge in cells.edges], dtype=np.float32) - start
    a = np.array([cells.centres[edge.a] for edge in cells.edges], dtype=np.float32)
    b = np.array([cells.centres[edge.b] for edge in cells.edges], dtype=np.float32)
    across = (b - a) / np.hypot(*(b - a).T)[:, None] * (cells.pitch / PITCH_OF_SIDES)
    off = _OFF.astype(np.float32)
    x, y = (
        start[:, i, None, None]
        + along[:, i, None, None] * _ALONG[None, :, None]
        + across[:, i, None, None] * off[None, None]
        for i in (0, 1)
    )
    look, sharp = ground.look_at(x, y), ground.sharp_at(x, y)
    return Strips(look, sharp, What.ALONG), Strips(look, sharp, What.ACROSS)


def _along(said: Floats) -> Floats:
    off = _OFF[np.abs(_OFF) <= 6]
    core = said[:, :, np.abs(off) <= 4]
    line = core.mean(axis=2)
    thirds = line.reshape(len(line), 3, -1).mean(axis=2).min(axis=1)
    fifth = np.sort(line, axis=1)[:, 5]
    peak = core.max(axis=2).mean(axis=1)
    return np.stack([line.mean(axis=1), thirds, fifth, peak, (line > 0.5).mean(axis=1)], axis=1)


def _across(said: Floats, off: Ints) -> Floats:
    """Five numbers for each strip; the first is the support for the best crossing, a window that goes over
    both halves of the strip, straight or slanting."""
    sums = np.pad(said.cumsum(axis=1), ((0, 0), (1, 0), (0, 0)))
    window = (sums[:, _WINDOW:] - sums[:, :-_WINDOW]) / _WINDOW
    places = np.arange(window.shape[1])
    best = np.full(len(said), -9.0, dtype=np.float32)
    for slant in _SLANTS:
        banks = [np.zeros(window.shape[:2], dtype=np.float32) for _ in range(2)]
        for j, distance in enumerate(off):
            shift = round(float(slant * distance * _STEPS_OF_SIDE))
            moved = np.clip(places + shift, 0, len(places) - 1)
            banks[int(distance > 0)] += window[:, moved, j] * (2 / len(off))
        best = np.maximum(best, np.minimum(*banks).max(axis=1))
    strongest = np.sort(said.mean(axis=2), axis=1)[:, -4:].mean(axis=1)
    mean = said.mean(axis=(1, 2))
    return np.stack([best, mean, strongest, best - mean, (said > 0.7).mean(axis=(1, 2))], axis=1)


def measured(strip: Strips, labels: dict[int, int], kinds: int) -> Distances:
    """The distances to the examples. Kind 0 is "nothing here" and needs an example as well."""
    return distances(strip.patches, labels, kinds)


def side_clues(
    strip: Strips, found: Distances, labels: dict[int, int], kind: int, more: Ints
) -> Floats:
    """The clues to whether each side has ``kind``. ``more``: sides whose colours count as examples of it."""
    clues: list[Floats] = []
    others = [k for k in range(found.tables[0].shape[1]) if k not in (NOTHING, kind)]
    for table in found.tables:
        near = soft_log(table[:, kind])
        clues += [near, soft_log(table[:, NOTHING]) - near]
        rival = soft_log(table[:, others].min(axis=1)) - near if others else np.full_like(near, 2.0)
        clues.append(np.minimum(rival, 2.0))
    for each in found.reaches:
        clues += family_clues(each)[:2]
    mine = _rows(labels, kind)
    empty = _rows(labels, NOTHING)
    said = strip.evidence(np.union1d(mine, more).astype(np.intp), empty)
    clues += list(said.T)
    clues.append(said[:, 0] - np.quantile(said[empty, 0], 0.95))
    clues.append(said[:, 0] - said[mine, 0].min())
    return np.stack(clues, axis=1).astype(np.float32)


def nothing_clues(found: Distances, chances: Floats) -> Floats:
    """The clues to whether each side has nothing. ``chances``: the logit of each kind (column)."""
    clues: list[Floats] = [chances.max(axis=1)]
    for table in found.tables:
        near = soft_log(table[:, NOTHING])
        clues += [near, soft_log(table[:, NOTHING + 1 :].min(axis=1)) - near]
    for each in found.reaches:
        clues += family_clues(each)
    return np.stack(clues, axis=1).astype(np.float32)


def recognised(strip: Strips, labels: dict[int, int], kind: int) -> bool | None:
    """Whether each example of ``kind`` would be recognised by the colours of the others, and not taken for
    nothing. None if there is only one example.

    If not, no side can be said to have the kind, or nothing: a thin black railway under a black grid is
    such a kind.
    """
    mine, empty = _rows(labels, kind)[:_MOST_ASKED], _rows(labels, NOTHING)
    return ahead(strip, mine, empty) > _AHEAD[strip.what] if len(mine) > 1 else None


def alike(strip: Strips, labels: dict[int, int]) -> set[tuple[int, int]]:
    """Pairs of kinds, the lesser number first, whose examples cannot be told apart, such as rivers and open
    water of the same blue. A kind with a single example is not tested against others."""
    shown = {k: _rows(labels, k)[:_MOST_ASKED] for k in set(labels.values()) - {NOTHING}}
    return {
        (min(k, other), max(k, other))
        for k, mine in shown.items()
        for other, theirs in shown.items()
        if k != other and len(mine) > 1 and ahead(strip, mine, theirs) <= _OTHER
    }


def ahead(strip: Strips, mine: Ints, empty: Ints) -> float:
    """The median of the margin by which each strip of ``mine``, judged by the others, has more support than
    95 % of ``empty``."""
    found = []
    for row in mine:
        said = strip.evidence(mine[mine != row], empty, np.append(empty, row))[:, 0]
        found.append(float(said[-1] - np.quantile(said[:-1], 0.95)))
    return float(np.median(found))


def told_apart(found: Distances) -> Bools:
    """Whether each side is clearly nearer to nothing than to any kind, or the other way round.

    If both have examples of the same look, no side of that look is.
    """
    away = [
        np.abs(soft_log(table[:, NOTHING]) - soft_log(table[:, NOTHING + 1 :].min(axis=1)))
        for table in found.tables
    ]
    return np.asarray(np.max(away, axis=0) > _TOLD)


def _rows(labels: dict[int, int], kind: int) -> Ints:
    return np.array([row for row, k in labels.items() if k == kind], dtype=np.intp)
