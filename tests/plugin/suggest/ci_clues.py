"""Kinds that were shown on the same look."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

from vassal_umpire.plugin.suggest.clues import Patches, mixed
from vassal_umpire.plugin.suggest.profiles import apart_by_steps


def line(*places: float) -> Patches:
    table = np.array(places, dtype=np.float32)[:, None]
    return Patches((table, table, table), apart_by_steps)


def test_kinds_shown_in_turn_along_a_line_are_mixed() -> None:
    assert mixed(line(0, 1, 20, 21), {0: 0, 1: 1, 2: 0, 3: 1}) == {(0, 1)}


def test_kinds_at_either_end_are_not() -> None:
    assert mixed(line(0, 1, 20, 21), {0: 0, 1: 0, 2: 1, 3: 1}) == set()


def test_one_odd_look_of_a_kind_is_not_mixed_with_the_kind_near_it() -> None:
    assert mixed(line(0, 1, 20, 23, 24), {0: 0, 1: 0, 2: 0, 3: 1, 4: 1}) == set()


def test_two_single_examples_prove_nothing() -> None:
    assert mixed(line(0, 0), {0: 0, 1: 1}) == set()
