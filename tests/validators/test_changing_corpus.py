"""Games another engine adjudicated, on boards that may have changed: nobody is accused."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from vassal_umpire.importers.analysis.document import parse_document
from vassal_umpire.importers.analysis.game_read import game_of
from vassal_umpire.importers.pack.load import changes_of
from vassal_umpire.importers.pack.opened import opened
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.game import Displacement, Game, StepRef
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit

RULESETS = rulesets().parts
GAMES = ("waterloo/game-01", "waterloo/game-05", "chickamauga/game-01", "chickamauga/game-04")


@pytest.fixture(params=GAMES)
def accepted(request: pytest.FixtureRequest, corpus: Path) -> Game:
    file = corpus / "second-adjudicator" / f"{request.param}.json.gz"
    if not file.is_file():
        pytest.skip("the games of the second adjudicator are not in the corpus")
    return game_of(parse_document(gzip.decompress(file.read_bytes()), file.name)["game"])


def verdicts(game: Game) -> list[str]:
    return [move.verdict for move in audit(game, RULESETS[game.rules.name]).moves]


def test_what_may_have_changed_accuses_nobody(accepted: Game) -> None:
    board = accepted.board
    names = {f for has in board.sides.values() for f in has}
    names |= {f for here in board.hexes.values() for f in here.features}
    changes = changes_of([{"feature": name, "may": "go"} for name in sorted(names)])
    assert "illegal" not in verdicts(replace(accepted, board=opened(board, changes)))


def test_changes_that_say_what_is_so_already_change_no_verdict(accepted: Game) -> None:
    board = accepted.board
    sides = sorted(board.sides)
    events = []
    for number, event in enumerate(accepted.events):
        if isinstance(event, Displacement) and number % 7 == 0:
            side = sides[number % len(sides)] if sides else None
            hexes = tuple(board.hexes.values())[number % len(board.hexes) :][:1]
            told = {side: board.sides[side]} if side is not None else {}
            events.append(BoardChange(StepRef(*event.at), hexes, told))
        events.append(event)
    assert verdicts(replace(accepted, events=tuple(events))) == verdicts(accepted)
