"""Phases told coarsely: dice, and the other side's units, inside a phase of movement."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flat import Flat, audited, flat_judge, new_game, stacking
from vassal_umpire.model.bill import ZERO, Amount
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import MovementForm, PhaseRule, PhaseStart, StepRef
from vassal_umpire.validators.audit import audit

COARSE = PhaseRule("Movement", "active", ("march",), complete=True, dice=False)
COMBAT = PhaseRule("Combat", "unknown", ("retreat",))
FORMS = {"march": MovementForm("march"), "retreat": MovementForm("retreat", judged=False)}
PHASES = {"Movement": COARSE, "Combat": COMBAT}


def seen(played, rules=None, phases=PHASES):
    return audited(played, rules, phases=phases, forms=FORMS)


def verdicts(found) -> list[str]:
    return [m.verdict if m.judged else "not judged" for m in found.moves]


def accused(found) -> list[tuple[str, tuple[str, ...]]]:
    return [(f.kind, f.units) for f in found.findings if f.verdict == "illegal"]


def questions(found) -> list[str]:
    return list(dict.fromkeys(u.key for f in found.findings for u in f.unknowns))


def stanzas(found) -> list[str]:
    return list(dict.fromkeys(u.stanza for f in found.findings for u in f.unknowns))


def front():
    """Red's a and b stand next to Blue's x; c and d are far from everybody."""
    return new_game("a Red 0505 4", "b Red 0405 4", "x Blue 0605 4", "c Red 2010 4", "d Red 2012 4")


def with_dice(rule: PhaseRule = COARSE) -> dict[str, PhaseRule]:
    return {**PHASES, "Movement": replace(rule, dice=True)}


class TestWhatIsOpen:
    def test_a_retreat_that_was_rolled_for_is_nobodys_move(self):
        played = front().move().drag("c", "2009").roll().drag("x", "0905").move("Blue")
        found = seen(played)
        assert accused(found) == []
        assert verdicts(found) == ["legal", "unverifiable"]
        assert questions(found) == ["combat from 1:3 to 1:4"]

    def test_an_advance_after_it_is_not_billed_as_movement(self):
        played = front().move().roll().drag("x", "0905").drag("a", "1105").move("Blue")
        assert accused(seen(played)) == []
        assert accused(seen(played, phases=with_dice())) == [
            ("illegal-move", ("x",)),
            ("missed-mp-cost", ("a",)),
        ]

    def test_a_retreat_without_a_die_is_asked_about_too(self):
        found = seen(front().move().drag("x", "0905").move("Blue"))
        assert accused(found) == []
        assert questions(found) == ["combat from 1:2 to 1:2"]

    def test_an_advance_dragged_before_the_retreat_lies_in_the_same_cluster(self):
        found = seen(front().move().drag("a", "0605").drag("x", "0905").move("Blue"))
        assert accused(found) == []
        assert questions(found) == ["combat from 1:2 to 1:3"]

    def test_a_defender_that_is_flipped_begins_a_cluster(self):
        played = front().move().flip("x", "size", known(2), known(1), actor="Red")
        found = seen(played.drag("a", "0505").drag("a", "1105").move("Blue"))
        assert accused(found) == []

    def test_what_is_dragged_right_after_a_roll_may_have_been_rolled_for(self):
        """A battalion that drifts, a column that marches on."""
        found = seen(new_game("c Red 2010 4").move().roll().drag("c", "1410").move("Blue"))
        assert accused(found) == []

    def test_a_change_of_the_movers_own_units_is_nothing_to_ask_about(self):
        played = front().move().flip("a", "size", known(2), known(1)).drag("a", "0105")
        assert verdicts(seen(played.move("Blue"))) == ["legal"]

    def test_the_hex_of_a_defender_that_was_eliminated_is_advanced_into(self):
        """Two advance in turn, the second from a hex next to the one that was vacated."""
        played = new_game("a Red 0505 4", "b Red 0506 4", "x Blue 0605 4")
        played = played.move().roll().drag("x", "[Dead]").drag("a", "0605").drag("b", "0705")
        found = seen(played.drag("b", "1205").move("Blue"))
        assert accused(found) == []
        assert questions(found) == ["combat from 1:2 to 1:6"]

    def test_a_wrong_counter_that_was_put_back_is_no_combat(self):
        played = front().move().drag("x", "0905", actor="Red")
        played.undo("x", "0605", 2)
        found = seen(played.drag("a", "0505").drag("c", "2001").move("Blue"))
        assert accused(found) == [("missed-mp-cost", ("c",))]


class TestWhereItEnds:
    def test_ordinary_movement_ends_it(self):
        played = front().move().roll().drag("x", "0905").drag("c", "2001").drag("d", "2011")
        found = seen(played.move("Blue"))
        assert accused(found) == [("missed-mp-cost", ("c",))]
        assert verdicts(found) == ["unverifiable", "illegal", "legal"]

    def test_the_next_roll_asks_anew(self):
        played = front().move().roll().drag("x", "0905").drag("c", "2009")
        found = seen(played.roll().drag("x", "1005").drag("d", "2011").move("Blue"))
        assert questions(found) == ["combat from 1:2 to 1:3", "combat from 1:5 to 1:6"]

    def test_dice_that_displace_nobody_are_not_asked_about(self):
        found = seen(front().move().drag("a", "0506").roll().move("Blue"))
        assert (verdicts(found), questions(found)) == (["legal"], [])

    def test_it_ends_with_the_phase(self):
        played = front().move().roll().drag("x", "0905").move("Blue").drag("x", "1905")
        assert accused(seen(played)) == [("missed-mp-cost", ("x",))]

    def test_a_phase_to_which_dice_belong_is_judged_to_the_letter(self):
        played = front().move().roll().drag("x", "0905").drag("a", "1105").move("Blue")
        assert questions(seen(played, phases=with_dice())) == []

    def test_where_both_sides_move_only_dice_are_asked_about(self):
        phases = {**PHASES, "Movement": replace(COARSE, movers="both")}
        played = front().move().drag("x", "0905").drag("x", "1905", actor="Blue")
        assert accused(seen(played.move("Blue"), phases=phases)) == [("missed-mp-cost", ("x",))]
        played = front().move().roll().drag("x", "1905").drag("a", "0605").drag("c", "2001")
        found = seen(played.move("Blue"), phases=phases)
        assert accused(found) == [("missed-mp-cost", ("c",))]


class TestHiddenUnits:
    """Units may fight that not everyone may know of all the time: they may have been hidden once."""

    @staticmethod
    def front():
        """Red's a stands next to Blue's hidden x; c is far from everybody."""
        played = new_game("a Red 0506 4", "c Red 2010 4", "d Red 2012 4")
        return played.unit("x", "Blue", "0605", seen_by=("Blue",))

    @staticmethod
    def visible_to(found):
        moves = [(m.move.units, m.visible_to) for m in found.moves]
        return moves + [(f.units, f.visible_to) for f in found.findings]

    def test_a_retreat_from_next_to_one_is_nobodys_move(self):
        played = self.front().move().roll().drag("c", "2009").drag("a", "1106").move("Blue")
        found = seen(played)
        assert accused(found) == []
        assert questions(found) == ["combat from 1:2 to 1:4"]
        assert {one for _, one in self.visible_to(found)} == {("Blue",)}

    def test_one_that_is_displaced_begins_a_cluster(self):
        played = self.front().move().drag("x", "0905").drag("a", "1105").move("Blue")
        found = seen(played)
        assert accused(found) == []
        assert questions(found) == ["combat from 1:2 to 1:3"]
        assert {one for _, one in self.visible_to(found)} == {("Blue",)}

    def test_what_visible_units_explain_everyone_may_hear(self):
        played = self.front().unit("y", "Blue", "0606").move().roll().drag("c", "2009")
        found = seen(played.drag("a", "1106").move("Blue"))
        assert questions(found) == ["combat from 1:2 to 1:4"]
        assert {one for _, one in self.visible_to(found)} == {None}

    def test_an_accusation_that_it_takes_back_is_for_who_may_know(self):
        """d goes too far before and after together; whether that was one phase, a hidden unit tells."""
        played = self.front().move().drag("d", "2009").drag("x", "0905").drag("a", "0605")
        found = seen(played.drag("d", "2006").move("Blue"))
        assert accused(found) == []
        of_d = [one for units, one in self.visible_to(found) if units == ("d",)]
        assert of_d[-1] == ("Blue",)


class TestBeforeAndAfter:
    def test_what_is_too_far_only_together_may_be_two_phases(self):
        played = front().move().drag("c", "2007").roll().drag("x", "0905")
        found = seen(played.drag("c", "2004").move("Blue"))
        assert accused(found) == []
        assert verdicts(found) == ["legal", "unverifiable", "unverifiable"]
        assert questions(found) == ["combat from 1:3 to 1:4"]

    def test_what_is_legal_together_is_legal(self):
        played = front().move().drag("c", "2009").roll().drag("x", "0905")
        found = seen(played.drag("c", "2007").move("Blue"))
        assert verdicts(found) == ["legal", "unverifiable", "legal"]

    def test_what_is_too_far_by_itself_is_accused(self):
        played = front().move().drag("c", "2009").roll().drag("x", "0905")
        assert accused(seen(played.drag("c", "2002").move("Blue"))) == [("missed-mp-cost", ("c",))]

    def test_a_stack_is_looked_at_when_the_phase_is_over(self):
        played = front().move().drag("c", "2012").roll().drag("x", "0905").drag("d", "2011")
        found = seen(played.move("Blue"), Flat(stacking=stacking(1)))
        assert accused(found) == []

    def test_a_stack_that_is_too_big_at_its_end_is_told(self):
        played = front().move().drag("c", "2012").roll().drag("x", "0905").drag("b", "0404")
        played = played.drag("b", "0402").drag("d", "2011").drag("d", "2012")
        found = seen(played.move("Blue"), Flat(stacking=stacking(1)))
        assert accused(found) == [("overstack", ("c", "d"))]

    def test_a_stack_that_an_advance_made_waits_for_the_answer(self):
        played = front().move().roll().drag("x", "0905").drag("a", "0405").move("Blue")
        found = seen(played, Flat(stacking=stacking(1)))
        assert accused(found) == []
        assert questions(found) == ["combat from 1:2 to 1:4"]
        stacks = [f.units for f in found.findings if f.code == "FLAT-STACK"]
        assert [sorted(units) for units in stacks] == [["a", "b"]]

    def test_a_stack_of_those_who_retreated_is_looked_at_in_their_own_phase(self):
        played = new_game("a Red 0505 4", "x Blue 0605 4", "y Blue 0905 4")
        played = played.move().roll().drag("x", "0905").move("Blue")
        found = seen(played.chat("mine"), Flat(stacking=stacking(1)))
        assert not [f for f in found.findings if f.code == "FLAT-STACK" and f.steps[0].step < 5]

    @pytest.mark.parametrize(
        ("cost", "verdict"), [(None, "unverifiable"), (6, "legal"), (7, "unverifiable")]
    )
    def test_what_coming_onto_the_map_cost_counts_also_as_one_phase(self, cost, verdict):
        """It moves 1, is taken off and put back for ``cost``, and moves 2: 9 are allowed."""

        class Rules(Flat):
            def in_force(self, game):
                rules = super().in_force(game)
                if cost is not None:
                    rules.entered = lambda unit, event: Amount.exactly(cost)
                return rules

        def adding(move, situation, rules, *, spent_before=ZERO, **more):
            found = flat_judge(move, situation, rules, **more)
            fits = found.judged.bill.total.lo + spent_before.lo <= 9
            told = replace(found.judged, verdict="legal" if fits else "unverifiable")
            return replace(found, judged=told)

        played = new_game("b Red 0101 9", "x Blue 2010", "c Red 0801").move().drag("b", "0102")
        played.drag("x", "2011", actor="?").drag("c", "0802")
        played.drag("b", "[Pool]").drag("b", "0102").drag("b", "0104").move("Blue")
        found = audit(played.game(phases=PHASES, forms=FORMS), Rules(), judge=adding)
        assert (found.moves[-1].verdict, len(found.moves)) == (verdict, 6)


class TestAnswers:
    def played(self, combat: bool | None):
        """Steps 1 to 6 are Red's movement; of steps 3 and 4 it is said whether they were combat."""
        last = StepRef(1, 6)
        played = front()
        played.events.append(
            PhaseStart(played.next(), "1", "Movement", "Red", declared=True, last=last)
        )
        played.drag("c", "2009")
        if combat is not None:
            name = None if combat else "Movement"
            played.events.append(
                PhaseStart(
                    StepRef(1, 3),
                    "1",
                    name,
                    "Red",
                    declared=True,
                    last=StepRef(1, 4),
                    combat=combat,
                )
            )
        played.roll().drag("x", "0905")
        if combat is not None:
            played.events.append(
                PhaseStart(StepRef(1, 5), "1", "Movement", "Red", declared=True, last=last)
            )
        return played.drag("d", "2011").drag("c", "2008")

    def test_before_it_is_said(self):
        found = seen(self.played(None))
        assert questions(found) == ["combat from 1:3 to 1:4"]
        (stanza,) = stanzas(found)
        assert stanza.splitlines() == [
            "[[phase]]",
            "log = 1",
            'steps = "3-4"',
            'turn = "1"',
            'phase = "Movement"',
            'active = "Red"',
            'combat = "?"',
        ]

    def test_it_was_combat(self):
        found = seen(self.played(True))
        assert (accused(found), questions(found)) == ([], [])
        assert verdicts(found) == ["legal", "not judged", "legal", "legal"]

    def test_it_was_movement(self):
        found = seen(self.played(False))
        assert (accused(found), questions(found)) == ([("illegal-move", ("x",))], [])
        assert verdicts(found) == ["legal", "illegal", "legal"]  # both drags of c are one move
