"""Traces: what was done besides moving counters by the rules, and who may read of it."""

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
    deck_change,
    game,
    history,
    piece,
    said,
    step,
    undo,
)
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.dice import DiceKind
from vassal_umpire.model.finding import Audit, Finding, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import NOWHERE, Displacement, Game, Place, Source, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.integrity import Trace
from vassal_umpire.model.reveal import Concealed
from vassal_umpire.model.table import (
    Actor,
    Concealment,
    Deck,
    DieRoll,
    Participant,
    Piece,
    Spot,
    Step,
    TableHistory,
)
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.validators.integrity import revealed, traces

EMPTY = Audit("", "", "", (), (), ())
ROLL = (DieRoll("d6", ("4",), "Ann", "** d6 = 4 *** <Ann>", DiceKind(1, 6)),)
UNITS = (Unit("r", "1 Red", "Red"), Unit("b", "1 Blue", "Blue"))
R, B, R_THERE = piece("r", "1 Red"), piece("b", "1 Blue"), piece("r", "1 Red", THERE)


def found(*steps: Step, viewer: Viewer = EVERYONE) -> list[Trace]:
    return list(traces(history(*steps), game(UNITS), EMPTY, viewer))


def texts(*steps: Step, viewer: Viewer = EVERYONE) -> list[str]:
    return [f"{trace.kind}: {trace.text}" for trace in found(*steps, viewer=viewer)]


def test_an_undo_with_a_roll_since_is_told() -> None:
    steps = became(1, RED, (R, R_THERE), by="drag"), step(2, rolls=ROLL), step(3, undoing=undo(1))
    (trace,) = found(*steps)
    assert trace.kind == "undo-after-roll"
    assert trace.steps == (StepRef(1, 3),)
    assert trace.text == "step 1 of log 1 was taken back after the roll of step 2: d6 = 4"
    assert (trace.player, trace.side, trace.sure) == ("Ann", "Red", True)


def test_who_did_it_may_be_told_by_the_steps_around_it_alone() -> None:
    near = Actor(BLUE, "neighbours")
    (trace,) = found(step(1, rolls=ROLL), step(2, actor=near, undoing=undo(1)))
    assert (trace.player, trace.sure) == ("Bob", False)


def test_counters_come_and_go() -> None:
    told = found(
        became(1, RED, (None, R), by="add"),
        became(2, RED, (None, piece("b", "1 Blue", CloneID="r")), by="add"),
        became(3, RED, (R, None), by="remove"),
        became(4, RED, (None, R), by="undo", undoing=undo(3)),
    )
    assert [(trace.kind, trace.text) for trace in told] == [
        ("came", "1 Red came into the game at Map 10,10"),
        ("cloned", "1 Blue came in at Map 10,10 as a copy of another counter"),
        ("left", "1 Red was taken out of the game at Map 10,10"),
    ]


def test_counters_brought_from_another_map_are_told_together() -> None:
    away = piece("r", "1 Red", Spot("Reserves", 1, 1))
    (trace,) = found(*(became(n, RED, (away, R), by="drag") for n in (1, 2)))
    assert (trace.kind, trace.text) == ("other-map", "2 × 1 Red from Reserves to Map")
    assert trace.steps == (StepRef(1, 1), StepRef(1, 2))


OBSERVER = Participant("player 3", "Cy")
"""Perhaps it is Blue's player under another id."""
MASKED, HID = piece("b", "1 Blue", HERE, MASK), piece("b", "1 Blue", HERE, HIDDEN)
HID_THERE, B_THERE = piece("b", "1 Blue", THERE, HIDDEN), piece("b", "1 Blue", THERE)
R_MASKED, SMOKE = piece("r", "1 Red", HERE, MASK), piece("x", "smoke")


def deck(*members: str, **told: object) -> Deck:
    given = {"face_down": True, **told}
    return Deck("d", "Events", HERE, members, **given)  # type: ignore[arg-type]


def dealt(before: Deck, *after: str, **told: object) -> Step:
    return step(1, stacks=(deck_change(before, deck(*after, **told)),))


def replaced() -> Step:
    """Blue's counter is put where Red's was, in one step."""
    gone, come = became(1, RED, (R, None), by="remove"), became(1, RED, (None, B), by="add")
    moved = (*gone.displacements, *come.displacements)
    return replace(gone, displacements=moved, changes=(*gone.changes, *come.changes))


