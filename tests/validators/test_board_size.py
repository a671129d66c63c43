"""What a verdict costs rests on the move, not on the board around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

import pytest
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import Game, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.concepts.movement_graph import ContestedGraph
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.ruleset import Step, Tag
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.situation import Situation

TABLES = {
    "classes": {"names": ["foot"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1, "lake": "prohibited"}},
}


def into_the_lake(side: int) -> Judgement:
    """From 1010 four hexes into a lake of one hex, on a board of so many hexes a side."""
    board = Board(
        "field",
        MappingProxyType(
            {
                f"{c:02}{r:02}": Hex(
                    f"{c:02}{r:02}",
                    from_offset(c, r),
                    ("lake",) if (c, r) == (14, 10) else ("clear",),
                )
                for c in range(side)
                for r in range(side)
            }
        ),
    )
    here, there = Place("hex", "1010"), Place("hex", "1410")
    unit = Unit("u", "1 Inf", "Red", attributes={"ma": known(2)})
    game = Game(
        "field", board, ("Red",), {"u": unit}, {"u": here}, (), Rules("generic", tables=TABLES)
    )
    phase = PhaseView("1", "Movement", "Red")
    move = Move(0, ("u",), here, there, (here, there), (True, True), (StepRef(1, 1),), phase)
    return judge_move(move, Situation(game), RULESET.in_force(game))


def test_a_target_walled_in_is_not_looked_for_all_over_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: Counter[int] = Counter()
    steps = ContestedGraph.steps
    size = 0

    def counted(graph: ContestedGraph, hex_name: str, tag: Tag) -> Sequence[Step]:
        asked[size] += 1
        return steps(graph, hex_name, tag)

    monkeypatch.setattr(ContestedGraph, "steps", counted)
    said = []
    for size in (30, 90):
        [found] = into_the_lake(size).findings
        said.append((found.verdict, found.explanation, found.bill))
    assert said[0] == said[1]
    assert said[0][0] == "illegal"
    assert asked[90] <= asked[30] * 1.1
