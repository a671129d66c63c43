"""The suggestions for one map picture, and whether the grid printed on it lies where the module's does: the
interface of this package."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .cells import Bytes, Cells, Floats, Ints, Side
from .clues import Distances, mixed
from .confidence import Confidence, Model, Suggestion, chance, model
from .hexes import HexPatches, hex_clues, patches_of_hexes, told_apart
from .profiles import spread
from .strips import NOTHING, Strips, alike, measured, nothing_clues, recognised, side_clues, strips
from .strips import told_apart as sides_told_apart
from .surface import PITCH_OF_SIDES, Surface, surface

MANY = 60
"""Number of sides that are offered at once as examples of "nothing here"."""

_TEACHES = 3.5  # log odds from which a side counts as an example of its colours


@dataclass(frozen=True)
class Survey:
    """One picture under one grid. Examples hold for this picture alone; another picture needs a new survey.

    ``picture``: height × width × RGB, 8 bits. The examples are the user's own; a suggestion never
    becomes one by itself. Work that needs no examples is done once.
    """

    picture: Bytes
    cells: Cells

    def hexes(self, examples: Mapping[str, str]) -> dict[str, Suggestion]:
        """Terrain for every hex that is not an example, from ``examples`` (hex to kind).

        With fewer than two kinds nothing is sure. {} without examples. Raises KeyError for a hex that
        is not there.
        """
        if not examples:
            return {}
        kinds = sorted(set(examples.values()))
        labels = {self.cells.place[name]: kinds.index(kind) for name, kind in examples.items()}
        best, clues = hex_clues(self.hex_patches, labels, len(kinds))
        tuned = model("hexes-printed" if self.hex_patches.printed else "hexes")
        logits = tuned.logits(clues)
        told = told_apart(clues)
        two_names = {kinds.index(kind) for pair in self.mixed(examples) for kind in pair}
        return {
            name: _unless(
                len(kinds) > 1 and bool(told[i]) and int(best[i]) not in two_names,
                Suggestion(
                    kinds[best[i]], tuned.class_of(float(logits[i])), chance(float(logits[i]))
                ),
            )
            for i, name in enumerate(self.cells.names)
            if i not in labels
        }

    def mixed(self, examples: Mapping[str, str]) -> list[tuple[str, str]]:
        """Pairs of kinds whose examples look the same. No suggestion of these kinds is sure."""
        kinds = sorted(set(examples.values()))
        labels = {self.cells.place[name]: kinds.index(kind) for name, kind in examples.items()}
        pairs = mixed(self.hex_patches, labels) if labels else set()
        return sorted((kinds[one], kinds[other]) for one, other in pairs)

    def features(self, examples: Mapping[Side, str | None]) -> dict[Side, Suggestion]:
        """Features along every side that is not an example; None is "nothing here".

        {} unless there are examples of at least one kind and of "nothing here" (see ``offered``). Nothing
        is sure if the printed grid lies elsewhere (``fit``). A kind is not sure with a single example, if
        its examples do not recognise one another (``strange``), or if they cannot be told from those of
        another kind (``confused``). "Nothing here" is sure only if each kind has two examples that
        recognise one another.
        """
        return self._sides(self.strips[0], "along", examples)

    def lines(self, examples: Mapping[Side, str | None]) -> dict[Side, Suggestion]:
        """Lines (roads, rivers, rails) across every side that is not an example; as ``features``."""
        return self._sides(self.strips[1], "across", examples)

    def offered(self, *, lines: bool) -> list[Side]:
        """:data:`MANY` sides as different from one another as possible, for the user to look through.

        Those with nothing on them become the examples of "nothing here". There must be many, because a
        side with nothing can look many ways.
        """
        strip = self.strips[1 if lines else 0]
        third = MANY // 3
        rows = strip.spread(MANY - third)
        rows += np.linspace(0, len(self.cells.edges) - 1, third).astype(int).tolist()
        return [self.cells.edges[row].key for row in dict.fromkeys(rows)]

    def different(self) -> list[str]:
        """:data:`MANY` hexes that differ as much as possible: among them are looks without examples."""
        profiles = np.concatenate(self.hex_patches.profiles, axis=1)
        return [self.cells.names[row] for row in spread(profiles, MANY, outliers=0.0)]

    def strange(self, examples: Mapping[Side, str | None], *, lines: bool) -> list[str]:
        """Kinds along sides (``lines``: across them) whose examples are not recognised by one another: see
        :func:`.strips.recognised`. Neither they nor "nothing here" are sure."""
        kinds = sorted({kind for kind in examples.values() if kind is not None})
        if not kinds or None not in examples.values():
            return []
        strip = self.strips[1 if lines else 0]
        known = _known(strip, self._labels(examples, kinds), kinds)
        return [kind for kind, yes in known.items() if yes is False]

    def confused(
        self, examples: Mapping[Side, str | None], *, lines: bool
    ) -> list[tuple[str, str]]:
        """Pairs of kinds along sides (``lines``: across them) whose examples cannot be told apart. Neither is
        sure."""
        kinds = sorted({kind for kind in examples.values() if kind is not None})
        if not kinds or None not in examples.values():
            return []
        pairs = alike(self.strips[1 if lines else 0], self._labels(examples, kinds))
        return sorted((kinds[one - 1], kinds[other - 1]) for one, other in pairs)

    def begin_sides(self) -> threading.Thread:
        """Start, in a thread, the work for sides that needs no examples. Join the thread before asking for
        sides."""
        begun = threading.Thread(target=self._begin, name="sides", daemon=True)
        begun.start()
        return begun

    def _begin(self) -> None:
        with suppress(Exception):  # whoever asks for it meets the same, and can tell of it
            for strip in self.strips:
                _ = strip.patches.trees, strip.colour, strip.usual

    @property
    def fit(self) -> GridFit:
        """Whether the picture's printed grid lies where ``cells`` says; if not, no side is sure."""
        return self._seen[1]

    @cached_property
    def hex_patches(self) -> HexPatches:
        """What the hexes look like; worked out once."""
        return patches_of_hexes(self.picture, self.cells)

    @property
    def strips(self) -> tuple[Strips, Strips]:
        """What the sides look like: for features along them, for lines across them."""
        return self._seen[0]

    @cached_property
    def _seen(self) -> tuple[tuple[Strips, Strips], GridFit]:
        """The strips and the fit of the printed grid. Both come from one working picture, not kept."""
        ground = surface(self.picture, self.cells, PITCH_OF_SIDES)
        return strips(ground, self.cells), grid_fit(ground, self.cells)

    def _labels(self, examples: Mapping[Side, str | None], kinds: list[str]) -> dict[int, int]:
        return {
            self.cells.side_place[side]: NOTHING if kind is None else 1 + kinds.index(kind)
            for side, kind in examples.items()
        }

    def _sides(
        self, strip: Strips, name: str, examples: Mapping[Side, str | None]
    ) -> dict[Side, Suggestion]:
        kinds = sorted({kind for kind in examples.values() if kind is not None})
        if not kinds or None not in examples.values():
            return {}
        labels = self._labels(examples, kinds)
        found, logits = judged_sides(strip, labels, len(kinds), model(name))
        nothing = model(f"{name}-nothing")
        empty = nothing.logits(nothing_clues(found, logits))
        told = sides_told_apart(found) & (self.fit.fits is not False)
        known = _known(strip, labels, kinds)
        may: dict[str | None, bool] = {kind: yes is True for kind, yes in known.items()}
        may |= {kinds[k - 1]: False for pair in alike(strip, labels) for k in pair}
        may[None] = all(known.values())
        out = {}
        for i, edge in enumerate(self.cells.edges):
            if i not in labels:
                side = _side(kinds, logits[i], float(empty[i]), model(name), nothing)
                out[edge.key] = _unless(bool(told[i]) and may[side.kind], side)
        return out


