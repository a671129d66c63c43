"""Displacements become moves: what goes together, what was taken back, what is not a move at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import RULESETS, cases
from flat import Flat, audited, codes, condition, new_game, rows, verdicts
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.moves import find_moves
from vassal_umpire.validators.ruleset import OrderRule
from vassal_umpire.validators.takeback import Witnesses
from vassal_umpire.validators.timeline import Timeline


def moves(played):
    game = played.game()
    return find_moves(game, Timeline(game), Witnesses(game))


def told(tracks):
    """Each move as ``units: place>place``, with ``!`` at stops that bind, ``-`` if taken back."""
    lines = []
    for move in (track.move for track in tracks):
        stops = list(zip(move.waypoints, move.binding, strict=True))[1:-1]
        between = (f"{place}{'!' if binds else ''}" for place, binds in stops)
        way = ">".join(map(str, (move.origin, *between, move.target)))
        lines.append(f"{'-' if move.taken_back else ''}{'+'.join(move.units)}: {way}")
    return lines


@pytest.mark.parametrize(
    ("units", "script", "expected"),
    rows("""
drags of one unit in a phase are one move | a Red 0101 | move; a 0102; a 0103 | a: 0101>0102>0103
a new phase begins a new move | a Red 0101 | move; a 0102; move Red 2; a 0103
    | a: 0101>0102, a: 0102>0103
the same phase announced again goes on | a Red 0101 | move; a 0102; move; a 0103 | a: 0101>0102>0103
interleaved drags of two units are two moves | a Red 0101, b Red 0501
    | move; a 0102; b 0502; a 0103; b 0503 | a: 0101>0102>0103, b: 0501>0502>0503
units dragged together go on as one until they part | a Red 0101, b Red 0101
    | move; a+b 0102; a+b 0103; a 0104; b 0203 | a+b: 0101>0102>0103, a: 0103>0104, b: 0103>0203
a selection from two hexes is two moves | a Red 0101, b Red 0501 | move; a+b 0301
    | a: 0101>0301, b: 0501>0301
an uncertain phase is as good as none | a Red 0101 | phase 1 Movement Red perhaps; a 0102; a 0103
    | a: 0101>0102, a: 0102>0103
without a phase every drag stands by itself | a Red 0101 | a 0102; a 0103 | a: 0101>0102, a: 0102>0103
an undo cancels the move | a Red 0101 | move; a 0104; undo a 0101 2 | -a: 0101>0104>0101
an undo of the last drag keeps the first | a Red 0101 | move; a 0102; a 0104; undo a 0102 3; a 0202
    | a: 0101>0102>0202, -a: 0102>0104>0102
a redo makes the move again | a Red 0101 | move; a 0104; undo a 0101 2; a 0104
    | -a: 0101>0104>0101, a: 0101>0104
an undo of a stack | a Red 0101, b Red 0101 | move; a+b 0104; undo a+b 0101 2 | -a+b: 0101>0104>0101
put back by hand | a Red 0101 | move; a 0102; a 0104; a 0101; a 0201
    | -a: 0101>0102>0104>0101, a: 0101>0201
put back after another own unit moved | a Red 0101, b Red 0501 | move; a 0104; b 0502; a 0101
    | -a: 0101>0104>0101, b: 0501>0502
only one of a stack put back | a Red 0101, b Red 0101 | move; a+b 0104; b 0101
    | a: 0101>0104, -b: 0101>0104>0101
put back too late after a die roll | a Red 0101 | move; a 0104; roll; a 0101 | a: 0101>0104!>0101
undone too late after a die roll | a Red 0101 | move; a 0104; roll; undo a 0101 2 | a: 0101>0104!>0101
too late after the other side's step | a Red 0101, x Blue 2001 | move; a 0104; x 2002 by Blue; a 0101
    | a: 0101>0104!>0101, x: 2001>2002
the end of a log does not make it too late | a Red 0101 | move; a 0104; log; a 0101
    | -a: 0101>0104!>0101
