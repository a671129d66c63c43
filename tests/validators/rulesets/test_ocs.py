"""The tables of the ruleset ocs. What it judges, tests/conformance/ocs and tests/play show."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from types import MappingProxyType

import pytest
from vassal_umpire.model.board import Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.hexgrid import Axial, from_offset
from vassal_umpire.validators.concepts.completeness import Completeness
from vassal_umpire.validators.ruleset import START
from vassal_umpire.validators.rulesets.ocs.ruleset_facts import factor
from vassal_umpire.validators.rulesets.ocs.tables import defaults, read_tables
from vassal_umpire.validators.rulesets.ocs.terrain_graph import OcsTerrainGraph


def test_the_chart_that_ships_names_no_cost() -> None:
    shipped = defaults()
    cells = [*shipped["terrain"].values(), *shipped["roads"].values()]
    cells += [side["cost"] for side in shipped["hexsides"].values()]
    assert set(cells) == {"unknown"}
    assert read_tables({}).scale == 1


@pytest.mark.parametrize(
    ("mode", "segment"), [("DG", ""), ("reserve", "movement"), ("released", "reaction")]
)
def test_the_line_to_write_for_a_factor_is_one_a_pack_may_hold(mode: str, segment: str) -> None:
    stanza = factor(mode, segment).stanza.replace("?", "1/3")
    (amendment,) = tomllib.loads(stanza)["pack"]
    shipped, told = read_tables({}), read_tables(amendment["rules"])
    assert (told.dg, told.factors) != (shipped.dg, shipped.factors)


@pytest.mark.parametrize(
    ("maybe", "roads", "whole", "leads"),
    [
        (None, {"road": 1}, False, True),
        (None, {"road": 1}, True, False),
        (None, {"road": 1, "railroad": 1}, True, True),
        (frozenset({"Railway"}), {"road": 1}, True, True),
        (frozenset({"road"}), {"road": 1}, False, False),
    ],
    ids=["any line", "any line of the chart", "with railroads", "a railway", "a road"],
)
def test_a_railroad_may_lead_where_a_line_may_be(
    maybe: frozenset[str] | None, roads: dict[str, int], whole: bool, leads: bool
) -> None:
    hexes = {name: Hex(name, Axial(q, 0), ("open",)) for q, name in enumerate("ab")}
    board = Board("two", hexes, exceptions=Exceptions(lines={edge("a", "b"): maybe}))
    charts = Completeness(frozenset({"roads"} if whole else ()))
    tables = replace(read_tables({}, (), {}, charts), roads=read_tables({"roads": roads}).roads)
    tables = replace(tables, roads={name: tables.roads[name] for name in roads})
    assert OcsTerrainGraph(board, tables, ("leg",), False).rail_to("b") is leads


# -- what a step costs at the least, in either world: what the search goes by -----------------------


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
