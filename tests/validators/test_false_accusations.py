"""What must not be accused, and what must not be called legal: readings that a hasty judge overlooks."""

from __future__ import annotations

import pytest
from flat import (
    ACCUSED,
    MARCH,
    RAIL,
    Flat,
    audited,
    condition,
    flat_judge,
    in_movement,
    new_game,
    rows,
    stacking,
)
from seen import seen_audit
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import PhaseRule, Rules
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.unseen import seen_game

TABLES = {
    "classes": {"names": ["any"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1}},
}
CHARTS = {
    "plain": {},
    "zoc": {"zoc": {"stop": True}},
    "strong zoc": {"zoc": {"stop": True, "exerted_by": [{"attribute": "strength", "least": 1}]}},
    "of class": {
        "classes": {"names": ["foot"]},
        "allowance": {"attribute": "ma", "by_class": {"foot": 2}},
    },
}


def half(**test: object) -> dict[str, object]:
    """Half the allowance of units of which ``test`` holds."""
    halved = {"op": "multiply", "value": "1/2", "if": [{"attribute": "status", **test}]}
    return {"allowance": {"attribute": "ma", "modifiers": [halved]}}


def judged(played, tables=None, **more):
    """The audit of a game by the ruleset generic; ``tables`` are added to the plainest there are."""
    rules = Rules("generic", {**TABLES, **(tables or {})})
    return audit(played.game(rules=rules, **more), RULESET)


def accused(found):
    return [f.kind for f in found.findings if f.kind in ACCUSED]


@pytest.mark.parametrize(
    ("charts", "units", "script", "said"),
    rows("""
an enemy bars a hex | plain | a Red 0101 1, b Blue 0102 | move; a 0102 | illegal
a counter of no side of the game is nobody's enemy: a neutral, or a side spelt otherwise in the pack
    | plain | a Red 0101 1, n Neutral 0102 | move; a 0102 | unverifiable
an enemy its mover could not see is not held against him
    | plain | a Red 0101 1, b Blue 0102 seen_by=Blue | move; a 0102 | unverifiable
a phase taken up again gives no fresh allowance | plain | a Red 0101
    | move; a 0105; roll; phase 1 Combat Red; move; a 0109 | unverifiable
a move put back after a slip of the tracker is taken back | plain | a Red 0101
    | move; a 0110; phase 1 Combat Red; move; a 0101 | -
a side that passed has had its phase: impulses with no number | plain | a Red 0101
    | move; a 0105; move Blue; move; a 0109 | unverifiable
a move in a phase that was set by mistake is not out of turn | plain | a Red 0101, x Blue 2010
    | move; move Blue; a 0102 by Red; move; a 0103 | unverifiable unverifiable
a number that was read as a text is that number | strong zoc | a Red 0101, b Blue 0202 strength=2
    | move; a 0102; roll; a 0103 | illegal
a dead counter dragged beside the map may have been dead before | plain | a Red 0101 1, b Blue 0102
    | move; a 0102; b ? | unverifiable unverifiable
a printed allowance that is not known is not that of the class | of class | a Red 0101 ?
    | move; a 0105 | unverifiable
"""),
)
def test_on_a_plain_map(charts, units, script, said):
    found = judged(new_game(units).play(script), CHARTS[charts])
    assert (" ".join(m.verdict for m in found.moves if m.judged) or "-") == said
    assert accused(found) == ["illegal-move"] * (said == "illegal")


@pytest.mark.parametrize(
    ("units", "script", "charts"),
    [
        ("a Red 0101, b Blue 0202 seen_by=Blue", "a 0103", "zoc"),
        ("a Red 0501 8, b Blue 0503 seen_by=Blue", "a 0505", "plain"),
    ],
    ids=["a verdict that rests on a hidden stop", "a way round a hidden enemy"],
)
def test_what_hidden_units_tell_is_for_those_who_know_them(units, script, charts):
    played = new_game(units).play("move", script)
    game = played.game(rules=Rules("generic", {**TABLES, **CHARTS[charts]}))
    without = audit(seen_game(game, EVERYONE), RULESET)
    assert seen_audit(game, RULESET, EVERYONE) == without
    assert seen_audit(game, RULESET, Viewer("Blue")) == audit(game, RULESET) != without


