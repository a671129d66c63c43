"""What a step over the land of zoc-classes costs at the least, and which hexes are far from every enemy:
what the search goes by."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import (
    Displacement,
    Game,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StepRef,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.ruleset import START
from vassal_umpire.validators.rulesets.zoc_classes import RULESET
from vassal_umpire.validators.rulesets.zoc_classes.tables import read_tables
from vassal_umpire.validators.rulesets.zoc_classes.terrain_graph import CostBasis, ZcTerrainGraph
from vassal_umpire.validators.situation import Situation

CHART = {
    "terrain": {"clear": 1, "forest": "1/2M+1", "lake": "prohibited"},
    "hexsides": {"minor river": "1/2M-1"},
    "roads": {"road": "1/2", "railroad": "unknown"},
    "weather": {"mud": {"terrain": {"clear": 2, "forest": 3, "lake": "prohibited"}, "factor": 1}},
}
NAMES = ("0101", "0201", "0301", "0401", "0501")


def _row(third: str, lines: tuple[Line, ...], complete: bool) -> Board:
    """Five hexes in a row, the third of a terrain of its own, a river before it."""
    hexes = {
        name: Hex(name, from_offset(i, 0), (third if i == 2 else "clear",))
        for i, name in enumerate(NAMES)
    }
    layers = frozenset({"hexsides", "lines", "terrain"}) if complete else frozenset[str]()
    sides = {("0201", "0301"): ("minor river",)}
    return Board("row", MappingProxyType(hexes), sides=sides, lines=lines, complete=layers)


@pytest.mark.parametrize("third", ["clear", "forest", "lake", "moor"])
@pytest.mark.parametrize("line", ["", "road", "railroad", "trail"])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("weather", [("clear",), ("mud",), ("clear", "mud"), None])
def test_no_step_costs_less_than_the_least(
    third: str, line: str, complete: bool, weather: tuple[str, ...] | None
) -> None:
    lines = (Line(line, NAMES[:2]),) if line else ()
    cost_basis = CostBasis(("first",), Amount.exactly(7), (("", weather),))
    terrain_graph = ZcTerrainGraph(_row(third, lines, complete), read_tables(CHART), cost_basis)
    for world in ("favourable", "adverse"):
        for here in NAMES:
            steps = terrain_graph.steps(world, here, START)
            assert all(step.cost >= terrain_graph.least or step.whole for step in steps)


def test_a_road_that_the_board_does_not_have_lowers_nothing() -> None:
    """Its cost is unknown in the tables: were it there, a step might be free."""
    cost_basis = CostBasis(("first",), Amount.exactly(7), (("", ("clear",)),))
    terrain_graph = ZcTerrainGraph(
        _row("clear", (Line("road", NAMES[:2]),), True), read_tables(CHART), cost_basis
    )
    assert terrain_graph.least == terrain_graph.scale // 2


def test_a_zoc_two_hexes_ahead_is_paid_for() -> None:
    """The hex left is far from the enemy, the one entered next to it."""
    attributes = {
        "ma": 9, "class": "non-motorized", "column": "first", "nationality": "Italian", "load": False,
        "infantry": True, "reserve": False, "debt": 0, "combat": True, "zoc": "full", "own_zoc": "full",
        "supply": "regular", "night": False, "weather": "clear", "turned": False,
    }  # fmt: skip
    facts = {key: known(value) for key, value in attributes.items()}
    drag = Displacement(StepRef(1, 2), "a", Place("hex", "0201"), Place("hex", "0301"), "Red")
    units = {
        "a": Unit("a", "A", "Red", attributes=facts),
        "e": Unit("e", "E", "Blue", attributes=facts),
    }
    game = Game(
        "row",
        _row("clear", (), True),
        ("Red", "Blue"),
        units,
        {"a": Place("hex", "0201"), "e": Place("hex", "0401")},
        (PhaseStart(StepRef(1, 1), "1", "Initial", "Red"), drag),
        Rules(
            "zoc-classes",
            {**CHART, "zoc": {"complete": True}, "phases": {"initial": ["Initial"]}},
            {},
        ),
        {"Initial": PhaseRule("Initial", "both", ("move",), complete=True)},
    )
    situation = Situation(game)
    situation.advance_before(StepRef(1, 2))
    view = PhaseView("1", "Initial", "Red")
    move = Move(
        1,
        ("a",),
        drag.origin,
        drag.target,
        (drag.origin, drag.target),
        (True, True),
        (drag.at,),
        view,
    )
    judged = judge_move(move, situation, RULESET.in_force(game), forms=("move",)).judged
    assert judged.bill is not None
    # clear 1, the river (half of 9, less 1: at least 3), and 2 for the ZOC
    assert judged.bill.total.lo >= 6
