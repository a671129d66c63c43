"""What is worked out once for edges of one kind is what each of them would come to by itself."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from types import MappingProxyType

import pytest
from cases import RULESETS, cases
from fields import laid_out, sample_game
from tiers import SEED, by_tier
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.concepts.hex_entries import TerrainGraph
from vassal_umpire.validators.ruleset import START, Circumstances, World
from vassal_umpire.validators.situation import Situation

WORLDS: tuple[World, World] = ("favourable", "adverse")
BY_KIND = ("zoc-classes",)


@pytest.fixture
def terrain_graphs(monkeypatch: pytest.MonkeyPatch) -> list[TerrainGraph]:
    """The terrain graphs that are made during a test."""
    made: list[TerrainGraph] = []
    begin = TerrainGraph.__init__

    def kept(self: TerrainGraph, board: Board, scale: int, paths: bool, who: str) -> None:
        begin(self, board, scale, paths, who)
        made.append(self)

    monkeypatch.setattr(TerrainGraph, "__init__", kept)
    return made


def differing(terrain_graph: TerrainGraph) -> list[str]:
    """The hexes out of which entries or steps are others if every edge is looked at by itself."""
    found = []
    for here in terrain_graph.board.hexes:
        tags = {START, *(entry.tag for entry in terrain_graph.entries(here))}
        by_kind = [terrain_graph._open(world, here, tag) for world in WORLDS for tag in tags]
        entries = terrain_graph.entries(here)
        terrain_graph.by_kind = False
        by_itself = [terrain_graph._open(world, here, tag) for world in WORLDS for tag in tags]
        every = tuple(
            w for to in terrain_graph.board.neighbours(here) for w in terrain_graph.across(here, to)
        )
        terrain_graph.by_kind = True
        if entries != every or by_kind != by_itself:
            found.append(here)
    return found


@pytest.mark.parametrize("name", BY_KIND)
def test_in_every_case(name: str, terrain_graphs: list[TerrainGraph]) -> None:
    compared = 0
    every = list(cases(name).values())
    for case in Random(SEED).sample(every, by_tier(8, len(every))):
        run_case(case, RULESETS[name])
        for terrain_graph in terrain_graphs:
            if terrain_graph.by_kind:
                assert differing(terrain_graph) == [], case.id
                compared += len(terrain_graph._alike)
        terrain_graphs.clear()
    assert compared > by_tier(1, 100)


@pytest.mark.parametrize("sample", ["zoc-classes"])
def test_on_the_board_of_a_sample(sample: str, terrain_graphs: list[TerrainGraph]) -> None:
    game = sample_game(sample)
    rules = RULESETS[game.rules.name].in_force(game)
    situation = Situation(game)
    for unit in game.units.values():
        if unit.kind == "unit":
            for scenario in rules.scenarios(unit.id, Circumstances(situation, (unit.id,))):
                for mover in scenario.movers:
                    mover.graph("favourable")
    compared = [terrain_graph for terrain_graph in terrain_graphs if terrain_graph.by_kind]
    assert compared
    for terrain_graph in compared:
        assert differing(terrain_graph) == []


def test_edges_are_alike_only_if_nothing_of_them_differs() -> None:
    """Five hexes in a row: the same edge four times, but for one thing each."""
    names = ("a", "b", "c", "d", "e")
    hexes = {n: Hex(n, from_offset(i, 0), ("open",), 0) for i, n in enumerate(names)}

    def kinds(board: Board) -> list[int | None]:
        return [board.edge_kinds.of(a, b) for a, b in pairwise(names)]

    plain = Board("row", MappingProxyType(hexes))
    assert len(set(kinds(plain))) == 1
    assert plain.edge_kinds.of("b", "a") == kinds(plain)[0]
    river = Board("row", MappingProxyType(hexes), sides={("b", "c"): ("river",)})
    assert [kind == kinds(river)[0] for kind in kinds(river)] == [True, False, True, True]
    road = Board("row", MappingProxyType(hexes), lines=(Line("road", ("b", "c")),))
    assert len(set(kinds(road))) == 4
    for other in (Hex("c", hexes["c"].at, ("wood",), 0), Hex("c", hexes["c"].at, ("open",), 1)):
        changed = Board("row", MappingProxyType({**hexes, "c": other}))
        first, into, out_of, last = kinds(changed)
        assert first == last
        assert len({first, into, out_of}) == 3
    unknown = Board("row", MappingProxyType({**hexes, "c": Hex("c", hexes["c"].at)}))
    assert [kind is None for kind in kinds(unknown)] == [False, True, True, False]
    unfinished = Board("row", MappingProxyType(hexes), complete=frozenset({"terrain"}))
    assert set(kinds(unfinished)) == {None}


def test_a_large_board_has_few_kinds() -> None:
    board = laid_out(sample_game("ocs").board, 2_000)
    kinds = {board.edge_kinds.of(a, b) for a in board.hexes for b in board.neighbours(a)}
    assert len(kinds) < len(board.every_side) / 5
