"""The naive way, to hold the suggestions against: the nearest example by its histogram of colours.

Sure is what is nearer to its kind than to every other by more than a bound, and near enough at all. Both
bounds are fitted to the boards the suggestions are fitted to, with the same aims.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from boards import Board
from showing import shown_hexes
from vassal_umpire.plugin.suggest.cells import Floats

BINS = 4
"""Steps of each colour."""
INSIDE = 0.8
"""How much of a hex is looked at, from its middle towards its sides."""
MOST_WRONG = 0.005
MOST_LEFT_OUT = 0.01
_RATIOS = np.linspace(0.02, 1.0, 50)
_NEAR = np.linspace(0.02, 1.0, 50)


@dataclass(frozen=True, slots=True)
class Nearest:
    """For each hex that was asked for: whether its nearest example is of its kind; the distance to that
    example as a share of that to the nearest one of another kind; and the distance."""

    right: np.ndarray
    ratio: np.ndarray
    far: np.ndarray

    def sure(self, bounds: tuple[float, float]) -> np.ndarray:
        """Which hexes are called sure."""
        return np.asarray((self.ratio <= bounds[0]) & (self.far <= bounds[1]))


_KEPT: dict[str, Floats] = {}


def histograms(board: Board) -> Floats:
    """The share of every colour in each hex, in the order of the board's cells."""
    if board.title not in _KEPT:
        _KEPT[board.title] = _histograms(board)
    return _KEPT[board.title]


def _histograms(board: Board) -> Floats:
    cells, picture = board.survey.cells, board.survey.picture
    reach = INSIDE * cells.pitch / 2
    step = max(1.0, cells.pitch / 40)
    line = np.arange(-reach, reach + 1e-6, step)
    x, y = (each.ravel() for each in np.meshgrid(line, line))
    x, y = x[np.hypot(x, y) <= reach], y[np.hypot(x, y) <= reach]
    centres = np.array([cells.centres[name] for name in cells.names])
    column = np.clip(np.rint(centres[:, :1] + x), 0, picture.shape[1] - 1).astype(int)
    row = np.clip(np.rint(centres[:, 1:] + y), 0, picture.shape[0] - 1).astype(int)
    levels = picture[row, column].astype(int) * BINS // 256
    number = (levels[..., 0] * BINS + levels[..., 1]) * BINS + levels[..., 2]
    counts = np.stack([np.bincount(each, minlength=BINS**3) for each in number])
    return np.asarray(counts / len(x), dtype=np.float32)


def nearest(board: Board, number: int, seed: int, without: str | None = None) -> Nearest | None:
    """The naive answers for the hexes that ``suggesting.hex_answers`` asks for."""
    shown = shown_hexes(board, number, seed, without)
    kinds = sorted(set(shown.values()))
    if len(kinds) < 2:
        return None
    table, place = histograms(board), board.survey.cells.place
    asked = [
        name
        for name in board.survey.cells.names
        if name in board.hexes
        and name not in shown
        and (without is None or board.hexes[name] == without)
    ]
    mine = table[[place[name] for name in asked]]
    far = np.stack(
        [
            np.min(
                [
                    np.abs(mine - table[place[name]]).sum(axis=1) / 2
                    for name, kind in shown.items()
                    if kind == each
                ],
                axis=0,
            )
            for each in kinds
        ],
        axis=1,
    )
    best = far.argmin(axis=1)
    ordered = np.sort(far, axis=1)
    right = np.array([kinds[k] == board.hexes[name] for k, name in zip(best, asked, strict=True)])
    return Nearest(right, ordered[:, 0] / np.maximum(ordered[:, 1], 1e-6), ordered[:, 0])


def joined(found: Iterable[Nearest | None]) -> Nearest:
    """Several at once."""
    every = [one for one in found if one is not None]
    return Nearest(
        *(
            np.concatenate([getattr(one, name) for one in every])
            for name in ("right", "ratio", "far")
        )
    )


def asked(boards: Sequence[Board], number: int, seeds: Iterable[int]) -> tuple[Nearest, Nearest]:
    """The naive answers on ``boards``: with all kinds shown, and of kinds left out."""
    every = list(seeds)
    shown = joined(nearest(board, number, seed) for board in boards for seed in every)
    left = joined(
        nearest(board, number, seed, kind)
        for board in boards
        for seed in every
        for kind in board.kinds
    )
    return shown, left


def fitted(shown: Nearest, left: Nearest) -> tuple[float, float]:
    """The bounds under which most is sure, with the aims kept on these boards; the strictest if none keeps
    them."""
    best, most = (float(_RATIOS[0]), float(_NEAR[0])), -1.0
    for ratio in _RATIOS:
        for near in _NEAR:
            bounds = (float(ratio), float(near))
            sure = shown.sure(bounds)
            wrong = (sure & ~shown.right).sum() / max(1, sure.sum())
            if (
                wrong <= MOST_WRONG
                and left.sure(bounds).mean() <= MOST_LEFT_OUT
                and sure.mean() > most
            ):
                best, most = bounds, float(sure.mean())
    return best