THREE_CARDS, ROLLED = deck("1", "2", "3"), step(1, rolls=ROLL)
TOLD: dict[str, tuple[tuple[Step, ...], str]] = {
    "an undo of the roll itself": (
        (ROLLED, step(2, undoing=undo(1))),
        "undo-after-roll: step 1 of log 1 was taken back, in which dice were rolled (d6 = 4)",
    ),
    "an undo before the roll": ((step(1), step(2, undoing=undo(1)), step(3, rolls=ROLL)), ""),
    "an undo of what came after it": ((ROLLED, step(2), step(3, undoing=undo(2))), ""),
    "a redo": ((ROLLED, step(2, undoing=undo(1, redo=True))), ""),
    "one counter for another": (
        (replaced(),),
        "came: 1 Blue came into the game at Map 10,10 in place of another",
    ),
    "what is not a unit": ((became(1, RED, (None, SMOKE), by="add"),), ""),
    "unmasked by another": (
        (became(1, RED, (MASKED, B)),),
        "uncovered: 1 Blue, which only Blue could know, was unmasked",
    ),
    "by its owner": ((became(1, BLUE, (MASKED, B)),), ""),
    "by nobody known": ((became(1, None, (MASKED, B)),), ""),
    "by an observer": ((became(1, OBSERVER, (MASKED, B)),), ""),
    "undone": ((became(1, RED, (MASKED, B), undoing=undo(0)),), ""),
    "unmasked while it is hidden": (
        (became(1, RED, (piece("b", "1 Blue", HERE, MASK, HIDDEN), HID)),),
        "",
    ),
    "masked by another side": (
        (became(1, BLUE, (R, R_MASKED)),),
        "uncovered: 1 Red of Red was masked: only Blue can know it now",
    ),
    "masked by its own": ((became(1, BLUE, (B, MASKED)),), ""),
    "a deck turned up": (
        (dealt(deck("1", "2"), "1", "2", face_down=False),),
        "deck: Events was turned face up (2 cards)",
    ),
    "a card from within": (
        (dealt(THREE_CARDS, "1", "3"),),
        "deck: a card that was not on top came from Events",
    ),
    "one from the top": ((dealt(THREE_CARDS, "1", "2"),), ""),
    "two from the top": ((dealt(THREE_CARDS, "1"),), ""),
    "all": ((dealt(THREE_CARDS),), ""),
    "at random": ((dealt(deck("1", "2", "3", random=True), "1", "3", random=True),), ""),
    "of cards face up": (
        (dealt(deck("1", "2", "3", face_down=False), "1", "3", face_down=False),),
        "",
    ),
    "shuffled": ((dealt(deck("1", "2"), "2", "1"),), ""),
}


@pytest.mark.parametrize(("steps", "told"), TOLD.values(), ids=TOLD)
def test_what_is_told_of_steps(steps: tuple[Step, ...], told: str) -> None:
    assert texts(*steps) == [told] * bool(told)


def test_a_hidden_counter_moved_alone_by_another_is_told_to_those_who_may_know() -> None:
    alone = became(1, RED, (HID, HID_THERE), by="drag")
    assert texts(alone) == texts(alone, viewer=Viewer("Red")) == []
    for viewer in (Viewer("Blue"), DIRECTOR):
        assert texts(alone, viewer=viewer) == [
            "uncovered: 1 Blue, which only Blue could see, was moved"
        ]
    both = became(1, RED, (HID, HID_THERE), (R, R_THERE), by="drag")
    assert texts(both, viewer=DIRECTOR) == []  # it lay in the stack that he moved


def test_a_hidden_counter_that_another_uncovers_as_he_moves_it_is_told_as_uncovered() -> None:
    one = became(1, RED, (HID, B_THERE), by="drag")
    assert texts(one) == ["uncovered: 1 Blue, which only Blue could know, was uncovered"]
    assert len(texts(one, viewer=DIRECTOR)) == 2


def test_a_deck_on_one_sides_own_map_is_told_to_that_side() -> None:
    own = frozenset({"Blue"})
    down, up = (deck("1", "2", owners=own, face_down=down) for down in (True, False))
    looked = step(1, stacks=(deck_change(down, up),))
    assert texts(looked) == texts(looked, viewer=Viewer("Red")) == []
    assert len(texts(looked, viewer=Viewer("Blue"))) == len(texts(looked, viewer=DIRECTOR)) == 1


def note(code: str, kind: str = "note") -> Finding:
    return Finding(code, code, kind, "unverifiable", (), (), (), (StepRef(1, 1),), "said")  # type: ignore[arg-type]


def test_notes_that_say_the_same_are_told_here_and_point_back() -> None:
    notes = (
        *(note("CHK-TAKEBACK"), note("CHK-OWNER"), note("CHK-OWNER", "unverifiable")),
        *(note("CHK-CONTINUITY"), note("CHK-INTEGRITY")),
        *(note("CHK-PHASE", "illegal-move"), note("CHK-PHASE", "unverifiable")),
    )
    shown = replace(EMPTY, findings=notes)
    told = traces(None, game(UNITS), shown, EVERYONE)
    assert [(trace.kind, trace.finding) for trace in told] == [
        ("other-side", 1),
        ("other-side", 2),
        ("does-not-follow", 3),
        ("does-not-follow", 4),
        ("out-of-phase", 5),
    ]


