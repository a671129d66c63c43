"""The undo button's traces in a log."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from vassal_umpire.importers.vassal.commands import Undo, decode_command
from vassal_umpire.importers.vassal.undo import UndoReader
from vassal_umpire.model.table import Undoing

Told = tuple[int | None, bool, bool, str] | None


def read(steps: Sequence[Sequence[str]]) -> list[Told]:
    """What each step undoes: (step, redo?, whole?, known by)."""
    reader = UndoReader()
    told: list[Told] = []
    for number, leaves in enumerate(steps, start=1):
        commands = [decode_command(text) for text in leaves]
        brackets = [x.active for x in commands if isinstance(x, Undo)]
        undoing = reader.read(number, commands, brackets)
        told.append(_told(undoing))
    return told


def _told(undoing: Undoing | None) -> Told:
    return undoing and (undoing.step, undoing.redo, undoing.whole, undoing.known_by)


def drag(piece: str, old: int, new: int) -> list[str]:
    """A piece dragged to an empty place, as the engine logs it."""
    return [f"M/{piece}/Map/{new}/0/null/Map/{old}/0/null/x", f"+/s{new}/stack/Map;{new};0;{piece}"]


def undone(piece: str, old: int, new: int, *, marked: bool) -> list[str]:
    body = [f"-/s{new}", f"M/{piece}/Map/{old}/0/null/Map/{new}/0/null/x"]
    return ["UNDO\ttrue", *body, "UNDO\tfalse"] if marked else body


@pytest.mark.parametrize("marked", [True, False])
def test_two_undos_cancel_the_last_step_and_the_one_before(marked: bool) -> None:
    how = "marker" if marked else "inverse"
    log = [
        drag("a", 0, 1), drag("b", 5, 6),
        undone("b", 5, 6, marked=marked), undone("a", 0, 1, marked=marked),
    ]  # fmt: skip
    assert read(log) == [None, None, (2, False, True, how), (1, False, True, how)]


def test_the_undo_after_a_new_step_reaches_the_undo_before_it_and_does_again() -> None:
    """A, B, undo (B), C, undo (C), undo: the pointer stands on the first undo, and B is redone; the
    next one cancels B again."""
    undo_b = undone("b", 5, 6, marked=True)
    again = ["UNDO\ttrue", "M/b/Map/6/0/null/Map/5/0/null/x", "+/s6/stack/Map;6;0;b", "UNDO\tfalse"]
    log = [
        drag("a", 0, 1), drag("b", 5, 6), undo_b, drag("c", 8, 9), undone("c", 8, 9, marked=True),
        again, undo_b,
    ]  # fmt: skip
    assert read(log)[4:] == [
        (4, False, True, "marker"), (2, True, True, "marker"), (2, False, True, "marker"),
    ]  # fmt: skip


def test_a_piece_put_back_by_hand_is_no_undo() -> None:
    assert read([drag("a", 0, 1), drag("a", 1, 0)]) == [None, None]
    moved_onto = ["M/a/Map/1/0/q/Map/0/0/null/x"]
    put_back = ["M/a/Map/0/0/null/Map/1/0/q/x"]
    assert read([moved_onto, put_back]) == [None, None]


def test_part_of_an_undo_written_alone_is_told_as_such() -> None:
    """Logs of VASSAL 2.9 hold steps that are only the first inverse command."""
    assert read([drag("a", 0, 1), ["-/s1"]]) == [None, (1, False, False, "inverse")]


def test_deleting_a_piece_is_no_undo_of_its_drag() -> None:
    assert read([drag("a", 0, 1), ["-/a"]]) == [None, None]


def test_chat_that_was_undone() -> None:
    log = [["CHAT* Tank moves 0101 -> 0102"], ["CHAT* UNDO: * Tank moves 0101 -> 0102"]]
    assert read(log) == [None, (1, False, True, "chat")]
    assert read([["CHAT<Joe> - hello"], ["CHAT<Joe> - hello"]]) == [None, None]


def test_a_marked_undo_that_lost_its_commands() -> None:
    """The engine can write an undo without its piece commands: it still names its step."""
    log = [drag("a", 0, 1), ["UNDO\ttrue", "UNDO\tfalse"]]
    assert read(log) == [None, (1, False, False, "marker")]
    assert read([["UNDO\ttrue", "UNDO\tfalse"]]) == [(None, False, False, "marker")]


def test_changes_and_properties_are_undone_too() -> None:
    turn = ["D/a/true\tM;1;1;1/false\tM;1;1;1", "MutableProperty\tVP\t1\t2\tModule"]
    back = ["MutableProperty\tVP\t2\t1\tModule", "D/a/false\tM;1;1;1/true\tM;1;1;1"]
    assert read([turn, back]) == [None, (1, False, True, "inverse")]
    assert read([turn, turn]) == [None, None]
