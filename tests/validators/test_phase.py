"""What is judged, what is left open, and what is said of moves of one phase together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from audit_results import codes, verdicts
from flat import Flat, audited, condition, flat_judge, new_game
from vassal_umpire.model.fact import known, one_of
from vassal_umpire.model.game import Condition, MovementForm, PhaseRule, Place, StepRef
from vassal_umpire.validators.audit import audit

ACCUSED = ("illegal-move", "missed-mp-cost", "overstack")


class TestSpentTogether:
    def test_within_the_allowance(self):
        assert verdicts(
            audited(new_game("a Red 0101").move().drag("a", "0103").drag("a", "0105"))
        ) == {1: "legal"}

    def test_too_far_at_once(self):
        found = audited(new_game("a Red 0101").move().drag("a", "0106"))
        assert verdicts(found) == {1: "illegal"}
        assert codes(found) == ["FLAT"]

    def test_too_far_by_two_drags_only_where_the_stop_binds(self):
        s = new_game("a Red 0101").play("move; a 0103; a 0101; a 0104")
        assert verdicts(audited(s)) == {1: "(legal)", 2: "legal"}
        s = new_game("a Red 0101").play("move; a 0105; roll; a 0101; a 0102")
        assert verdicts(audited(s)) == {1: "illegal"}
        s = new_game("a Red 0101").play("move; a 0103; roll; a 0101; a 0104")
        assert verdicts(audited(s)) == {
            1: "unverifiable"
        }  # it may have gone on from where it was seen

    def test_two_phases_have_two_allowances(self):
        s = new_game("a Red 0101").move().drag("a", "0105").move("Red", "2").drag("a", "0109")
        assert verdicts(audited(s)) == {1: "legal", 2: "legal"}

    def test_one_of_a_stack_goes_on(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0104").drag("a", "0106")
        found = audited(s)
        assert verdicts(found) == {1: "legal", 2: "illegal"}
        (accusation,) = found.findings
        assert accusation.units == ("a",)
        assert accusation.moves == (1, 2)
        assert accusation.follows_from is None

    def test_a_stack_joined_on_the_way(self):
        s = new_game("a Red 0101", "b Red 0104").move().drag("a", "0104").drag("a+b", "0106")
        found = audited(s)
        assert verdicts(found) == {1: "legal", 2: "illegal"}
        assert [f.units for f in found.findings] == [("a",)]

    def test_what_follows_from_an_illegal_move_says_so(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0107").drag("a", "0108")
        found = audited(s)
        assert [(f.moves, f.follows_from) for f in found.findings] == [((1,), None), ((1, 2), 1)]

    def test_the_merged_move_says_what_it_was_counted_with(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0102").drag("a", "0103")
        assert "counted together with move 1" in audited(s).moves[1].remark


class TestWhatMayBeJudged:
    def far(self, **changes):
        return new_game("a Red 0101", "b Blue 2001", **changes)

    def test_phase_not_known(self):
        found = audited(self.far().drag("a", "0109", actor="Red"))
        (move,) = found.moves
        assert move.verdict == "unverifiable"
        assert move.bill is not None
        assert move.bill.total.lo == 8
        assert move.unknowns[0].file == "facts.toml"
        assert 'steps = "1"' in move.unknowns[0].stanza
        assert codes(found, *ACCUSED) == []
        assert codes(found, "unverifiable") == ["CHK-PHASE"]

    def test_one_question_for_all_steps_of_an_unknown_stretch(self):
        s = self.far().play("a 0102; a 0103; phase 1 Movement Red; a 0104")
        found = audited(s)
        assert {u.key for m in found.moves for u in m.unknowns} == {"phase of log 1 steps 1-2"}

    def test_a_short_drag_in_an_unknown_phase_is_not_called_legal(self):
        (move,) = audited(self.far().drag("a", "0102")).moves
        assert move.verdict == "unverifiable"
        assert "keeps to the rules" in move.remark

    @pytest.mark.parametrize(
        "change",
        [
            {"phases": {}},
            {"phases": {"Movement": PhaseRule("Movement", "active", ("march",), complete=False)}},
            {"forms": {}},
            {
                "phases": {
                    "Movement": PhaseRule("Movement", "active", ("march", "rail"), complete=True)
                },
                "forms": {
                    "march": MovementForm("march"),
                    "rail": MovementForm("rail", judged=False),
                },
            },
            {"phases": {"Movement": PhaseRule("Movement", "active", (), True, ("foot",))}},
            {"conditions": ("rail or march",)},
        ],
        ids=[
            "phase-not-described",
            "phase-not-complete",
            "form-not-described",
            "may-have-gone-by-rail",
            "class-not-known",
            "form-one-of-two",
        ],
    )
    def test_nothing_is_held_against_what_may_be_no_movement(self, change):
        if "conditions" in change:
            change = {
                "conditions": (condition("form", one_of("march", "rail"), (1, 0)),),
                "forms": {
                    "march": MovementForm("march"),
                    "rail": MovementForm("rail", judged=False),
                },
            }
        found = audited(self.far(**change).move().drag("a", "0109"))
        assert verdicts(found) == {1: "unverifiable"}
        assert all(m.unknowns and m.unknowns[0].stanza for m in found.moves)
        assert codes(found, *ACCUSED) == []

    @pytest.mark.parametrize("complete", [True, False])
    def test_where_the_pack_names_no_form_that_is_judged_nothing_is_asked(self, complete):
        """Retreats and advances of a phase of combat are no findings."""
        names = ("retreat", "advance")
        phases = {"Movement": PhaseRule("Movement", "none", names, complete=complete)}
        forms = {name: MovementForm(name, judged=False) for name in names}
        found = audited(self.far(phases=phases, forms=forms).move().drag("a", "0109"))
        assert (verdicts(found), found.findings) == ({1: "(unverifiable)"}, ())
        assert found.moves[0].remark == "by retreat or advance, which these rules do not judge"

    def test_a_form_that_is_told_is_judged_even_there(self):
        """A march that was made up for in the phase of combat."""
        phases = {"Movement": PhaseRule("Movement", "unknown", ("retreat",))}
        forms = {"retreat": MovementForm("retreat", judged=False), "march": MovementForm("march")}
        told = (condition("form", known("march"), (1, 0)),)
        one = self.far(phases=phases, forms=forms, conditions=told)
        assert verdicts(audited(one.move().drag("a", "0109"))) == {1: "illegal"}

    def test_rail_is_shut_to_those_who_cannot_use_it(self):
        rail = MovementForm("rail", False, {"class": ("train",)})
        phases = {"Movement": PhaseRule("Movement", "active", ("march", "rail"), complete=True)}
        s = new_game(phases=phases, forms={"march": MovementForm("march"), "rail": rail})
        s.unit("a", "Red", "0101", attributes={"class": known("foot")}).move().drag("a", "0109")
        assert verdicts(audited(s)) == {1: "illegal"}

    @pytest.mark.parametrize("when", ["between", "after", "never"])
    def test_a_form_that_opens_to_a_unit_while_it_moves_may_have_been_used(self, when):
        forms = {
            "march": MovementForm("march", units={"mode": ("combat",)}),
            "rail": MovementForm("rail", judged=False, units={"mode": ("train",)}),
        }
        phases = {"Movement": PhaseRule("Movement", "active", ("march", "rail"), complete=True)}
        s = new_game(phases=phases, forms=forms)
        s.unit("a", "Red", "0101", attributes={"mode": known("combat")}).move().drag("a", "0102")
        flip = ("a", "mode", known("combat"), known("train"))
        if when == "between":
            s.flip(*flip)
        s.drag("a", "0109")
        if when == "after":
            s.flip(*flip)
        found = audited(s.move("Blue"))
        assert verdicts(found)[1] == ("illegal" if when == "never" else "unverifiable")

    def test_each_of_a_stack_moves_by_the_forms_that_are_open_to_it(self):
        """Whoever drives may go 9 hexes, who walks 4."""
        forms = {
            "walk": MovementForm("walk", units={"class": ("foot", "dragoon")}),
            "drive": MovementForm("drive", units={"class": ("motor", "dragoon")}),
        }
        phases = {"Movement": PhaseRule("Movement", "active", ("walk", "drive"), complete=True)}
        s = new_game(phases=phases, forms=forms)
        for name, kind in {"a": "foot", "b": "motor", "c": "dragoon"}.items():
            s.unit(name, "Red", "0101", attributes={"class": known(kind)})
        asked = []

        def by_form(move, situation, rules, *, forms=("",), only=(), **more):
            asked.append((only or move.units, forms, move.units))
            found = flat_judge(replace(move, units=only or move.units), situation, rules, **more)
            verdict = "legal" if "drive" in forms else "illegal"
            told = replace(found.judged, verdict=verdict)
            findings = tuple(replace(f, verdict=verdict) for f in found.findings)
            return replace(found, judged=told, findings=findings)

        found = audit(s.move().drag("a+b+c", "0109").game(), Flat(), judge=by_form)
        company = ("a", "b", "c")
        assert asked == [
            (("a",), ("walk",), company),
            (("b",), ("drive",), company),
            (("c",), ("walk", "drive"), company),
        ]
        assert verdicts(found) == {1: "illegal"}
        assert [f.units for f in found.findings if f.verdict == "illegal"] == [("a",)]

    def test_complete_for_a_class(self):
        phases = {"Movement": PhaseRule("Movement", "active", ("march",), True, ("foot",))}
        s = new_game(phases=phases)
        s.unit("a", "Red", "0101", attributes={"class": known("foot")})
        s.unit("h", "Red", "0501", attributes={"class": known("horse")})
        s.unit("d", "Red", "0901", attributes={"class": one_of("horse", "foot")})
        s.move().drag("a", "0109").drag("h", "0509").drag("d", "0909")
        assert verdicts(audited(s)) == {1: "illegal", 2: "unverifiable", 3: "unverifiable"}

    def test_a_declared_form_settles_it(self):
        forms = {"march": MovementForm("march"), "rail": MovementForm("rail", judged=False)}
        phases = {"Movement": PhaseRule("Movement", "active", ("march", "rail"))}
        by_rail = condition("form", known("rail"), (1, 2), (1, 2), unit="a")
        on_foot = condition("form", known("march"), (1, 3), (1, 3), unit="b")
        s = new_game(
            "a Red 0101", "b Red 0501", forms=forms, phases=phases, conditions=(by_rail, on_foot)
        )
        found = audited(s.move().drag("a", "0109").drag("b", "0509"))
        assert verdicts(found) == {1: "(unverifiable)", 2: "illegal"}
        assert found.moves[0].form == "rail"

    def test_an_unclear_place(self):
        found = audited(new_game("a Red ?").move().drag("a", "0109"))
        assert verdicts(found) == {1: "unverifiable"}
        assert codes(found) == ["CHK-PLACE"]

    def test_removals_and_reinforcements_are_not_judged(self):
        s = new_game("a Red 0101", "b Red [Pool]").move().drag("a", "[Dead]").drag("b", "0101")
        found = audited(s)
        assert verdicts(found) == {1: "(unverifiable)", 2: "(unverifiable)"}
        assert found.findings == ()

    def test_what_entering_cost_is_not_known(self):
        s = new_game("b Red [Pool]").move().drag("b", "0101").drag("b", "0103")
        assert verdicts(audited(s))[2] == "unverifiable"
        s = new_game("b Red [Pool]").move().drag("b", "0101").drag("b", "0109")
        assert verdicts(audited(s))[2] == "illegal"

    def test_a_gap_in_the_story_is_not_bridged(self):
        s = new_game("a Red 0101").play("move; a 0103; a ?; a 0112; a 0111")
        assert set(verdicts(audited(s)).values()) <= {"legal", "unverifiable"}

    def test_a_step_missing_in_between(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0105")
        s.places["a"] = s.places["b"] = Place("hex", "0108")
        assert verdicts(audited(s.drag("a", "0109").drag("b", "0111"))) == {
            1: "legal",
            2: "unverifiable",
            3: "unverifiable",
        }


class TestWhatIsSaid:
    def test_what_was_declared_is_on_the_bill(self):
        (move,) = audited(new_game("a Red 0101").move().drag("a", "0103").spent("a", 2)).moves
        assert move.bill is not None
        assert move.bill.declared is not None
        assert move.bill.declared.lo == Fraction(2)

    @pytest.mark.parametrize(
        "say",
        [
            lambda s: s.drag("a", "0103").spent("a", 2).spent("a", 3),
            lambda s: s.drag("a", "0102").spent("a", 1).drag("a", "0103"),
            lambda s: s.spent("a", 2).drag("a", "0103"),
            lambda s: s.drag("a", "0103").spent("a", 1).drag("b", "0502").spent("a", 2),
            lambda s: s.drag("a", "0103").move("Red", "2").spent("a", 1),
        ],
        ids=["twice", "half-way", "before", "put-right-later", "in-another-phase"],
    )
    def test_what_may_be_meant_otherwise_is_not_declared(self, say):
        move = audited(say(new_game("a Red 0101", "b Red 0501").move())).moves[0]
        assert move.bill.declared is None

    def test_steps_of_a_finding_are_those_of_the_drags(self):
        (finding,) = audited(new_game("a Red 0101").move().drag("a", "0106")).findings
        assert finding.steps == (StepRef(1, 2),)


class TestGatheredUnseen:
    """A counter put down far off to be gathered with another, and dragged back with it."""

    def built(self, *told):
        conditions = tuple(
            Condition("passed through 0107", known(value), StepRef(1, 1), None, "a")
            for value in told
        )
        gathered = new_game("a Red 0101", "b Red 0109 9", conditions=conditions)
        gathered.move().drag("a", "0107").drag("b", "0107")
        return gathered.drag("a+b", "0104")

    def test_it_is_asked_whether_it_was_there(self):
        found = audited(self.built())
        assert verdicts(found) == {1: "unverifiable", 2: "legal", 3: "unverifiable"}
        asked = found.moves[0].unknowns
        assert [unknown.key for unknown in asked] == ["stop of a in 0107"]
        assert 'key = "passed through 0107"' in asked[0].stanza

    def test_it_was(self):
        found = audited(self.built(True))
        assert verdicts(found)[1] == "illegal"

    def test_it_was_not(self):
        found = audited(self.built(False))
        assert verdicts(found)[1] == "(unverifiable)"
        assert not [
            finding
            for finding in found.findings
            if 1 in finding.moves[:1] and finding.kind in ACCUSED
        ]

    def test_only_the_one_that_stayed_is_accused(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0107").drag("b", "0104")
        found = audited(s)
        assert verdicts(found) == {1: "illegal", 2: "unverifiable"}
        (accusation,) = [one for one in found.findings if one.kind in ACCUSED]
        assert accusation.units == ("a",)
