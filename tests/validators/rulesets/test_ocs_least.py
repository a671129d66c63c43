"""What a step over the land of ocs costs at the least, in either world: what the search goes by."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.validators.ruleset import START
from vassal_umpire.validators.rulesets.ocs.tables import read_tables
from vassal_umpire.validators.rulesets.ocs.terrain_graph import OcsTerrainGraph

TABLES = read_tables(
    {
        "terrain": {
            "open": {"leg": 1, "tracked": 1, "truck": 2},
            "swamp": {"leg": 2, "tracked": "prohibited", "truck": "prohibited"},
        },
        "hexsides": {
            "river": {"cost": {"leg": "+2", "tracked": "+4", "truck": "prohibited"}, "water": True}
        },
        "roads": {"road": {"leg": 1, "tracked": "1/2", "truck": "1/2"}},
    }
)


def _terrain_graph(
    terrain: str, bridged: bool, complete: bool, classes: tuple[str, ...], road: bool
) -> OcsTerrainGraph:
    """Four hexes in a row, in the third ``terrain``, before it a river."""
    names = ("0101", "0201", "0301", "0401")
    hexes = {
        name: Hex(name, from_offset(i, 0), (terrain if i == 2 else "open",))
        for i, name in enumerate(names)
    }
    features = ("river", "bridge") if bridged else ("river",)
    layers = frozenset({"hexsides", "lines"}) if complete else frozenset[str]()
    lines = (Line("road", names[:2]),) if road else ()
    sides = {("0201", "0301"): features}
    board = Board("row", MappingProxyType(hexes), sides=sides, lines=lines, complete=layers)
    return OcsTerrainGraph(board, TABLES, classes, False)


@pytest.mark.parametrize("road", [False, True])
@pytest.mark.parametrize("classes", [("truck",), ("leg",), ("leg", "truck")])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("bridged", [False, True])
@pytest.mark.parametrize("terrain", ["open", "swamp", "moor"])
def test_no_step_costs_less_than_the_least(
    terrain: str, bridged: bool, complete: bool, classes: tuple[str, ...], road: bool
) -> None:
    terrain_graph = _terrain_graph(terrain, bridged, complete, classes, road)
    for world in ("favourable", "adverse"):
        steps = [
            step
            for name in terrain_graph.board.hexes
            for step in terrain_graph.steps(world, name, START)
        ]
        assert all(terrain_graph.least_in(world) <= step.cost for step in steps)


def test_a_bridge_only_costs_nothing_where_it_leads_into_prohibited_terrain() -> None:
    assert _terrain_graph("open", True, True, ("truck",), False).least == 4
    assert _terrain_graph("swamp", True, True, ("truck",), False).least == 0
    assert _terrain_graph("swamp", True, True, ("truck",), False).least_in("adverse") == 4
    assert _terrain_graph("open", True, True, ("truck",), True).least == 1
