"""What is judged, what is left open, and what is said of moves of one phase together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from flat import (
    ACCUSED,
    MARCH,
    RAIL,
    RETREAT,
    Flat,
    audited,
    codes,
    condition,
    flat_judge,
    in_movement,
    new_game,
    rows,
    verdicts,
)
from vassal_umpire.model.fact import known, one_of
from vassal_umpire.model.game import Condition, MovementForm, PhaseRule, Place, StepRef
from vassal_umpire.validators.audit import audit

FAR = "a Red 0101, b Blue 2001"


@pytest.mark.parametrize(
    ("units", "script", "said"),
    rows("""
within the allowance | a Red 0101 | move; a 0103; a 0105 | legal
too far at once | a Red 0101 | move; a 0106 | illegal
two drags, and the stop does not bind | a Red 0101 | move; a 0103; a 0101; a 0104 | (legal) legal
two drags, and the stop binds | a Red 0101 | move; a 0105; roll; a 0101; a 0102 | illegal
it may have gone on from where it was seen | a Red 0101 | move; a 0103; roll; a 0101; a 0104 | unverifiable
two phases have two allowances | a Red 0101 | move; a 0105; move Red 2; a 0109 | legal legal
a short drag in an unknown phase | a Red 0101, b Blue 2001 | a 0102 | unverifiable
removals and reinforcements are not judged | a Red 0101, b Red [Pool] | move; a [Dead]; b 0101
    | (unverifiable) (unverifiable)
what entering cost is not known | b Red [Pool] | move; b 0101; b 0103 | (unverifiable) unverifiable
too far whatever entering cost | b Red [Pool] | move; b 0101; roll; b 0109 | (unverifiable) illegal
"""),
)
def test_verdicts_on_the_moves_of_a_phase(units, script, said):
    found = audited(new_game(units).play(script))
    assert " ".join(verdicts(found).values()) == said
    assert codes(found, *ACCUSED) == ["FLAT"] * said.split().count("illegal")


@pytest.mark.parametrize(
    ("units", "script", "said", "accused"),
    rows("""
one of a stack goes on | a Red 0101, b Red 0101 | move; a+b 0104; a 0106 | legal illegal | a 1+2
a stack joined on the way | a Red 0101, b Red 0104 | move; a 0104; a+b 0106 | legal illegal | a 1+2
what follows from an illegal move | a Red 0101, b Red 0101 | move; a+b 0107; a 0108
    | illegal illegal | b 1, a 1+2 after 1
