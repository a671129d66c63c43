"""The ruleset valor-and-victory: its tables and options, and what the log shows of a move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import UNKNOWN, Fact, known
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.valor_and_victory import RULESET
from vassal_umpire.validators.rulesets.valor_and_victory.rates import rate
from vassal_umpire.validators.rulesets.valor_and_victory.tables import COLUMNS, read_tables
from vassal_umpire.validators.rulesets.valor_and_victory.unit_history import UnitHistory

LANE = Board(
    "lane", {f"01{r:02}": Hex(f"01{r:02}", from_offset(0, r), ("open",), 0) for r in range(8)}
)
BARE = {
    "weapon": "none",
    "assault": False,
    "pinned": False,
    "fired": False,
    "moved": False,
    "immobile": False,
    "aboard": "no",
}


def unit(name: str, **attributes: Any) -> Unit:
    facts = {k: v if isinstance(v, Fact) else known(v) for k, v in {**BARE, **attributes}.items()}
    return Unit(name, name, "Red", attributes=facts)


def hexed(name: str) -> Place:
    return Place("hex", name)


def game(units: list[Unit], opening: dict[str, str], *events: Event, **rules: Any) -> Game:
    first = PhaseStart(StepRef(1, 1), "1", "Movement", "Red")
    last = PhaseStart(StepRef(1, 99), "1", "Combat", "Red")
    return Game(
        title="a game",
        board=LANE,
        sides=("Red", "Blue"),
        units={u.id: u for u in units},
        opening={name: hexed(at) for name, at in opening.items()},
        events=(first, *events, last),
        rules=Rules("valor-and-victory", **rules),
        phases={"Movement": PhaseRule("Movement", "active", (), complete=True)},
    )


def drag(step: int, name: str, origin: str, target: str, **more: Any) -> Displacement:
    return Displacement(
        StepRef(1, step), name, hexed(origin), hexed(target), 1, actor="Red", **more
    )


def flip(step: int, name: str, attribute: str, value: Any) -> StateChange:
    return StateChange(StepRef(1, step), name, attribute, UNKNOWN, known(value), "Red")


def roll(step: int) -> Witness:
    return Witness(StepRef(1, step), "roll", "1d6", "Red")


CHART = {
    # infantry, guns, AFVs, vehicles; None: prohibited (Terrain Effects Summary, section 10)
    "open": (1, 1, 1, 1),
    "road": (1, 1, 1, 1),
    "bridge": (1, 1, 1, 1),
    "building": (2, 2, None, None),
    "woods": (2, 2, 2, 2),
    "jungle": (2, 2, 2, 2),
    "stream": (2, 3, 3, 3),
    "gully": (2, 3, 3, 3),
    "wadi": (2, 3, 3, 3),
    "orchard": (1, 1, 1, 1),
    "crop": (1, 1, 1, 1),
    "canal": (None,) * 4,
    "pond": (None,) * 4,
    "marsh": (None,) * 4,
    "ocean": (None,) * 4,
    "river": (None,) * 4,
}


@pytest.mark.parametrize("terrain", CHART)
def test_the_chart_is_that_of_the_rules(terrain: str) -> None:
    costs = read_tables({}).terrain[terrain]
    found = [costs[column] for column in COLUMNS]
    shown = tuple(None if c.kind == "prohibited" else int(c.amount) for c in found)
    assert shown == CHART[terrain]


def test_no_cell_of_the_chart_is_unknown() -> None:
    tables = read_tables({})
    rows = [*tables.terrain.values(), *tables.hexsides.values()]
    assert not [row for row in rows if any(row[c].kind == "unknown" for c in COLUMNS)]


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
    found = rate(cls, assault, heavy, led, read_tables({}))
    assert found.amount == Amount.exactly(Fraction(points))


def test_a_leader_that_may_be_none_leaves_the_rate_open() -> None:
    found = rate("squad", False, False, None, read_tables({}))
    assert found.amount == Amount(Fraction(4), Fraction(6))


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"off": ("VV-0",)}, "VV-0 is no clause of the ruleset valor-and-victory"),
        ({"options": {"leaders": "yes"}}, "has no option leaders"),
        ({"options": {"leader_counts_stacking": "maybe"}}, "expected one of open, yes, no"),
        ({"tables": {"terrain": {"open": "some"}}}, "rules.terrain.open"),
        ({"tables": {"facings": {"up": 6}}}, "a hexside from 0 to 5"),
    ],
)
def test_faults_of_a_pack_are_named(rules: dict[str, Any], told: str) -> None:
    with pytest.raises(WrongPack, match=told.replace(".", r"\.")):
        RULESET.in_force(game([], {}, **rules))


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
    unit_history = UnitHistory(
        game([unit("a")], {"a": "0101"}, away, back, drag(5, "a", "0101", "0102"))
    )
    assert [unit_history.drag(d).target.name for d in unit_history.drags["a"]] == ["0102"]


def test_units_dragged_together_have_drags_of_their_own() -> None:
    both = [drag(2, name, "0101", "0103") for name in "ab"]
    played = game([unit("a"), unit("b")], {"a": "0101", "b": "0101"}, *both)
    (judged,) = audit(played, RULESET).moves
    history = UnitHistory(played)
    assert [history.of_move(name, judged.move) for name in ("a", "b", "a")] == [[1], [2], [1]]


def test_a_facing_counts_as_seen_only_if_something_saw_it() -> None:
    tank = unit("t", facing="1")
    events = [flip(2, "t", "facing", "2"), flip(3, "t", "facing", "3"), roll(4)]
    unit_history = UnitHistory(game([tank], {"t": "0101"}, *events, flip(5, "t", "facing", "4")))
    seen, last = unit_history.seen_values("t", "facing", 0, 5, "Red")
    assert [fact.value for fact in seen] == ["3"]
    assert last.value == "4"


def test_a_leader_taken_back_is_no_company() -> None:
    """He was dragged along, put back, and went elsewhere: the squad went alone."""
    squad, leader = unit("a", **{"class": "squad"}), unit("l", **{"class": "leader"})
    events = [
        drag(2, "a", "0100", "0106"),
        drag(2, "l", "0100", "0106"),
        drag(3, "l", "0106", "0100", cause="undo", cancels=StepRef(1, 2)),
        drag(4, "l", "0100", "0101"),
    ]
    found = audit(game([squad, leader], {"a": "0100", "l": "0100"}, *events), RULESET)
    assert [f.code for f in found.findings if f.kind == "missed-mp-cost"] == ["VV-6.31-b"]


def test_a_leader_put_back_and_brought_up_again_is_company() -> None:
    squad, leader = unit("a", **{"class": "squad"}), unit("l", **{"class": "leader"})
    events = [
        drag(2, "l", "0100", "0103"),
        drag(3, "l", "0103", "0100", cause="undo", cancels=StepRef(1, 2)),
        drag(4, "a", "0100", "0106"),
        drag(5, "l", "0100", "0106"),
    ]
    found = audit(game([squad, leader], {"a": "0100", "l": "0100"}, *events), RULESET)
    assert [move.verdict for move in found.moves if move.judged] == ["legal", "legal"]
    assert found.problems == ()


def test_facings_are_read_as_the_pack_names_them() -> None:
    """Degrees, on a module whose counters are drawn facing down."""
    tank = unit("t", facing="180", mp=Fraction(3), **{"class": "afv"})
    ahead = drag(2, "t", "0104", "0101")
    tables = {"facings": {"0": 3, "180": 0}}
    found = audit(game([tank], {"t": "0104"}, ahead, tables=tables), RULESET)
    assert [move.verdict for move in found.moves] == ["legal"]
    tank = unit("t", facing="0", mp=Fraction(3), **{"class": "afv"})
    found = audit(game([tank], {"t": "0104"}, ahead, tables=tables), RULESET)
    assert [f.code for f in found.findings] == ["VV-6.32-a"]


def test_markers_are_read_as_vassal_says_them() -> None:
    squad = unit("a", fired="true", **{"class": "squad"})
    found = audit(game([squad], {"a": "0100"}, drag(2, "a", "0100", "0101")), RULESET)
    assert [f.code for f in found.findings] == ["VV-5.33-a"]


def test_a_unit_aboard_of_nobody_knows_which_carrier_goes_with_the_one_that_goes() -> None:
    squad = unit("a", aboard=True, **{"class": "squad"})
    truck = unit("t", facing="S", mp=Fraction(6), **{"class": "vehicle"})
    both = [drag(2, "t", "0100", "0106"), drag(2, "a", "0100", "0106")]
    found = audit(game([squad, truck], {"a": "0100", "t": "0100"}, *both), RULESET)
    assert [move.verdict for move in found.moves] == ["legal"]
    alone = game([squad, truck], {"a": "0100", "t": "0100"}, drag(2, "a", "0100", "0106"))
    assert [move.verdict for move in audit(alone, RULESET).moves] == ["unverifiable"]


def test_the_hex_by_which_a_unit_enters_is_charged_by_the_clause_on_entering() -> None:
    box = Place("box", "Reserve")
    enters = Displacement(StepRef(1, 2), "a", box, hexed("0100"), 1, actor="Red")
    goes_on = drag(4, "a", "0100", "0104")
    squad = unit("a", **{"class": "squad"})
    begun = game([squad], {}, enters, roll(3), goes_on, tables={"boxes": {"entry": ["Reserve"]}})
    found = audit(replace(begun, opening={"a": box}), RULESET)
    [bill] = [finding.bill for finding in found.findings if finding.bill is not None]
    first = bill.charges[0]
    assert (first.clause, first.amount) == ("VV-6.10-a", Amount.exactly(1))
    assert bill.shortfall == 1
