"""Accusations under two readings of a game are the same only where they are about the same drag."""

from __future__ import annotations

from dataclasses import replace

import drawn
import pytest
from flat import new_game
from vassal_umpire.model.finding import Audit, Finding, FindingKind, JudgedMove
from vassal_umpire.model.game import Game, MovementForm, PhaseRule, StepRef
from vassal_umpire.validators.accusations import Subjects
from vassal_umpire.validators.either_slip import held_with_slips
from vassal_umpire.validators.either_way import held_either_way
from vassal_umpire.validators.interludes import with_interludes
from vassal_umpire.validators.slips import slips_of
from vassal_umpire.validators.timeline import Timeline

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
    timeline = Timeline(with_interludes(game, {"Movement": "active"}))
    assert timeline.all_interludes()
    for other, verdict in ((LATER, "unverifiable"), (EARLIER, "illegal")):
        both = held_either_way(audit(EARLIER), lambda *_, step=other: audit(step), timeline)
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
