"""No ruleset goes without a kit, a sample game, and a benchmark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.rulebook import Rulebook

PROJECT = Path(__file__).resolve().parent.parent
WRITTEN = sorted(
    name
    for name, one in rulesets().parts.items()
    if isinstance(one, Rulebook) and name != "generic" and not one.manifest.extends
)
"""Rulesets in code of their own. ``generic`` is data, and proved in tests/validators by its own twin; so
is what extends it by tables (``battle-for-moscow`` also by a walker in tests/test_battle_for_moscow.py)."""

each = pytest.mark.parametrize("name", WRITTEN)


@each
def test_there_is_a_kit_that_plays_it(name: str) -> None:
    kits = [path.read_text("utf-8") for path in (PROJECT / "tests" / "play").glob("*.py")]
    assert any(re.search(rf'\bname(?:: str)? = "{name}"', text) for text in kits)


@each
def test_there_is_a_sample_game_of_it(name: str) -> None:
    folder = PROJECT / "samples" / name
    for pattern in ("*.vmod", "*.vlog", "pack/pack.toml", "expected-report.txt", "README.md"):
        assert list(folder.glob(pattern)), pattern


@each
def test_its_verdicts_are_measured(name: str) -> None:
    text = (PROJECT / "benchmarks" / "rulesets.py").read_text("utf-8")
    assert re.search(rf'Trial\(\s*"{name}"', text)


@each
def test_what_its_proof_found_is_told(name: str) -> None:
    text = (PROJECT / "docs" / "proof.md").read_text("utf-8")
    assert re.search(rf"^\| {name} \|(?: [\d,]+ \|){{6}}$", text, re.MULTILINE)


@each
def test_it_is_told_which_planted_errors_are_found(name: str) -> None:
    assert f"\n## {name}\n" in (PROJECT / "docs" / "detection.md").read_text("utf-8")
