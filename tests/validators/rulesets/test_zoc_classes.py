"""The ruleset zoc-classes: its tables and readings, and what cases cannot say."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache

import drawn
import pytest
import told
from cases import cases
from flat import fact
from seen import seen_audit
from vassal_umpire.importers.analysis.game_json import game_of, plain_game
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.finding import PhaseView
from vassal_umpire.model.game import Game, PhaseRule, StepRef
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.ruleset import START, Circumstances, Mover, World
from vassal_umpire.validators.rulesets.zoc_classes import RULESET
from vassal_umpire.validators.rulesets.zoc_classes.allowance import SAID
from vassal_umpire.validators.rulesets.zoc_classes.roll import faces
from vassal_umpire.validators.rulesets.zoc_classes.terms import is_before, is_not_before
from vassal_umpire.validators.situation import Situation

HALVES = {"keep": ("9/2", "9/2"), "down": (4, 4), "up": (5, 5), "any": (4, 5)}


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [("?", 0, 9), ("10", 0, 0), ("3", 3, 3), ("8..", 0, 9)],
)
def test_a_ten_on_the_die_counts_as_nothing(said: str, least: int, most: int) -> None:
    assert faces(fact(said)) == (least, most)


def _into_forest(rating: int, option: str, cell: str = "1/2M+1") -> Amount:
    """What a unit of the first column pays for a forest."""
    case = told.case(
        "zoc-classes",
        "ZC-6.A.2-g",
        board="\n .   f\n   .\n",
        units=[f"a Red 0101 class=c/m column=first ma={rating} debt=9"],
        moves=["a: 0101 0301", "phase Reaction of Red"],
        options={"half_R": option, "least_hex_cost": 0},
    )
    tables = {**case.game.rules.tables, "terrain": {"forest": {"first": cell}, "clear": 0}}
    game = replace(case.game, rules=replace(case.game.rules, tables=tables))
    bill = run_case(replace(case, game=game), RULESET).audit.moves[0].bill
    assert bill is not None
    return bill.total


@pytest.mark.parametrize(("reading", "ends"), HALVES.items())
def test_half_an_odd_rating_is_kept_or_rounded_or_any_of_it(
    reading: str, ends: tuple[str | int, str | int]
) -> None:
    low, high = map(Fraction, ends)
    assert _into_forest(7, reading) == Amount(low, high)
    assert _into_forest(8, reading) == Amount.exactly(5)


@pytest.mark.parametrize(("cell", "rating", "cost"), [("1/2M-1", 10, 4), ("1/2M-1", 1, 0)])
def test_a_cell_of_half_the_rating(cell: str, rating: int, cost: int) -> None:
    """Never less than nothing."""
    assert _into_forest(rating, "down", cell) == Amount.exactly(cost)


@pytest.mark.parametrize(
    ("date", "earlier"),
    [
        ("1941-08-31", True),
        ("1941-08", True),
        ("1940", True),
        ("1941-09-01", False),
        ("1941-09", False),
        ("1942", False),
        ("1941", None),
        ("autumn 1941", None),
    ],
)
def test_dates_before_september_1941(date: str, earlier: bool | None) -> None:
    found = is_before(date, "1941-09-01"), is_not_before(date, "1941-09-01")
    assert found == (earlier is True, earlier is False)


@pytest.mark.parametrize(
    ("name", "unknown"), [("ZC-V31", "condition overrun 0201"), ("MARCH-8", "condition march_die")]
)
def test_where_a_pack_names_no_forms_a_move_may_be_any_of_the_rules(
    name: str, unknown: str
) -> None:
    """What was an offence in a move declared ordinary, or a march with that die, is left open."""
    case = cases("zoc-classes")[name]
    phases = {key: PhaseRule(key, "both", (), complete=True) for key in case.game.phases}
    units = {
        key: replace(
            unit, attributes={k: f for k, f in unit.attributes.items() if k != "march_die"}
        )
        for key, unit in case.game.units.items()
    }
    game = replace(case.game, phases=phases, units=units, conditions=())
    found = run_case(replace(case, game=game), RULESET)
    assert found.verdict == "unverifiable"
    assert unknown in found.unknowns


def test_a_zoc_of_one_whom_the_mover_cannot_see_is_told_to_nobody_else() -> None:
    case = cases("zoc-classes")["MARKED-FULL"]
    enemy = replace(case.game.units["e"], seen_by=("Blue",))
    game = replace(case.game, units={**case.game.units, "e": enemy})
    found = run_case(replace(case, game=game), RULESET)
    assert found.verdict == "unverifiable"
    shown = seen_audit(game, RULESET, Viewer("Red"))
    assert not any("unseen" in u.key for move in shown.moves for u in move.unknowns)
    assert not any(f.kind == "unverifiable" for f in shown.findings)


@pytest.mark.parametrize("name", ["COMPANY-REACTS-APART", "ZOC-OF-TWO-SIDES"])
def test_a_hex_may_have_a_name_of_several_words(name: str) -> None:
    case = cases("zoc-classes")[name]
    plain = json.dumps(plain_game(case.game)).replace("0201", "Hill 20 South")
    game = game_of(json.loads(plain))
    found = run_case(replace(case, game=game), RULESET)
    assert found.verdict == case.expectation.verdict
    assert any("Hill 20 South" in condition.key for condition in game.conditions)


MARCHES = ["a Red 0101 march=1 march_die=8"]


@pytest.mark.parametrize(
    ("units", "moves"),
    [
        (MARCHES, "a: 0101 0801; roll; a: 0801 ?"),
        (MARCHES, "a: 0101 0801; roll; phase Reaction of Red; a: 0801 ?"),
        (
            ["a Red 0101", "b Red 0901 reserve=true"],
            "a: 0101 0201; roll; a: 0201 ?; flip a reserve=true; phase Reaction of Red",
        ),
        (
            ["a Red ? reserve=true", "e Blue 0601"],
            "phase Exploitation of Blue; roll; a: ? 0101 by Red; phase Movement of Red; a: 0101 0401; "
            "phase Reaction of Red",
        ),
    ],
)
def test_nobody_is_accused_for_a_place_that_cannot_be_told(units: list[str], moves: str) -> None:
    """A unit lost on its march; a marker perhaps another unit's; a reserve perhaps next to an enemy."""
    keys = {"sides": ["Red", "Blue"], "forms": ["move", "forced march"]}
    case = told.case(
        "zoc-classes", "ZC-6-a", board="corridor", units=units, moves=moves.split("; "), **keys
    )
    assert run_case(case, RULESET).verdict == "unverifiable"


