"""Properties that the engine works out as it goes: as it answers, or not known, but never otherwise.

``kept.vsav`` was written by VASSAL 3.8.0-SNAPSHOT from a new game of ``kept.vmod``; the answers are
those of the same engine to an observer without a side.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vassal_files import a_board, a_map, golden_rows, replayed, save_of
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece, ChangePiece, MovePiece
from vassal_umpire.importers.vassal.nesting import join_nested
from vassal_umpire.importers.vassal.property_source import EngineKept
from vassal_umpire.importers.vassal.replay import LogReplay
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.table import LogHistory, Piece, Table

DATA = Path(__file__).parent / "data"
EXACT = (
    "BasicName", "PieceName", "StackPos", "StackSize", "DeckPosition", "DeckName", "PieceUID",
    "UniqueID", "NoStack", "IgnoreGrid", "baseIgnoreGrid", "Immobile", "cannotMove", "Text",
    "Weather", "MatName", "MatID", "MatNumCargo", "PieceId", "TurnNo", "Nothing", "Cards_noname",
)  # fmt: skip
KEPT = (
    "Cards_red", "Cards_blue", "Cards_numPieces", "Open_all", "Open_numPieces", "Empty_numPieces",
    "Die_result", "Die_total", "Die_keep", "Die_summary", "Turn_value", "Turn_command",
    "PlayerSide", "Selected", "Main Map_isVisible", "OldX", "OldMap", "OldLocationName",
)  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Table:
    module = open_module(DATA / "kept.vmod")
    return LogReplay(read_save(DATA / "kept.vsav"), module).table()


def test_what_can_be_worked_out_is_the_engines(table: Table) -> None:
    """Stack, Deck, BasicPiece, Immobilized, Mat."""
    _, *rows = golden_rows(DATA / "kept.state.jsonl.gz")
    assert {row["id"] for row in rows} == set(table.pieces)
    for row in rows:
        piece = table.pieces[row["id"]]
        assert piece.name == row["name"]
        for key in EXACT:
            assert piece.facts.knows(key), (piece.name, key)
            assert (piece.facts.property(key) or "") == row["props"].get(key, ""), (piece.name, key)


def test_what_only_the_engine_keeps_is_not_known(table: Table) -> None:
    """Deck.updateCounts counts as cards come and go and by what the player who looks may see; dice
    and trackers begin anew with the program."""
    for piece in table.pieces.values():
        for key in KEPT:
            assert not piece.facts.knows(key), (piece.name, key)
            assert piece.facts.property(key) is None


def test_without_a_module_a_property_of_no_piece_is_not_known() -> None:
    table = LogReplay(read_save(DATA / "kept.vsav")).table()
    piece = next(p for p in table.pieces.values() if p.basic_name == "Middle")
    assert piece.facts.property("Army") == "Red"
    assert not piece.facts.knows("Nothing")


def test_places_are_not_known_without_the_boards(make_module: Callable[..., Path]) -> None:
    """No module, or one whose picture of the board is missing: the engine says "offboard" there, but
    those who play have the picture."""
    picture = a_map("Map", a_board("B", image="gone.png"))
    save = save_of([AddPiece("a", "piece;;;;A", "Map;5;5;1;0")])
    for module in (None, open_module(make_module(picture))):
        piece = LogReplay(save, module).table().pieces["a"]
        assert piece.location == ""
        assert piece.facts.property("CurrentMap") == "Map"
        for key in ("LocationName", "CurrentZone", "CurrentBoard"):
            assert not piece.facts.knows(key)


def test_a_value_of_a_counted_property_in_a_log_is_not_believed() -> None:
    kept = EngineKept(None)
    fields = ["deck", *[""] * 12, "Draw", *[""] * 8, "red : Colour=red,odd", "true"]
    kept.add_deck(";".join(fields))
    assert kept.is_counted("Draw_red")
    assert not kept.is_counted("Draw_odd")


# --- a stack in a log


HIDDEN = "hide;73,130;Invisible;;side:;0.3;;false"


def play(*steps: list[Any], hidden: str = "null") -> LogHistory:
    """A log without a module: pieces a, b (perhaps hidden), c in one stack; d alone."""
    base = "Map;10;10;{};1;UniqueID;first-{}"
    opening = [
        AddPiece("a", "piece;;;;A", base.format(1, "a")),
        AddPiece("b", f"{HIDDEN}\tpiece;;;;B", f"{hidden}\tMap;10;10;2;0"),
        AddPiece("c", "piece;;;;C", "Map;10;10;3;3;OldMap;Map;OldX;7;OldY;8"),
        AddPiece("d", "piece;;;;D", "Map;50;50;4"),
        AddPiece("s", "stack", "Map;10;10;a;b;c"),
        AddPiece("t", "stack", "Map;50;50;d"),
    ]
    return replayed(opening, *steps)


def alone(kind: str, state: str) -> Piece:
    return replayed([AddPiece("a", kind, state)]).opening.pieces["a"]


def number(piece: Piece) -> tuple[str | None, str | None]:
    return piece.facts.property("StackPos"), piece.facts.property("StackSize")


def to(x: int, y: int, old: tuple[int, int], piece: str = "a") -> MovePiece:
    return MovePiece(piece, "Map", x, y, None, "Map", *old, None, "somebody")


def test_places_in_a_stack_are_those_of_the_moment() -> None:
    history = play([to(90, 90, (10, 10))])
    opening, end = history.opening.pieces, history.end.pieces
    assert [number(opening[i]) for i in "abcd"] == [("3", "3"), ("2", "3"), ("1", "3"), ("1", "1")]
    assert [number(end[i]) for i in "abcd"] == [("1", "1"), ("2", "2"), ("1", "2"), ("1", "1")]
    change = next(c for c in history.steps[0].changes if c.id == "a")
    assert (number(change.before), number(change.after)) == (("3", "3"), ("1", "1"))


def test_the_size_of_a_stack_does_not_give_a_hidden_piece_away() -> None:
    pieces = play(hidden="Red").opening.pieces
    assert [pieces[i].facts.knows("StackSize") for i in "abcd"] == [False, True, False, True]


def test_the_first_id_of_a_piece() -> None:
    """BasicPiece.setId: its own, where the state tells none; kept through states that have none."""
    pieces = play().opening.pieces
    assert pieces["a"].facts.property("UniqueID") == "first-a"
    assert pieces["b"].facts.property("UniqueID") == "b"


def test_where_a_piece_was_is_out_of_date_once_it_moves() -> None:
    """Engines do not write SetPersistentPropertyCommand into logs."""
    history = play([to(90, 90, (10, 10), "c")])
    assert history.opening.pieces["c"].facts.property("OldX") == "7"
    assert not history.end.pieces["c"].facts.knows("OldX")


def test_where_a_piece_was_is_known_if_its_state_says_what_it_left() -> None:
    """A step that also marks a piece as moved holds its state with the new values."""
    old, new = "Map;10;10;3;3;OldMap;Map;OldX;7;OldY;8", "Map;10;10;3;3;OldMap;Map;OldX;10;OldY;10"
    history = play([ChangePiece("c", new, old), to(90, 90, (10, 10), "c")])
    assert history.end.pieces["c"].facts.property("OldX") == "10"


@pytest.mark.parametrize("text", ["$PieceName$", "$Text$ $Text$", "$PieceName$$PieceName$"])
def test_a_label_that_asks_for_itself_is_not_known(text: str) -> None:
    label = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text"
    piece = alone(f"{label}\tpiece;;;;A", f"{text}\tMap;1;1;1")
    assert (piece.name, piece.facts.knows_name()) == ("A", False)


def test_labels_that_double_each_other_cost_no_time() -> None:
    kind = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$;Dialog;0;0;T{}"
    types = [kind.format(i) for i in range(36)]
    states = [f"$T{i + 1}$$T{i + 1}$" for i in range(35)] + ["x"]
    piece = alone(join_nested([*types, "piece;;;;A"]), join_nested([*states, "Map;1;1;1"]))
    assert not piece.facts.knows("T0")
    assert piece.facts.property("T34") == "xx"
