"""Whether a unit need not end where it lies."""

from __future__ import annotations

import pytest
from flat import BOARD, new_game
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


def test_a_unit_stays_where_its_phase_ended() -> None:
    played = new_game("a Red 0101 4", "b Red 0102 4").move().drag("a", "0201").drag("b", "0202")
    assert not goes_on(played.move("Blue"))


def test_a_unit_moved_on_need_not_end_there() -> None:
    played = new_game("a Red 0101 4").move().drag("a", "0201").drag("a", "0301").move("Blue")
    assert goes_on(played, nth=0)
    assert not goes_on(played, nth=1)


@pytest.mark.parametrize("target", ["[Pool]", "-", "?"])
def test_however_it_is_displaced(target: str) -> None:
    played = new_game("a Red 0101 4").move().drag("a", "0201").drag("a", target).move("Blue")
    assert goes_on(played, nth=0)


def test_moved_in_the_next_phase_it_ended_there_before() -> None:
    played = new_game("a Red 0101 4").move().drag("a", "0201").move("Blue").drag("a", "0301")
    assert not goes_on(played, nth=0)


def test_the_end_of_the_logs_ends_no_phase() -> None:
    assert goes_on(new_game("a Red 0101 4").move().drag("a", "0201"))
    assert goes_on(new_game("a Red 0101 4").move().drag("a", "0201").new_log().chat("hello"))


def test_a_phase_that_is_told_for_certain_ends_the_one_before() -> None:
    played = new_game("a Red 0101 4").move().drag("a", "0201")
    assert goes_on(played.phase("1", "Combat", "Red", certain=False))


def test_a_log_that_does_not_go_on_from_the_last_may_lack_the_rest_of_the_phase() -> None:
    played = new_game("a Red 0101 4", "b Red 0102 4").move().drag("a", "0201").new_log()
    played.events.append(
        Displacement(played.at, "b", played.places["b"], played.places["a"], cause="reseated")
    )
    assert goes_on(played.move("Blue"))
    whole = new_game("a Red 0101 4").move().drag("a", "0201").new_log().chat("hello").move("Blue")
    assert not goes_on(whole)


def test_a_phase_told_once_more_may_not_have_ended() -> None:
    played = new_game("a Red 0101 4").move().drag("a", "0201").phase("1", "Combat", "Red")
    assert goes_on(played.move("Red").drag("a", "0301").move("Blue"), nth=0)


def test_a_ruleset_is_told_which_move_is_the_last() -> None:
    told: list[tuple[str, bool]] = []

    def choices(unit: str, there: Circumstances) -> tuple[Walker, ...]:
        assert there.move is not None
        told.append((there.move.target.name, there.move.goes_on))
        return (Walker(Plain({}, board=BOARD), budget(9)),)

    played = new_game("a Red 0101 4", "b Red 0101 4").move().drag("a+b", "0201").drag("b", "0202")
    result = audit(played.move("Blue").game(), MadeRuleset(Made(choices)))
    assert not result.problems
    assert sorted(set(told)) == [("0201", True), ("0202", False)]
    told.clear()
    played = new_game("a Red 0101 4", "b Red 0101 4").move().drag("a+b", "0201").move("Blue")
    audit(played.game(), MadeRuleset(Made(choices)))
    assert set(told) == {("0201", False)}


def declared(played, last: StepRef | None, phase: str = "Movement") -> None:
    start = PhaseStart(played.next(), "1", phase, "Red", declared=True, last=last)
    played.events.append(start)


class TestAPhaseDeclaredBySteps:
    def test_it_is_over_with_its_last_step(self) -> None:
        played = new_game("a Red 0101 4")
        declared(played, StepRef(1, 3))
        assert not goes_on(played.drag("a", "0201").chat("done"))

    def test_whatever_comes_then(self) -> None:
        played = new_game("a Red 0101 4", "b Red 0102 4")
        declared(played, StepRef(1, 2))
        played.drag("a", "0201").phase(None, None, None).drag("b", "0202")
        assert not goes_on(played)

    def test_without_a_last_step_it_may_go_on(self) -> None:
        played = new_game("a Red 0101 4")
        declared(played, None)
        assert goes_on(played.drag("a", "0201").chat("done"))

    def test_what_is_missing_between_two_logs_may_belong_to_it(self) -> None:
        played = new_game("a Red 0101 4", "b Red 0102 4")
        declared(played, StepRef(2, 3))
        played.drag("a", "0201").new_log()
        played.events.append(
            Displacement(played.at, "b", played.places["b"], played.places["a"], cause="reseated")
        )
        assert goes_on(played.chat("hello"))

    def test_it_goes_on_after_what_interrupted_it(self) -> None:
        played = new_game("a Red 0101 4", "b Red 0102 4")
        declared(played, StepRef(1, 7))
        played.drag("a", "0201")
        declared(played, StepRef(1, 4), "Combat")
        played.chat("fire")
        declared(played, StepRef(1, 7))
        assert not goes_on(played)
        assert goes_on(played.drag("a", "0301"))
        assert not goes_on(played, nth=1)

    def test_a_log_that_is_not_at_hand_may_hold_the_rest_of_it(self) -> None:
        played = new_game("a Red 0101 4")
        declared(played, StepRef(2, 17))
        assert goes_on(played.drag("a", "0201"))
