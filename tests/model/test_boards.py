"""Boards that change: what a change does to the cells, and the board over several of them."""

from __future__ import annotations

from vassal_umpire.model.board import NONE, Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange, Boards, changed
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.hexgrid import Axial

AT = StepRef(1, 5)
AB, BC = edge("a", "b"), edge("b", "c")
HEXES = {n: Hex(n, Axial(0, r), ("clear",), 0) for r, n in enumerate("abcd")}
BOARD = Board(
    "Column", HEXES, {AB: ("river", "bridge")}, (Line("road", ("a", "b", "c", "d"), "King's Road"),)
)
BLOWN = BoardChange(AT, sides={AB: ("river",)})
BREACHED = BoardChange(AT, hexes=(Hex("b", Axial(0, 1), ("rubble",), 1, ("fort",)),))
CUT = BoardChange(AT, gone=(Line("road", ("b", "c")),))


def kinds(board: Board, side: tuple[str, str]) -> list[str]:
    return [line.kind for line in board.lines_by_edge.get(side, ())]


def test_a_hexside_that_is_told_holds_what_is_told_and_nothing_else() -> None:
    after = changed(BOARD, [BLOWN])
    assert after.sides[AB] == ("river",)
    assert after.sides_known(AB)
    assert BOARD.sides[AB] == ("river", "bridge")


def test_a_hex_that_is_told_is_known_whole_where_its_layer_is_not() -> None:
    bare = Board("Column", {**HEXES, "b": Hex("b", Axial(0, 1))}, complete=frozenset())
    assert not bare.hex_known("b")
    assert changed(bare, [BREACHED]).hex_told("b")


def test_a_level_that_is_not_known_any_more() -> None:
    unknown = BoardChange(
        AT, hexes=(Hex("b", Axial(0, 1), ("clear",)),), exceptions=Exceptions(levels=frozenset("b"))
    )
    assert changed(BOARD, [unknown]).level_of("b") is None
    assert changed(BOARD, [unknown, BREACHED]).level_of("b") == 1


def test_of_a_line_that_is_cut_both_ends_are_left() -> None:
    after = changed(BOARD, [CUT])
    assert [line.hexes for line in after.lines] == [("a", "b"), ("c", "d")]
    assert {line.name for line in after.lines} == {"King's Road"}


def test_a_line_that_is_drawn_again_is_there_again() -> None:
    again = BoardChange(AT, lines=(Line("road", ("b", "c")),))
    assert kinds(changed(BOARD, [CUT, again]), BC) == ["road"]


def test_the_last_word_on_a_cell_counts() -> None:
    rebuilt = BoardChange(AT, sides={AB: ("river", "pontoon")})
    assert changed(BOARD, [BLOWN, rebuilt]).sides[AB] == ("river", "pontoon")


def test_what_rests_on_the_places_alone_is_kept() -> None:
    near = BOARD.neighbours("b")
    assert changed(BOARD, [BLOWN]).neighbours("b") is near


def test_each_event_finds_its_board() -> None:
    boards = Boards(BOARD, [(3, BLOWN), (7, CUT)])
    at = [boards.board(boards.span(event, event)) for event in (0, 3, 4, 7, 8)]
    assert [board.sides[AB] for board in at] == [("river", "bridge")] * 2 + [("river",)] * 3
    assert [kinds(board, BC) for board in at] == [["road"]] * 4 + [[]]
    assert at[0] is BOARD


def test_a_change_before_the_last_event_of_a_span_leaves_its_cells_open() -> None:
    boards = Boards(BOARD, [(3, BLOWN), (5, BREACHED), (7, CUT)])
    over = boards.board(boards.span(2, 9))
    assert over.sides[AB] == ("river",)
    assert over.maybe_on(AB) == {"bridge"}
    assert over.hexes["b"].terrain is None
    assert over.level_of("b") is None
    assert kinds(over, BC) == []
    assert over.maybe_across(BC) == {"road"}
    assert over.sides_known(BC)
    assert over.hex_known("a")
    assert kinds(over, AB) == ["road"]


def test_a_cell_that_is_told_twice_alike_is_not_open() -> None:
    boards = Boards(BOARD, [(3, BoardChange(AT, sides={AB: ("bridge", "river")}))])
    over = boards.board(boards.span(2, 9))
    assert set(over.sides[AB]) == {"river", "bridge"}
    assert over.maybe_on(AB) == NONE


def test_boards_can_be_asked_for_backwards() -> None:
    boards = Boards(BOARD, [(3, BLOWN), (7, CUT)])
    assert boards.board(boards.span(8, 8)).sides[AB] == ("river",)
    assert boards.board(boards.span(2, 2)) is BOARD
