"""Phases told coarsely: dice, and the other side's units, inside a phase of movement."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flat import Flat, audited, flat_judge, new_game, rows, stacking
from seen import seen_audit
from vassal_umpire.model.bill import ZERO, Amount
from vassal_umpire.model.game import MovementForm, PhaseRule, PhaseStart, StepRef
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.validators.audit import audit

COARSE = PhaseRule("Movement", "active", ("march",), complete=True, dice=False)
COMBAT = PhaseRule("Combat", "unknown", ("retreat",))
FORMS = {"march": MovementForm("march"), "retreat": MovementForm("retreat", judged=False)}
PHASES = {"Movement": COARSE, "Combat": COMBAT}


def seen(played, rules=None, phases=PHASES):
    return audited(played, rules, phases=phases, forms=FORMS)


VIEWERS = (EVERYONE, Viewer("Red"), Viewer("Blue"), DIRECTOR)


def told(played, viewer):
    game = played.game(phases=PHASES, forms=FORMS)
    return seen_audit(game, Flat(), viewer, flat_judge)


def verdicts(found) -> list[str]:
    return [m.verdict if m.judged else "not judged" for m in found.moves]


def accused(found) -> list[tuple[str, tuple[str, ...]]]:
    return [(f.kind, f.units) for f in found.findings if f.verdict == "illegal"]


def questions(found) -> list[str]:
    return list(dict.fromkeys(u.key for f in found.findings for u in f.unknowns))


def stanzas(found) -> list[str]:
    return list(dict.fromkeys(u.stanza for f in found.findings for u in f.unknowns))


FRONT = "a Red 0505, b Red 0405, x Blue 0605, c Red 2010, d Red 2012"
"""Red's a and b stand next to Blue's x; c and d are far from everybody."""


def front():
    return new_game(FRONT)


@pytest.mark.parametrize(
    ("units", "script", "said", "accusations", "asked"),
    rows("""
a retreat without a die is asked about too | FRONT | move; x 0905; move Blue
    | unverifiable | - | 1:2-1:2
an advance dragged before the retreat lies in the same cluster | FRONT | move; a 0605; x 0905; move Blue
    | unverifiable unverifiable | - | 1:2-1:3
a defender that is flipped begins a cluster | FRONT
    | move; flip x size 2 1 by Red; a 0505; a 1105; move Blue
    | unverifiable | - | 1:2-1:4
what is dragged right after a roll may have been rolled for | c Red 2010 | move; roll; c 1410; move Blue
    | unverifiable | - | 1:2-1:3
a change of the mover's own units is nothing to ask about | FRONT | move; flip a size 2 1; a 0105; move Blue
    | legal | - | -
the hex of a defender that was eliminated is advanced into | a Red 0505, b Red 0506, x Blue 0605
    | move; roll; x [Dead]; a 0605; b 0705; b 1205; move Blue
    | not-judged unverifiable unverifiable unverifiable | - | 1:2-1:6
a wrong counter that was put back is not combat | FRONT
    | move; x 0905 by Red; undo x 0605 2; a 0505; c 2001; move Blue
    | not-judged illegal | missed-mp-cost c | -
the next roll asks anew | FRONT | move; roll; x 0905; c 2009; roll; x 1005; d 2011; move Blue
    | unverifiable legal unverifiable legal | - | 1:2-1:3, 1:5-1:6
dice that displace nobody are not asked about | FRONT | move; a 0506; roll; move Blue
    | legal | - | -
it ends with the phase | FRONT | move; roll; x 0905; move Blue; x 1905
    | unverifiable illegal | missed-mp-cost x | 1:2-1:3
what is legal together is legal | FRONT | move; c 2009; roll; x 0905; c 2007; move Blue
    | legal unverifiable legal | - | 1:3-1:4
what is too far by itself is accused | FRONT | move; c 2009; roll; x 0905; c 2002; move Blue
    | legal unverifiable illegal | missed-mp-cost c | 1:3-1:4