back to where it was seen last | a Red 0101 | move; a 0102; roll; a 0104; a 0102; a 0103
    | a: 0101>0102!>0103, -a: 0102>0104>0102
an undo of what was done before the phase changed | a Red 0101
    | move; a 0104; phase 1 Combat Red; undo a 0101 2 | -a: 0101>0104>0101
going back in the next phase is a move | a Red 0101 | move; a 0103; move Red 2; a 0101
    | a: 0101>0103, a: 0103>0101
markers go along | a Red 0101, m marker 0101 | move; a+m 0102 | a: 0101>0102
put down where it was | a Red 0101 | move; a 0101 |
"""),
)
def test_moves_as_they_are_found(units, script, expected):
    assert ", ".join(told(moves(new_game(units).play(script)))) == expected


def test_what_is_known_of_a_move():
    played = new_game("a Red 0101, b Red 0101").play("move; a+b 0102; a+b 0103; a 0104; b 0203")
    first, second, third = moves(played)
    assert first.move.steps == (StepRef(1, 2), StepRef(1, 3))
    assert [t.move.resumed for t in (first, second, third)] == [False, True, True]
    assert second.earlier == ((1,),)
    unknown = moves(new_game("a Red 0101").play("a 0102; a 0103"))
    assert not any(t.phase_known or t.move.resumed for t in unknown)
    (undone,) = moves(new_game("a Red 0101").play("move; a 0104; undo a 0101 2"))
    assert undone.move.taken_back == StepRef(1, 3)
    for back in ("undo a 0101 2", "a 0101"):
        (late,) = moves(new_game("a Red 0101").play("move; a 0104; roll", back))
        assert late.late == StepRef(1, 4)


@pytest.mark.parametrize(
    ("between", "binds"),
    rows("""
a roll | roll | !
an enemy's step | x 2003 by Blue | !
an enemy's flip | flip x mode up down by Blue | !
a counter revealed | reveal | !
the end of a log | log | !
an own drag | b 0602 |
nobody knows whose step | x 2003 by ? |
an own mark | flip a mode up down |
"""),
)
def test_a_stop_binds_where_something_witnessed_it(between, binds):
    s = new_game("a Red 0101, b Red 0601, x Blue 2001").play("move; a 0102", between, "a 0103")
    mine = [line for line in told(moves(s)) if line.startswith("a")]
    assert mine == [f"a: 0101>0102{binds}>0103"]


@pytest.mark.parametrize(
    ("where", "script", "natures"),
    rows("""
to the dead pile | 0101 | a [Dead] | removal
off the map | 0101 | a - | removal
to the dead pile from somewhere | ? | a [Dead] | removal
from a box | [Turn-3] | a 0101 | appearance
from off the map | - | a 0101 | appearance
from box to box | [Turn-3] | a [Turn-4] | off-map
to somewhere | 0101 | a ? | unclear
from somewhere | ? | a 0101 | unclear
back from the dead pile | 0101 | a [Dead]; roll; a 0101 | removal put-back
elsewhere by way of the dead pile | 0101 | a [Dead]; roll; a 0102 | removal detour
put onto the map again | [Turn-3] | a 0101; a [Turn-4]; a 0102 | appearance removal put-back
in the next phase by way of the dead pile | 0101 | a [Dead]; phase 1 Combat Red; a 0102 | removal detour
in the next phase, and a roll before | 0101 | a [Dead]; roll; phase 1 Combat Red; a 0102 | removal put-back
put onto the map again, seen | [Turn-3] | a 0101; roll; a [Turn-4]; a 0102 | appearance removal detour
an undo that leads nowhere known | 0101 | undo a 0109 1 | undo
a marker alone | 0101 | m 0102 | marker
"""),
)
def test_natures_of_what_is_no_move(where, script, natures):
    found = moves(new_game(f"a Red {where}, m marker 0101").play("move", script))
    assert " ".join(t.nature for t in found) == natures


def test_what_it_hangs_on_names_the_hex_and_not_the_box_on_the_way():
    found = audited(new_game("a Red [Turn-3]").play("move; a [Turn-4]; a 0101; a 0109"))
    assert [m.remark for m in found.moves if m.unknowns] == [
        "illegal only if A was in 0101, and nothing shows that it was"
    ]


def test_what_was_perhaps_taken_back_is_not_said_to_have_been_put_back_too_late():
    played = new_game("a Red 0101").play("phase ? Movement Red; a 0102; phase ? Combat Red")
    found = moves(played.play("phase ? Movement Red; a 0101"))
    assert [(t.nature, t.late) for t in found] == [("doubtful", None)] * 2


def test_what_the_next_log_opens_with_is_nobodys_move():
    s = new_game("a Red 0101").play("move; log")
    s.step = -1
    assert [t.nature for t in moves(s.drag("a", "0102"))] == ["between-logs"]


@pytest.mark.parametrize(
    ("units", "script", "accused"),
    rows("""
