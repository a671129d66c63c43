"""Whether the grid printed on a picture lies where the module's grid does. Sides go wrong first if not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells import Cells, Floats, Ints
from .surface import PITCH_OF_SIDES, Surface

BOUND = 0.05
"""How far off the printed grid may be, in pitches (1 is from hex to hex). Beyond it nothing along sides is
sure."""

_PARTS = 3
_FEWEST = 12
_CLEAR = 4.0
_ARM = 3
_AGREE = 1.0
_OFF = np.arange(-18, 19)


@dataclass(frozen=True, slots=True)
class GridFit:
    """How far the printed lines lie from the grid's, part by part of the map.

    ``parts``: column and row of the part (thirds of the map) to the shift (x, y) in pixels. A part in which
    no printed lines can be seen is missing; {} means that nothing can be said.
    """

    parts: dict[tuple[int, int], tuple[float, float]]
    pitch: float

    @property
    def worst(self) -> float | None:
        """The greatest shift, in pitches; None if no part has lines that can be seen."""
        if not self.parts:
            return None
        return max(float(np.hypot(x, y)) for x, y in self.parts.values()) / self.pitch

    @property
    def fits(self) -> bool | None:
        """Whether the grids agree, so that features along sides can be sure; None if not to be told."""
        return None if self.worst is None else self.worst <= BOUND


def grid_fit(ground: Surface, cells: Cells) -> GridFit:
    """Look for the printed line of every side near its place. ``ground``: the surface made for sides."""
    start = np.array([edge.start for edge in cells.edges], dtype=np.float32)
    along = np.array([edge.end for edge in cells.edges], dtype=np.float32) - start
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    normal /= np.hypot(*normal.T)[:, None]
    flip = (normal[:, 1] < -1e-3) | ((abs(normal[:, 1]) <= 1e-3) & (normal[:, 0] < 0))
    normal[flip] *= -1
    unit = cells.pitch / PITCH_OF_SIDES
    t = np.linspace(0.2, 0.8, 13, dtype=np.float32)
    off = _OFF.astype(np.float32) * unit
    x, y = (
        start[:, i, None, None]
        + along[:, i, None, None] * t[None, :, None]
        + normal[:, i, None, None] * off[None, None]
        for i in (0, 1)
    )
    light = np.median(ground.sharp_at(x, y)[..., 0], axis=1).astype(np.float32)
    angle = np.rint(np.degrees(np.arctan2(normal[:, 1], normal[:, 0])) / 15.0).astype(int) % 12
    where = _parts(np.asarray(start + along / 2, dtype=np.float32))
    parts = {}
    for part in sorted({(int(c), int(r)) for c, r in where}):
        here = (where == part).all(axis=1)
        shifts = []
        for each in np.unique(angle[here]):
            mine = here & (angle == each)
            place = _line(light[mine])
            if place is not None:
                shifts.append((normal[mine].mean(axis=0), place * unit))
        if len(shifts) > 2:  # two directions give the shift, the third must agree
            normals = np.array([each for each, _ in shifts])
            places = np.array([place for _, place in shifts])
            found = np.linalg.lstsq(normals, places, rcond=None)[0]
            if np.abs(normals @ found - places).max() <= _AGREE * unit:
                parts[part] = (float(found[0]), float(found[1]))
    return GridFit(parts, cells.pitch)


def _parts(points: Floats) -> Ints:
    low, high = points.min(axis=0), points.max(axis=0)
    thirds = (points - low) / np.maximum(high - low, 1.0) * _PARTS
    return np.asarray(np.minimum(thirds, _PARTS - 1), dtype=np.intp)


def _line(light: Floats) -> float | None:
    """How far off the line lies that most of these sides have, in 60ths of the pitch; None if none can be
    seen."""
    if len(light) < _FEWEST:
        return None
    bend = light[:, : -2 * _ARM] + light[:, 2 * _ARM :] - 2 * light[:, _ARM:-_ARM]
    usual = np.abs(np.median(bend, axis=0))
    place = int(usual.argmax())
    if usual[place] < _CLEAR * max(1.0, float(np.median(usual))):
        return None
    near = slice(max(0, place - 2), place + 3)
    weight = usual[near]
    return float((weight * _OFF[_ARM:-_ARM][near]).sum() / weight.sum())