"""),
)
def test_what_is_open_and_where_it_ends(units, script, said, accusations, asked):
    """A battalion that drifts after a roll, a column that marches on: not all that is dragged is a move."""
    found = seen(new_game(FRONT if units == "FRONT" else units).play(script))
    assert " ".join(v.replace(" ", "-") for v in verdicts(found)) == said
    of = [f"{kind} {'+'.join(several)}" for kind, several in accused(found)]
    assert (", ".join(of) or "-") == accusations
    asks = [f"combat from {span.replace('-', ' to ')}" for span in asked.split(", ") if span != "-"]
    assert questions(found) == asks


def test_a_phase_to_which_dice_belong_is_judged_to_the_letter():
    phases = {**PHASES, "Movement": replace(COARSE, dice=True)}
    found = seen(new_game(FRONT).play("move; roll; x 0905; a 1105; move Blue"), phases=phases)
    assert accused(found) == [("illegal-move", ("x",)), ("missed-mp-cost", ("a",))]
    assert questions(found) == []


def test_where_both_sides_move_only_dice_are_asked_about():
    phases = {**PHASES, "Movement": replace(COARSE, movers="both")}
    for script, unit in (("x 0905; x 1905 by Blue", "x"), ("roll; x 1905; a 0605; c 2001", "c")):
        found = seen(new_game(FRONT).play("move", script, "move Blue"), phases=phases)
        assert accused(found) == [("missed-mp-cost", (unit,))]


HIDDEN = "a Red 0506, c Red 2010, d Red 2012, x Blue 0605 seen_by=Blue"
"""Red's a stands next to Blue's hidden x; c and d are far from everybody."""


@pytest.mark.parametrize(
    ("more", "script", "asked"),
    rows("""
a retreat from next to one is nobody's move | | roll; c 2009; a 1106 | 1:2 to 1:4
one that is displaced begins a cluster | | x 0905; a 1105 | 1:2 to 1:3
what visible units explain everyone may hear | y Blue 0606 | roll; c 2009; a 1106 | 1:2 to 1:4
"""),
)
def test_units_may_fight_that_may_have_been_hidden_once(more, script, asked):
    """Not everyone may know of them all the time; nobody is accused of what they may explain."""
    played = new_game(*((HIDDEN, more) if more else (HIDDEN,))).play("move", script, "move Blue")
    assert questions(seen(played)) == [f"combat from {asked}"]
    for viewer in VIEWERS:
        assert accused(told(played, viewer)) == []


def test_an_accusation_that_a_hidden_unit_takes_back_is_made_to_nobody():
    """d goes too far before and after together; whether that was one phase, a hidden unit tells."""
    played = new_game(HIDDEN).play("move; d 2009; x 0905; a 0605; d 2006; move Blue")
    for viewer in VIEWERS:
        assert accused(told(played, viewer)) == []


@pytest.mark.parametrize(
    ("script", "accusations", "stacks", "asked"),
    rows("""
a stack is looked at when the phase is over | c 2012; roll; x 0905; d 2011 | | - | 1:3 to 1:4
one that is too big at its end | c 2012; roll; x 0905; b 0404; b 0402; d 2011; d 2012
    | overstack c+d | c+d | 1:3 to 1:4
one that an advance made waits for the answer | roll; x 0905; a 0405 | | a+b | 1:2 to 1:4
"""),
)
def test_of_stacks(script, accusations, stacks, asked):
    found = seen(front().play("move", script, "move Blue"), Flat(stacking=stacking(1)))
    assert " ".join(f"{kind} {'+'.join(units)}" for kind, units in accused(found)) == accusations
    told = ["+".join(sorted(f.units)) for f in found.findings if f.code == "FLAT-STACK"]
    assert (", ".join(told) or "-") == stacks
    assert questions(found) == [f"combat from {asked}"]


class TestBeforeAndAfter:
    def test_a_stack_of_those_who_retreated_is_looked_at_in_their_own_phase(self):
        played = new_game("a Red 0505, x Blue 0605, y Blue 0905")
        played.play("move; roll; x 0905; move Blue; chat mine")
        found = seen(played, Flat(stacking=stacking(1)))
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

        def begins(at, last, name="Movement", combat=None):
            last = StepRef(1, last)
            start = PhaseStart(at, "1", name, "Red", declared=True, last=last, combat=combat)
            played.events.append(start)

        played = front()
        begins(played.next(), 6)
        played.drag("c", "2009")
        if combat is not None:
            begins(StepRef(1, 3), 4, None if combat else "Movement", combat)
        played.roll().drag("x", "0905")
        if combat is not None:
            begins(StepRef(1, 5), 6)
        return played.drag("d", "2011").drag("c", "2008")

    def test_before_it_is_said(self):
        found = seen(self.played(None))
        assert questions(found) == ["combat from 1:3 to 1:4"]
        (stanza,) = stanzas(found)
        assert stanza.splitlines() == [
            "[[phase]]", "log = 1", 'steps = "3-4"', 'turn = "1"', 'phase = "Movement"',
            'active = "Red"', 'combat = "?"',
        ]  # fmt: skip

    def test_it_was_combat(self):
        found = seen(self.played(True))
        assert (accused(found), questions(found)) == ([], [])
        assert verdicts(found) == ["legal", "not judged", "legal", "legal"]

    def test_it_was_movement(self):
        found = seen(self.played(False))
        assert (accused(found), questions(found)) == ([("illegal-move", ("x",))], [])
        assert verdicts(found) == ["legal", "illegal", "legal"]  # both drags of c are one move
