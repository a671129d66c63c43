"""What a board says of a cell: known although its layer is not whole, not known although it is."""

from __future__ import annotations

from vassal_umpire.model.board import LAYERS, NONE, Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.hexgrid import Axial

HEXES = {
    "a": Hex("a", Axial(0, 0), ("woods",)),
    "b": Hex("b", Axial(0, 1), ("clear",), 2, ("fort",)),
    "c": Hex("c", Axial(0, 2), None, None, ("fort",)),
}
AB, BC = edge("a", "b"), edge("b", "c")


def board(complete: tuple[str, ...] = LAYERS, **cells: object) -> Board:
    exceptions = Exceptions(**cells)  # type: ignore[arg-type]
    return Board(
        "b",
        HEXES,
        {AB: ("river",)},
        (Line("road", ("a", "b")),),
        complete=frozenset(complete),
        exceptions=exceptions,
    )


def test_without_exceptions_a_cell_is_known_as_its_layer_is() -> None:
    assert board().sides_known(AB)
    assert board().lines_known(BC)
    assert board().all_sides_known
    assert board().all_lines_known
    assert not board(()).sides_known(AB)
    assert not board(()).lines_known(AB)
    assert board(()).maybe_on(AB) is None


def test_one_hexside_may_be_open_though_the_layer_is_complete() -> None:
    bridge = board(sides={AB: frozenset({"bridge"})})
    assert not bridge.sides_known(AB)
    assert bridge.sides_known(BC)
    assert bridge.maybe_on(AB) == {"bridge"}
    assert not bridge.all_sides_known


def test_one_hexside_may_be_told_though_the_layer_is_not_complete() -> None:
    told = board((), sides={AB: NONE}, lines={AB: NONE, BC: NONE})
    assert told.sides_known(AB)
    assert not told.sides_known(BC)
    assert not told.all_sides_known
    assert told.all_lines_known, "every hexside of the board is told"


def test_what_is_in_a_hex_is_known_with_its_terrain() -> None:
    plain = board()
    assert plain.has("b", ["fort"]) is True
    assert plain.has("a", ["fort"]) is False
    assert plain.has("c", ["fort"]) is True
    assert plain.has("c", ["woods"]) is None
    assert plain.has("c", []) is False
    assert board((), hexes={}).hex_known("a")
    assert not board(()).hex_told("a")


def test_a_feature_may_be_in_a_hex_or_not() -> None:
    perhaps = board(hexes={"a": frozenset({"fort"})})
    assert perhaps.has("a", ["fort"]) is None
    assert perhaps.has("a", ["gate"]) is False
    assert not perhaps.hex_known("a")


def test_a_level_may_be_open_though_levels_are_complete() -> None:
    assert board().level_of("a") == 0
    assert board(levels=frozenset({"a"})).level_of("a") is None
    assert board(("terrain",)).level_of("a") is None
    assert board(levels=frozenset({"b"})).level_of("b") == 2
