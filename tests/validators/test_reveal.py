"""What was hidden in a game, told against what was shown and said of it."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from tables import (
    BLUE,
    HERE,
    HIDDEN,
    MASK,
    NOTHING,
    RED,
    THERE,
    became,
    game,
    history,
    piece,
    said,
    step,
)
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.finding import Audit, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import NOWHERE, Displacement, Game, Place, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.reveal import Concealed
from vassal_umpire.model.table import Concealment, Piece, Step, TableHistory
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.integrity import revealed

A, B, C = (Place("hex", name) for name in ("0101", "0102", "0103"))
OPEN = piece("b", "1 Blue", seen="1 Blue")
HID, MASKED = piece("b", "1 Blue", HERE, HIDDEN), piece("b", "1 Blue", HERE, MASK)
EMPTY = Audit("", "", "", (), (), ())


def at(number: int) -> StepRef:
    return StepRef(1, number)


def moved(number: int, target: Place, origin: Place = A) -> Displacement:
    return Displacement(at(number), "b", origin, target)


def of(*events: Displacement, units: tuple[Unit, ...] = ()) -> Game:
    board = Board("", {name: Hex(name, Axial(0, 0)) for name in ("0101", "0102", "0103")})
    all_units = (*units, Unit("b", "?", "Blue"))
    return game(all_units, events=events, opening=MappingProxyType({"b": A}), board=board)


def opened(with_piece: Piece, *steps: Step) -> TableHistory:
    (log,) = history(*steps).logs
    return TableHistory((replace(log, opening=replace(NOTHING, pieces={"b": with_piece})),))


def concealed(table: TableHistory, one: Game, audited: Audit = EMPTY) -> list[Concealed]:
    return list(revealed(table, one, audited).concealed)


def test_a_counter_that_moved_while_it_was_hidden() -> None:
    table = opened(
        OPEN,
        became(2, BLUE, (OPEN, HID)),
        became(4, BLUE, (HID, piece("b", "1 Blue", THERE, HIDDEN))),
        became(6, BLUE, (HID, OPEN)),
    )
    (one,) = concealed(table, of(moved(4, B), moved(8, C, B)))
    assert (one.name, one.side, one.kind, one.to, one.by_name) == (
        "1 Blue",
        "Blue",
        "hidden",
        ("Red",),
        "",
    )
    assert (one.first, one.last, one.seen, one.again) == (at(2), at(6), "0101", "0102")
    assert one.places == ((at(2), "0101"), (at(4), "0102"))
    assert one.differs


def test_a_counter_that_stayed_where_it_was_seen_last_does_not_differ() -> None:
    table = opened(OPEN, became(2, BLUE, (OPEN, HID)))
    (one,) = concealed(table, of())
    assert (one.last, one.again, one.differs) == (None, "", False)


def test_a_counter_hidden_from_the_start_was_seen_nowhere() -> None:
    (one,) = concealed(opened(HID), of())
    assert (one.first, one.seen, one.differs) == (at(0), "", True)


def test_a_masked_counter_is_seen_where_it_is() -> None:
    table = opened(MASKED, became(3, BLUE, (MASKED, HID)))
    masked, hidden = concealed(table, of(moved(2, B)))
    assert (masked.kind, masked.by_name, masked.last, masked.differs) == (
        "masked",
        "?",
        at(3),
        False,
    )
    assert masked.places == ((at(0), "0101"), (at(2), "0102"))
    assert (hidden.kind, hidden.seen, hidden.differs) == ("hidden", "0102", False)


def test_a_counter_taken_out_of_the_game_while_it_was_hidden() -> None:
    table = opened(HID, became(3, BLUE, (HID, None)))
    (one,) = concealed(table, of(moved(3, NOWHERE)))
    assert (one.last, one.again, one.places) == (at(3), "", ((at(0), "0101"), (at(3), "")))


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (OPEN, 0),
        (piece("b", "1 Blue", HERE, Concealment("hidden", frozenset({"Red", "Blue"}))), 0),
        (piece("b", "1 Blue", HERE, Concealment("deck")), 0),
        (piece("x", "smoke", HERE, HIDDEN), 0),
        (piece("b", "1 Blue", HERE, Concealment("hidden", frozenset({"Red"}))), 0),  # from itself
        (HID, 1),
    ],
)
def test_only_units_kept_from_another_side_are_told(one: Piece, told: int) -> None:
    assert len(concealed(opened(one), of())) == told


def test_its_moves_meanwhile_are_named() -> None:
    def judged(number: int, *steps: int) -> JudgedMove:
        places = (A, B)
        refs = tuple(map(at, steps))
        move = Move(number, ("b",), *places, places, (True, True), refs, PhaseView())
        return JudgedMove(move, "legal")

    audited = replace(EMPTY, moves=(judged(1, 1), judged(2, 3), judged(3, 7)))
    table = opened(OPEN, became(2, BLUE, (OPEN, HID)), became(5, BLUE, (HID, OPEN)))
    (one,) = concealed(table, of(), audited)
    assert one.moves == (2,)


def announced(text: str, *more: Unit) -> list[tuple[int, tuple[str, ...], str]]:
    table = opened(HID, step(2, BLUE), step(3, BLUE, chat=(said(BLUE, text),)), step(4, BLUE))
    found = revealed(table, of(moved(3, B), units=more), EMPTY).announced
    return [(one.at.step, one.hexes, one.place) for one in found]


def test_a_line_that_names_it_with_other_hexes_than_its_own() -> None:
    assert announced("1 Blue goes to 0103.") == [(3, ("0103",), "0102")]
    assert announced("1 Blue 0101 to 0102") == []
    assert announced("1 Blue left 0101") == []
    assert announced("1 Blue goes to 9999") == []
    assert announced("11 Blue goes to 0103") == []
    assert announced("somebody goes to 0103") == []


def test_a_name_that_several_have_names_nobody() -> None:
    assert announced("1 Blue goes to 0103", Unit("c", "1 Blue"), Unit("d", "1 Blue")) == []


def test_what_is_said_of_it_while_it_can_be_seen_is_nothing() -> None:
    table = opened(OPEN, step(3, RED, chat=(said(BLUE, "1 Blue goes to 0103"),)))
    assert revealed(table, of(), EMPTY).announced == ()


def test_what_is_said_of_it_when_it_can_be_seen_again_is_nothing() -> None:
    table = opened(
        HID, became(2, BLUE, (HID, OPEN)), step(3, BLUE, chat=(said(BLUE, "1 Blue goes to 0103"),))
    )
    assert revealed(table, of(), EMPTY).announced == ()
