"""Suggests the terrain of hexes from examples: as wholes, and in small parts, each compared with all parts of
the examples of a kind.

A hex that is half field and half road is like no example as a whole, but every part of it is in some
example. A house that is in no example is an unknown part, however small its share of the hex.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells import Bools, Bytes, Cells, Floats, Ints
from .clues import FAR, Patches, distances, family_clues, rival_clues, soft_log, support_clues
from .profiles import WEIGHTS, apart_by_steps, colours, profile, sort_into
from .surface import PITCH_OF_HEXES, Surface, surface

_LOOKS = 200
_REACH = 0.84
_PART_STEP = 0.22
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
    line = np.arange(-1.0, 1.0001, _PART_STEP, dtype=np.float32)
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


_RINGS = (0.36, 0.62, 0.84)
_STEP = 0.08
_STEPS = 15
_DIRECT = 0.2
_RIVAL = 1  # the clue that holds the next kind's distance against the likeliest one's
_TOLD = 0.1
_USUAL = 0.1  # of all hexes: ink in the same place of more than these is the grid's, or numbers
_INKED = 0.02  # of a hex
_MOST_INKED = (
    0.42  # of the hexes; boards of the fit: 0.31 at most, with print drawn on them 0.53 at least
)


@dataclass(frozen=True)
class HexPatches(Patches):
    """What hexes look like, whole and in parts. ``inked``: the share of the hexes, 0 to 1, in which there are
    names, dots or thin dark lines."""

    parts: Parts
    inked: float

    @property
    def printed(self) -> bool:
        """Whether so much is printed over the terrain that few hexes look like an example."""
        return self.inked > _MOST_INKED


def patches_of_hexes(picture: Bytes, cells: Cells) -> HexPatches:
    """What each hex looks like: profiles of all of it, of it without its rim and of its middle; and its
    parts."""
    ground = surface(picture, cells, PITCH_OF_HEXES)
    seen, voice, far, inked = _seen(ground, cells)
    profiles = [profile(seen[:, voice & (far < ring)], _STEPS) for ring in reversed(_RINGS)]
    whole = profiles[0], profiles[1], profiles[2]
    return HexPatches(whole, apart_by_steps, parts_of_hexes(ground, cells), inked)


def _seen(ground: Surface, cells: Cells) -> tuple[Bytes, Bools, Floats, float]:
    """Returns samples of every hex (hex, place, channel); which places are used; the distance of each place
    from the middle, in half pitches; and the share of the hexes with ink where few others have it."""
    line = np.arange(-1.0, 1.0001, _STEP, dtype=np.float32)
    x, y = (each.ravel() for each in np.meshgrid(line, line))
    far = np.hypot(x, y)
    x, y, far = x[far < _RINGS[-1]], y[far < _RINGS[-1]], far[far < _RINGS[-1]]
    centres = np.array([cells.centres[name] for name in cells.names], dtype=np.float32)
    half = cells.pitch / 2
    across = centres[:, None, 0] + half * x[None]
    down = centres[:, None, 1] + half * y[None]
    voice = ~_printed(ground.sharp_at(across, down)[..., 0])
    ink = ground.with_ink().sharp_at(across, down)
    odd = ink[:, ink.mean(axis=0) <= _USUAL]
    inked = float((odd.mean(axis=1) > _INKED).mean()) if odd.size else 0.0
    return ground.look_at(across, down), voice, far, inked


def _printed(light: Bytes) -> Bools:
    """Which places of a hex carry print (numbers, dots) in most hexes: there the lightness stands out."""
    usual = np.median(light, axis=1, keepdims=True)
    odd = np.median(np.abs(light - usual), axis=0)
    middle = np.median(odd)
    bound = middle + 3.0 * max(2.0, float(np.median(np.abs(odd - middle))))
    found = odd > bound
    return np.asarray(found if found.mean() < 0.2 else np.zeros_like(found), dtype=np.bool_)


def hex_clues(patches: HexPatches, labels: dict[int, int], kinds: int) -> tuple[Ints, Floats]:
    """The likeliest kind of each hex, and the clues to whether that is right.

    ``labels``: row of the example to number of its kind.
    """
    found = distances(patches, labels, kinds)
    best = (found.tables[3] + _DIRECT * found.tables[0]).argmin(axis=1)
    clues: list[Floats] = []
    for table in found.tables:
        clues += rival_clues(table, best)
    clues += list(soft_log(patches.crowd).T)
    clues.append((best[patches.company] == best[:, None]).mean(axis=1))
    clues += [(table.argmin(axis=1) == best).astype(np.float32) for table in found.tables[:3]]
    for each in found.reaches:
        clues += family_clues(each)
    clues += part_clues(patches.parts, labels, best)
    for far in (*found.each[:2], patches.parts.away(list(labels))):
        clues += support_clues(far, labels, best)
    return best, np.stack(clues, axis=1).astype(np.float32)


def told_apart(clues: Floats) -> Bools:
    """Whether each hex looks clearly more like its likeliest kind than like any other.

    If two kinds have examples of the same look, no hex of that look does.
    """
    return np.asarray(clues[:, _RIVAL] > _TOLD)
