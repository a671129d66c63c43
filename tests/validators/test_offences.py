"""Findings that are of one offence, and accusations that hold in each of two readings of a game."""

from __future__ import annotations

from dataclasses import replace

import drawn
import pytest
from flat import new_game
from vassal_umpire.model.finding import Audit, Finding, FindingKind, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Game, MovementForm, PhaseRule, Place, Source, StepRef
from vassal_umpire.model.offence import drag_id, offence_id
from vassal_umpire.validators.readings import as_read, held_either_way, held_with_slips, slips_of
from vassal_umpire.validators.rereading import Subjects
from vassal_umpire.validators.sealing import offences
from vassal_umpire.validators.timeline import Timeline

LOGS = (
    Source("a.vlog", "log", "a" * 64),
    Source("m.vmod", "module", "c" * 64),
    Source("b.vlog", "log", "b" * 64),
)


def finding(text: str, **more: object) -> Finding:
    """``A u+v 1:5 1:7``: code, units, and steps."""
    code, several, *steps = text.split()
    units, at = tuple(several.split("+")), tuple(StepRef(*map(int, s.split(":"))) for s in steps)
    made = Finding(code, code, "illegal-move", "illegal", units, units, (), at, code)
    return replace(made, **more)  # type: ignore[arg-type]


def of(*findings: Finding) -> list[tuple[str, ...]]:
    audit = Audit("", "", "", LOGS, (), findings)
    return [tuple(f.code for f in one.findings) for one in offences(audit)]


def test_what_follows_from_a_move_is_part_of_its_offence() -> None:
    move = finding("MOVE u 1:5", moves=(7,))
    stack = finding("STACK v+w 1:9", kind="overstack", follows_from=7)
    assert of(stack, move) == [("MOVE", "STACK")]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (finding("A u 1:5"), finding("B u+v 1:5"), [("A", "B")]),
        (finding("A u 1:5"), finding("B u 1:6"), [("A",), ("B",)]),
        (finding("A u 1:5", hexes=("11",)), finding("B v 1:5", hexes=("12",)), [("A",), ("B",)]),
        (finding("A u 1:5", kind="note"), finding("B u 1:6", kind="unverifiable"), []),
    ],
    ids=[
        "two rules broken by one drag",
        "other drags",
        "other units elsewhere",
        "notes and open moves",
    ],
)
def test_what_is_one_offence(
    first: Finding, second: Finding, expected: list[tuple[str, ...]]
) -> None:
    assert of(first, second) == expected


def test_an_id_is_of_log_step_and_place() -> None:
    audit = Audit("", "", "", LOGS, (), (finding("A v+u 2:5", hexes=("10", "11")),))
    (one,) = offences(audit)
    assert one.id == offence_id("b" * 64, 5, "11")
    assert one.former == drag_id("b" * 64, 5, ["u", "v"])
    assert len(one.id) == 12
    others = (("a" * 64, 5, "11"), ("b" * 64, 6, "11"), ("b" * 64, 5, "10"))
    assert one.id not in {offence_id(*other) for other in others}


def test_who_does_not_see_all_of_a_drag_has_the_same_id_for_it() -> None:
    """A hidden unit came along on the last part of the way: two moves for those who see it."""
    one = finding("MP u 1:5 1:7", moves=(1,))
    seen = of_drags((drag(1, ("u",), 5, 7),), one)
    two = finding("MP h+u 1:7", moves=(2,))
    assert of_drags((drag(1, ("u",), 5), drag(2, ("h", "u"), 7)), two) == seen


def drag(number: int, units: tuple[str, ...], *steps: int) -> JudgedMove:
    place = Place("hex", "0101")
    at = tuple(StepRef(1, step) for step in steps)
    return JudgedMove(Move(number, units, place, place, (), (), at, PhaseView()), "illegal")


def of_drags(moves: tuple[JudgedMove, ...], *findings: Finding) -> list[str]:
    return [one.id for one in offences(Audit("", "", "", LOGS, moves, findings))]


def test_an_id_is_of_the_drag_whichever_of_its_pieces_are_accused() -> None:
    moves = (drag(1, ("u", "v"), 5, 7),)
    one = finding("MP v 1:5 1:7", kind="missed-mp-cost", moves=(1,))
    both = finding("MP u+v 1:5 1:7", kind="missed-mp-cost", moves=(1,))
    stack = finding("STACK a+b+v 1:7", kind="overstack", moves=(1,))
    more = finding("STACK a+b+u+v 1:7", kind="overstack", moves=(1,))
    expected = [offence_id("a" * 64, 7, "0101")]
    for found in ((one,), (both,), (stack,), (more,), (one, stack), (stack, more)):
        assert of_drags(moves, *found) == expected


def test_pieces_of_one_drag_that_are_accused_apart_are_one_offence() -> None:
    moves = (drag(1, ("u", "v"), 5),)
    apart = (finding("A u 1:5", moves=(1,)), finding("B v 1:5", moves=(1,)))
    assert len(of_drags(moves, *apart)) == 1


