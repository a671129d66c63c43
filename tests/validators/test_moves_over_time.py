"""Facts that change during a phase, and the order in which units are moved."""

from __future__ import annotations

import pytest
from flat import Flat, audited, codes, new_game, rows, verdicts
from vassal_umpire.validators.ruleset import OrderRule

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
put right at once | a Red 0101, b Red 0901 | move; a 0102; b 0902; a 0103 | note
a stack dragged counter by counter | a Red 0101, b Red 0101
    | move; a 0102; b 0102; roll; a 0103; b 0103 |
one dropped on the way | a Red 0101, b Red 0101 | move; a 0103; b 0102; roll; a 0104 |
what was taken back is no move in between | a Red 0101, b Red 0901
    | move; a 0102; b 0902; undo b 0901 3; roll; a 0103 |
the enemy's retreat is not in between | a Red 0101, x Blue 0901
    | move; a 0102; x 0902 by Blue; a 0103 |
"""),
)
def test_whether_a_unit_may_be_moved_on(units, script, kinds):
    found = audited(new_game(units).play(script), Flat(order=ORDER))
    told = [f for f in found.findings if f.code == "FLAT-ORDER"]
    assert " ".join(f.kind for f in told) == kinds
    assert {f.units for f in told} <= {("a",)}


def test_it_is_not_asked_where_moving_on_is_allowed():
    played = new_game("a Red 0101, b Red 0901").play("move; a 0102; b 0902; roll; a 0103")
    assert "FLAT-ORDER" not in codes(audited(played))