"""),
)
def test_what_is_spent_together(units, script, said, accused):
    found = audited(new_game(units).play(script))
    assert " ".join(verdicts(found).values()) == said
    told = [
        f"{'+'.join(f.units)} {'+'.join(map(str, f.moves))}"
        + (f" after {f.follows_from}" if f.follows_from else "")
        for f in found.findings
    ]
    assert ", ".join(told) == accused


def test_the_merged_move_says_what_it_was_counted_with():
    found = audited(new_game("a Red 0101, b Red 0101").play("move; a+b 0102; a 0103"))
    assert "counted together with move 1" in found.moves[1].remark


class TestWhatMayBeJudged:
    def test_phase_not_known(self):
        found = audited(new_game(FAR).play("a 0109 by Red"))
        (move,) = found.moves
        assert move.verdict == "unverifiable"
        assert move.bill.total.lo == 8
        assert move.unknowns[0].file == "facts.toml"
        assert 'steps = "1"' in move.unknowns[0].stanza
        assert codes(found, *ACCUSED) == []
        assert codes(found, "unverifiable") == ["CHK-PHASE"]

    def test_one_question_for_all_steps_of_an_unknown_stretch(self):
        found = audited(new_game(FAR).play("a 0102; a 0103; move; a 0104"))
        assert {u.key for m in found.moves for u in m.unknowns} == {"phase of log 1 steps 1-2"}

    def test_a_short_drag_in_an_unknown_phase_is_not_called_legal(self):
        (move,) = audited(new_game(FAR).play("a 0102")).moves
        assert "keeps to the rules" in move.remark

    @pytest.mark.parametrize(
        "change",
        [
            {"phases": {}},
            in_movement(MARCH, complete=False),
            {"forms": {}},
            in_movement(MARCH, RAIL),
            {**in_movement(complete_for=("foot",)), "forms": {"march": MARCH}},
            {
                "conditions": (condition("form", one_of("march", "rail"), (1, 0)),),
                "forms": {"march": MARCH, "rail": RAIL},
            },
        ],
        ids=[
            *("phase-not-described", "phase-not-complete", "form-not-described"),
            *("may-have-gone-by-rail", "class-not-known", "form-one-of-two"),
        ],
    )
    def test_nothing_is_held_against_what_may_be_no_movement(self, change):
        found = audited(new_game(FAR, **change).play("move; a 0109"))
        assert verdicts(found) == {1: "unverifiable"}
        assert all(m.unknowns and m.unknowns[0].stanza for m in found.moves)
        assert codes(found, *ACCUSED) == []

    @pytest.mark.parametrize("complete", [True, False])
    def test_where_the_pack_names_no_form_that_is_judged_nothing_is_asked(self, complete):
        """Retreats and advances of a phase of combat are no findings."""
        advance = MovementForm("advance", judged=False)
        change = in_movement(RETREAT, advance, movers="none", complete=complete)
        found = audited(new_game(FAR, **change).play("move; a 0109"))
        assert (verdicts(found), found.findings) == ({1: "(unverifiable)"}, ())
        assert found.moves[0].remark == "by retreat or advance, which these rules do not judge"

    @pytest.mark.parametrize(
        ("forms", "verdict"), [((RETREAT,), "(unverifiable)"), ((RETREAT, MARCH), "unverifiable")]
    )
    def test_who_is_put_elsewhere_by_way_of_a_box_is_asked_for_only_where_it_may_have_moved(
        self, forms, verdict
    ):
        change = in_movement(*forms, movers="none")
        found = audited(new_game(FAR, **change).play("move; a [Dead]; a 0109"))
        assert verdicts(found) == {1: "(unverifiable)", 2: verdict}

    def test_a_form_that_is_told_is_judged_even_there(self):
        """A march that was made up for in the phase of combat."""
        change = in_movement(RETREAT, movers="unknown", complete=False)
        change["forms"]["march"] = MARCH
        told = (condition("form", known("march"), (1, 0)),)
        found = audited(new_game(FAR, **change, conditions=told).play("move; a 0109"))
        assert verdicts(found) == {1: "illegal"}

    def test_rail_is_shut_to_those_who_cannot_use_it(self):
        change = in_movement(MARCH, MovementForm("rail", False, {"class": ("train",)}))
        played = new_game("a Red 0101 class=foot", **change).play("move; a 0109")
        assert verdicts(audited(played)) == {1: "illegal"}

    @pytest.mark.parametrize(
        ("script", "verdict"),
        rows("""
