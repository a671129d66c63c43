"""Changed files of every kind: no traceback, one line for an error, no player's id, within bounds."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from fuzz.inputs import KINDS
from fuzz.planted import FAULTS, by_chance, found_after
from tiers import SEED, by_tier

WORKER = Path(__file__).with_name("worker.py")
MOST, BATCHES = by_tier((0, 0), ci=(5, 1), proof=(10_000, 100))
"""Inputs in a batch, if its kind has so many; and batches, each in a process of its own."""

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a process cannot be bounded in time and memory on Windows"
)


@pytest.mark.parametrize("kind", KINDS)
def test_changed_files_do_no_harm(kind: str) -> None:
    share = min(MOST, KINDS[kind][1])
    for batch in range(BATCHES):
        assert faults_of(kind, str(SEED), batch * share, share) == []


def faults_of(kind: str, seed: str, first: int, count: int) -> list[str]:
    """What is wrong with inputs ``first`` to ``first + count - 1``, each line with how to see it again."""
    command = [sys.executable, str(WORKER), kind, seed, str(first), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    ended = [one for one in told if "faults" in one]
    found = [
        f"{' '.join(command[1:4])} {one['number']} 1 --keep build/fuzz: {fault}"
        for one in ended
        for fault in one["faults"]
    ]
    if len(ended) != count:
        last = told[-1].get("begun") if told else None
        found.append(f"the process ended within input {last} of {kind}: {done.stderr[-500:]}")
    return found


QUICK = {"a player's id beside a problem": (4, 25), "a fact that is not a word": (4, 10)}
"""For each a seed, and how many of the inputs drawn with it are left out because they do not show the fault:
by chance it may take hundreds."""


@pytest.mark.parametrize("name", QUICK)
def test_faults_are_found_at_all(name: str) -> None:
    """Else the test above would hold for nothing; ``planted.py`` plants more."""
    seed, idle = QUICK[name]
    inputs = islice(by_chance(seed, FAULTS[name].kind), idle, idle + 60)
    assert found_after(FAULTS[name], inputs) is not None
