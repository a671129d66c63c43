"""A phase told coarsely, from the question in the report to its answers in a facts file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .kit import report_of

COLUMNS, ROWS = range(1, 13), range(1, 6)
MOVEMENT = {"turn": "1", "phase": "Movement", "active": "Red"}


def name(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


def document(*, told: bool = True, dice: bool | None = False) -> dict[str, Any]:
    """Steps 1 to 6: Red moves 1, attacks, Blue retreats four hexes, Red moves 1 on. ``told``: the document
    tells the phase itself."""
    places = [(name(c, r), [c, r - (c + 1) // 2]) for c in COLUMNS for r in ROWS]
    hexes = [{"hex": hex_, "at": at, "terrain": ["clear"]} for hex_, at in places]
    phase = {"name": "Movement", "movers": "active", "forms": ["march"], "complete": True}
    if dice is not None:
        phase["dice"] = dice
    moves = [("1:2", "1", "0101", "0201"), ("1:4", "2", "0501", "0901")]
    moves.append(("1:6", "1", "0201", "0301"))
    keys = ("at", "unit", "origin", "target")
    moved = [dict(zip(keys, move, strict=True)) for move in moves]
    events: list[dict[str, Any]] = [{"event": "displacement", **move} for move in moved]
    events.insert(1, {"event": "witness", "at": "1:3", "kind": "roll"})
    tables: dict[str, Any] = {"classes": {"attribute": "class", "names": ["foot"]}}
    tables |= {"allowance": {"attribute": "ma"}, "terrain": {"costs": {"clear": 1}}}
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
            "rules": {"name": "generic", "tables": tables},
        },
    }


@pytest.fixture(name="audit")
def _audit(tmp_path: Path):
    def run(plain: dict[str, Any], facts: str = "") -> Any:
        file, told = tmp_path / "game.json", tmp_path / "facts.toml"
        file.write_text(json.dumps(plain), encoding="utf-8")
        told.write_text(facts, encoding="utf-8")
        more = ("--facts", told) if facts else ()
        return report_of(file, *more)

    return run


def verdicts(found: dict[str, Any]) -> list[str]:
    """The verdict of each move in order, ``-`` for what is not judged."""
    moves = sorted([*found["moves"], *found["not_judged"]], key=lambda move: move["id"])
    return [move["verdict"] or "-" for move in moves]


def asked(found: dict[str, Any]) -> list[str]:
    unknowns = found["unknowns"]
    return [one["key"] for one in unknowns] if isinstance(unknowns, list) else list(unknowns)


def test_nobody_is_accused_unless_the_document_vouches_for_the_dice(audit) -> None:
    found = audit(document())
    assert verdicts(found) == ["legal", "unverifiable", "legal"]
    assert asked(found) == ["combat from 1:3 to 1:4"]
    plain = document(dice=None)
    plain["version"] = 1
    assert verdicts(audit(plain)) == ["legal", "illegal"]


PHASE = '[[phase]]\nlog = 1\nsteps = "1-6"\nturn = "1"\nphase = "Movement"\nactive = "Red"\n'


@pytest.mark.parametrize(
    ("combat", "expected"), [("true", ["legal", "-", "legal"]), ("false", ["legal", "illegal"])]
)
@pytest.mark.parametrize("declared", ["", PHASE], ids=["told in the document", "declared"])
def test_its_stanza_answers_it(audit, declared: str, combat: str, expected: list[str]) -> None:
    plain = document(told=not declared)
    found = audit(plain, declared)
    assert asked(found) == ["combat from 1:3 to 1:4"]
    unknowns = found["unknowns"]
    [unknown] = unknowns if isinstance(unknowns, list) else unknowns.values()
    answered = audit(plain, declared + unknown["stanza"].replace('"?"', combat))
    assert (verdicts(answered), asked(answered)) == (expected, [])