between | a 0102; flip a mode combat train; a 0109 | unverifiable
after | a 0102; a 0109; flip a mode combat train | unverifiable
never | a 0102; a 0109 | illegal
"""),
    )
    def test_a_form_that_opens_to_a_unit_while_it_moves_may_have_been_used(self, script, verdict):
        march = MovementForm("march", units={"mode": ("combat",)})
        rail = MovementForm("rail", judged=False, units={"mode": ("train",)})
        played = new_game("a Red 0101 mode=combat", **in_movement(march, rail))
        assert verdicts(audited(played.play("move", script, "move Blue")))[1] == verdict

    def test_each_of_a_stack_moves_by_the_forms_that_are_open_to_it(self):
        """Whoever drives may go 9 hexes, who walks 4."""
        walk = MovementForm("walk", units={"class": ("foot", "dragoon")})
        drive = MovementForm("drive", units={"class": ("motor", "dragoon")})
        kinds = {"a": "foot", "b": "motor", "c": "dragoon"}
        units = [f"{name} Red 0101 class={kind}" for name, kind in kinds.items()]
        played = new_game(*units, **in_movement(walk, drive)).play("move; a+b+c 0109")
        asked = []

        def by_form(move, situation, rules, *, forms=("",), only=(), **more):
            asked.append((only or move.units, forms, move.units))
            found = flat_judge(replace(move, units=only or move.units), situation, rules, **more)
            verdict = "legal" if "drive" in forms else "illegal"
            told = replace(found.judged, verdict=verdict)
            findings = tuple(replace(f, verdict=verdict) for f in found.findings)
            return replace(found, judged=told, findings=findings)

        found = audit(played.game(), Flat(), judge=by_form)
        company = ("a", "b", "c")
        assert asked == [
            (("a",), ("walk",), company),
            (("b",), ("drive",), company),
            (("c",), ("walk", "drive"), company),
        ]
        assert verdicts(found) == {1: "illegal"}
        assert [f.units for f in found.findings if f.verdict == "illegal"] == [("a",)]

    def test_complete_for_a_class(self):
        units = "a Red 0101 class=foot, h Red 0501 class=horse, d Red 0901 class=horse|foot"
        change = {**in_movement(MARCH, complete_for=("foot",))}
        found = audited(new_game(units, **change).play("move; a 0109; h 0509; d 0909"))
        assert verdicts(found) == {1: "illegal", 2: "unverifiable", 3: "unverifiable"}

    def test_a_declared_form_settles_it(self):
        by_rail = condition("form", known("rail"), (1, 2), (1, 2), unit="a")
        on_foot = condition("form", known("march"), (1, 3), (1, 3), unit="b")
        change = in_movement(MARCH, RAIL, complete=False)
        played = new_game("a Red 0101, b Red 0501", **change, conditions=(by_rail, on_foot))
        found = audited(played.play("move; a 0109; b 0509"))
        assert verdicts(found) == {1: "(unverifiable)", 2: "illegal"}
        assert found.moves[0].form == "rail"

    def test_an_unclear_place(self):
        found = audited(new_game("a Red ?").play("move; a 0109"))
        assert verdicts(found) == {1: "unverifiable"}
        assert codes(found) == ["CHK-PLACE"]

    def test_a_gap_in_the_story_is_not_bridged(self):
        s = new_game("a Red 0101").play("move; a 0103; a ?; a 0112; a 0111")
        assert set(verdicts(audited(s)).values()) <= {"legal", "unverifiable"}

    def test_a_step_missing_in_between(self):
        s = new_game("a Red 0101, b Red 0101").play("move; a+b 0105")
        s.places["a"] = s.places["b"] = Place("hex", "0108")
        found = verdicts(audited(s.play("a 0109; b 0111")))
        assert found == {1: "legal", 2: "unverifiable", 3: "unverifiable"}


class TestWhatIsSaid:
    def test_what_was_declared_is_on_the_bill(self):
        (move,) = audited(new_game("a Red 0101").play("move; a 0103; spent a 2")).moves
        assert move.bill.declared.lo == Fraction(2)

    @pytest.mark.parametrize(
        "script",
        rows("""
twice | a 0103; spent a 2; spent a 3
half-way | a 0102; spent a 1; a 0103
before | spent a 2; a 0103
put right later | a 0103; spent a 1; b 0502; spent a 2
in another phase | a 0103; move Red 2; spent a 1
"""),
    )
    def test_what_may_be_meant_otherwise_is_not_declared(self, script):
        move = audited(new_game("a Red 0101, b Red 0501").play("move", script)).moves[0]
        assert move.bill.declared is None

    def test_steps_of_a_finding_are_those_of_the_drags(self):
        (finding,) = audited(new_game("a Red 0101").play("move; a 0106")).findings
        assert finding.steps == (StepRef(1, 2),)


class TestGatheredUnseen:
    """A counter put down far off to be gathered with another, and dragged back with it."""

    def built(self, *told):
        conditions = tuple(
            Condition("passed through 0107", known(value), StepRef(1, 1), None, "a")
            for value in told
        )
        gathered = new_game("a Red 0101, b Red 0109 9", conditions=conditions)
        return audited(gathered.play("move; a 0107; b 0107; a+b 0104"))

    def test_it_is_asked_whether_it_was_there(self):
        found = self.built()
        assert verdicts(found) == {1: "unverifiable", 2: "legal", 3: "unverifiable"}
        asked = found.moves[0].unknowns
        assert [unknown.key for unknown in asked] == ["stop of a in 0107"]
        assert 'key = "passed through 0107"' in asked[0].stanza

    def test_it_was(self):
        assert verdicts(self.built(True))[1] == "illegal"

    def test_it_was_not(self):
        found = self.built(False)
        assert verdicts(found)[1] == "(unverifiable)"
        assert not [f for f in found.findings if 1 in f.moves[:1] and f.kind in ACCUSED]

    def test_only_the_one_that_stayed_is_accused(self):
        found = audited(new_game("a Red 0101, b Red 0101").play("move; a+b 0107; b 0104"))
        assert verdicts(found) == {1: "illegal", 2: "unverifiable"}
        (accusation,) = [one for one in found.findings if one.kind in ACCUSED]
        assert accusation.units == ("a",)


# -- whose phase it is, and whose counters are moved ------------------------------------------------


ON_FOOT = {"forms": {"march": MovementForm("march", units={"class": ("foot",)})}}


MOVERS = {
    "Red": {},
    "nobody": in_movement(movers="none"),
    "the other side": in_movement(MARCH, movers="inactive"),
    "Red perhaps": in_movement(MARCH, complete=False),
    "somebody": in_movement(MARCH, movers="unknown"),
    "both": in_movement(MARCH, movers="both"),
    "Red, or who retreats": in_movement(MARCH, RETREAT),
    "who retreats": {
        "phases": {"Combat": PhaseRule("Combat", "both", ("retreat",), complete=True, dice=True)},
        "forms": {"retreat": RETREAT},
    },
}


@pytest.mark.parametrize(
    ("units", "movers", "script", "said"),
    rows("""
