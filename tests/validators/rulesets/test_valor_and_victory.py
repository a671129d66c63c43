"""The ruleset valor-and-victory: its tables and options, and what the log shows of a move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import counters
import pytest
from cases import cases, outcome_of
from counters import MOVEMENT, begins, drag, flip
from flat import place
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Exceptions, Hex
from vassal_umpire.model.fact import one_of
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Event, Game, Rules, StepRef, Witness
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine.history import History
from vassal_umpire.validators.rulesets.valor_and_victory import MARKERS, RULESET

LANE = Board(
    "lane", {f"01{r:02}": Hex(f"01{r:02}", from_offset(0, r), ("open",), 0) for r in range(8)}
)
BARE = {
    "class": "squad", "weapon": "none", "assault": False, "pinned": False, "fired": False,
    "moved": False, "immobile": False, "aboard": "no",
}  # fmt: skip


def unit(name: str, **attributes: Any) -> Unit:
    return counters.unit(name, "Red", BARE, **attributes)


LED = [unit("a"), unit("l", **{"class": "leader"})]


def game(units: list[Unit], opening: dict[str, str], *events: Event, **rules: Any) -> Game:
    return Game(
        title="a game",
        board=LANE,
        sides=("Red", "Blue"),
        units={u.id: u for u in units},
        opening={name: place(at) for name, at in opening.items()},
        events=(begins(1, "1", "Movement", "Red"), *events, begins(99, "1", "Combat", "Red")),
        rules=Rules("valor-and-victory", **rules),
        phases=MOVEMENT,
    )


def audited(units: list[Unit], where: str, *events: Event, **rules: Any) -> Audit:
    """The audit of a game at whose beginning all units are at one place."""
    return audit(game(units, {u.id: where for u in units}, *events, **rules), RULESET)


def verdicts(found: Audit) -> list[str]:
    assert found.problems == ()
    return [move.verdict for move in found.moves if move.judged]


def roll(step: int) -> Witness:
    return Witness(StepRef(1, step), "roll", "1d6", "Red")


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
    terrain = RULESET.in_force(game([], {})).charts["terrain"]
    shown = {
        name: tuple(
            None if terrain[name][column].kind == "prohibited" else terrain[name][column].amount
            for column in COLUMNS
        )
        for name in CHART
    }
    assert shown == CHART


def test_no_cell_of_the_chart_is_unknown() -> None:
    charts = RULESET.in_force(game([], {})).charts
    rows = [*charts["terrain"].values(), *charts["hexsides"].values()]
    assert not [row for row in rows if any(row[c].kind == "unknown" for c in COLUMNS)]


def allowance(one: Unit, *others: Unit) -> Amount | None:
    """The allowance of a unit that is dragged four hexes with others. None if it has no limit."""
    units = [one, *others]
    found = audited(units, "0100", *(drag(2, u.id, "0100", "0104") for u in units))
    (bill,) = {m.bill for m in found.moves if one.id in m.move.units and m.bill is not None}
    return bill.allowance


RATES = [
    # class, assault, heavy, led, MPs (6.31, 6.4, 12.2)
    ("leader", False, False, False, 6),
    ("leader", True, False, False, 3),
    ("squad", False, False, False, 4),
    ("squad", False, True, False, 3),
    ("squad", False, False, True, 6),
    ("squad", False, True, True, 5),
    ("squad", True, False, False, 2),
    ("squad", True, True, False, 1),
    ("squad", True, False, True, 3),
    ("half-squad", True, True, True, 2),
]


@pytest.mark.parametrize(("cls", "assault", "heavy", "led", "points"), RATES)
def test_rates(cls: str, assault: bool, heavy: bool, led: bool, points: int) -> None:
    weapon = "heavy" if heavy else "none"
    one = unit("a", weapon=weapon, assault=assault, **{"class": cls})
    assert allowance(one, *(LED[1:] if led else ())) == Amount.exactly(Fraction(points))


def test_a_leader_that_may_be_none_leaves_the_rate_open() -> None:
    perhaps = unit("l", **{"class": one_of("squad", "leader")})
    assert allowance(unit("a"), perhaps) == Amount(Fraction(4), Fraction(6))


def test_what_may_stop_a_unit_is_asked_before_what_may_cost_more() -> None:
    maybe = Exceptions(
        {"0101": frozenset(("wire", "bridge"))}, {("0100", "0101"): frozenset(("wall",))}
    )
    told = game([unit("a")], {"a": "0100"}, drag(2, "a", "0100", "0104"))
    (found,) = audit(replace(told, board=replace(LANE, exceptions=maybe)), RULESET).moves
    asked = [fact.key for fact in found.unknowns]
    assert asked == ["hex 0101 features", "hexside 0100/0101 features"]
    assert found.bill is not None
    assert found.bill.charges[0].reason == "open"  # no bridge, which is only perhaps there


def test_the_bill_of_an_open_move_counts_what_the_first_class_it_may_have_counts() -> None:
    board = replace(
        LANE,
        hexes={**LANE.hexes, "0101": replace(LANE.hexes["0101"], terrain=("woods",))},
        exceptions=Exceptions({"0101": frozenset(("wire",))}),
    )
    one = unit("a", mp=2, assault=one_of(False, True), **{"class": one_of("squad", "gun")})
    told = game([one], {"a": "0100"}, drag(2, "a", "0100", "0102"))
    (found,) = audit(replace(told, board=board), RULESET).moves
    assert found.bill is not None
    assert (found.bill.total, found.bill.unit) == (Amount.exactly(3), "MP")
    assert found.bill.allowance == Amount.exactly(4)


def test_readings_are_told_as_they_are_settled() -> None:
    rules = RULESET.in_force(game([], {}, options={"reverse_doubles_hexside": "yes"}))
    assert rules.readings == {
        "leader_counts_stacking": "open",
        "reverse_doubles_hexside": "yes",
        "large_guns_advance": "open",
        "vehicles_pay_fortifications": "open",
    }


def test_drags_that_were_taken_back_are_none() -> None:
    back = drag(4, "a", "0104", "0101", cause="undo", cancels=StepRef(1, 3))
    away = drag(3, "a", "0101", "0104")
    played = game([unit("a")], {"a": "0101"}, away, back, drag(5, "a", "0101", "0102"))
    history = History(played, MARKERS)
    assert [history.drag(d).target.name for d in history.drags["a"]] == ["0102"]


def test_units_dragged_together_have_drags_of_their_own() -> None:
    both = [drag(2, name, "0101", "0103") for name in "ab"]
    played = game([unit("a"), unit("b")], {"a": "0101", "b": "0101"}, *both)
    (judged,) = audit(played, RULESET).moves
    history = History(played, MARKERS)
    assert [history.of_move(name, judged.move) for name in ("a", "b", "a")] == [[1], [2], [1]]


def test_a_facing_counts_as_seen_only_if_something_saw_it() -> None:
    events = [flip(2, "t", "facing", "2"), flip(3, "t", "facing", "3"), roll(4)]
    turned = flip(5, "t", "facing", "4")
    history = History(game([unit("t", facing="1")], {"t": "0101"}, *events, turned), MARKERS)
    seen = history.seen_values("t", "facing", 0, 5, "Red")
    assert [fact.value for fact in seen] == ["3"]


def test_a_leader_taken_back_is_no_company() -> None:
    """He was dragged along, put back, and went elsewhere: the squad went alone."""
    along = drag(2, "a", "0100", "0106"), drag(2, "l", "0100", "0106")
    back = drag(3, "l", "0106", "0100", cause="undo", cancels=StepRef(1, 2))
    found = audited(LED, "0100", *along, back, drag(4, "l", "0100", "0101"))
    (short,) = (f for f in found.findings if f.kind == "missed-mp-cost")
    assert short.code == "VV-6.31-b"
    said = f"of 4 [{LED[1].name} did not go along all the way (VV-6.31-d)]"
    assert said in short.explanation


def test_a_leader_elsewhere_is_not_the_reason_for_an_allowance() -> None:
    opening = {"a": "0100", "l": "0101"}
    found = audit(game(LED, opening, drag(2, "a", "0100", "0106")), RULESET)
    (short,) = (f for f in found.findings if f.kind == "missed-mp-cost")
    assert "the allowance of 4" in short.explanation
    assert "VV-6.31-d" not in short.explanation


def test_a_leader_put_back_and_brought_up_again_is_company() -> None:
    back = drag(3, "l", "0103", "0100", cause="undo", cancels=StepRef(1, 2))
    ways = drag(4, "a", "0100", "0106"), drag(5, "l", "0100", "0106")
    assert (
        verdicts(audited(LED, "0100", drag(2, "l", "0100", "0103"), back, *ways)) == ["legal"] * 2
    )


@pytest.mark.parametrize(("facing", "codes"), [("180", []), ("0", ["VV-6.32-a"])])
def test_facings_are_read_as_the_pack_names_them(facing: str, codes: list[str]) -> None:
    """Degrees, on a module whose counters are drawn facing down."""
    tank = unit("t", facing=facing, mp=Fraction(3), **{"class": "afv"})
    tables = {"facings": {"0": 3, "180": 0}}
    found = audited([tank], "0104", drag(2, "t", "0104", "0101"), tables=tables)
    assert [f.code for f in found.findings] == codes
    assert [move.verdict for move in found.moves] == ["illegal" if codes else "legal"]


def test_markers_are_read_as_vassal_says_them() -> None:
    found = audited([unit("a", fired="true")], "0100", drag(2, "a", "0100", "0101"))
    assert [f.code for f in found.findings] == ["VV-5.33-a"]


def test_a_unit_aboard_of_nobody_knows_which_carrier_goes_with_the_one_that_goes() -> None:
    truck = unit("t", facing="S", mp=Fraction(6), **{"class": "vehicle"})
    units = [unit("a", aboard=True), truck]
    goes = drag(2, "a", "0100", "0106")
    assert verdicts(audited(units, "0100", drag(2, "t", "0100", "0106"), goes)) == ["legal"]
    assert verdicts(audited(units, "0100", goes)) == ["unverifiable"]


def test_nobody_is_carried_by_a_squad() -> None:
    found = audited(
        [unit("a", aboard="b"), unit("b")],
        "0100",
        *(drag(2, name, "0100", "0107") for name in "ab"),
    )
    assert {name for m in found.moves if m.verdict == "legal" for name in m.move.units} == set()
    (problem,) = found.problems
    assert "attribute aboard" in str(problem)


def test_the_hex_by_which_a_unit_enters_is_charged_by_the_clause_on_entering() -> None:
    events = drag(2, "a", "[Reserve]", "0100"), roll(3), drag(4, "a", "0100", "0104")
    tables = {"boxes": {"entry": ["Reserve"]}}
    found = audited([unit("a")], "[Reserve]", *events, tables=tables)
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