@pytest.mark.parametrize(
    ("units", "script", "step"),
    [
        ("a Red 0101", "a 0103; roll; a 0110", (1, 4)),
        ("a Red 0101, b Red 0101", "a+b 0103; a 0110", (1, 3)),
    ],
    ids=["of a unit", "of a part of a stack"],
)
def test_a_form_declared_for_a_later_drag_counts(units, script, step):
    """March to 0103, then by rail to 0110: only the facts tell that it was not a march."""
    by_rail = condition("form", known("rail"), step, step, "a")
    forms = {"march": MARCH, "rail": RAIL}
    found = judged(new_game(units).play("move", script), forms=forms, conditions=(by_rail,))
    assert accused(found) == []


COMBAT_TOLD = {
    "Movement": PhaseRule("Movement", "active", ("march",), complete=True),
    "Combat": PhaseRule("Combat", "none", (), complete=True),
}
FOR_FOOT = in_movement(MARCH, complete_for=("foot",))


@pytest.mark.parametrize(
    ("script", "more"),
    [
        # the tracker was clicked too early and set back: the stack is put right afterwards
        (
            "move; a 0102; phase 1 Combat Red; move; b 0103; phase 1 Combat Red; move Blue",
            {"phases": COMBAT_TOLD},
        ),
        ("move; a 0102; move Blue", FOR_FOOT),
    ],
    ids=[
        "a phase left and taken up again had not ended",
        "where other classes may be displaced otherwise",
    ],
)
def test_a_stack_that_is_held_against_nobody(script, more):
    played = new_game("a Red 0101, b Red 0102, x Blue 2010").play(script)
    assert accused(audited(played, Flat(stacking=stacking(1)), **more)) == []


def test_a_phase_that_goes_on_in_a_log_not_at_hand_did_not_end_with_the_one_before():
    """Log 1 ends while a stack is too big; by the opening of the next it has been put right."""
    played = new_game("a Red 0101, b Red 0102").play("move; a 0102; log")
    played.step = -1
    played.play("move Blue; b 0103 as reseated; roll")  # the phase is that of step 0
    assert accused(audited(played, Flat(stacking=stacking(1)))) == []


def test_a_slip_of_the_tracker_leaves_the_phase_to_be_judged():
    """Nothing happened before it was set back: what is wrong in the end is told, of whom it may be."""
    played = new_game("a Red 0101, b Red 0102, c Red 0110").play(
        "move; a 0102; phase 1 Combat Red; move; c 0112; c 0105; phase 1 Combat Red; move Blue"
    )
    found = audited(played, Flat(stacking=stacking(1)))
    assert sorted(accused(found)) == ["missed-mp-cost", "overstack"]
    assert [m.verdict for m in found.moves if m.judged] == ["legal", "illegal"]


@pytest.mark.parametrize(
    ("said", "wanted"), [("true", True), (True, "true"), ("2", 2), (2, "2"), ("1/2", "1/2")]
)
def test_what_is_written_alike_is_alike(said, wanted):
    """A pack reads "true" off a property and asks for true: half the allowance of all but those."""
    played = new_game().unit("a", "Red", "0101", attributes={"status": known(said)})
    found = judged(played.play("move; a 0105"), half(**{"not": [wanted]}))
    assert [m.verdict for m in found.moves if m.judged] == ["legal"]


def test_a_mark_made_after_a_word_in_the_chat_belongs_to_the_move():
    """He forgot to turn it over before he dragged it, says so, and does it."""
    played = new_game("a Red 0101 status=tired")
    played.play("move; a 0105; chat oops; flip a status tired fresh")
    assert accused(judged(played, half(**{"is": ["tired"]}))) == []


def test_since_when_a_stack_is_too_big_tells_nothing_of_hidden_counters():
    units = "a Red 0101 9, b Red 0102 9, c Red 0105 9, h Red 0101 9 seen_by=Red"
    script = "move; roll; move Blue; roll; move Red 2; h 0110; b 0101; move Blue 2"
    game = new_game(units).play(script).game()
    found = seen_audit(game, Flat(stacking=stacking(1)), EVERYONE, flat_judge)
    public = [f for f in found.findings if f.kind == "overstack"]
    assert len(public) == 1
    assert "since" not in public[0].explanation


def test_an_allowance_below_nought_is_none_and_says_nothing():
    found = judged(new_game("a Red 0101 -2").play("move; a 0102"))
    assert [(p.code, p.severity) for p in found.problems] == [("wrong-attribute", "warning")]
    assert [m.verdict for m in found.moves if m.judged] == ["unverifiable"]
