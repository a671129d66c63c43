"""What must not be accused, and what must not be called legal: readings that a hasty judge overlooks."""

from __future__ import annotations

import pytest
from flat import ACCUSED, Flat, audited, condition, new_game, stacking
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import MovementForm, PhaseRule, Rules
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.generic import RULESET

TABLES = {
    "classes": {"names": ["any"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1}},
}
RAIL = {"march": MovementForm("march"), "rail": MovementForm("rail", judged=False)}


def judged(builder, **more):
    """The audit of a game by the ruleset generic; ``tables`` are added to the plainest there are."""
    tables = {**TABLES, **more.pop("tables", {})}
    return audit(builder.game(rules=Rules("generic", tables), **more), RULESET)


def accused(found):
    return [f.kind for f in found.findings if f.kind in ACCUSED]


def verdicts(found):
    return [m.verdict for m in found.moves if m.judged]


ENEMY_AHEAD = ("a Red 0101 1", "b Blue 0102 4")


def test_an_enemy_bars_a_hex():
    found = judged(new_game(*ENEMY_AHEAD).move().drag("a", "0102"))
    assert accused(found) == ["illegal-move"]


def test_a_counter_of_no_side_of_the_game_is_nobodys_enemy():
    """A neutral, or a side spelt otherwise in the pack."""
    one = new_game("a Red 0101 1", "n Neutral 0102 4").move().drag("a", "0102")
    found = judged(one)
    assert accused(found) == []
    assert verdicts(found) == ["unverifiable"]


def test_an_enemy_its_mover_could_not_see_is_not_held_against_him():
    one = new_game("a Red 0101 1").unit("b", "Blue", "0102", seen_by=("Blue",))
    found = judged(one.move().drag("a", "0102"))
    assert accused(found) == []
    assert verdicts(found) == ["unverifiable"]


def test_a_move_whose_verdict_rests_on_a_hidden_stop_is_for_those_who_know_it():
    one = new_game("a Red 0101 4").unit("b", "Blue", "0202", seen_by=("Blue",))
    found = judged(one.move().drag("a", "0103"), tables={"zoc": {"stop": True}})
    (move,) = found.moves
    assert move.visible_to == ("Blue",)
    assert all(f.visible_to == ("Blue",) for f in found.findings)


def test_a_way_round_a_hidden_enemy_is_not_shown_to_all():
    one = new_game("a Red 0501 8").unit("b", "Blue", "0503", seen_by=("Blue",))
    (move,) = judged(one.move().drag("a", "0505")).moves
    assert move.visible_to == ("Blue",)


def test_a_form_declared_for_a_later_drag_counts():
    """March to 0103, then by rail to 0110: only the facts tell that it was no march."""
    one = new_game("a Red 0101 4").move().drag("a", "0103").roll().drag("a", "0110")
    by_rail = condition("form", known("rail"), (1, 4), (1, 4), "a")
    found = judged(one, forms=RAIL, conditions=(by_rail,))
    assert accused(found) == []


def test_a_form_declared_for_a_later_drag_of_a_divided_stack_counts():
    one = new_game("a Red 0101 4", "b Red 0101 4").move().drag("a+b", "0103").drag("a", "0110")
    by_rail = condition("form", known("rail"), (1, 3), (1, 3), "a")
    found = judged(one, forms=RAIL, conditions=(by_rail,))
    assert accused(found) == []


def test_a_phase_left_and_taken_up_again_had_not_ended():
    """The tracker was clicked too early and set back: the stack is put right afterwards."""
    one = new_game("a Red 0101 4", "b Red 0102 4", "x Blue 2010 4").move()
    one.drag("a", "0102").phase("1", "Combat", "Red").move().drag("b", "0103")
    one.phase("1", "Combat", "Red").move("Blue")
    phases = {
        "Movement": PhaseRule("Movement", "active", ("march",), complete=True),
        "Combat": PhaseRule("Combat", "none", (), complete=True),
    }
    found = audited(one, Flat(stacking=stacking(1)), phases=phases)
    assert accused(found) == []


def test_a_phase_taken_up_again_gives_no_fresh_allowance():
    one = new_game("a Red 0101 4").move().drag("a", "0105").roll()
    one.phase("1", "Combat", "Red").move().drag("a", "0109")
    found = judged(one)
    assert accused(found) == []
    assert verdicts(found) == ["unverifiable"]


def test_a_slip_of_the_tracker_leaves_the_phase_to_be_judged():
    """Nothing happened before it was set back: what is wrong in the end is told, of whom it may be."""
    one = new_game("a Red 0101 4", "b Red 0102 4", "c Red 0110 4").move()
    one.drag("a", "0102").phase("1", "Combat", "Red").move().drag("c", "0112").drag("c", "0105")
    one.phase("1", "Combat", "Red").move("Blue")
    found = audited(one, Flat(stacking=stacking(1)))
    assert sorted(accused(found)) == ["missed-mp-cost", "overstack"]
    assert verdicts(found) == ["legal", "illegal"]