put down by mistake, perhaps | a Red [Pool] | move; a 0101; a 0109 |
three times | a Red [Pool] | move; a 0101; a 0109; a 0101; a 0112 |
another of its side was dragged between | a Red [Pool], b Red 0501 | move; a 0101; b 0502; a 0109 |
a die was rolled between | a Red [Pool] | move; a 0101; roll; a 0109 | a
the other side did something between | a Red [Pool], x Blue 2001
    | move; a 0101; flip x mode up down by Blue; a 0109 | a
a new phase began | a Red [Pool] | move; a 0101; move Red 2; a 0109 | a
it was on the map at the beginning | a Red 0101 | move; a 0102; a 0109 | a
the tracker slipped between | a Red [Pool] | move; a 0101; phase 1 Combat Red; move; a 0109 |
back from the dead pile | a Red 0105 | move; a [Dead]; a 0101; a 0109 |
undone, and put elsewhere | a Red [Pool] | move; a 0101; undo a [Pool] 2; a 0102; a 0110 |
too far also from where it was seen | a Red [Pool] | move; a 0101; a 0102; roll; a 0110 | a
not too far from there | a Red [Pool] | move; a 0101; a 0107; roll; a 0109 |
seen where it was put down, then dragged on twice | a Red [Pool] | move; a 0101; roll; a 0105; a 0110 | a
one of a stack came, the other was there | a Red [Pool], b Red 0101 | move; a 0101; a+b 0109 | b
both came | a Red [Pool], b Red [Pool] | move; a+b 0101; a+b 0109 |
one goes on alone | a Red [Pool], b Red [Pool] | move; a+b 0101; a 0103; b 0109 |
moved on with another | a Red [Pool], b Red 0103 | move; a 0101; a 0103; a+b 0107 |
out of turn only if it was there | x Blue [Pool] | move; x 0101 by Red; x 0102 by Red |
it bars the way only if it was there | a Red 0102, x Blue [Pool]
    | move; x 0103 by Red; a 0103; x 0109 by Red |
"""),
)
def test_a_unit_that_came_is_accused_only_from_where_it_was_seen(units, script, accused):
    found = audited(new_game(units).play(script))
    illegal = [f for f in found.findings if f.verdict == "illegal"]
    assert "+".join(u for f in illegal for u in f.units) == accused
    moved = {u for m in found.moves if m.verdict == "illegal" for u in m.move.units}
    assert set(accused.split("+")) - {""} <= moved
    assert bool(moved) == bool(accused)


@pytest.mark.parametrize(
    ("said", "verdict"),
    rows("""