def test_a_stack_is_of_the_drag_that_made_it_too_big() -> None:
    moves = (drag(1, ("u",), 5), drag(2, ("v",), 9))
    stack = finding("STACK u+v 1:9", kind="overstack", moves=(1, 2))
    assert of_drags(moves, stack) == [offence_id("a" * 64, 9, "0101")]


# -- accusations that two readings of a game share --------------------------------------------------


EARLIER, LATER = StepRef(1, 5), StepRef(1, 6)


@pytest.fixture(name="slipped")
def _slipped() -> Game:
    """A phase of Red's that may have ended and begun again, and in which ``a`` moves after that."""
    played = new_game("a Red 0505 4").move().drag("a", "0605").phase("1", "Combat", "Red").move()
    return played.drag("a", "0705").drag("a", "0805").game()


def audit(*steps: StepRef, kind: FindingKind = "illegal-move", drags: bool = True) -> Audit:
    """An audit in which ``a`` is accused of one drag in each of ``steps``."""
    found, moves = list[Finding](), list[JudgedMove]()
    for number, step in enumerate(steps, 1):
        about = (number,) if drags else ()
        found.append(
            Finding("X", "X", kind, "illegal", ("a",), ("a",), (), (step,), "", moves=about)
        )
        moved = replace(drawn.move("a", "0505", "0506"), id=number, steps=(step,))
        moves.append(JudgedMove(moved, "illegal"))
    return Audit("", "flat", "1", (), tuple(moves), tuple(found))


def verdicts(found: Audit) -> list[tuple[StepRef, str]]:
    return [(one.steps[0], one.verdict) for one in found.findings]


@pytest.mark.parametrize("kind", ["illegal-move", "missed-mp-cost"])
def test_another_drag_of_the_phase_holds_nothing_after_a_slip(slipped, kind) -> None:
    both = held_with_slips(
        slipped,
        audit(EARLIER, kind=kind),
        slips_of(slipped),
        Timeline(slipped),
        lambda _: audit(LATER, kind=kind),
    )
    assert verdicts(both) == [(EARLIER, "unverifiable"), (LATER, "unverifiable")]
    assert [one.verdict for one in both.moves] == ["unverifiable"]


def test_the_same_drag_holds_after_a_slip(slipped) -> None:
    found = audit(EARLIER)
    both = held_with_slips(
        slipped, found, slips_of(slipped), Timeline(slipped), lambda _: audit(LATER, EARLIER)
    )
    assert verdicts(both) == [(EARLIER, "illegal"), (LATER, "unverifiable")]


def test_another_drag_of_the_phase_holds_nothing_if_something_was_combat() -> None:
    played = new_game("a Red 0505 4", "x Blue 0605 4").move().drag("x", "0905")
    coarse = PhaseRule("Movement", "active", ("march",), complete=True, dice=False)
    phases = {"Movement": coarse, "Combat": PhaseRule("Combat", "unknown", ("retreat",))}
    forms = {"march": MovementForm("march"), "retreat": MovementForm("retreat", judged=False)}
    game = played.move("Blue").game(phases=phases, forms=forms)
    timeline = Timeline(as_read(game, (), {"Movement": "active"}, {}))
    assert timeline.all_interludes()
    for other, verdict in ((LATER, "unverifiable"), (EARLIER, "illegal")):
        both = held_either_way(game, audit(EARLIER), lambda *_, step=other: audit(step), timeline)
        assert verdicts(both) == [(EARLIER, verdict)]


@pytest.mark.parametrize(("kind", "drags"), [("overstack", True), ("illegal-move", False)])
def test_what_is_no_drag_is_compared_by_its_phase(slipped, kind, drags) -> None:
    subjects = Subjects(Timeline(slipped))
    (one,) = audit(EARLIER, kind=kind, drags=drags).findings
    (other,) = audit(LATER, kind=kind, drags=drags).findings
    assert subjects.is_said(one, subjects.said([other]))
    assert not subjects.is_said(one, set())


def test_what_is_said_of_several_phases_has_to_be_said_of_all(slipped) -> None:
    subjects = Subjects(Timeline(slipped))
    (one,) = audit(EARLIER, kind="overstack").findings
    both = replace(one, steps=(StepRef(1, 3), EARLIER))
    assert len(subjects.spells(both)) == 2
    assert not subjects.is_said(both, subjects.said([one]))
    assert subjects.is_said(both, subjects.said([both]))


def test_nothing_is_said_of_no_unit() -> None:
    """A finding about no unit holds only where the other reading has it, too."""
    one = Finding("X", "X", "illegal-move", "illegal", (), (), (), (EARLIER,), "", moves=(1,))
    subjects = Subjects(Timeline(drawn.game(drawn.board("...."), {})))
    assert not subjects.is_said(one, set())
    assert subjects.is_said(one, subjects.said([one]))
