"""The ruleset zoc-classes: its tables and readings, and what cases cannot say."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import counters
import drawn
import pytest
import told
from cases import cases
from counters import begins, drag, in_a_row
from flat import place
from seen import seen_audit
from vassal_umpire.importers.analysis.game_json import plain_game
from vassal_umpire.importers.analysis.game_read import game_of
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Line
from vassal_umpire.model.finding import PhaseView
from vassal_umpire.model.game import Game, PhaseRule, Rules, StepRef
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.ruleset import START
from vassal_umpire.validators.rulesets.zoc_classes import RULESET
from vassal_umpire.validators.rulesets.zoc_classes.allowance import _SAID
from vassal_umpire.validators.rulesets.zoc_classes.cells import half, read_cell
from vassal_umpire.validators.rulesets.zoc_classes.march import before
from vassal_umpire.validators.rulesets.zoc_classes.tables import READINGS, defaults, read_tables
from vassal_umpire.validators.rulesets.zoc_classes.terrain_graph import CostBasis, ZcTerrainGraph
from vassal_umpire.validators.situation import Situation

BY_ID = cases("zoc-classes")
HALVES = {"keep": ("7/2", "7/2"), "down": (3, 3), "up": (4, 4), "any": (3, 4)}


@pytest.mark.parametrize(("reading", "ends"), HALVES.items())
def test_half_an_odd_rating_is_kept_or_rounded_or_any_of_it(
    reading: str, ends: tuple[str | int, str | int]
) -> None:
    assert half(Fraction(7), reading) == tuple(map(Fraction, ends))
    assert half(Fraction(8), reading) == (4, 4)


@pytest.mark.parametrize(
    ("cell", "rating", "cost"),
    [
        ("1/2M+1", 10, (12, 12)),
        ("1/2M-1", 10, (8, 8)),
        ("1/2M+1", 7, (8, 10)),
        ("1/2M-1", 0, (0, 0)),
    ],
)
def test_a_cell_of_half_the_rating(cell: str, rating: int, cost: tuple[int, int]) -> None:
    """In halves of an MP; never less than nothing."""
    found = read_cell(cell).cost(Amount.exactly(rating), 2, "any")
    assert (found.lo, found.hi) == cost


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
    assert before(date, "1941-09-01") is earlier


def test_the_readings_are_those_that_the_clauses_name() -> None:
    named = {r.option: r for clause in RULESET.clauses().values() for r in clause.readings}
    assert set(named) <= set(READINGS)
    for option, reading in named.items():
        assert reading.choices == READINGS[option]
        assert reading.default == READINGS[option][0]


@pytest.mark.parametrize(
    ("name", "unknown"), [("ZC-V31", "condition overrun 0201"), ("MARCH-8", "condition march_die")]
)
def test_where_a_pack_names_no_forms_a_move_may_be_any_of_the_rules(
    name: str, unknown: str
) -> None:
    """What was an offence in a move declared ordinary, or a march with that die, is left open."""
    case = BY_ID[name]
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
    case = BY_ID["MARKED-FULL"]
    enemy = replace(case.game.units["e"], seen_by=("Blue",))
    game = replace(case.game, units={**case.game.units, "e": enemy})
    found = run_case(replace(case, game=game), RULESET)
    assert found.verdict == "unverifiable"
    shown = seen_audit(game, RULESET, Viewer("Red"))
    assert not any("unseen" in u.key for move in shown.moves for u in move.unknowns)
    assert not any(f.kind == "unverifiable" for f in shown.findings)


@pytest.mark.parametrize("name", ["COMPANY-REACTS-APART", "ZOC-OF-TWO-SIDES"])
def test_a_hex_may_have_a_name_of_several_words(name: str) -> None:
    case = BY_ID[name]
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
        for of in defaults()["limits"].values()
        for row in of.values()
        for share in row.values()
    }
    assert shares <= set(_SAID)


# -- what a step costs at the least, and which hexes are far from every enemy -----------------------


CHART = {
    "terrain": {"clear": 1, "forest": "1/2M+1", "lake": "prohibited"},
    "hexsides": {"minor river": "1/2M-1"},
    "roads": {"road": "1/2", "railroad": "unknown"},
    "weather": {"mud": {"terrain": {"clear": 2, "forest": 3, "lake": "prohibited"}, "factor": 1}},
}
NAMES = ("0101", "0201", "0301", "0401", "0501")


def _row(third: str, lines: tuple[Line, ...], complete: bool) -> Board:
    """Five hexes in a row, the third of a terrain of its own, a river before it."""
    hexes = in_a_row(NAMES)
    hexes["0301"] = replace(hexes["0301"], terrain=(third,))
    layers = frozenset({"hexsides", "lines", "terrain"}) if complete else frozenset[str]()
    return Board("row", hexes, {("0201", "0301"): ("minor river",)}, lines, complete=layers)


@pytest.mark.parametrize("third", ["clear", "forest", "lake", "moor"])
@pytest.mark.parametrize("line", ["", "road", "railroad", "trail"])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("weather", [("clear",), ("mud",), ("clear", "mud"), None])
def test_no_step_costs_less_than_the_least(
    third: str, line: str, complete: bool, weather: tuple[str, ...] | None
) -> None:
    lines = (Line(line, NAMES[:2]),) if line else ()
    cost_basis = CostBasis(("first",), Amount.exactly(7), (("", weather),))
    terrain_graph = ZcTerrainGraph(_row(third, lines, complete), read_tables(CHART), cost_basis)
    for world in ("favourable", "adverse"):
        for here in NAMES:
            steps = terrain_graph.steps(world, here, START)
            assert all(step.cost >= terrain_graph.least or step.whole for step in steps)


def test_a_road_that_the_board_does_not_have_lowers_nothing() -> None:
    """Its cost is unknown in the tables: were it there, a step might be free."""
    cost_basis = CostBasis(("first",), Amount.exactly(7), (("", ("clear",)),))
    terrain_graph = ZcTerrainGraph(
        _row("clear", (Line("road", NAMES[:2]),), True), read_tables(CHART), cost_basis
    )
    assert terrain_graph.least == terrain_graph.scale // 2


def test_a_zoc_two_hexes_ahead_is_paid_for() -> None:
    """The hex left is far from the enemy, the one entered next to it."""
    usual = {
        "ma": 9, "class": "non-motorized", "column": "first", "nationality": "Italian", "load": False,
        "infantry": True, "reserve": False, "debt": 0, "combat": True, "zoc": "full", "own_zoc": "full",
        "supply": "regular", "night": False, "weather": "clear", "turned": False,
    }  # fmt: skip
    units = {name: counters.unit(name, side, usual) for name, side in (("a", "Red"), ("e", "Blue"))}
    game = Game(
        "row",
        _row("clear", (), True),
        ("Red", "Blue"),
        units,
        {"a": place("0201"), "e": place("0401")},
        (begins(1, "1", "Initial", "Red"), drag(2, "a", "0201", "0301")),
        Rules(
            "zoc-classes", {**CHART, "zoc": {"complete": True}, "phases": {"initial": ["Initial"]}}
        ),
        {"Initial": PhaseRule("Initial", "both", ("move",), complete=True)},
    )
    situation, at = Situation(game), StepRef(1, 2)
    situation.advance_before(at)
    move = drawn.move("a", "0201", "0301", at=at, phase=PhaseView("1", "Initial", "Red"))
    judged = judge_move(move, situation, RULESET.in_force(game), forms=("move",)).judged
    # clear 1, the river (half of 9, less 1: at least 3), and 2 for the ZOC
    assert judged.bill.total.lo >= 6
