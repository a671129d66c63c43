"""Whose phase it is, and whose counters are moved."""

from __future__ import annotations

import pytest
from flat import ACCUSED, MARCH, RETREAT, audited, codes, in_movement, new_game, verdicts
from vassal_umpire.model.game import MovementForm, PhaseRule

ON_FOOT = {"forms": {"march": MovementForm("march", units={"class": ("foot",)})}}


class TestOutOfTurn:
    def test_the_other_side_moves(self):
        found = audited(new_game("x Blue 0101").play("move; x 0102 by Blue"))
        assert verdicts(found) == {1: "illegal"}
        assert codes(found, "illegal-move") == ["CHK-PHASE"]

    def test_nobody_moves(self):
        found = audited(new_game("a Red 0101", **in_movement(movers="none")).play("move; a 0102"))
        assert codes(found) == ["CHK-PHASE"]

    def test_reaction(self):
        change = in_movement(MARCH, movers="inactive")
        played = new_game("a Red 0101, x Blue 0501", **change).play("move; a 0102; x 0502")
        assert verdicts(audited(played)) == {1: "illegal", 2: "legal"}

    @pytest.mark.parametrize(
        "change",
        [
            in_movement(MARCH, complete=False),
            in_movement(MARCH, movers="unknown"),
            in_movement(MARCH, movers="both"),
            in_movement(MARCH, RETREAT),
        ],
        ids=["not-complete", "movers-unknown", "both", "may-be-a-retreat"],
    )
    def test_never_accused_where_it_might_be_in_order(self, change):
        found = audited(new_game("x Blue 0101", **change).play("move; x 0102 by Blue"))
        assert codes(found, *ACCUSED) == []

    def test_never_accused_where_the_phase_is_not_certain(self):
        s = new_game("x Blue 0101").play("phase 1 Movement Red perhaps; x 0102 by Blue")
        assert codes(audited(s), *ACCUSED) == []

    @pytest.mark.parametrize("before", [False, True])
    def test_of_a_stack_only_who_may_not_move_is_accused_of_moving(self, before):
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
        self, drags, kind, verdict
    ):
        s = new_game(f"a Red 0101 class=train, b Red 0101 class={kind}", **ON_FOOT)
        assert verdicts(audited(s.play("move", drags, "a+b 0103")))[3] == verdict

    @pytest.mark.parametrize(
        ("side", "active"), [("?", "Red"), ("Green", "Red"), ("Blue", "Allies"), ("Blue", "?")]
    )
    def test_sides_that_cannot_be_compared(self, side, active):
        played = new_game(f"x {side} 0101").play(f"phase 1 Movement {active}; x 0102")
        assert verdicts(audited(played)) == {1: "unverifiable"}


class TestOwner:
    def test_a_note_in_an_open_phase(self):
        found = audited(new_game("x Blue 0101").play("phase 1 Combat Red; x 0102 by Red"))
        told = [(f.code, f.kind) for f in found.findings if f.code == "CHK-OWNER"]
        assert told == [("CHK-OWNER", "note")]

    def test_a_question_in_a_complete_phase(self):
        change = in_movement(MARCH, movers="both")
        found = audited(new_game("x Blue 0101", **change).play("move; x 0102 by Red"))
        assert [(f.code, f.kind) for f in found.findings] == [("CHK-OWNER", "unverifiable")]

    def test_a_note_where_no_form_of_the_phase_is_movement(self):
        """In many games the attacker moves what retreats."""
        phases = {"Combat": PhaseRule("Combat", "both", ("retreat",), complete=True, dice=True)}
        s = new_game("x Blue 0101", phases=phases, forms={"retreat": RETREAT})
        found = audited(s.play("phase 1 Combat Red; x 0102 by Red"))
        assert [(f.code, f.kind) for f in found.findings] == [("CHK-OWNER", "note")]

    @pytest.mark.parametrize("actor", ["Referee", "?", "Blue"])
    def test_nothing_to_tell(self, actor):
        s = new_game("x Blue 0101").play(f"phase 1 Combat Red; x 0102 by {actor}")
        assert "CHK-OWNER" not in codes(audited(s))

    def test_dead_counters_are_anyones_to_clear(self):
        s = new_game("x Blue 0101").play("phase 1 Combat Red; x [Dead] by Red")
        assert codes(audited(s)) == []