nothing |  | (unverifiable) unverifiable
that it was there | true | (unverifiable) illegal
that it never was | false | (unverifiable)
"""),
)
def test_facts_say_whether_it_came_there(said, verdict):
    played = new_game("a Red [Pool]").play("move; a 0101; a 0109")
    told = (condition("passed through 0101", known(said == "true"), (1, 2), (1, 2), "a"),)
    found = audited(played, conditions=told if said else ())
    assert " ".join(verdicts(found).values()) == verdict
    asked = [u.key for m in found.moves for u in m.unknowns]
    assert asked == ([] if said else ["unit a passed through 0101 at 1:2"])


def test_what_is_paid_is_counted_from_where_it_was_seen():
    found = audited(new_game("a Red [Pool]").play("move; a 0101; a 0103; roll; a 0109"))
    (move,) = (m for m in found.moves if m.judged)
    assert move.bill.total == Amount.exactly(6)
    assert [f.moves for f in found.findings] == [(move.move.id,)]


# -- facts that change during a phase, and the order in which units are moved -----------------------


ORDER = OrderRule("FLAT-ORDER", resume=False)


@pytest.mark.parametrize(
    ("units", "script", "verdict"),
    rows("""
an enemy in the way | a Red 0101, x Blue 0103 | move; a 0103; move Blue 2; x 0104 | illegal
it left while the unit moved | a Red 0101, x Blue 0103 | move; a 0102; x 0105 by Red; a 0103 | unverifiable
a dead counter cleared late | a Red 0101, x Blue 0103 | move; a 0103; x [Dead] by Blue | unverifiable
a counter cleared in the next turn | a Red 0101, x Blue 0103
    | move; a 0103; move Blue 2; x [Dead] | unverifiable
a counter cleared turns later was alive | a Red 0101, x Blue 0103
    | move; a 0103; move Blue 2; move Red 3; x [Dead] | illegal
declared dead | a Red 0101, x Blue 0103 dead=true | move; a 0103; x [Dead] by Blue | legal
declared alive | a Red 0101, x Blue 0103 dead=false | move; a 0103; x [Dead] by Blue | illegal
marked just after it moved | a Red 0101 | move; a 0107; flip a ma 4 6; a 0107 | unverifiable
flipped long after it moved | a Red 0101, b Red 0501 | move; a 0107; b 0502; flip a ma 4 6 | illegal
"""),
)
def test_what_was_there_only_for_a_while_is_held_against_nobody(units, script, verdict):
    assert verdicts(audited(new_game(units).play(script)))[1] == verdict


@pytest.mark.parametrize(
    ("units", "script", "kinds"),
    rows("""
moved on after another, with a roll between | a Red 0101, b Red 0901
    | move; a 0102; b 0902; roll; a 0103 | illegal-move
put right at once | a Red 0101, b Red 0901 | move; a 0102; b 0902; a 0103 | unverifiable
what was taken back is not a move in between | a Red 0101, b Red 0901
    | move; a 0102; b 0902; undo b 0901 3; roll; a 0103 |
the enemy's retreat is not in between | a Red 0101, x Blue 0901
    | move; a 0102; x 0902 by Blue; a 0103 |
"""),
)
def test_whether_a_unit_may_be_moved_on(units, script, kinds):
    found = audited(new_game(units).play(script), Flat(order=ORDER))
    assert not found.problems
    told = [f for f in found.findings if f.code == "FLAT-ORDER"]
    assert " ".join(f.kind for f in told) == kinds
    assert {f.units for f in told} <= {("a",)}


@pytest.mark.parametrize(
    ("said", "kinds"), [(None, ["unverifiable"]), (True, []), (False, ["illegal-move"])]
)
def test_where_there_are_too_many_orders_of_their_stops_it_is_asked(monkeypatch, said, kinds):
    game = cases("ocs")["PARTED-A-WAY"].game
    if said is not None:
        game = replace(game, conditions=(condition("moved in one stack", known(said), (1, 0)),))

    def found():
        every = audit(game, RULESETS["ocs"]).findings
        return sorted({f.kind for f in every if f.clause.startswith("OCS-6.1")})

    assert found() == []
    monkeypatch.setattr("vassal_umpire.validators.one_stack.MOST_ORDERS", 0)
    assert found() == kinds


def test_it_is_not_asked_where_moving_on_is_allowed():
    played = new_game("a Red 0101, b Red 0901").play("move; a 0102; b 0902; roll; a 0103")
    assert "FLAT-ORDER" not in codes(audited(played))
