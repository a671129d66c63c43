"""Whether a unit need not end where it lies."""

from __future__ import annotations

import pytest
from flat import BOARD, new_game, rows
from handmade import Made, MadeRuleset, Plain, Walker, budget
from vassal_umpire.model.game import Displacement, PhaseStart, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.endings import Endings
from vassal_umpire.validators.ruleset import Circumstances
from vassal_umpire.validators.timeline import Timeline


def goes_on(played, unit: str = "a", nth: int = 0) -> bool:
    game = played.game()
    indices = [
        i for i, e in enumerate(game.events) if isinstance(e, Displacement) and e.unit == unit
    ]
    return Endings(game, Timeline(game)).goes_on(unit, indices[nth])


@pytest.mark.parametrize(
    ("script", "expected"),
    rows("""
it stays where its phase ended | move; a 0201; b 0202; move Blue | no
moved on it need not end there | move; a 0201; a 0301; move Blue | yes no
it goes to a box | move; a 0201; a [Pool]; move Blue | yes no
it goes off the map | move; a 0201; a -; move Blue | yes no
it goes somewhere | move; a 0201; a ?; move Blue | yes no
moved in the next phase it ended there before | move; a 0201; move Blue; a 0301 | no yes
the end of the logs ends no phase | move; a 0201 | yes
nor does that of one | move; a 0201; log; chat hello | yes
a phase that is told for certain ends the one before | move; a 0201; phase 1 Combat Red perhaps | yes
a log that goes on from the last | move; a 0201; log; chat hello; move Blue | no
a log that does not may lack the rest of the phase | move; a 0201; log; b 0201 as reseated; move Blue | yes
a phase told once more may not have ended
    | move; a 0201; phase 1 Combat Red; move; a 0301; move Blue | yes no
"""),
)
def test_whether_each_drag_of_a_unit_may_go_on(script: str, expected: str) -> None:
    played = new_game("a Red 0101, b Red 0102").play(script)
    drags = [e for e in played.events if isinstance(e, Displacement) and e.unit == "a"]
    found = ["yes" if goes_on(played, nth=nth) else "no" for nth in range(len(drags))]
    assert " ".join(found) == expected


def test_a_ruleset_is_told_which_move_is_the_last() -> None:
    told: list[tuple[str, bool]] = []

    def choices(unit: str, there: Circumstances) -> tuple[Walker, ...]:
        told.append((there.move.target.name, there.move.goes_on))
        return (Walker(Plain({}, board=BOARD), budget(9)),)

    both = new_game("a Red 0101, b Red 0101").play("move; a+b 0201; b 0202; move Blue")
    result = audit(both.game(), MadeRuleset(Made(choices)))
    assert not result.problems
    assert sorted(set(told)) == [("0201", True), ("0202", False)]
    told.clear()
    both = new_game("a Red 0101, b Red 0101").play("move; a+b 0201; move Blue")
    audit(both.game(), MadeRuleset(Made(choices)))
    assert set(told) == {("0201", False)}


def declared(script: str):
    """A game with phases declared by their steps: ``as 1:4`` to step 4 of log 1, ``as ?`` without a last
    step."""
    played = new_game("a Red 0101, b Red 0102")
    for step in script.split("; "):
        if step.startswith(("Movement as", "Combat as")):
            phase, _, end = step.split()
            last = None if end == "?" else StepRef(*map(int, end.split(":")))
            start = PhaseStart(played.next(), "1", phase, "Red", declared=True, last=last)
            played.events.append(start)
        else:
            played.play(step)
    return played


@pytest.mark.parametrize(
    ("script", "expected"),
    rows("""
it is over with its last step | Movement as 1:3; a 0201; chat done | no
whatever comes then | Movement as 1:2; a 0201; phase ? ? ?; b 0202 | no
without a last step it may go on | Movement as ?; a 0201; chat done | yes
a log that is not at hand may hold the rest of it | Movement as 2:17; a 0201 | yes
what is missing between two logs may belong to it
    | Movement as 2:3; a 0201; log; b 0201 as reseated; chat hello | yes
it goes on after what interrupted it
    | Movement as 1:7; a 0201; Combat as 1:4; chat fire; Movement as 1:7 | no
and then it may be moved on
    | Movement as 1:7; a 0201; Combat as 1:4; chat fire; Movement as 1:7; a 0301 | yes no
"""),
)
def test_in_a_phase_declared_by_its_steps(script: str, expected: str) -> None:
    played = declared(script)
    found = ["yes" if goes_on(played, nth=nth) else "no" for nth in range(len(expected.split()))]
    assert " ".join(found) == expected
