"""Moves on boards drawn by hand, with what must be said of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import drawn
import pytest
from flat import fact, rows
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import Condition, Game, Place, StepRef
from vassal_umpire.plugin.reports.phrases import compact_bill
from vassal_umpire.validators.judge import Judgement
from vassal_umpire.validators.ruleset import Breach
from vassal_umpire.validators.wording import _broken

PLAIN = drawn.board("......", "......", "......")
ZOC: dict[str, Any] = {"zoc": {"stop": True}}
STRATEGIC = {"op": "multiply", "value": 2, "if": [{"form": True, "is": ["strategic"]}]}
TWICE_AS_FAR = {"allowance": {"attribute": "ma", "modifiers": [STRATEGIC]}}


def game(where: Board, units: str, tables: dict[str, Any] | None = None) -> Game:
    """``units``: ``"a 0101 ma=2, e Blue 0301"``; ``kind=marker`` and a side ``?`` are understood."""
    placed = {}
    for words in (one.split() for one in units.split(",")):
        told = dict(word.split("=") for word in words if "=" in word)
        name, *side, at = (word for word in words if "=" not in word)
        kind = told.pop("kind", "unit")
        facts = {key: fact(value) for key, value in told.items()}
        made = drawn.unit(name, *side, **facts)
        made = replace(made, kind=kind, side=None if side == ["?"] else made.side)  # type: ignore[arg-type]
        placed[f"{at} {name}"] = made
    return drawn.game(where, placed, tables)


def judge(played: Game, way: str, unit: str = "a", **more: Any) -> Judgement:
    """The judgement on a move of ``unit`` by ``way``; a hex in brackets was not witnessed."""
    return drawn.judge(played, drawn.move(unit, *way.split()), **more)


def verdict(judgement: Judgement) -> str:
    return judgement.judged.verdict


def test_a_legal_move_comes_with_its_path_and_bill() -> None:
    judged = judge(game(drawn.board(".f.", roads=("0201 0301",)), "a 0101"), "0101 0301").judged
    assert judged.verdict == "legal"
    assert judged.path == ("0101", "0201", "0301")
    charges = [(c.hex, c.amount.lo, c.clause, c.reason) for c in judged.bill.charges]
    assert charges == [
        ("0201", 2, "GEN-TERRAIN", "forest"),
        ("0301", Fraction(1, 2), "GEN-ROAD", "along road"),
    ]


def test_a_shortfall_names_the_charge_that_explains_it_and_the_other_reading() -> None:
    river = {"0201-0301": "river", "0202-0301": "river"}
    (found,) = judge(
        game(drawn.board("...", "...", sides=river), "a 0101 ma=2"), "0101 0301"
    ).findings
    assert (found.kind, found.code) == ("missed-mp-cost", "GEN-ALLOWANCE")
    assert found.bill.shortfall == 1  # round the river's end, not across it
    bridgeless = game(drawn.board("..", sides={"0101-0201": "river"}), "a 0101 ma=1")
    (found,) = judge(bridgeless, "0101 0201").findings
    said = "the difference is exactly the charge for river at 0201 (2, GEN-HEXSIDE)"
    assert said in found.explanation


def test_overspending_a_little_is_told_before_the_prohibition_it_might_be_instead() -> None:
    where = drawn.board("...", "...", sides={"0101-0201": "river", "0102-0201": "river"})
    (found,) = judge(game(where, "a 0101 class=wheels ma=2"), "0101 0201").findings
    assert found.kind == "missed-mp-cost"
    assert "or within the allowance, but then it crosses an unbridged river" in found.explanation
    (found,) = judge(game(where, "a 0101 class=wheels ma=1"), "0101 0201").findings
    assert (found.kind, found.code) == ("illegal-move", "GEN-HEXSIDE-PROHIBITED")
    assert "exceeds the allowance by 2 MP" in found.explanation


def test_a_stop_ignored_counts_once() -> None:
    units = "a 0101 ma=9, e Blue 0301, f Blue 0501"
    played = game(drawn.board("......"), units, ZOC | {"enemy_hex": {"cost": 0}})
    (found,) = judge(played, "0101 0601").findings
    assert found.clause == "GEN-ZOC-STOP"
    assert found.explanation.count("GEN-ZOC-STOP") == 1


def test_an_unknown_terrain_comes_with_the_stanza_to_write() -> None:
    judgement = judge(game(drawn.board(".?."), "a 0101"), "0101 0301")
    (unknown,) = judgement.judged.unknowns
    assert unknown.stanza == '[[hex]]\nhex = "0201"\nterrain = ["?"]'
    (finding,) = judgement.findings
    assert finding.kind == "unverifiable"


def test_unknown_roads_may_carry_a_unit_farther() -> None:
    known_roads = drawn.board(".......")
    assert verdict(judge(game(known_roads, "a 0101"), "0101 0701")) == "illegal"
    where = replace(known_roads, complete=frozenset({"terrain", "hexsides", "levels"}))
    judged = judge(game(where, "a 0101"), "0101 0701").judged
    assert judged.verdict == "unverifiable"
    assert [u.key for u in judged.unknowns] == [
        f"hexside 0{n}01/0{n + 1}01 lines" for n in range(1, 6)
    ]


def test_a_marker_is_in_nobodys_way() -> None:
    played = game(drawn.board("..."), "a 0101, e Blue 0201 kind=marker")
    assert verdict(judge(played, "0101 0201")) == "legal"


def test_a_stop_that_was_not_witnessed_is_asked_about() -> None:
    judged = judge(game(PLAIN, "a 0101 ma=3"), "0101 (0103) 0301").judged
    assert judged.verdict == "unverifiable"
    assert "0103" in judged.unknowns[0].question


def test_every_unit_of_a_stack_is_judged_for_itself() -> None:
    played = game(drawn.board("...."), "a 0101 ma=3, b 0101 ma=2, c 0101 ma=2")
    judgement = judge(played, "0101 0401", "a b c")
    assert verdict(judgement) == "illegal"
    (found,) = judgement.findings
    assert found.units == ("b", "c")
    assert found.explanation.startswith(
        "B, C, 0101 to 0401: even the cheapest path costs 3 MP, 1 more"
    )


def test_any_open_form_that_works_is_enough() -> None:
    played = game(PLAIN, "a 0101 ma=2", TWICE_AS_FAR)
    judged = judge(played, "0101 0501", forms=("march", "strategic")).judged
    assert (judged.verdict, judged.form) == ("legal", "strategic")
    assert verdict(judge(played, "0101 0501", forms=("march",))) == "illegal"


@pytest.mark.parametrize(
    ("units", "way", "forms", "beyond"),
    rows("""
