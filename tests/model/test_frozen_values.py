"""Frozen values are read as they were written, and nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from vassal_umpire.model import fact, game
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.frozen_values import Damaged, FrozenValues, classes_of
from vassal_umpire.model.game import Place, StateChange, StepRef

VALUES = FrozenValues(classes_of(fact, game))
CHANGE = StateChange(
    StepRef(1, 2), "1", "ma", Fact((True,)), Fact((Fraction(1), "1"), Fraction(1, 3))
)


@pytest.mark.parametrize(
    "value",
    [
        (None, True, 1, Fraction(1), "1", "\udc80 é", 10**40, -1),
        [(), [], {}, {"a": [1]}, {(1, 2): "b"}],
        CHANGE,
        {Place("hex", "0101"): CHANGE},
        frozenset((Place("hex", "0101"), "0101", 1)),
    ],
    ids=["plain", "nested", "a change", "by a place", "a set"],
)
def test_what_was_written_is_read(value: Any) -> None:
    read = VALUES.read(VALUES.write(value))
    assert read == value
    assert repr(read) == repr(value) or isinstance(value, frozenset)


def test_a_true_and_a_1_are_told_apart() -> None:
    one, true, text = (VALUES.digest(Fact((some,))) for some in (Fraction(1), True, "1"))
    assert len({one, true, text}) == 3
    assert VALUES.read(VALUES.write((True, 1, Fraction(1)))) == (True, 1, Fraction(1))
    assert [type(some) for some in VALUES.read(VALUES.write((True, 1)))] == [bool, int]
    assert VALUES.digest(MappingProxyType({"a": 1})) == VALUES.digest({"a": 1})


def test_a_digest_is_the_same_in_every_process() -> None:
    code = (
        "from vassal_umpire.model import game; from vassal_umpire.model.frozen_values import *;"
        "print(FrozenValues(()).digest({frozenset('abcdefgh'): frozenset((1, 'x', (2, 'y')))}))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(said) == 1


@pytest.mark.parametrize("value", [1.5, object(), FrozenValues(()), b"bytes", len])
def test_anything_else_is_not_written(value: object) -> None:
    with pytest.raises(TypeError, match="is not among the classes"):
        VALUES.write((value,))


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"[]",
        {"classes": [], "nodes": []},
        {"classes": [], "nodes": [[0, 5]]},
        {"classes": [], "nodes": [[9]]},
        {"classes": [], "nodes": [1, [3, 0]]},
        {"classes": ["game.Place"], "nodes": [[5]]},
        {"classes": ["os.system"], "nodes": [[5]]},
        {"classes": ["builtins.eval"], "nodes": ["1", [5, 0]]},
        {"classes": [], "nodes": [[4, 1, 0]]},
    ],
)
def test_what_was_not_so_written_is_refused(plain: Any) -> None:
    with pytest.raises(Damaged):
        VALUES.read(plain if isinstance(plain, bytes) else json.dumps(plain).encode())
