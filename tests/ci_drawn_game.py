"""The drawn module: told all there is to tell, the program finds its planted errors and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_game.module import DrawnGame, draw_game
from drawn_game.truth import accused, decided, falsely_accused, left_out, write_whole_pack
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import audit_game, read_evidence
from vassal_umpire.plugin.reading import Named


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> DrawnGame:
    return draw_game(tmp_path_factory.mktemp("drawn"))


def test_a_whole_pack_finds_every_planted_error_and_no_other(
    game: DrawnGame, tmp_path: Path
) -> None:
    assert (len(game.ground.terrain), len(game.units), len(game.planted)) == (1312, 60, 14)
    facts = write_whole_pack(game, tmp_path / "pack")
    evidence = read_evidence(Named(game.logs, game.module), DEFAULT_LIMITS)
    audit = audit_game(
        evidence.with_pack(load_pack(facts.parent), load_facts(facts), EVERYONE), None
    )
    assert accused(audit) == {(t.log, t.step) for t in game.planted}
    assert falsely_accused(game, audit) == set()
    assert decided(game, audit) == len(game.moves)
    assert left_out(game, audit) == []