only another form | a 0101 ma=2 | 0101 0501 | march strategic | 4 by march of 2, perhaps strategic
beyond any form it is illegal | a 0101 ma=1 | 0101 0501 | march strategic | 4 by strategic of 2
a stop that nobody saw | a 0101 ma=2 | 0101 (0301) 0201 | march | 3 by march of 2, not in 0301
both | a 0101 ma=2 | 0101 (0401) 0201 | march strategic | 5 by march of 2, perhaps strategic, not in 0401
its allowance may be enough | a 0101 ma=2..4 | 0101 0401 | march strategic |
its allowance is not known | a 0101 ma=? | 0101 0501 | march strategic |
"""),
)
def test_an_open_move_says_how_far_it_goes_beyond_its_ordinary_form(
    units: str, way: str, forms: str, beyond: str
) -> None:
    lacks = {"lacks": [{"what": "x", "if": [{"form": True, "is": ["strategic"]}]}]}
    judged = judge(
        game(PLAIN, units, {**TWICE_AS_FAR, **lacks}), way, forms=(*forms.split(),)
    ).judged
    said, over = "", judged.overdrawn
    if over is not None:
        said = f"{over.bill.total} by {over.form} of {over.bill.allowance}"
        said += "".join(f", perhaps {form}" for form in over.forms)
        said += "".join(f", not in {name}" for name in over.stops)
    assert said == beyond


def test_what_was_spent_before_counts() -> None:
    played = game(PLAIN, "a 0101 ma=4")
    assert verdict(judge(played, "0101 0301", before=2)) == "legal"
    judgement = judge(played, "0101 0301", before=3)
    assert verdict(judgement) == "illegal"
    bill = judgement.findings[0].bill
    assert (bill.total.lo, bill.shortfall) == (5, 1)


def test_declaring_less_than_the_least_is_a_missed_cost() -> None:
    played = game(PLAIN, "a 0101")
    judgement = judge(played, "0101 0401", declared=2)
    assert verdict(judgement) == "legal"
    (found,) = judgement.findings
    assert (found.kind, found.code) == ("missed-mp-cost", "GEN-DECLARED")
    assert "declared 2 MP, due at least 3 MP" in found.explanation
    assert not judge(played, "0101 0401", declared=3).findings


def test_the_minimum_move_waives_the_rest() -> None:
    tables = {"allowance": {"attribute": "ma", "minimum_move": True}}
    played = game(drawn.board(".f.", "#.."), "a 0101 ma=1", tables)
    judged = judge(played, "0101 0201").judged
    assert (judged.verdict, judged.remark) == ("legal", "by the minimum move")
    assert judged.bill.total.lo == 1
    assert verdict(judge(played, "0101 0102")) == "illegal"
    assert verdict(judge(played, "0101 0201", before=1)) == "illegal"
    resumed = drawn.move("a", "0101", "0201", resumed=True)
    assert verdict(drawn.judge(played, resumed)) == "unverifiable"


def test_hexes_that_do_not_connect_are_nobodys_fault_and_a_link_joins_two_sheets() -> None:
    where = drawn.board("..")
    other = replace(where.hexes["0101"], name="X1", sheet="other")
    apart = replace(where, hexes={**where.hexes, "X1": other})
    judged = judge(game(apart, "a 0101"), "0101 X1").judged
    assert judged.verdict == "unverifiable"
    assert judged.unknowns[0].file == "facts.toml"
    linked = replace(apart, links=frozenset({("0201", "X1")}))
    assert judge(game(linked, "a 0101"), "0101 X1").judged.path == ("0101", "0201", "X1")


def test_units_moving_along_do_not_stand_in_their_own_way() -> None:
    """A stack does not negate for itself the zone of control it enters."""
    tables = {"zoc": {"stop": True, "negated_by_friends": True}}
    played = game(PLAIN, "a 0102, b 0102, e Blue 0502", tables)
    assert verdict(judge(played, "0102 0402 0403", "a b")) == "illegal"
    there = replace(played, opening={**played.opening, "b": Place("hex", "0402")})
    assert verdict(judge(there, "0102 0402 0302")) == "legal"


@pytest.mark.parametrize("count", [1, 7])
def test_no_more_unknowns_than_a_person_can_settle(count: int) -> None:
    played = game(drawn.board("." + "?" * count), f"a 0101 ma={count}")
    judged = judge(played, f"0101 {count + 1:02}01").judged
    assert judged.verdict == "unverifiable"
    assert len(judged.unknowns) == min(count, 5)


@pytest.fixture(scope="module")
def country() -> Board:
    return drawn.board(*["." * 99] * 98, "." * 97 + "##", "." * 97 + "#.")


def test_too_far_off_is_illegal_though_no_path_was_looked_for_to_the_end(country: Board) -> None:
    """Walled in behind more hexes than an explanation is worth."""
    tables = {"terrain": {"costs": {"clear": 1, "lake": "prohibited"}}}
    (found,) = judge(game(country, "a 0101", tables), "0101 99100").findings
    assert (found.kind, found.clause) == ("missed-mp-cost", "GEN-ALLOWANCE")
    assert "4 MP" in found.explanation


def test_a_hex_is_not_named_twice_in_a_row() -> None:
    assert _broken([Breach("X-1", "turns twice in 0804", "0804")]) == "turns twice in 0804 (X-1)"
    assert _broken([Breach("X-1", "turns twice", "0804")]) == "turns twice at 0804 (X-1)"


def test_a_breach_is_said_once_with_all_its_hexes() -> None:
    thrice = [Breach("X-1", "enters a lake", name) for name in ("0201", "0301", "0301", "0401")]
    said = "enters a lake at 0201, 0301 and 0401 (X-1)"
    assert _broken(thrice) == said
    assert _broken([*thrice, Breach("X-2", "is pinned", "")]) == f"{said} and is pinned (X-2)"
    assert _broken([Breach("X-2", "is pinned", "")] * 3) == "is pinned (X-2)"


def test_of_a_move_that_nobody_is_accused_of_only_what_it_would_cost_is_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The verdict is the same, and what would have to be wrong with the move is not looked for."""
    monkeypatch.setattr("vassal_umpire.validators.unit_verdict.offence", None)
    judgement = judge(game(PLAIN, "a 0101 ma=2"), "0101 0501", accused=False)
    assert (verdict(judgement), judgement.findings) == ("illegal", ())
    assert judgement.judged.bill.shortfall == 2
    judged = judge(game(drawn.board(".#", "##"), "a 0101"), "0101 0202", accused=False).judged
    assert (judged.verdict, judged.path, judged.bill) == ("illegal", (), None)


