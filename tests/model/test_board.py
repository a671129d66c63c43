"""What is known of the cells of a board, for good and as it changes."""

from __future__ import annotations

from dataclasses import replace

from vassal_umpire.model.board import LAYERS, NONE, Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange, Boards, changed
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.hexgrid import Axial

THREE = {
    "a": Hex("a", Axial(0, 0), ("woods",)),
    "b": Hex("b", Axial(0, 1), ("clear",), 2, ("fort",)),
    "c": Hex("c", Axial(0, 2), None, None, ("fort",)),
}
AB, BC = edge("a", "b"), edge("b", "c")


def board(complete: tuple[str, ...] = LAYERS, **cells: object) -> Board:
    exceptions = Exceptions(**cells)  # type: ignore[arg-type]
    return Board(
        "b",
        THREE,
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


# -- Boards that change: what a change does to the cells, and the board over several of them -------

AT = StepRef(1, 5)
HEXES = {n: Hex(n, Axial(0, r), ("clear",), 0) for r, n in enumerate("abcd")}
BOARD = Board(
    "Column", HEXES, {AB: ("river", "bridge")}, (Line("road", ("a", "b", "c", "d"), "King's Road"),)
)
BLOWN = BoardChange(AT, sides={AB: ("river",)})
BREACHED = BoardChange(AT, hexes=(Hex("b", Axial(0, 1), ("rubble",), 1, ("fort",)),))
CUT = BoardChange(AT, gone=(Line("road", ("b", "c")),))


def kinds(board: Board, side: tuple[str, str]) -> list[str]:
    return [line.kind for line in board.lines_by_edge.get(side, ())]


def test_a_level_that_is_not_known_any_more() -> None:
    level = BoardChange(AT, hexes=(Hex("b", Axial(0, 1), ("clear",)),))
    unknown = replace(level, exceptions=Exceptions(levels=frozenset("b")))
    assert changed(BOARD, [unknown]).level_of("b") is None
    assert changed(BOARD, [unknown, BREACHED]).level_of("b") == 1
    assert changed(BOARD, [unknown, level]).level_of("b") == 0


def test_of_a_line_that_is_cut_both_ends_are_left_and_it_may_be_drawn_again() -> None:
    after = changed(BOARD, [CUT])
    assert [line.hexes for line in after.lines] == [("a", "b"), ("c", "d")]
    assert {line.name for line in after.lines} == {"King's Road"}
    again = BoardChange(AT, lines=(Line("road", ("b", "c")),))
    assert kinds(changed(BOARD, [CUT, again]), BC) == ["road"]


def test_what_rests_on_the_places_alone_is_kept() -> None:
    near = BOARD.neighbours("b")
    assert changed(BOARD, [BLOWN]).neighbours("b") is near


def test_each_event_finds_its_board() -> None:
    boards = Boards(BOARD, [(3, BLOWN), (7, CUT)])
    at = [boards.board(boards.span(event, event)) for event in (0, 3, 4, 7, 8)]
    assert [board.sides[AB] for board in at] == [("river", "bridge")] * 2 + [("river",)] * 3
    assert [kinds(board, BC) for board in at] == [["road"]] * 4 + [[]]
    assert at[0] is BOARD
    assert boards.board(boards.span(2, 2)) is BOARD  # also when asked for backwards


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
