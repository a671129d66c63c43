"""Traces: what was done besides moving counters by the rules, and who may read of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tables import (
    BLUE,
    HERE,
    HIDDEN,
    MASK,
    RED,
    THERE,
    became,
    deck_change,
    game,
    history,
    piece,
    step,
    undo,
)
from vassal_umpire.model.dice import DiceKind
from vassal_umpire.model.finding import Audit, Finding
from vassal_umpire.model.game import Displacement, Place, Source, StepRef
from vassal_umpire.model.integrity import Trace
from vassal_umpire.model.table import Actor, Deck, DieRoll, Participant, Spot, Step, TableHistory
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.validators.integrity import traces

EMPTY = Audit("", "", "", (), (), ())
ROLL = (DieRoll("d6", ("4",), "Ann", "** d6 = 4 *** <Ann>", DiceKind(1, 6)),)
UNITS = (Unit("r", "1 Red", "Red"), Unit("b", "1 Blue", "Blue"))
R, B, R_THERE = piece("r", "1 Red"), piece("b", "1 Blue"), piece("r", "1 Red", THERE)


def found(*steps: Step, viewer: Viewer = EVERYONE) -> list[Trace]:
    return list(traces(history(*steps), game(UNITS), EMPTY, viewer))


def texts(*steps: Step, viewer: Viewer = EVERYONE) -> list[str]:
    return [trace.text for trace in found(*steps, viewer=viewer)]


def test_an_undo_with_a_roll_since_is_told() -> None:
    steps = became(1, RED, (R, R_THERE), by="drag"), step(2, rolls=ROLL), step(3, undoing=undo(1))
    (trace,) = found(*steps)
    assert trace.kind == "undo-after-roll"
    assert trace.steps == (StepRef(1, 3),)
    assert trace.text == "step 1 of log 1 was taken back after the roll of step 2: d6 = 4"
    assert (trace.player, trace.side, trace.sure) == ("Ann", "Red", True)


def test_an_undo_of_the_roll_itself_is_told() -> None:
    assert texts(step(1, rolls=ROLL), step(2, undoing=undo(1))) == [
        "step 1 of log 1 was taken back, in which dice were rolled (d6 = 4)"
    ]


@pytest.mark.parametrize(
    "steps",
    [
        (step(1), step(2, undoing=undo(1)), step(3, rolls=ROLL)),
        (step(1, rolls=ROLL), step(2), step(3, undoing=undo(2))),
        (step(1, rolls=ROLL), step(2, undoing=undo(1, redo=True))),
    ],
)
def test_other_undos_are_not(steps: tuple[Step, ...]) -> None:
    assert texts(*steps) == []


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


def test_a_counter_put_in_place_of_another_is_said_so() -> None:
    gone, come = became(1, RED, (R, None), by="remove"), became(1, RED, (None, B), by="add")
    both = replace(
        gone,
        displacements=(*gone.displacements, *come.displacements),
        changes=(*gone.changes, *come.changes),
    )
    assert texts(both) == ["1 Blue came into the game at Map 10,10 in place of another"]


def test_of_counters_that_are_no_units_nothing_is_said() -> None:
    assert texts(became(1, RED, (None, piece("x", "smoke")), by="add")) == []


def test_counters_brought_from_another_map_are_told_together() -> None:
    away = piece("r", "1 Red", Spot("Reserves", 1, 1))
    (trace,) = found(*(became(n, RED, (away, R), by="drag") for n in (1, 2)))
    assert (trace.kind, trace.text) == ("other-map", "2 × 1 Red from Reserves to Map")
    assert trace.steps == (StepRef(1, 1), StepRef(1, 2))


OBSERVER = Participant("player 3", "Cy")
"""Perhaps it is Blue's player under another id."""
MASKED, HID = piece("b", "1 Blue", HERE, MASK), piece("b", "1 Blue", HERE, HIDDEN)
HID_THERE, B_THERE = piece("b", "1 Blue", THERE, HIDDEN), piece("b", "1 Blue", THERE)


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (became(1, RED, (MASKED, B)), ["1 Blue, which only Blue could know, was unmasked"]),
        (became(1, BLUE, (MASKED, B)), []),
        (became(1, None, (MASKED, B)), []),
        (became(1, OBSERVER, (MASKED, B)), []),
        (became(1, RED, (MASKED, B), undoing=undo(0)), []),
        (
            became(1, BLUE, (R, piece("r", "1 Red", HERE, MASK))),
            ["1 Red of Red was masked: only Blue can know it now"],
        ),
        (became(1, BLUE, (B, MASKED)), []),
    ],
    ids=[
        *("by another", "by its owner", "by nobody known", "by an observer", "undone"),
        *("masked by another side", "masked by its own"),
    ],
)
def test_masks_that_are_put_on_and_taken_off(one: Step, told: list[str]) -> None:
    assert texts(one) == told


def test_a_hidden_counter_moved_alone_by_another_is_told_to_those_who_may_know() -> None:
    alone = became(1, RED, (HID, HID_THERE), by="drag")
    assert texts(alone) == texts(alone, viewer=Viewer("Red")) == []
    for viewer in (Viewer("Blue"), DIRECTOR):
        assert texts(alone, viewer=viewer) == ["1 Blue, which only Blue could see, was moved"]
    both = became(1, RED, (HID, HID_THERE), (R, R_THERE), by="drag")
    assert texts(both, viewer=DIRECTOR) == []  # it lay in the stack that he moved


def test_a_hidden_counter_that_another_uncovers_as_he_moves_it_is_told_as_uncovered() -> None:
    one = became(1, RED, (HID, B_THERE), by="drag")
    assert texts(one) == ["1 Blue, which only Blue could know, was uncovered"]
    assert len(texts(one, viewer=DIRECTOR)) == 2


def deck(*members: str, **told: object) -> Deck:
    given = {"face_down": True, **told}
    return Deck("d", "Events", HERE, members, **given)  # type: ignore[arg-type]


def test_a_deck_turned_up_and_a_card_from_within() -> None:
    up = step(1, stacks=(deck_change(deck("1", "2"), deck("1", "2", face_down=False)),))
    assert texts(up) == ["Events was turned face up (2 cards)"]
    within = step(1, stacks=(deck_change(deck("1", "2", "3"), deck("1", "3")),))
    assert texts(within) == ["a card that was not on top came from Events"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (deck("1", "2", "3"), deck("1", "2")),  # from the top
        (deck("1", "2", "3"), deck("1")),
        (deck("1", "2", "3"), deck()),
        (deck("1", "2", "3", random=True), deck("1", "3", random=True)),
        (deck("1", "2", "3", face_down=False), deck("1", "3", face_down=False)),
        (deck("1", "2"), deck("2", "1")),  # shuffled
    ],
)
def test_ordinary_draws_are_not_told(before: Deck, after: Deck) -> None:
    assert texts(step(1, stacks=(deck_change(before, after),))) == []


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
