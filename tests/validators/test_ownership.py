"""Whose phase it is, and whose counters are moved."""

from __future__ import annotations

import pytest
from audit_results import codes, verdicts
from flat import audited, new_game
from vassal_umpire.model.fact import known, one_of
from vassal_umpire.model.game import MovementForm, PhaseRule

ACCUSED = ("illegal-move", "missed-mp-cost", "overstack")


class TestOutOfTurn:
    def test_the_other_side_moves(self):
        found = audited(new_game("x Blue 0101").move("Red").drag("x", "0102", actor="Blue"))
        assert verdicts(found) == {1: "illegal"}
        assert codes(found, "illegal-move") == ["CHK-PHASE"]

    def test_nobody_moves(self):
        phases = {"Movement": PhaseRule("Movement", "none", (), complete=True)}
        found = audited(new_game("a Red 0101", phases=phases).move().drag("a", "0102"))
        assert codes(found) == ["CHK-PHASE"]

    def test_reaction(self):
        phases = {"Movement": PhaseRule("Movement", "inactive", ("march",), complete=True)}
        s = new_game("a Red 0101", "x Blue 0501", phases=phases).move("Red")
        assert verdicts(audited(s.play("a 0102; x 0502"))) == {1: "illegal", 2: "legal"}

    @pytest.mark.parametrize(
        "rule",
        [
            PhaseRule("Movement", "active", ("march",), complete=False),
            PhaseRule("Movement", "unknown", ("march",), complete=True),
            PhaseRule("Movement", "both", ("march",), complete=True),
            PhaseRule("Movement", "active", ("march", "retreat"), complete=True),
        ],
        ids=["not-complete", "movers-unknown", "both", "may-be-a-retreat"],
    )
    def test_never_accused_where_it_might_be_in_order(self, rule):
        forms = {"march": MovementForm("march"), "retreat": MovementForm("retreat", judged=False)}
        s = new_game("x Blue 0101", phases={"Movement": rule}, forms=forms)
        assert codes(audited(s.move("Red").drag("x", "0102", actor="Blue")), *ACCUSED) == []

    def test_never_accused_where_the_phase_is_not_certain(self):
        s = new_game("x Blue 0101").play("phase 1 Movement Red perhaps; x 0102 by Blue")
        assert codes(audited(s), *ACCUSED) == []

    @pytest.mark.parametrize("before", [False, True])
    def test_of_a_stack_only_who_may_not_move_is_accused_of_moving(self, before):
        forms = {"march": MovementForm("march", units={"class": ("foot",)})}
        s = new_game(forms=forms)
        for name, kind in {"a": "foot", "b": "train"}.items():
            s.unit(name, "Red", "0101", attributes={"class": known(kind)})
        s.move()
        if before:
            s.drag("a", "0102").drag("b", "0102")
        found = audited(s.drag("a+b", "0103"))
        said = [f.units for f in found.findings if f.verdict == "illegal"]
        assert said == [("b",)] * (1 + before)

    @pytest.mark.parametrize("first", ["a", "b"])
    @pytest.mark.parametrize(
        ("kind", "verdict"),
        [(one_of("foot", "train"), "unverifiable"), (known("train"), "illegal")],
    )
    def test_a_stack_of_which_one_may_have_moved_is_left_open_also_if_one_came_from_elsewhere(
        self, first, kind, verdict
    ):
        forms = {"march": MovementForm("march", units={"class": ("foot",)})}
        s = new_game(forms=forms)
        s.unit("a", "Red", "0101", attributes={"class": known("train")})
        s.unit("b", "Red", "0101", attributes={"class": kind})
        s.move().drag(first, "0102").drag("b" if first == "a" else "a", "0102").drag("a+b", "0103")
        assert verdicts(audited(s))[3] == verdict

    @pytest.mark.parametrize(
        ("side", "active"), [("?", "Red"), ("Green", "Red"), ("Blue", "Allies"), ("Blue", None)]
    )
    def test_sides_that_cannot_be_compared(self, side, active):
        found = audited(new_game(f"x {side} 0101").phase("1", "Movement", active).drag("x", "0102"))
        assert verdicts(found) == {1: "unverifiable"}


class TestOwner:
    def test_a_note_in_an_open_phase(self):
        s = new_game("x Blue 0101").phase("1", "Combat", "Red").drag("x", "0102", actor="Red")
        assert [(f.code, f.kind) for f in audited(s).findings if f.code == "CHK-OWNER"] == [
            ("CHK-OWNER", "note")
        ]

    def test_a_question_in_a_complete_phase(self):
        phases = {"Movement": PhaseRule("Movement", "both", ("march",), complete=True)}
        found = audited(new_game("x Blue 0101", phases=phases).play("move; x 0102 by Red"))
        assert [(f.code, f.kind) for f in found.findings] == [("CHK-OWNER", "unverifiable")]

    def test_a_note_where_no_form_of_the_phase_is_movement(self):
        """In many games the attacker moves what retreats."""
        phases = {"Combat": PhaseRule("Combat", "both", ("retreat",), complete=True, dice=True)}
        forms = {"retreat": MovementForm("retreat", judged=False)}
        s = new_game("x Blue 0101", phases=phases, forms=forms).phase("1", "Combat", "Red")
        found = audited(s.drag("x", "0102", actor="Red"))
        assert [(f.code, f.kind) for f in found.findings] == [("CHK-OWNER", "note")]

    @pytest.mark.parametrize("actor", ["Referee", "?", "Blue"])
    def test_nothing_to_tell(self, actor):
        s = new_game("x Blue 0101").phase("1", "Combat", "Red").drag("x", "0102", actor=actor)
        assert "CHK-OWNER" not in codes(audited(s))

    def test_dead_counters_are_anyones_to_clear(self):
        s = new_game("x Blue 0101").phase("1", "Combat", "Red").drag("x", "[Dead]", actor="Red")
        assert codes(audited(s)) == []