def test_a_move_put_back_after_a_slip_of_the_tracker_is_taken_back():
    one = new_game("a Red 0101 4").move().drag("a", "0110")
    one.phase("1", "Combat", "Red").move().drag("a", "0101")
    assert accused(judged(one)) == []


def test_a_side_that_passed_has_had_its_phase():
    """Impulses with no number: Blue did nothing in his, so that Red is in its second."""
    one = new_game("a Red 0101 4").move().drag("a", "0105").move("Blue").move().drag("a", "0109")
    assert accused(judged(one)) == []


def test_a_move_in_a_phase_that_was_set_by_mistake_is_not_out_of_turn():
    one = new_game("a Red 0101 4", "x Blue 2010 4").move()
    one.move("Blue").drag("a", "0102", actor="Red").move("Red").drag("a", "0103")
    assert accused(judged(one)) == []


def test_a_phase_that_goes_on_in_a_log_not_at_hand_did_not_end_with_the_one_before():
    """Log 1 ends while a stack is too big; by the opening of the next it has been put right."""
    one = new_game("a Red 0101 4", "b Red 0102 4").move().drag("a", "0102").new_log()
    one.step = -1
    one.move("Blue")  # step 0 of log 2
    one.step = -1
    one.drag("b", "0103", actor="?", cause="reseated")
    one.step = 0
    one.roll()
    found = audited(one, Flat(stacking=stacking(1)))
    assert accused(found) == []


@pytest.mark.parametrize(
    ("said", "wanted"), [("true", True), (True, "true"), ("2", 2), (2, "2"), ("1/2", "1/2")]
)
def test_what_is_written_alike_is_alike(said, wanted):
    """A pack reads "true" off a property and asks for true: half the allowance of all but those."""
    halved = {"op": "multiply", "value": "1/2", "if": [{"attribute": "status", "not": [wanted]}]}
    one = new_game().unit("a", "Red", "0101", attributes={"status": known(said)})
    found = judged(
        one.play("move; a 0105"), tables={"allowance": {"attribute": "ma", "modifiers": [halved]}}
    )
    assert verdicts(found) == ["legal"]


def test_a_number_that_was_read_as_a_text_is_that_number():
    one = new_game("a Red 0101 4").unit("b", "Blue", "0202", attributes={"strength": known("2")})
    zoc = {"stop": True, "exerted_by": [{"attribute": "strength", "least": 1}]}
    found = judged(one.move().drag("a", "0102").roll().drag("a", "0103"), tables={"zoc": zoc})
    assert accused(found) == ["illegal-move"]


def test_a_mark_made_after_a_word_in_the_chat_belongs_to_the_move():
    """He forgot to turn it over before he dragged it, says so, and does it."""
    halved = {"op": "multiply", "value": "1/2", "if": [{"attribute": "status", "is": ["tired"]}]}
    one = new_game().unit("a", "Red", "0101", attributes={"status": known("tired")})
    one.move().drag("a", "0105").chat("oops").flip("a", "status", known("tired"), known("fresh"))
    found = judged(one, tables={"allowance": {"attribute": "ma", "modifiers": [halved]}})
    assert accused(found) == []


def test_since_when_a_stack_is_too_big_tells_nothing_of_hidden_counters():
    one = new_game("a Red 0101 9", "b Red 0102 9", "c Red 0105 9")
    one.unit("h", "Red", "0101", seen_by=("Red",)).move().roll().move("Blue").roll()
    one.move(turn="2").drag("h", "0110").drag("b", "0101").move("Blue", turn="2")
    found = audited(one, Flat(stacking=stacking(1)))
    public = [f for f in found.findings if f.kind == "overstack" and f.visible_to is None]
    assert len(public) == 1
    assert "since" not in public[0].explanation


def test_a_dead_counter_dragged_beside_the_map_may_have_been_dead_before():
    one = new_game(*ENEMY_AHEAD).move().drag("a", "0102").drag("b", "?")
    assert accused(judged(one)) == []


def test_an_allowance_below_nought_is_none_and_says_nothing():
    one = new_game("a Red 0101 -2").move().drag("a", "0102")
    found = judged(one)
    assert [(p.code, p.severity) for p in found.problems] == [("wrong-attribute", "warning")]
    assert verdicts(found) == ["unverifiable"]


def test_a_printed_allowance_that_is_not_known_is_not_that_of_the_class():
    tables = {
        "classes": {"names": ["foot"]},
        "allowance": {"attribute": "ma", "by_class": {"foot": 2}},
    }
    one = new_game("a Red 0101 ?").move().drag("a", "0105")
    assert accused(judged(one, tables=tables)) == []


def test_a_stack_is_not_held_against_anyone_where_other_classes_may_be_displaced_otherwise():
    phases = {
        "Movement": PhaseRule(
            "Movement", "active", ("march",), complete=True, complete_for=("foot",)
        )
    }
    one = new_game("a Red 0101 4", "b Red 0102 4").move().drag("a", "0102").move("Blue")
    assert accused(audited(one, Flat(stacking=stacking(1)), phases=phases)) == []
