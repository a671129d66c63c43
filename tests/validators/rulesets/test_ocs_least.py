"""What a step over the land of ocs costs at the least, in either world: what the search goes by."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.validators.ruleset import START
from vassal_umpire.validators.rulesets.ocs.land import OcsLand
from vassal_umpire.validators.rulesets.ocs.tables import read_tables

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


def _land(
    terrain: str, bridged: bool, complete: bool, classes: tuple[str, ...], road: bool
) -> OcsLand:
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
    return OcsLand(board, TABLES, classes, False)


@pytest.mark.parametrize("road", [False, True])
@pytest.mark.parametrize("classes", [("truck",), ("leg",), ("leg", "truck")])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("bridged", [False, True])
@pytest.mark.parametrize("terrain", ["open", "swamp", "moor"])
def test_no_step_costs_less_than_the_least(
    terrain: str, bridged: bool, complete: bool, classes: tuple[str, ...], road: bool
) -> None:
    land = _land(terrain, bridged, complete, classes, road)
    for world in ("favourable", "adverse"):
        steps = [step for name in land.board.hexes for step in land.steps(world, name, START)]
        assert all(land.least_in(world) <= step.cost for step in steps)


def test_a_bridge_only_costs_nothing_where_it_leads_into_prohibited_terrain() -> None:
    assert _land("open", True, True, ("truck",), False).least == 4
    assert _land("swamp", True, True, ("truck",), False).least == 0
    assert _land("swamp", True, True, ("truck",), False).least_in("adverse") == 4
    assert _land("open", True, True, ("truck",), True).least == 1
