"""A director tells the studio of a module with nothing but pictures, from the first click to the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the studio needs the extra [studio]")

from browser.director import Director
from browser.studio_kit import running
from command_line import done
from drawn_game.module import draw_game
from drawn_game.truth import accused, decided, left_out

MOST = 190
"""The actions that all of it takes, give or take what is drawn by lot; the aim is 200."""
MOST_TO_A_FINDING = 25
"""Those to the first certain finding, an overstack. The card leads to all that it needs."""


@pytest.mark.long
def test_a_game_with_nothing_but_pictures_is_judged(context: Any, tmp_path: Path) -> None:
    game = draw_game(tmp_path)
    done("pack", "new", game.module, *game.logs, "-o", tmp_path / "pack")
    with running(tmp_path / "pack", game.logs, game.module) as studio:
        director = Director(context, studio, game)
        for stretch in (
            director.tells_sides,
            director.tells_stacking,
            director.confirms_a_phase,
            director.tells_limits,
            director.confirms_phases,
            director.tells_classes,
            director.shows_examples,
            director.tells_charts,
            director.looks_through,
            director.follows_roads,
            director.looks_at_empty_sides,
        ):
            with director.stretch(stretch.__name__):
                stretch()
        audit = director.audit
        assert director.false == set()  # of any audit on the way
        assert left_out(game, audit) == []
        assert decided(game, audit) >= 0.95 * len(game.moves)
        assert len(accused(audit)) >= 13  # of 14
        assert director.hand.actions <= MOST
        assert director.first_finding is not None
        assert director.first_finding <= MOST_TO_A_FINDING
        assert director.tab.complaints == []
