"""Who vouches for a cell: records, what they make known, and how the board would be as suggested."""

from __future__ import annotations

from dataclasses import replace

import pytest
from vassal_umpire.model.board import NONE, Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange, changed
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.provenance import (
    Key,
    Method,
    Record,
    Status,
    current,
    entered,
    fault_of,
)
from vassal_umpire.model.seen import board_as_seen, change_as_seen
from vassal_umpire.model.vouching import as_suggested, values_of, vouched

BY_HAND, BY_PROGRAM = Method("person", "map editor"), Method("program", "colours 0.1")
HEXES = {
    "a": Hex("a", Axial(0, 0), ("woods",), 0),
    "b": Hex("b", Axial(0, 1), ("clear",), 2, ("fort",)),
    "c": Hex("c", Axial(0, 2), ("clear",), 0),
}
AB, BC = edge("a", "b"), edge("b", "c")
BOARD = Board("b", HEXES, {AB: ("river", "bridge")}, (Line("road", ("a", "b", "c")),))


def record(key: Key, value: str, status: Status = "typed") -> Record:
    method = BY_PROGRAM if status in ("suggested", "imported", "filled") else BY_HAND
    who = ("Wren", "Ida") if status == "double" else ("Wren",)
    return Record(key, value, status, who, "2026-11-22", method)


def typed() -> dict[Key, Record]:
    return {key: record(key, value) for key, value in values_of(BOARD).items()}


def but(key: Key, status: Status | None) -> dict[Key, Record]:
    """All of the board typed, except one fact."""
    records = typed()
    if status is None:
        del records[key]
    else:
        records[key] = record(key, records[key].value, status)
    return records


def test_a_board_of_which_everything_is_vouched_for_is_known() -> None:
    told, suggestions = vouched(BOARD, typed(), required=True)
    assert suggestions == ()
    assert told.hexes == BOARD.hexes
    assert told.sides == BOARD.sides
    assert told.lines == BOARD.lines
    assert all(map(told.hex_known, told.hexes))
    assert told.all_sides_known
    assert told.all_lines_known


def test_without_a_record_nothing_is_known_where_records_are_required() -> None:
    told, _ = vouched(BOARD, {}, required=True)
    assert told.hexes["a"].terrain is None
    assert told.maybe_on(AB) is None
    assert told.sides == {}
    assert told.lines == ()
    assert told.maybe_across(AB) is None
    assert told.level_of("b") is None


def test_without_records_all_is_typed_where_none_are_required() -> None:
    assert vouched(BOARD, {}, required=False) == (BOARD, ())


@pytest.mark.parametrize("status", ["suggested", "imported", "filled", None])
def test_what_nobody_looked_at_is_not_known(status: Status | None) -> None:
    told, found = vouched(BOARD, but(Key("a", "terrain"), status), required=True)
    assert told.hexes["a"].terrain is None
    assert told.hexes["b"].terrain == ("clear",)
    assert [one.key for one in found] == ([Key("a", "terrain")] if status else [])

    told, _ = vouched(BOARD, but(Key("a/b", "hexsides", "bridge"), status), required=True)
    assert told.sides[AB] == ("river",)
    assert told.maybe_on(AB) == {"bridge"}

    told, _ = vouched(BOARD, but(Key("a/b", "hexsides"), status), required=True)
    assert told.sides[AB] == ("river", "bridge")
    assert told.maybe_on(AB) is None

    told, _ = vouched(BOARD, but(Key("b/c", "lines", "road"), status), required=True)
    assert told.lines == (Line("road", ("a", "b")),)
    assert told.maybe_across(BC) == {"road"}
    assert told.lines_known(AB)

    told, _ = vouched(BOARD, but(Key("b", "features", "fort"), status), required=True)
    assert told.has("b", ["fort"]) is None
    assert told.has("b", ["town"]) is False

    told, _ = vouched(BOARD, but(Key("b", "features"), status), required=True)
    assert told.has("b", ["fort"]) is True
    assert told.has("b", ["town"]) is None


@pytest.mark.parametrize("status", ["typed", "looked-at", "double"])
def test_what_somebody_looked_at_is_known_though_the_layer_is_not_complete(status: Status) -> None:
    bare = replace(BOARD, complete=frozenset())
    key = Key("a/b", "hexsides")
    told, _ = vouched(bare, {key: record(key, "bridge+river", status)}, required=False)
    assert told.sides_known(AB)
    assert not told.sides_known(BC)


