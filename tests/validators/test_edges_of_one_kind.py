"""Edges of a board are of one kind only if nothing of them differs."""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType

from fields import laid_out, sample_game
from vassal_umpire.model.board import Board, Exceptions, Hex, Line
from vassal_umpire.model.hexgrid import from_offset


def test_edges_are_alike_only_if_nothing_of_them_differs() -> None:
    """Five hexes in a row: the same edge four times, but for one thing each."""
    names = ("a", "b", "c", "d", "e")
    hexes = {n: Hex(n, from_offset(i, 0), ("open",), 0) for i, n in enumerate(names)}

    def kinds(board: Board) -> list[int]:
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
    first, into, out_of, last = kinds(unknown)
    assert first == last
    assert len({first, into, out_of}) == 3
    nothing = Board("row", MappingProxyType({name: Hex(name, at.at) for name, at in hexes.items()}))
    assert len(set(kinds(nothing))) == 1
    told = {("b", "c"): frozenset({"river"})}
    doubtful = Board("row", MappingProxyType(hexes), exceptions=Exceptions(sides=told))
    assert [kind == kinds(doubtful)[0] for kind in kinds(doubtful)] == [True, False, True, True]


def test_a_large_board_has_few_kinds() -> None:
    board = laid_out(sample_game("ocs").board, 2_000)
    kinds = {board.edge_kinds.of(a, b) for a in board.hexes for b in board.neighbours(a)}
    assert len(kinds) < len(board.every_side) / 5
