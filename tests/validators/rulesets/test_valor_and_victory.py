"""The ruleset valor-and-victory: its tables and options, and what the log shows of a move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import told
from cases import cases, outcome_of
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Event, Game, Rules
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine.history import History
from vassal_umpire.validators.rulesets.valor_and_victory import MARKERS, RULESET

LANE = " .\n     -\n" * 8
"""Down the column: 0101, 0102 … 0108."""
A, LED = "a Red 0101", ["a Red 0101", "l Red 0101 class=leader"]


def case(units: list[str], *moves: str, **keys: Any) -> Case:
    keys = {"board": LANE, "units": units, "moves": list(moves), **keys}
    return told.case("valor-and-victory", "VV-6.2-a", **keys)


def audited(units: list[str], *moves: str, **keys: Any) -> Audit:
    return run_case(case(units, *moves, **keys), RULESET).audit


def verdicts(found: Audit) -> list[str]:
    assert found.problems == ()
    return [move.verdict for move in found.moves if move.judged]


NOTHING = RULESET.in_force(replace(case([A], "roll").game, rules=Rules("valor-and-victory")))


COLUMNS = ("infantry", "gun", "afv", "vehicle")


CHART: dict[str, tuple[int | None, ...]] = {
    # infantry, guns, AFVs, vehicles; None: prohibited (Terrain Effects Summary, section 10)
    **dict.fromkeys(("open", "road", "bridge", "orchard", "crop"), (1, 1, 1, 1)),
    **dict.fromkeys(("woods", "jungle"), (2, 2, 2, 2)),
    **dict.fromkeys(("stream", "gully", "wadi"), (2, 3, 3, 3)),
    "building": (2, 2, None, None),
    **dict.fromkeys(("canal", "pond", "marsh", "ocean", "river"), (None,) * 4),
}


def test_the_chart_is_that_of_the_rules() -> None:
    terrain = NOTHING.charts["terrain"]
    shown = {
        name: tuple(
            None if terrain[name][column].kind == "prohibited" else terrain[name][column].amount
            for column in COLUMNS
        )
        for name in CHART
    }
    assert shown == CHART


def allowance(*units: str) -> Amount | None:
    """The allowance of the first of units that are dragged four hexes together. None if it has no limit."""
    moves = audited(list(units), f"{'+'.join(u[0] for u in units)}: 0101 0105").moves
    (bill,) = {m.bill for m in moves if units[0][0] in m.move.units and m.bill is not None}
    return bill.allowance


def test_a_leader_that_may_be_none_leaves_the_rate_open() -> None:
    perhaps = "l Red 0101 class=squad|leader"
    assert allowance(A, perhaps) == Amount(Fraction(4), Fraction(6))


def test_what_may_stop_a_unit_is_asked_before_what_may_cost_more() -> None:
    maybe = ["wire: 0102", "bridge: 0102", "wall: 0101/0102"]
    (found,) = audited([A], "a: 0101 0105", perhaps=maybe).moves
    asked = [fact.key for fact in found.unknowns]
    assert asked == ["hex 0102 features", "hexside 0101/0102 features"]
    assert found.bill is not None
    assert found.bill.charges[0].reason == "open"  # no bridge, which is only perhaps there


def test_the_bill_of_an_open_move_counts_what_the_first_class_it_may_have_counts() -> None:
    one = f"{A} mp=2 assault=false|true class=squad|gun"
    board = LANE.replace(".", "w", 2).replace("w", ".", 1)
    (found,) = audited([one], "a: 0101 0103", board=board, perhaps=["wire: 0102"]).moves
    assert found.bill is not None
    assert (found.bill.total, found.bill.unit) == (Amount.exactly(3), "MP")
    assert found.bill.allowance == Amount.exactly(4)


def history(units: list[str], *moves: str) -> tuple[Game, History]:
    game = case(units, *moves).game
    return game, History(game, MARKERS)


def test_drags_that_were_taken_back_are_none() -> None:
    _, told = history(["a Red 0102"], "a: 0102 0105", "undo a", "a: 0102 0103")
    assert [told.drag(d).target.name for d in told.drags["a"]] == ["0103"]


def test_units_dragged_together_have_drags_of_their_own() -> None:
    game, told = history([A, "b Red 0101"], "a+b: 0101 0103")
    (judged,) = audit(game, RULESET).moves
    assert [told.of_move(name, judged.move) for name in ("a", "b", "a")] == [[1], [2], [1]]


def test_a_facing_counts_as_seen_only_if_something_saw_it() -> None:
    flips = [f"flip t facing={facing}" for facing in (2, 3, 4)]
    _, told = history(["t Red 0101 facing=1"], *flips[:2], "roll", flips[2])
    assert [fact.value for fact in told.seen_values("t", "facing", 0, 5, "Red")] == [3]


def test_a_leader_taken_back_is_no_company() -> None:
    """He was dragged along, put back, and went elsewhere: the squad went alone."""
    found = audited(LED, "a+l: 0101 0107", "undo l", "l: 0101 0102")
    (short,) = (f for f in found.findings if f.kind == "missed-mp-cost")
    assert short.code == "VV-6.31-b"
    said = "of 4 [l did not go along all the way (VV-6.31-d)]"
    assert said in short.explanation


def test_a_leader_elsewhere_is_not_the_reason_for_an_allowance() -> None:
    found = audited([A, "l Red 0102 class=leader"], "a: 0101 0107")
    (short,) = (f for f in found.findings if f.kind == "missed-mp-cost")
    assert "the allowance of 4" in short.explanation
    assert "VV-6.31-d" not in short.explanation


def test_a_leader_put_back_and_brought_up_again_is_company() -> None:
    found = audited(LED, "l: 0101 0104", "undo l", "a: 0101 0107", "l: 0101 0107")
    assert verdicts(found) == ["legal"] * 2


@pytest.mark.parametrize(("facing", "codes"), [("180", []), ("0", ["VV-6.32-a"])])
def test_facings_are_read_as_the_pack_names_them(facing: str, codes: list[str]) -> None:
    """Degrees, on a module whose counters are drawn facing down."""
    tank, tables = f"t Red 0105 class=afv facing={facing} mp=3", {"facings": {"0": 3, "180": 0}}
    found = audited([tank], "t: 0105 0102", rules=tables)
    assert [f.code for f in found.findings] == codes
    assert [move.verdict for move in found.moves] == ["illegal" if codes else "legal"]


def test_markers_are_read_as_vassal_says_them() -> None:
    game = case([A], "a: 0101 0102").game
    fired = {**game.units["a"].attributes, "fired": known("true")}
    units = {"a": replace(game.units["a"], attributes=fired)}
    found = audit(replace(game, units=units), RULESET)
    assert [f.code for f in found.findings] == ["VV-5.33-a"]


def test_a_unit_aboard_of_nobody_knows_which_carrier_goes_with_the_one_that_goes() -> None:
    units = [f"{A} aboard=true", "t Red 0101 class=vehicle facing=4 mp=6"]
    goes = "a: 0101 0107"
    assert verdicts(audited(units, "t: 0101 0107", goes)) == ["legal"] * 2
    assert verdicts(audited(units, goes)) == ["unverifiable"]


def test_nobody_is_carried_by_a_squad() -> None:
    found = audited([f"{A} aboard=b", "b Red 0101"], "a+b: 0101 0108")
    assert {name for m in found.moves if m.verdict == "legal" for name in m.move.units} == set()
    (problem,) = found.problems
    assert "attribute aboard" in str(problem)


def test_the_hex_by_which_a_unit_enters_is_charged_by_the_clause_on_entering() -> None:
    moves = ["a: [Reserve] 0101", "roll", "a: 0101 0105"]
    found = audited(["a Red [Reserve]"], *moves, rules={"boxes": {"entry": ["Reserve"]}})
    [bill] = [finding.bill for finding in found.findings if finding.bill is not None]
    first = bill.charges[0]
    assert (first.clause, first.amount) == ("VV-6.10-a", Amount.exactly(1))
    assert bill.shortfall == 1


def test_a_turn_is_charged_in_the_hex_where_it_is_made() -> None:
    (move,) = outcome_of("valor-and-victory", "VV-V27").audit.moves
    assert move.bill is not None
    assert [(c.hex, c.clause) for c in move.bill.charges] == [
        ("0201", "VV-6.2-a"),
        ("0201", "VV-6.5-c"),
        ("0202", "VV-6.2-a"),
    ]


@pytest.mark.parametrize(
    ("case", "units", "code"),
    [
        ("FULL-IN-BETWEEN", "k", "VV-6.7-b"),
        ("FULL-IN-BETWEEN", "g", "VV-6.7-b"),
        ("STACK-OF-SIX", "abcdel", "VV-6.1-b"),
        ("EXIT-FROM-THE-THIRD-ROW", "g", "VV-6.32-b"),
    ],
)
def test_nobody_is_accused_of_what_another_player_did(case: str, units: str, code: str) -> None:
    own = cases("valor-and-victory")[case].game

    def by_blue(event: Event) -> Event:
        theirs = isinstance(event, Displacement) and event.unit in units
        return replace(event, actor="Blue") if theirs else event

    other = replace(own, events=tuple(map(by_blue, own.events)))
    assert code in {found.code for found in audit(own, RULESET).findings}
    assert code not in {found.code for found in audit(other, RULESET).findings}
