"""Hexes taken apart: what is made of parts that were shown, and what has one that was not."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

from vassal_umpire.plugin.suggest.parts import Parts, part_clues

FIELD, ROAD, HOUSE = 0, 1, 2
APART = np.array([[0, 30, 60], [30, 0, 60], [60, 60, 0]], dtype=np.float32)
HEXES = np.array(
    [
        [FIELD] * 20,
        [ROAD] * 20,
        [FIELD] * 10 + [ROAD] * 10,
        [FIELD] * 17 + [HOUSE] * 3,
    ],
    dtype=np.uint8,
)
PARTS = Parts(HEXES, APART)
FARTHEST_SHOWN = 7  # of the clues: how far the second strangest part is from all that was shown


def test_a_mixture_of_what_was_shown_is_near_and_a_part_nobody_showed_is_far() -> None:
    labels = {0: 0, 1: 0}
    clues = part_clues(PARTS, labels, np.zeros(4, dtype=np.intp))
    mixture, with_house = clues[FARTHEST_SHOWN][2], clues[FARTHEST_SHOWN][3]
    assert mixture == 0.0
    assert with_house > 4.0


def test_how_far_hexes_are_from_each_example() -> None:
    away = PARTS.away([0, 3])
    assert away[:, 0].tolist() == [0.0, 30.0, 15.0, 9.0]
    assert away[3].tolist() == [9.0, 0.0]


def test_a_part_that_only_another_kind_has_speaks_against() -> None:
    clues = part_clues(PARTS, {0: 0, 1: 1}, np.zeros(4, dtype=np.intp))
    against = clues[-1]
    assert against.tolist() == [0.0, 1.0, 0.5, 0.0]