def test_of_a_move_that_nobody_is_accused_of_the_form_that_falls_least_short_is_told() -> None:
    played = game(PLAIN, "a 0101 ma=1", TWICE_AS_FAR)
    judged = judge(played, "0101 0501", forms=("march", "strategic"), accused=False).judged
    assert (judged.verdict, judged.form) == ("illegal", "strategic")
    assert judged.bill.shortfall == 2


# -- the lines of a bill, and the sentence on the difference ----------------------------------------


RIVER = {"0101-0201": "river"}


def found(played: Any, target: str, **more: Any) -> Any:
    (finding,) = drawn.judge(played, drawn.move("a", "0101", target), **more).findings
    return finding


def test_the_bill_of_a_broken_prohibition_shows_the_prohibited_step() -> None:
    wheels = drawn.unit("a", **{"class": "wheels"})
    finding = found(drawn.game(drawn.board("..", sides=RIVER), {"0101": wheels}), "0201")
    assert finding.kind == "illegal-move"
    lines = [(c.hex, c.amount.lo, c.clause, c.forbidden) for c in finding.bill.charges]
    assert lines == [("0201", 1, "GEN-TERRAIN", False), ("0201", 0, "GEN-HEXSIDE-PROHIBITED", True)]
    assert finding.bill.charges[1].reason.startswith("not allowed: crosses an unbridged river")
    assert finding.bill.total == Amount.exactly(1)