the other side moves | x Blue 0101 | Red | move; x 0102 by Blue | CHK-PHASE illegal-move
nobody moves | a Red 0101 | nobody | move; a 0102 | CHK-PHASE illegal-move
the other side reacts | a Red 0101, x Blue 0501 | the other side | move; a 0102; x 0502 by Blue
    | CHK-PHASE illegal-move
a phase that may be another's | x Blue 0101 | Red perhaps | move; x 0102 by Blue |
movers that are not known | a Red 0101, x Blue 0501 | somebody | move; a 0102; x 0502 by Blue |
both sides move | x Blue 0101 | both | move; x 0102 by Blue |
it may be a retreat | x Blue 0101 | Red, or who retreats | move; x 0102 by Blue |
a phase that is not certain | x Blue 0101 | Red | phase 1 Movement Red perhaps; x 0102 by Blue |
whose counter it is, is a note in an open phase | x Blue 0101 | Red | phase 1 Combat Red; x 0102 by Red
    | CHK-OWNER note
a question in a complete one | x Blue 0101 | both | move; x 0102 by Red | CHK-OWNER unverifiable
a note where no form is movement: the attacker moves what retreats | x Blue 0101 | who retreats
    | phase 1 Combat Red; x 0102 by Red | CHK-OWNER note
by who plays no side | x Blue 0101 | Red | phase 1 Combat Red; x 0102 by Referee |
by nobody known | x Blue 0101 | Red | phase 1 Combat Red; x 0102 by ? |
by its owner | x Blue 0101 | Red | phase 1 Combat Red; x 0102 by Blue |
dead counters are anyone's to clear | x Blue 0101 | Red | phase 1 Combat Red; x [Dead] by Red |
"""),
)
def test_whose_turn_and_whose_counter_it_is(units, movers, script, said):
    found = audited(new_game(units, **MOVERS[movers]).play(script)).findings
    told = [f"{f.code} {f.kind}" for f in found if f.kind in ACCUSED or f.code == "CHK-OWNER"]
    assert ", ".join(told) == said


@pytest.mark.parametrize("before", [False, True])
def test_of_a_stack_only_who_may_not_move_is_accused_of_moving(before):
    s = new_game("a Red 0101 class=foot, b Red 0101 class=train", **ON_FOOT).move()
    if before:
        s.play("a 0102; b 0102")
    found = audited(s.drag("a+b", "0103"))
    said = [f.units for f in found.findings if f.verdict == "illegal"]
    assert said == [("b",)] * (1 + before)


@pytest.mark.parametrize("drags", ["a 0102; b 0102", "b 0102; a 0102"])
@pytest.mark.parametrize(
    ("kind", "verdict"), [("foot|train", "unverifiable"), ("train", "illegal")]
)
def test_a_stack_of_which_one_may_have_moved_is_left_open_also_if_one_came_from_elsewhere(
    drags, kind, verdict
):
    s = new_game(f"a Red 0101 class=train, b Red 0101 class={kind}", **ON_FOOT)
    assert verdicts(audited(s.play("move", drags, "a+b 0103")))[3] == verdict


@pytest.mark.parametrize(
    ("side", "active"), [("?", "Red"), ("Green", "Red"), ("Blue", "Allies"), ("Blue", "?")]
)
def test_sides_that_cannot_be_compared(side, active):
    played = new_game(f"x {side} 0101").play(f"phase 1 Movement {active}; x 0102")
    assert verdicts(audited(played)) == {1: "unverifiable"}
