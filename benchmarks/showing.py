"""What a user would show: examples drawn by lot, and what he says is "nothing here"."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from boards import Board
from vassal_umpire.plugin.suggest.cells import Side


def shown_hexes(
    board: Board, number: int, seed: int, without: str | None, *, each_look: bool = False
) -> dict[str, str]:
    """``number`` hexes of each kind (``each_look``: of each kind at each level), none of ``without``."""
    chance = np.random.default_rng(seed)
    groups = board.looks if each_look else board.hexes
    shown: dict[str, str] = {}
    for group in sorted(set(groups.values())):
        mine = [name for name, other in groups.items() if other == group]
        for place in chance.permutation(len(mine))[:number]:
            shown[mine[place]] = board.hexes[mine[place]]
    return {name: kind for name, kind in shown.items() if kind != without}


def shown_sides(
    board: Board, *, lines: bool, number: int, seed: int, without: str | None
) -> dict[Side, str | None]:
    """``number`` sides of each kind, and those of the offered ones on which there is nothing."""
    truth = board.across if lines else board.along
    chance = np.random.default_rng(seed)
    shown: dict[Side, str | None] = {}
    for kind in kinds_of_sides(truth):
        mine = [side for side, other in truth.items() if other == kind]
        order = chance.permutation(len(mine))[:number]
        if kind != without:
            shown |= {mine[place]: kind for place in order}
    offered = board.survey.offered(lines=lines)
    return shown | {side: None for side in offered if side in truth and truth[side] is None}


def kinds_of_sides(truth: Mapping[Side, str | None]) -> list[str]:
    """What there is on a board, nothing aside."""
    return sorted({kind for kind in truth.values() if kind is not None})