def test_every_share_of_a_phase_is_said_in_words() -> None:
    shares = {
        share
        for of in RULESET.printed()["limits"].values()
        for row in of.values()
        for share in row.values()
    }
    assert shares <= set(SAID)


# -- what a step costs at the least, and which hexes are far from every enemy -----------------------


CHART = {
    "terrain": {"clear": 1, "forest": {"first": "1/2M+1"}, "lake": "prohibited"},
    "hexsides": {"minor river": "1/2M-1"},
    "roads": {"road": "1/2", "railroad": "unknown"},
    "weather": {"mud": {"terrain": {"clear": 2, "forest": 3, "lake": "prohibited"}, "factor": 1}},
}
WORLDS: tuple[World, ...] = ("favourable", "adverse")
NAMES = ("0101", "0201", "0301", "0401", "0501")
LAYERS = {True: ["hexsides", "lines", "terrain"], False: []}


@cache
def row(third: str, line: str, complete: bool, ma: int = 7) -> Game:
    """Five hexes in a row, the third of a terrain of its own, a river before it; a unit beside the river,
    and an enemy beyond it."""
    lines = ["minor river: 0201/0301", *([f"{line}: 0101 0201"] if line else [])]
    own = f"column=first ma={ma} zoc=full own_zoc=full"
    return told.case(
        "zoc-classes",
        "ZC-6-a",
        board=f" .       {third}       .\n     .       .\n",
        lines=lines,
        complete=LAYERS[complete],
        units=[f"a Red 0201 {own}", f"e Blue 0401 {own}"],
        moves=["a: 0201 0301"],
        rules=CHART,
    ).game


def in_weather(game: Game, weather: str) -> Game:
    units = {
        name: replace(unit, attributes={**unit.attributes, "weather": fact(weather)})
        for name, unit in game.units.items()
    }
    return replace(game, units=units)


def mover(game: Game) -> Mover:
    """The unit, which may move."""
    situation, at = Situation(game), StepRef(1, 2)
    situation.advance_before(at)
    move = drawn.move("a", "0201", "0301", at=at, phase=PhaseView("1", "Movement", "Red"))
    circumstances = Circumstances(situation, ("a",), ("move",), move)
    return RULESET.in_force(game).scenarios("a", circumstances)[0].movers[0]


@pytest.mark.parametrize("third", [".", "f", "l", "m"])
@pytest.mark.parametrize("line", ["", "road", "railroad", "trail"])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("weather", ["clear", "mud", "clear|mud", "?"])
def test_no_step_costs_less_than_the_least(
    third: str, line: str, complete: bool, weather: str
) -> None:
    unit = mover(in_weather(row(third, line, complete), weather))
    for graph in map(unit.graph, WORLDS):
        steps = [step for here in NAMES for step in graph.steps(here, START)]
        assert all(step.cost >= graph.least or step.whole for step in steps)


def test_a_road_that_the_board_does_not_have_lowers_nothing() -> None:
    """Its cost is unknown in the tables: were it there, a step might be free."""
    game = row(".", "road", True)
    assert mover(game).graph("favourable").least == RULESET.in_force(game).scale // 2


def test_a_zoc_two_hexes_ahead_is_paid_for() -> None:
    """The hex left is far from the enemy, the one entered next to it."""
    (judged,) = audit(row(".", "", True, ma=9), RULESET).moves
    assert judged.bill is not None
    # clear 1, the river (half of 9, less 1: at least 3), and 2 for the ZOC
    assert judged.bill.total.lo >= 6