def test_markers_of_another_side() -> None:
    hexes = Place("hex", "0101"), Place("hex", "0102")
    at = StepRef(1, 3)
    units = (
        Unit("m", "Fort", "Blue", "marker"),
        Unit("s", "Secret", "Blue", "marker", seen_by=("Blue",)),
    )
    events = tuple(
        Displacement(at, unit, *hexes, cause="drag", actor="Red", player="Ann") for unit in "ms"
    )
    one = game(units, events=events)
    (trace,) = traces(None, one, EMPTY, EVERYONE)
    assert (trace.kind, trace.text) == ("other-side", "Red moved Fort of Blue")
    (trace,) = traces(None, one, EMPTY, DIRECTOR)
    assert trace.text == "Red moved Fort, Secret of Blue"


def test_another_version_of_the_module() -> None:
    source = (Source("m.vmod", "module", "00", "2.0"),)
    told = traces(history(module_version="1.9"), game(UNITS, sources=source), EMPTY, EVERYONE)
    assert [trace.text for trace in told] == [
        "log 1 was made with version 1.9 of the module, and read with version 2.0"
    ]
    assert traces(history(module_version="2.0"), game(sources=source), EMPTY, EVERYONE) == ()
    assert traces(history(module_version=""), game(sources=source), EMPTY, EVERYONE) == ()


def test_another_module() -> None:
    one, other = history().logs[0], history(module_name="N").logs[0]
    told = traces(TableHistory((one, other)), game(), EMPTY, EVERYONE)
    assert [trace.text for trace in told] == ["log 2 is of the module 'N', an earlier one of 'M'"]


# -- what concealed pieces did, once it may be told -------------------------------------------------


ONE, TWO, THREE = (Place("hex", name) for name in ("0101", "0102", "0103"))
OPEN = piece("b", "1 Blue", seen="1 Blue")


def at(number: int) -> StepRef:
    return StepRef(1, number)


def moved(number: int, target: Place, origin: Place = ONE) -> Displacement:
    return Displacement(at(number), "b", origin, target)


def of(*events: Displacement, units: tuple[Unit, ...] = ()) -> Game:
    board = Board("", {name: Hex(name, Axial(0, 0)) for name in ("0101", "0102", "0103")})
    all_units = (*units, Unit("b", "?", "Blue"))
    return game(all_units, events=events, opening=MappingProxyType({"b": ONE}), board=board)


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
    (one,) = concealed(table, of(moved(4, TWO), moved(8, THREE, TWO)))
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
    masked, hidden = concealed(table, of(moved(2, TWO)))
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
        places = (ONE, TWO)
        refs = tuple(map(at, steps))
        move = Move(number, ("b",), *places, places, (True, True), refs, PhaseView())
        return JudgedMove(move, "legal")

    audited = replace(EMPTY, moves=(judged(1, 1), judged(2, 3), judged(3, 7)))
    table = opened(OPEN, became(2, BLUE, (OPEN, HID)), became(5, BLUE, (HID, OPEN)))
    (one,) = concealed(table, of(), audited)
    assert one.moves == (2,)


def announced(text: str, *more: Unit) -> list[tuple[int, tuple[str, ...], str]]:
    table = opened(HID, step(2, BLUE), step(3, BLUE, chat=(said(BLUE, text),)), step(4, BLUE))
    found = revealed(table, of(moved(3, TWO), units=more), EMPTY).announced
    return [(one.at.step, one.hexes, one.place) for one in found]


def test_a_line_that_names_it_with_other_hexes_than_its_own() -> None:
    assert announced("1 Blue goes to 0103.") == [(3, ("0103",), "0102")]
    assert announced("1 Blue 0101 to 0102") == []
    assert announced("1 Blue left 0101") == []
    assert announced("1 Blue goes to 9999") == []
    assert announced("11 Blue goes to 0103") == []
    assert announced("somebody goes to 0103") == []
    assert announced("1 Blue goes to 0103", Unit("c", "1 Blue"), Unit("d", "1 Blue")) == []


@pytest.mark.parametrize("first", [(OPEN,), (HID, became(2, BLUE, (HID, OPEN)))])
def test_what_is_said_of_it_while_it_can_be_seen_is_nothing(
    first: tuple[Piece, *tuple[Step, ...]],
) -> None:
    spoken = step(3, BLUE, chat=(said(BLUE, "1 Blue goes to 0103"),))
    assert revealed(opened(*first, spoken), of(), EMPTY).announced == ()
