"""Moves on boards drawn by hand, with what must be said of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import drawn
import pytest
from vassal_umpire.model.fact import UNKNOWN, between, one_of
from vassal_umpire.model.game import Place
from vassal_umpire.validators.judge import Judgement
from vassal_umpire.validators.ruleset import Breach
from vassal_umpire.validators.wording import _breach

PLAIN = drawn.board("......", "......", "......")
ZOC = {"zoc": {"stop": True}}


def verdict(judgement: Judgement) -> str:
    return judgement.judged.verdict


def test_a_legal_move_comes_with_its_path_and_bill() -> None:
    played = drawn.game(drawn.board(".f.", roads=("0201 0301",)), {"0101": drawn.unit("a")})
    judged = drawn.judge(played, drawn.move("a", "0101", "0301")).judged
    assert judged.verdict == "legal"
    assert judged.path == ("0101", "0201", "0301")
    assert judged.bill is not None
    charges = [(c.hex, c.amount.lo, c.clause, c.reason) for c in judged.bill.charges]
    assert charges == [
        ("0201", 2, "GEN-TERRAIN", "forest"),
        ("0301", Fraction(1, 2), "GEN-ROAD", "along road"),
    ]


def test_a_shortfall_names_the_charge_that_explains_it_and_the_other_reading() -> None:
    river = {"0201-0301": "river", "0202-0301": "river"}
    played = drawn.game(drawn.board("...", "...", sides=river), {"0101": drawn.unit("a", ma=2)})
    (found,) = drawn.judge(played, drawn.move("a", "0101", "0301")).findings
    assert (found.kind, found.code) == ("missed-mp-cost", "GEN-ALLOWANCE")
    assert found.bill is not None
    assert found.bill.shortfall == 1  # round the river's end, not across it
    bridgeless = drawn.game(
        drawn.board("..", sides={"0101-0201": "river"}), {"0101": drawn.unit("a", ma=1)}
    )
    (found,) = drawn.judge(bridgeless, drawn.move("a", "0101", "0201")).findings
    assert (
        "the difference is exactly the charge for river at 0201 (2, GEN-HEXSIDE)"
        in found.explanation
    )


def test_overspending_a_little_is_told_before_the_prohibition_it_might_be_instead() -> None:
    where = drawn.board("...", "...", sides={"0101-0201": "river", "0102-0201": "river"})
    played = drawn.game(where, {"0101": drawn.unit("a", **{"class": "wheels", "ma": 2})})
    (found,) = drawn.judge(played, drawn.move("a", "0101", "0201")).findings
    assert found.kind == "missed-mp-cost"
    assert "or within the allowance, but then it crosses an unbridged river" in found.explanation
    poor = drawn.game(where, {"0101": drawn.unit("a", **{"class": "wheels", "ma": 1})})
    (found,) = drawn.judge(poor, drawn.move("a", "0101", "0201")).findings
    assert (found.kind, found.code) == ("illegal-move", "GEN-HEXSIDE-PROHIBITED")
    assert "exceeds the allowance by 2 MP" in found.explanation


def test_a_stop_ignored_counts_once() -> None:
    played = drawn.game(
        drawn.board("......"),
        {
            "0101": drawn.unit("a", ma=9),
            "0301 e": drawn.unit("e", "Blue"),
            "0501 e": drawn.unit("f", "Blue"),
        },
        ZOC | {"enemy_hex": {"cost": 0}},
    )
    (found,) = drawn.judge(played, drawn.move("a", "0101", "0601")).findings
    assert found.clause == "GEN-ZOC-STOP"
    assert found.explanation.count("GEN-ZOC-STOP") == 1
    assert "e" in found.rests_on


def test_entering_a_zone_of_control_and_stopping_there_is_legal() -> None:
    played = drawn.game(PLAIN, {"0102": drawn.unit("a"), "0502 e": drawn.unit("e", "Blue")}, ZOC)
    assert verdict(drawn.judge(played, drawn.move("a", "0102", "0402"))) == "legal"
    assert verdict(drawn.judge(played, drawn.move("a", "0102", "0402", "0403"))) == "illegal"


def test_an_unknown_terrain_is_asked_for_by_name() -> None:
    played = drawn.game(drawn.board(".?."), {"0101": drawn.unit("a")})
    judgement = drawn.judge(played, drawn.move("a", "0101", "0301"))
    assert verdict(judgement) == "unverifiable"
    (unknown,) = judgement.judged.unknowns
    assert unknown.key == "hex 0201 terrain"
    assert unknown.stanza == '[[hex]]\nhex = "0201"\nterrain = ["?"]'
    (finding,) = judgement.findings
    assert finding.kind == "unverifiable"


def test_too_far_over_unknown_terrain_is_still_too_far() -> None:
    played = drawn.game(drawn.board(".??????"), {"0101": drawn.unit("a")})
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0701"))) == "illegal"


def test_unknown_roads_may_carry_a_unit_farther() -> None:
    known_roads = drawn.board(".......")
    assert (
        verdict(
            drawn.judge(
                drawn.game(known_roads, {"0101": drawn.unit("a")}), drawn.move("a", "0101", "0701")
            )
        )
        == "illegal"
    )
    where = replace(known_roads, complete=frozenset({"terrain", "hexsides", "levels"}))
    judged = drawn.judge(
        drawn.game(where, {"0101": drawn.unit("a")}), drawn.move("a", "0101", "0701")
    ).judged
    assert judged.verdict == "unverifiable"
    assert [u.key for u in judged.unknowns] == ["board lines"]


def test_an_unknown_class_is_asked_for_only_where_it_decides() -> None:
    counter = drawn.unit("a", **{"class": UNKNOWN})
    played = drawn.game(drawn.board(".f", "..", "##"), {"0101": counter})
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0102"))) == "legal"
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0103"))) == "illegal"
    judged = drawn.judge(played, drawn.move("a", "0101", "0201")).judged
    assert judged.verdict == "unverifiable"
    assert [u.key for u in judged.unknowns] == ["unit a class"]


def test_an_allowance_between_bounds() -> None:
    played = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=between(2, 4))})
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0301"))) == "legal"
    judged = drawn.judge(played, drawn.move("a", "0101", "0401")).judged
    assert (judged.verdict, [u.key for u in judged.unknowns]) == ("unverifiable", ["unit a ma"])
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0601"))) == "illegal"


def test_a_unit_of_unknown_side_may_be_an_enemy() -> None:
    stranger = replace(drawn.unit("e"), side=None)
    played = drawn.game(drawn.board("..."), {"0101": drawn.unit("a"), "0201 e": stranger})
    judged = drawn.judge(played, drawn.move("a", "0101", "0201")).judged
    assert (judged.verdict, [u.key for u in judged.unknowns]) == ("unverifiable", ["unit e side"])


def test_a_counter_perhaps_dead_is_held_against_nobody() -> None:
    lying = drawn.unit("e", "Blue", dead=one_of(True, False))
    played = drawn.game(drawn.board("..."), {"0101": drawn.unit("a"), "0201 e": lying})
    judged = drawn.judge(played, drawn.move("a", "0101", "0201")).judged
    assert judged.verdict == "unverifiable"
    assert "still in play" in judged.unknowns[0].question


def test_a_marker_is_in_nobodys_way() -> None:
    marker = replace(drawn.unit("e", "Blue"), kind="marker")
    played = drawn.game(drawn.board("..."), {"0101": drawn.unit("a"), "0201 e": marker})
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0201"))) == "legal"


def test_a_witnessed_stop_binds_and_another_does_not() -> None:
    played = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=3)})
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0103", "0301"))) == "illegal"
    judged = drawn.judge(played, drawn.move("a", "0101", "(0103)", "0301")).judged
    assert judged.verdict == "unverifiable"
    assert "0103" in judged.unknowns[0].question


def test_back_where_it_came_from_costs_nothing() -> None:
    played = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=0)})
    judged = drawn.judge(played, drawn.move("a", "0101", "0101")).judged
    assert judged.verdict == "legal"
    assert judged.path == ("0101",)


def test_every_unit_of_a_stack_is_judged_for_itself() -> None:
    played = drawn.game(
        drawn.board("...."),
        {
            "0101": drawn.unit("a", ma=3),
            "0101 b": drawn.unit("b", ma=2),
            "0101 c": drawn.unit("c", ma=2),
        },
    )
    judgement = drawn.judge(played, drawn.move("a b c", "0101", "0401"))
    assert verdict(judgement) == "illegal"
    (found,) = judgement.findings
    assert found.units == ("b", "c")
    assert found.explanation.startswith(
        "B, C, 0101 to 0401: even the cheapest path costs 3 MP, 1 more"
    )


def test_any_open_form_that_works_is_enough() -> None:
    tables = {
        "allowance": {
            "attribute": "ma",
            "modifiers": [
                {"op": "multiply", "value": 2, "if": [{"form": True, "is": ["strategic"]}]}
            ],
        }
    }
    played = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=2)}, tables)
    judged = drawn.judge(
        played, drawn.move("a", "0101", "0501"), forms=("march", "strategic")
    ).judged
    assert (judged.verdict, judged.form) == ("legal", "strategic")
    assert (
        verdict(drawn.judge(played, drawn.move("a", "0101", "0501"), forms=("march",))) == "illegal"
    )


def test_what_was_spent_before_counts() -> None:
    played = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=4)})
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0301"), before=2)) == "legal"
    judgement = drawn.judge(played, drawn.move("a", "0101", "0301"), before=3)
    assert verdict(judgement) == "illegal"
    bill = judgement.findings[0].bill
    assert bill is not None
    assert (bill.total.lo, bill.shortfall) == (5, 1)


def test_declaring_less_than_the_least_is_a_missed_cost() -> None:
    played = drawn.game(PLAIN, {"0101": drawn.unit("a")})
    judgement = drawn.judge(played, drawn.move("a", "0101", "0401"), declared=2)
    assert verdict(judgement) == "legal"
    (found,) = judgement.findings
    assert (found.kind, found.code) == ("missed-mp-cost", "GEN-DECLARED")
    assert "declared 2 MP, due at least 3 MP" in found.explanation
    assert not drawn.judge(played, drawn.move("a", "0101", "0401"), declared=3).findings


def test_the_minimum_move_waives_the_rest() -> None:
    tables = {"allowance": {"attribute": "ma", "minimum_move": True}}
    played = drawn.game(drawn.board(".f.", "#.."), {"0101": drawn.unit("a", ma=1)}, tables)
    judged = drawn.judge(played, drawn.move("a", "0101", "0201")).judged
    assert (judged.verdict, judged.remark) == ("legal", "by the minimum move")
    assert judged.bill is not None
    assert judged.bill.total.lo == 1
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0102"))) == "illegal"
    assert verdict(drawn.judge(played, drawn.move("a", "0101", "0201"), before=1)) == "illegal"
    assert (
        verdict(drawn.judge(played, drawn.move("a", "0101", "0201", resumed=True)))
        == "unverifiable"
    )


def test_hexes_that_do_not_connect_are_nobodys_fault() -> None:
    where = drawn.board("..")
    apart = replace(
        where, hexes={**where.hexes, "X1": replace(where.hexes["0101"], name="X1", sheet="other")}
    )
    played = drawn.game(apart, {"0101": drawn.unit("a")})
    judged = drawn.judge(played, drawn.move("a", "0101", "X1")).judged
    assert judged.verdict == "unverifiable"
    assert judged.unknowns[0].file == "facts.toml"


def test_a_link_joins_two_sheets() -> None:
    where = drawn.board("..")
    apart = replace(
        where,
        hexes={**where.hexes, "X1": replace(where.hexes["0101"], name="X1", sheet="other")},
        links=frozenset({("0201", "X1")}),
    )
    played = drawn.game(apart, {"0101": drawn.unit("a")})
    assert drawn.judge(played, drawn.move("a", "0101", "X1")).judged.path == ("0101", "0201", "X1")


def test_units_moving_along_do_not_stand_in_their_own_way() -> None:
    """A stack does not negate for itself the zone of control it enters."""
    tables = {"zoc": {"stop": True, "negated_by_friends": True}}
    units = {"0102": drawn.unit("a"), "0102 b": drawn.unit("b"), "0502 e": drawn.unit("e", "Blue")}
    played = drawn.game(PLAIN, units, tables)
    assert verdict(drawn.judge(played, drawn.move("a b", "0102", "0402", "0403"))) == "illegal"
    there = replace(played, opening={**played.opening, "b": Place("hex", "0402")})
    assert verdict(drawn.judge(there, drawn.move("a", "0102", "0402", "0302"))) == "legal"


@pytest.mark.parametrize("count", [1, 7])
def test_no_more_unknowns_than_a_person_can_settle(count: int) -> None:
    played = drawn.game(drawn.board("." + "?" * count), {"0101": drawn.unit("a", ma=count)})
    judged = drawn.judge(played, drawn.move("a", "0101", f"{count + 1:02}01")).judged
    assert judged.verdict == "unverifiable"
    assert len(judged.unknowns) == min(count, 5)


def test_a_river_not_drawn_yet_may_keep_a_zone_of_control_out() -> None:
    tables = {"zoc": {"stop": True, "not_across": ["river"]}}
    units = {"0102": drawn.unit("a"), "0502 e": drawn.unit("e", "Blue")}
    on_and_on = drawn.move("a", "0102", "0402", "0403")
    assert verdict(drawn.judge(drawn.game(PLAIN, units, tables), on_and_on)) == "illegal"
    half_drawn = replace(PLAIN, complete=frozenset({"terrain", "lines", "levels"}))
    judged = drawn.judge(drawn.game(half_drawn, units, tables), on_and_on).judged
    assert judged.verdict == "unverifiable"
    assert "board hexsides" in [u.key for u in judged.unknowns]


def test_too_far_off_is_illegal_though_no_path_was_looked_for_to_the_end() -> None:
    """Walled in behind more hexes than an explanation is worth."""
    where = drawn.board(*["." * 99] * 98, "." * 97 + "##", "." * 97 + "#.")
    played = drawn.game(
        where, {"0101": drawn.unit("a")}, {"terrain": {"costs": {"clear": 1, "lake": "prohibited"}}}
    )
    (found,) = drawn.judge(played, drawn.move("a", "0101", "99100")).findings
    assert (found.kind, found.clause) == ("missed-mp-cost", "GEN-ALLOWANCE")
    assert "4 MP" in found.explanation


def test_a_hex_is_not_named_twice_in_a_row() -> None:
    assert _breach(Breach("X-1", "turns twice in 0804", "0804")) == "turns twice in 0804 (X-1)"
    assert _breach(Breach("X-1", "turns twice", "0804")) == "turns twice at 0804 (X-1)"


def test_of_a_move_that_nobody_is_accused_of_only_what_it_would_cost_is_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The verdict is the same, and what would have to be wrong with the move is not looked for."""
    monkeypatch.setattr("vassal_umpire.validators.unit_verdict.offence", None)
    far = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=2)})
    judgement = drawn.judge(far, drawn.move("a", "0101", "0501"), accused=False)
    assert (verdict(judgement), judgement.findings) == ("illegal", ())
    assert judgement.judged.bill is not None
    assert judgement.judged.bill.shortfall == 2
    walled_in = drawn.game(drawn.board(".#", "##"), {"0101": drawn.unit("a")})
    judged = drawn.judge(walled_in, drawn.move("a", "0101", "0202"), accused=False).judged
    assert (judged.verdict, judged.path, judged.bill) == ("illegal", (), None)


def test_of_a_move_that_nobody_is_accused_of_the_form_that_falls_least_short_is_told() -> None:
    tables = {
        "allowance": {
            "attribute": "ma",
            "modifiers": [
                {"op": "multiply", "value": 2, "if": [{"form": True, "is": ["strategic"]}]}
            ],
        }
    }
    played = drawn.game(PLAIN, {"0101": drawn.unit("a", ma=1)}, tables)
    judged = drawn.judge(
        played, drawn.move("a", "0101", "0501"), forms=("march", "strategic"), accused=False
    ).judged
    assert (judged.verdict, judged.form) == ("illegal", "strategic")
    assert judged.bill is not None
    assert judged.bill.shortfall == 2
