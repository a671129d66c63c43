"""Small parts of hexes, each compared with all parts of the examples of a kind.

A hex that is half field and half road is like no example as a whole, but every part of it is in some
example. A house that is in no example is an unknown part, however small its share of the hex.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells import Bytes, Cells, Floats, Ints
from .clues import FAR, rival_clues, soft_log
from .profiles import WEIGHTS, colours, sort_into
from .surface import Surface

_LOOKS = 200
_REACH = 0.84
_STEP = 0.22
_BLUR = 2
_NEAR = 4.0  # grey levels below which two parts hardly differ
_STRONGEST = 2.5
_SPEAKS = 0.7


@dataclass(frozen=True, slots=True)
class Parts:
    """``looks``: the number of the look of each part (column) of each hex (row). ``apart``: the distance
    between any two looks, in grey levels."""

    looks: Bytes
    apart: Floats

    def away(self, rows: list[int]) -> Floats:
        """For each hex the mean distance of its parts from the nearest part of each of the hexes ``rows``
        (columns)."""
        return np.stack([self._nearest([row]).mean(axis=1) for row in rows], axis=1)

    def from_kinds(self, labels: dict[int, int]) -> Floats:
        """The distance of each part of each hex from the nearest part of any example of each kind (hex, part,
        kind)."""
        kinds = max(labels.values()) + 1
        rows = [[row for row, kind in labels.items() if kind == k] for k in range(kinds)]
        return np.stack([self._nearest(mine) for mine in rows], axis=2)

    def _nearest(self, rows: list[int]) -> Floats:
        far = self.apart[:, np.unique(self.looks[rows])].min(axis=1)
        return np.asarray(far[self.looks], dtype=np.float32)


def parts_of_hexes(ground: Surface, cells: Cells) -> Parts:
    """The parts of every hex without its rim. ``ground``: the surface made for hexes."""
    line = np.arange(-1.0, 1.0001, _STEP, dtype=np.float32)
    x, y = (each.ravel() for each in np.meshgrid(line, line))
    inside = np.hypot(x, y) < _REACH
    centres = np.array([cells.centres[name] for name in cells.names], dtype=np.float32)
    half = cells.pitch / 2
    seen = ground.blurred(_BLUR).look_at(
        centres[:, :1] + half * x[inside], centres[:, 1:] + half * y[inside]
    )
    middle = colours(seen, _LOOKS, WEIGHTS)
    apart = np.sqrt(((middle[:, None] - middle[None]) ** 2).sum(axis=-1))
    return Parts(sort_into(seen, middle, WEIGHTS), apart.astype(np.float32))


def part_clues(parts: Parts, labels: dict[int, int], best: Ints) -> list[Floats]:
    """Clues to whether the parts of each hex are those of its likeliest kind ``best``, and whether all of
    them are in some example. ``labels``: row of the example to number of its kind.
    """
    far = parts.from_kinds(labels)
    count = far.shape[1]
    tail = int(count * 0.9)
    ordered = np.sort(far, axis=1)
    mean = far.mean(axis=1)
    clues: list[Floats] = []
    for table in (mean, ordered[:, tail], ordered[:, -2]):
        clues += rival_clues(table, best)
    shown = np.sort(far.min(axis=2), axis=1)
    clues += [soft_log(shown.mean(axis=1)), soft_log(shown[:, -2])]
    clues.append((mean.argmin(axis=1) == best).astype(np.float32))
    rows = np.arange(len(best))
    own = far[rows, :, best]
    far[rows, :, best] = FAR
    said = np.log(far.min(axis=2) + _NEAR) - np.log(own + _NEAR)
    said = np.sort(np.clip(said, -_STRONGEST, _STRONGEST), axis=1)
    clues += [said.mean(axis=1), said[:, int(count * 0.1)], said[:, tail]]
    clues += [(said > _SPEAKS).mean(axis=1), (said < -_SPEAKS).mean(axis=1)]
    return clues
