"""A phase told coarsely, from the question in the report to its answers in a facts file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from vassal_umpire.importers.analysis.document import document

from .kit import report_of

ASKED = ["combat from 1:3 to 1:4"]
PHASE = '[[phase]]\nlog = 1\nsteps = "1-5"\nturn = "1"\nphase = "Movement"\nactive = "Red"\n'
Found = dict[str, Any]


@pytest.fixture
def game() -> Found:
    """A document: Red moves, attacks, and Blue retreats further than a march leads."""
    found: Found = json.loads(json.dumps(document(game=cases("generic")["COARSE-1"].game)))
    return found


@pytest.fixture(name="audit")
def _audit(tmp_path: Path) -> Callable[..., Found]:
    def run(plain: Found, facts: str = "") -> Found:
        file, told = tmp_path / "game.json", tmp_path / "facts.toml"
        file.write_text(json.dumps(plain), "utf-8")
        told.write_text(facts, "utf-8")
        found: Found = report_of(file, *(("--facts", told) if facts else ()))
        return found

    return run


def verdicts(found: Found) -> list[str]:
    """The verdict of each move in order, ``-`` for what is not judged."""
    moves = sorted([*found["moves"], *found["not_judged"]], key=lambda move: move["id"])
    return [move["verdict"] or "-" for move in moves]


def test_nobody_is_accused_unless_the_document_vouches_for_the_dice(
    audit: Callable[..., Found], game: Found
) -> None:
    found = audit(game)
    assert verdicts(found) == ["legal", "unverifiable"]
    assert list(found["unknowns"]) == ASKED
    game["version"] = 1
    for phase in game["game"]["phases"]:
        phase.pop("dice", None)
    assert verdicts(audit(game)) == ["legal", "illegal"]


@pytest.mark.parametrize(("combat", "then"), [("true", "-"), ("false", "illegal")])
@pytest.mark.parametrize("declared", ["", PHASE], ids=["told in the document", "declared"])
def test_its_stanza_answers_it(
    audit: Callable[..., Found], game: Found, declared: str, combat: str, then: str
) -> None:
    if declared:
        events = game["game"]["events"]
        game["game"]["events"] = [one for one in events if one["event"] != "phase"]
    found = audit(game, declared)
    assert list(found["unknowns"]) == ASKED
    (unknown,) = found["unknowns"].values()
    answered = audit(game, declared + unknown["stanza"].replace('"?"', combat))
    assert (verdicts(answered), answered["unknowns"]) == (["legal", then], {})