@pytest.mark.parametrize(
    ("key", "lost"),
    [
        (Key("a", "terrain"), ""),
        (Key("b", "terrain"), "terrain level"),
        (Key("b", "features"), "terrain level"),
        (Key("b", "level"), "level"),
        (Key("a/b", "hexsides"), "side"),
        (Key("b/c", "lines"), "line"),
    ],
    ids=str,
)
def test_a_change_of_a_cell_in_play_is_known_only_if_somebody_looked_at_the_cell(
    key: Key, lost: str
) -> None:
    hexes = (replace(HEXES["b"], terrain=("rubble",), level=3),)
    gone = (Line("road", ("b", "c")),)
    may = Exceptions({"b": frozenset({"fort"})}, lines={BC: NONE})
    change = BoardChange(StepRef(1, 1), hexes, {AB: ()}, (), gone, may)
    seen = values_of(BOARD).keys() - {key}
    after = changed(board_as_seen(BOARD, seen), [change_as_seen(change, seen)])
    known = {
        "terrain": after.maybe_in("b") == {"fort"},
        "level": after.level_of("b") == 3,
        "side": after.sides_known(AB),
        "line": after.lines_known(BC),
    }
    assert [what for what in known if not known[what]] == lost.split()


def test_a_changed_value_voids_its_record() -> None:
    key = Key("a", "terrain")
    records = {key: record(key, "clear", "looked-at")}
    assert current(records, values_of(BOARD)) == {}
    told, _ = vouched(BOARD, records, required=True)
    assert told.hexes["a"].terrain is None


def test_a_feature_more_voids_the_record_that_nothing_else_is_there() -> None:
    wall = replace(BOARD, sides={AB: ("river", "bridge", "wall")})
    told, _ = vouched(wall, typed(), required=True)
    assert told.sides[AB] == ("river", "bridge")
    assert told.maybe_on(AB) is None


@pytest.mark.parametrize("left_out", range(0, 30, 3))
def test_as_suggested_is_the_board_as_it_was_recorded(left_out: int) -> None:
    records = {
        key: record(key, held.value, "suggested" if number % 7 != left_out % 7 else "typed")
        for number, (key, held) in enumerate(typed().items())
    }
    told, suggestions = vouched(BOARD, records, required=True)
    assert told != BOARD
    again = as_suggested(told, suggestions)
    assert again.hexes == BOARD.hexes
    assert {side: {*has} for side, has in again.sides.items()} == {AB: {"river", "bridge"}}
    assert [{*line.hexes} for line in again.lines] == [{"a", "b", "c"}]
    assert again.all_sides_known
    assert again.all_lines_known
    assert all(map(again.hex_known, again.hexes))


def test_what_has_no_record_stays_open_as_suggested() -> None:
    records = but(Key("a", "terrain"), "suggested")
    del records[Key("a/b", "hexsides")]
    again = as_suggested(*vouched(BOARD, records, required=True))
    assert again.hexes["a"].terrain == ("woods",)
    assert again.maybe_on(AB) is None
    assert again.maybe_on(BC) == NONE


def test_a_program_that_enters_facts_by_itself_never_says_that_somebody_looked() -> None:
    key, program = Key("a", "terrain"), "colours 0.1"
    for status, method in (("looked-at", BY_HAND), ("double", BY_HAND), ("looked-at", BY_PROGRAM)):
        untrue = Record(key, "woods", status, ("colours 0.1", "x"), "2026-11-22", method)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"expected a (program's|look in)"):
            entered({}, [untrue], program)


def test_a_program_enters_only_what_it_says_itself() -> None:
    guess = replace(
        record(Key("a", "terrain"), "woods", "suggested"), method=BY_PROGRAM, who=("x",)
    )
    assert entered({}, [guess], "x") == {guess.key: guess}
    with pytest.raises(ValueError, match="expected y among"):
        entered({}, [guess], "y")
    looked = record(Key("a", "terrain"), "woods", "looked-at")
    assert "two different names" in fault_of(replace(looked, status="double"))


def test_a_program_may_have_looked_but_never_typed() -> None:
    looked = record(Key("a", "terrain"), "woods", "looked-at")
    assert fault_of(replace(looked, method=BY_PROGRAM)) == ""
    assert "person's method" in fault_of(replace(looked, status="typed", method=BY_PROGRAM))


def test_a_program_does_not_take_the_place_of_who_looked() -> None:
    looked = record(Key("a", "terrain"), "woods", "looked-at")
    guess = replace(looked, status="suggested", who=("colours",), method=BY_PROGRAM)
    assert entered({looked.key: looked}, [guess], "colours") == {looked.key: looked}
    other = replace(guess, value="clear")
    told = {looked.key: replace(other, before="woods")}
    assert entered({looked.key: looked}, [other], "colours") == told