def _known(strip: Strips, labels: dict[int, int], kinds: list[str]) -> dict[str, bool | None]:
    """Whether the examples of each kind recognise one another; None for a kind with a single example."""
    return {kind: recognised(strip, labels, 1 + k) for k, kind in enumerate(kinds)}


def judged_sides(
    strip: Strips, labels: dict[int, int], kinds: int, tuned: Model
) -> tuple[Distances, Floats]:
    """The distances of all sides, and the log odds that each side (row) has each kind (column).

    This is done twice: sides that are almost certain the first time count as examples of colour the second
    time.
    """
    found = measured(strip, labels, kinds + 1)
    none = np.empty(0, dtype=np.intp)
    first = [tuned.logits(side_clues(strip, found, labels, 1 + k, none)) for k in range(kinds)]
    taught: list[Ints] = [np.flatnonzero(each > _TEACHES) for each in first]
    again = [tuned.logits(side_clues(strip, found, labels, 1 + k, taught[k])) for k in range(kinds)]
    return found, np.stack(again, axis=1)


def _unless(allowed: bool, found: Suggestion) -> Suggestion:
    """``found``, with unsure in place of sure unless sure is ``allowed``."""
    if allowed or found.confidence is not Confidence.SURE:
        return found
    return replace(found, confidence=Confidence.UNSURE)


def _side(
    kinds: list[str], logits: Floats, empty: float, tuned: Model, nothing: Model
) -> Suggestion:
    best = int(logits.argmax())
    mine = float(logits[best])
    if mine >= 0.0 or mine >= tuned.sure:
        return Suggestion(kinds[best], tuned.class_of(mine), chance(mine))
    if empty >= nothing.unlike:
        return Suggestion(None, nothing.class_of(empty), chance(empty))
    likelier = kinds[best] if mine > empty else None
    return Suggestion(likelier, Confidence.UNLIKE, chance(max(mine, empty)))


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
