"""What may change on a board when nobody tells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from vassal_umpire.importers.pack.opened import opened
from vassal_umpire.importers.pack.pack_tables import changes_of
from vassal_umpire.model.board import NONE, Board, Hex, Line, edge
from vassal_umpire.model.hexgrid import Axial

AB, BC, CD = edge("a", "b"), edge("b", "c"), edge("c", "d")
HEXES = {
    "a": Hex("a", Axial(0, 0), ("clear",), 0),
    "b": Hex("b", Axial(0, 1), ("wall",), 1),
    "c": Hex("c", Axial(0, 2), ("clear",), 0, ("fort",)),
    "d": Hex("d", Axial(0, 3), ("clear",), 0),
}
SIDES = {AB: ("river", "bridge"), BC: ("river",)}
BOARD = Board("Column", HEXES, SIDES, (Line("road", ("a", "b", "c", "d")),))


def after(*changes: object) -> Board:
    return opened(BOARD, changes_of(list(changes)))


def test_none_changes_nothing() -> None:
    assert opened(BOARD, changes_of("none")) == BOARD


def test_a_bridge_may_have_gone_or_come() -> None:
    found = after("bridge")
    assert found.sides[AB] == ("river",)
    assert found.maybe_on(AB) == {"bridge"}
    assert found.maybe_on(BC) == {"bridge"}
    assert found.maybe_on(CD) == {"bridge"}
    assert found.hex_known("a")
    assert found.lines == BOARD.lines


def test_a_bridge_that_may_only_go() -> None:
    found = after({"feature": "bridge", "may": "go"})
    assert [found.maybe_on(side) for side in (AB, BC, CD)] == [{"bridge"}, NONE, NONE]


def test_a_bridge_that_may_only_come_where_a_river_is() -> None:
    found = after({"feature": "bridge", "may": "come", "on": ["river"]})
    assert found.sides[AB] == ("river", "bridge")
    assert [found.maybe_on(side) for side in (AB, BC, CD)] == [NONE, {"bridge"}, NONE]


def test_forts() -> None:
    found = after("fort")
    assert found.hexes["c"].features == ()
    assert [found.maybe_in(name) for name in "ac"] == [{"fort"}, {"fort"}]
    assert found.hexes["c"].terrain == ("clear",)


def test_a_terrain_may_have_become_another_at_another_level() -> None:
    found = after("wall")
    assert found.hexes["b"].terrain is None
    assert found.maybe_in("b") is None
    assert found.level_of("b") is None
    assert found.hex_known("a")


def test_on_a_flat_board_the_level_stays() -> None:
    flat = replace(BOARD, hexes={n: replace(h, level=0) for n, h in HEXES.items()})
    assert opened(flat, changes_of(["wall"])).level_of("b") == 0


def test_roads_may_have_been_cut() -> None:
    found = after({"feature": "road", "may": "go"})
    assert found.lines == ()
    assert found.maybe_across(BC) == {"road"}


def test_what_is_nowhere_may_come_to_hexes_and_hexsides() -> None:
    found = after("trench")
    assert found.maybe_in("a") == {"trench"}
    assert found.maybe_on(CD) == {"trench"}
    assert found.lines_known(AB)


@pytest.mark.parametrize("name", ["bridge", "wall", "fort", "road"])
def test_the_board_as_drawn_stays_possible(name: str) -> None:
    found = after(name)
    for side, has in SIDES.items():
        may = found.maybe_on(side)
        assert may is None or set(has) <= {*found.sides[side], *may}
    for here in HEXES.values():
        may = found.maybe_in(here.name)
        now = found.hexes[here.name]
        assert may is None or set(here.features) <= {*now.features, *may}
        assert now.terrain in (None, here.terrain)