def test_a_required_stop_that_was_ignored_stands_where_it_was_ignored() -> None:
    tables = {"zoc": {"stop": True}, "enemy_hex": {"cost": 0}}
    units = {"0101": drawn.unit("a", ma=9), "0301": drawn.unit("e", "Blue")}
    finding = found(drawn.game(drawn.board("....."), units, tables), "0501")
    assert [(c.hex, c.clause) for c in finding.bill.charges if c.forbidden] == [
        ("0201", "GEN-ZOC-STOP")
    ]


def test_a_difference_that_two_charges_explain_alike_is_not_explained() -> None:
    """2 of the way too many: either forest could be it."""
    played = drawn.game(drawn.board(".ff"), {"0101": drawn.unit("a", ma=2)})
    assert "difference" not in found(played, "0301").explanation


def test_a_difference_of_three_charges_is_not_explained() -> None:
    played = drawn.game(drawn.board("....."), {"0101": drawn.unit("a", ma=1)})
    assert "difference" not in found(played, "0501").explanation


def test_what_a_fact_says_was_spent_before_is_not_called_coming_onto_the_map() -> None:
    tables = {"entering": {"spent": "terrain"}}
    played = drawn.game(drawn.board("..."), {"0101": drawn.unit("a", ma=2)}, tables)
    said = Condition("spent before leaving 0101", known(2), StepRef(1, 1), unit="a")
    asked = replace(played, conditions=(said,))
    for game, reason in ((played, "coming onto the map"), (asked, "spent before in the phase")):
        first = found(game, "0201", before=2).bill.charges[0]
        assert (first.hex, first.amount.lo, first.reason) == ("0101", 2, reason)


UNTOLD = drawn.board(".??.", complete=frozenset({"terrain", "hexsides"}))


def test_the_bill_of_an_open_move_shows_no_way_that_nobody_was_told_of() -> None:
    """Terrain and roads of two hexes are not known: the way that suits the mover runs along roads."""
    judged = judge(game(UNTOLD, "a 0101 ma=3"), "0101 0401").judged
    lines = [(c.origin, c.hex, str(c.amount), c.clause, c.reason) for c in judged.bill.charges]
    said = "way not known between 0101 and 0401"
    assert lines == [("0101", "0401", "3/2 or more", "CHK-FACTS", said)]
    assert judged.path == ("0101", "0401")
    assert judged.verdict == "unverifiable"
    assert judged.remark == "it costs 1½ or more MP of an allowance of 3 MP, as far as known"
    assert compact_bill(judged.bill) == f"{said}: 1½ or more = 1½ or more of 3 MP"


def test_what_is_known_of_the_way_of_an_open_move_stays_on_its_bill() -> None:
    judged = judge(game(drawn.board(".f?.ff"), "a 0101 ma=9"), "0101 0601").judged
    lines = [(c.hex, str(c.amount), c.reason) for c in judged.bill.charges]
    said = "way not known between 0201 and 0301"
    assert lines[:2] == [("0201", "2", "forest"), ("0301", "1 or more", said)]
    assert [reason for _, _, reason in lines[2:]] == ["clear", "forest", "forest"]
    assert judged.path == ("0101", "0201", "0301", "0401", "0501", "0601")


def test_where_a_counter_was_put_down_stays_on_the_path_of_an_open_move() -> None:
    """The bill says of 0101 to 0501 that the way is not known."""
    judged = judge(game(drawn.board(".????."), "a 0101 ma=9"), "0101 0301 0601").judged
    assert judged.path == ("0101", "0301", "0501", "0601")
