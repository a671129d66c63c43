"""A phase told coarsely, from the question in the report to its answers in a facts file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from vassal_umpire.plugin.cli import main

COLUMNS, ROWS = range(1, 13), range(1, 6)
MOVEMENT = {"turn": "1", "phase": "Movement", "active": "Red"}


def name(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


def document(*, told: bool = True, dice: bool | None = False) -> dict[str, Any]:
    """Steps 1 to 6: Red moves 1, attacks, Blue retreats four hexes, Red moves 1 on. ``told``: the document
    tells the phase itself."""
    hexes = [
        {"hex": name(c, r), "at": [c, r - (c + 1) // 2], "terrain": ["clear"]}
        for c in COLUMNS
        for r in ROWS
    ]
    phase = {"name": "Movement", "movers": "active", "forms": ["march"], "complete": True}
    if dice is not None:
        phase["dice"] = dice
    moves = [
        ("1:2", "1", "0101", "0201"),
        ("1:4", "2", "0501", "0901"),
        ("1:6", "1", "0201", "0301"),
    ]
    events: list[dict[str, Any]] = [
        {"event": "displacement", "at": at, "unit": unit, "origin": origin, "target": target}
        for at, unit, origin, target in moves
    ]
    events.insert(1, {"event": "witness", "at": "1:3", "kind": "roll"})
    tables = {
        "classes": {"attribute": "class", "names": ["foot"]},
        "allowance": {"attribute": "ma"},
        "terrain": {"costs": {"clear": 1}},
    }
    attributes = {"ma": 4, "class": "foot"}
    if told:
        events.insert(0, {"event": "phase", "at": "1:1", **MOVEMENT})
    return {
        "format": "vassal-umpire analysis",
        "version": 2,
        "game": {
            "title": "A retreat",
            "sides": ["Red", "Blue"],
            "board": {
                "name": "Plain",
                "complete": ["terrain", "hexsides", "lines", "levels"],
                "hexes": hexes,
            },
            "units": [
                {"id": "1", "name": "1", "side": "Red", "attributes": attributes, "at": "0101"},
                {"id": "2", "name": "2", "side": "Blue", "attributes": attributes, "at": "0501"},
            ],
            "events": events,
            "phases": [phase],
            "forms": [{"name": "march"}],
            "rules": {
                "name": "generic",
                "tables": tables,
            },
        },
    }


@pytest.fixture(name="audit")
def _audit(tmp_path: Path):
    def run(plain: dict[str, Any], facts: str = "") -> dict[str, Any]:
        file, told = tmp_path / "game.json", tmp_path / "facts.toml"
        file.write_text(json.dumps(plain), encoding="utf-8")
        told.write_text(facts, encoding="utf-8")
        words = ["audit", str(file), "--format", "json"]
        result = CliRunner().invoke(main, [*words, "--facts", str(told)] if facts else words)
        assert result.exit_code in (0, 1), result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    return run


def verdicts(found: dict[str, Any]) -> list[str]:
    """The verdict of each move in order, ``-`` for what is not judged."""
    moves = sorted([*found["moves"], *found["not_judged"]], key=lambda move: move["id"])
    return [move["verdict"] or "-" for move in moves]


def asked(found: dict[str, Any]) -> list[str]:
    unknowns = found["unknowns"]
    return (
        [unknown["key"] for unknown in unknowns] if isinstance(unknowns, list) else list(unknowns)
    )


def test_the_retreat_is_asked_about_and_nobody_accused(audit) -> None:
    found = audit(document())
    assert verdicts(found) == ["legal", "unverifiable", "legal"]
    assert asked(found) == ["combat from 1:3 to 1:4"]


@pytest.mark.parametrize(
    ("combat", "expected"), [("true", ["legal", "-", "legal"]), ("false", ["legal", "illegal"])]
)
def test_its_stanza_answers_it(audit, combat: str, expected: list[str]) -> None:
    found = audit(document())
    unknowns = found["unknowns"]
    [unknown] = unknowns if isinstance(unknowns, list) else unknowns.values()
    answered = audit(document(), unknown["stanza"].replace('"?"', combat))
    assert (verdicts(answered), asked(answered)) == (expected, [])


PHASE = '[[phase]]\nlog = 1\nsteps = "1-6"\nturn = "1"\nphase = "Movement"\nactive = "Red"\n'


@pytest.mark.parametrize(
    ("combat", "expected"), [("true", ["legal", "-", "legal"]), ("false", ["legal", "illegal"])]
)
def test_it_lies_within_the_phase_that_was_declared(
    audit, combat: str, expected: list[str]
) -> None:
    plain = document(told=False)
    found = audit(plain, PHASE)
    assert asked(found) == ["combat from 1:3 to 1:4"]
    unknowns = found["unknowns"]
    [unknown] = unknowns if isinstance(unknowns, list) else unknowns.values()
    answered = audit(plain, PHASE + unknown["stanza"].replace('"?"', combat))
    assert (verdicts(answered), asked(answered)) == (expected, [])


def test_a_document_that_says_nothing_of_dice_vouches_for_them(audit) -> None:
    plain = document(dice=None)
    plain["version"] = 1
    assert verdicts(audit(plain)) == ["legal", "illegal"]
