"""Suggests the terrain of hexes from examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells import Bools, Bytes, Cells, Floats, Ints
from .clues import Patches, distances, family_clues, rival_clues, soft_log, support_clues
from .parts import Parts, part_clues, parts_of_hexes
from .profiles import apart_by_steps, profile
from .surface import PITCH_OF_HEXES, Surface, surface

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
