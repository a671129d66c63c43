"""The rulesets generic and ocs: their tables; what is wrong with what a pack says of rules, as lines."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import drawn
import pytest
import told
from cases import RULESETS
from vassal_umpire.model.board import Board, Exceptions, Hex, edge
from vassal_umpire.model.fact import MissingFact, one_of
from vassal_umpire.model.game import Game, Place, Rules
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.engine.asking import Log, Run
from vassal_umpire.validators.engine.in_phase import Spot
from vassal_umpire.validators.engine.subject import Subject
from vassal_umpire.validators.rulesets import generic
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.rulesets.generic.tables import read_tables
from vassal_umpire.validators.rulesets.ocs import RULESET as OCS


def example() -> dict[str, Any]:
    """The tables in the package's docstring."""
    text = generic.__doc__ or ""
    block = text.split("::\n", 1)[1].split("\nA class left out", 1)[0]
    parsed: dict[str, Any] = tomllib.loads(textwrap.dedent(block))
    return parsed["rules"]


def test_the_documented_example_is_valid() -> None:
    assert RULESET.schema.faults(example()) == ()
    tables = read_tables(example())
    assert tables.scale == 4
    assert [limit.bounds for limit in tables.stacking.limits] == [((3,),), ((2,),)]


def test_clauses_are_complete_and_cited() -> None:
    for clause in RULESET.clauses().values():
        assert clause.title
        assert clause.text.endswith(".")
        assert re.fullmatch(r"GEN(-[A-Z]+)+", clause.id)


def test_reports_can_say_which_clauses_are_off() -> None:
    played = drawn.game(drawn.board("."), {"0101": drawn.unit("a")}, off=("GEN-ZOC-STOP",))
    assert RULESET.in_force(played).readings == {"GEN-ZOC-STOP": "switched off"}


def test_what_a_rule_asks_that_is_switched_off_is_not_completed() -> None:
    """With what it asks there would be too many completions to judge each class by itself."""
    unclear = {f"mark {number}": one_of("yes", "no") for number in range(6)}
    tables = {
        "allowance": {"by_class": {"foot": 2, "wheels": 4}},
        "terrain": {"costs": {"clear": {"foot": 1, "wheels": 2}}},
        "steps": [{"if": [{"attribute": m, "is": ["yes"]} for m in unclear], "stop": True}],
    }
    unit = drawn.unit("a", **{"class": one_of("foot", "wheels"), **unclear})
    played = drawn.game(drawn.board("..."), {"0101": unit}, tables, off=("GEN-STEP-STOP",))
    assert drawn.judge(played, drawn.move("a", "0101", "0301")).judged.verdict == "legal"


WHOLE = [
    *("allowance", "terrain", "hexsides", "roads", "levels", "surcharges", "zoc", "enemy_hex"),
    *("stacking", "order", "entering", "steps", "lacks"),
]


@pytest.mark.parametrize(
    ("complete", "verdict"),
    [(["classes", *WHOLE], "illegal"), (WHOLE, "unverifiable")],
    ids=["whole", "unfinished"],
)
def test_a_unit_without_class_came_onto_the_map_as_one_of_any(
    complete: list[str], verdict: str
) -> None:
    """Where the tables name no attribute, every unit is of the first class; of an unfinished list of classes
    nobody has said so."""
    case = told.read(f"""ruleset = "generic"
[legend]
"." = "clear"
f = "forest"
[rules]
complete = {complete}
classes.names = ["foot", "wheels"]
allowance.attribute = "ma"
terrain.costs = {{ clear = 1, forest = {{ foot = 2, wheels = 1 }} }}
entering.spent = "as entered"
[[case]]
id = "CAME"
title = "forest 2 on foot, then 3"
clauses = ["GEN-ENTERING"]
kind = "boundary"
board = '''
 f   .
   .   .
'''
units = ["a Red [Reserve] ma=4"]
moves = ["a: [Reserve] 0101", "roll", "a: 0101 0401"]
expect = {{ verdict = "{verdict}" }}
""")
    assert run_case(case, RULESET).verdict == verdict


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("4", "legal"), ("2", "illegal"), ("-", "illegal"), ("6/4*", "unverifiable")],
)
def test_an_allowance_that_a_pack_reads_as_text(printed: str, verdict: str) -> None:
    """A number is one also as text; a word leaves it to the class (foot: 1); what is neither is not known."""
    tables = {"allowance": {"attribute": "ma", "by_class": {"foot": 1, "wheels": 9}}}
    game = drawn.game(drawn.board("....."), {"0101": drawn.unit("a", ma=printed)}, tables)
    assert drawn.judge(game, drawn.move("a", "0101", "0401")).judged.verdict == verdict


def test_a_level_that_a_board_with_all_its_levels_does_not_give_is_0() -> None:
    flat = drawn.board("..")
    hexes = {name: replace(here, level=None) for name, here in flat.hexes.items()}
    tables = {"levels": {"up": 1}}
    for complete, verdict in (
        (flat.complete, "legal"),
        (flat.complete - {"levels"}, "unverifiable"),
    ):
        where = replace(flat, hexes=hexes, complete=complete)
        game = drawn.game(where, {"0101": drawn.unit("a")}, tables)
        assert drawn.judge(game, drawn.move("a", "0101", "0201")).judged.verdict == verdict


# -- The tables of the ruleset ocs. What it judges, tests/conformance/ocs and tests/play show ------

EMPTY = Board("none", {})


def in_force(tables: dict[str, Any], board: Board = EMPTY, complete: tuple[str, ...] = ()) -> Any:
    rules = Rules("ocs", tables=tables, complete=frozenset(complete))
    return OCS.in_force(Game("a game", board, ("A", "B"), {}, {}, (), rules=rules))


TIDE_OPEN = ("beach", "rough", "marsh", "hedgerow", "crevasse", "balka", "minefield")
UNKNOWN: dict[str, Callable[[Any], list[Any]]] = {
    "ocs": lambda chart: [
        *(*chart["terrain"].values(), *chart["roads"].values()),
        *(side["cost"] for side in chart["hexsides"].values()),
    ],
    "wacht-am-rhein": lambda chart: [
        *(*chart["terrain"].values(), *chart["hexsides"].values()),
        *(chart["roads"]["secondary"], chart["roads"]["trail"]),
    ],
    "tide-of-iron": lambda chart: [
        *(chart["stacking"]["limit"], chart["terrain"]["woods"]["others"]),
        *(chart["terrain"][name] for name in TIDE_OPEN),
    ],
}


@pytest.mark.parametrize("ruleset", UNKNOWN)
def test_what_the_text_does_not_fix_is_unknown(ruleset: str) -> None:
    assert set(UNKNOWN[ruleset](RULESETS[ruleset].printed())) == {"unknown"}


@pytest.mark.parametrize("path", [("dg",), ("reserve", "movement"), ("reserve", "reaction")])
def test_the_line_to_write_for_a_factor_is_one_a_pack_may_hold(path: tuple[str, ...]) -> None:
    log = Log()
    Subject(Run({}, log), in_force({})).number(("factors", *path), "a factor", "what is it?")
    (asked,) = log.open
    assert isinstance(asked, MissingFact)
    (amendment,) = tomllib.loads(asked.stanza.replace("?", "1/3"))["pack"]
    told = in_force(amendment["rules"]).tables["factors"]
    shipped = OCS.printed()["factors"]
    assert told != shipped
    assert {**told, path[0]: None} == {**shipped, path[0]: None}
    if len(path) > 1:
        assert {**shipped[path[0]], path[1]: "1/3"} == told[path[0]]


@pytest.mark.parametrize(
    ("maybe", "whole", "leads"),
    [
        (None, False, True),
        (None, True, True),
        (frozenset({"Railway"}), True, True),
        (frozenset({"road"}), False, False),
        (frozenset[str](), True, False),
    ],
    ids=["any line", "any line of the chart, with railroads", "a railway", "a road", "none"],
)
def test_a_railroad_may_lead_where_a_line_may_be(
    maybe: frozenset[str] | None, whole: bool, leads: bool
) -> None:
    hexes = {name: Hex(name, Axial(q, 0), ("open",)) for q, name in enumerate("ab")}
    board = Board("two", hexes, exceptions=Exceptions(lines={edge("a", "b"): maybe}))
    rules = in_force({}, board, ("roads",) if whole else ())
    facts: Any = SimpleNamespace(rules=rules)
    assert Spot(facts, Place("hex", "b")).line_perhaps("rail", "roads") is leads


# -- What is wrong with what a pack says of the rules is told in one line with its place -----------

CLEAR, STEPS = "rules.terrain.costs.clear", "rules.steps[1]"
TABLES: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    # by ruleset: tables, where they are wrong, and what is said of it
    "generic": [
        ({"terrain": {"costs": {"clear": 0.5}}}, CLEAR, "0.5"),
        ({"terrain": {"costs": {"clear": {"from": 3, "to": "1/2"}}}}, CLEAR, "found from 3 to 1/2"),
        ({"terrain": {"costs": {"clear": {"foto": 1}}}}, CLEAR, "foto"),
        ({"allowance": {"by_class": {"foto": 3}}}, "rules.allowance.by_class", "foto"),
        ({"zoc": [{"stop": True}, {"enter": {"foto": 1}}]}, "rules.zoc[2].enter", "foto"),
        ({"entering": {"spent": {"foto": 1}}}, "rules.entering.spent", "foto"),
        (
            {"hexsides": {"ford": {"cost": 1, "bridges": [{"feature": "b", "cost": {"foto": 1}}]}}},
            *("rules.hexsides.ford.bridges[1].cost", "foto"),
        ),
        ({"steps": [{"into": ["forest"]}]}, STEPS, "cost, instead_of or stop"),
        ({"steps": [{"cost": 1, "friends": True, "along": ["road"]}]}, STEPS, "friends without"),
        ({"steps": [{"cost": 1, "along": ["raod"]}]}, f"{STEPS}.along", "(road); found raod"),
        ({"steps": [{"cost": 1, "friend": [{"side": True, "is": ["Red"]}]}]}, STEPS, "friends"),
        ({"zoc": {"entr": 1}}, "rules.zoc", "entr"),
        (
            {"stacking": {"limit": 1, "exempt": [{"form": True, "is": ["rail"]}]}},
            *("rules.stacking.exempt[1]", "form"),
        ),
        ({"roads": {"road": {"cost": -1}}}, "rules.roads.road.cost", "-1"),
    ],
    "ocs": [
        ({"terrain": {"open": 0.5}}, "rules.terrain.open", ""),
        ({"terrain": {"open": {"foot": 1}}}, "rules.terrain.open", ""),
        ({"factors": {"dg": "half"}}, "rules.factors.dg", ""),
        ({"hexsides": {"river": 2}}, "rules.hexsides.river", ""),
    ],
    "tide-of-iron": [
        ({"terrain": {"woods": "dear"}}, "rules.terrain.woods", ""),
        ({"terrain": {"woods": {"horse": 2}}}, "rules.terrain.woods", ""),
        ({"wadi": {"played": True}}, "rules.wadi.played", ""),
        ({"types": {"truck": {"class": "cart"}}}, "rules.types.truck.class", ""),
        ({"stacking": {"limit": -1}}, "rules.stacking.limit", ""),
    ],
    "valor-and-victory": [
        ({"terrain": {"open": "some"}}, "rules.terrain.open", ""),
        ({"facings": {"up": 6}}, "rules.facings.up", "a hexside from 0 to 5"),
    ],
    "wacht-am-rhein": [
        ({"terrain": {"clear": "free"}}, "rules.terrain.clear", ""),
        ({"roads": {"autobahn": 1}}, "rules.roads", ""),
        ({"grounds": {"mud": {"factor": -1}}}, "rules.grounds.mud.factor", ""),
        ({"nations": {"Red": ["soviet"]}}, "rules.nations.Red[1]", ""),
    ],
    "zoc-classes": [
        ({"terrain": {"clear": "1/3M"}}, "rules.terrain.clear", ""),
        ({"zoc": {"screened": [0, 1]}}, "rules.zoc.screened", ""),
    ],
}


def fault(ruleset: str, **rules: Any) -> str:
    """What is told of a game of such rules."""
    game = drawn.game(drawn.board("."), {})
    tables = {**(drawn.TABLES if ruleset == "generic" else {}), **rules.pop("tables", {})}
    with pytest.raises(WrongPack) as told:
        RULESETS[ruleset].in_force(replace(game, rules=Rules(ruleset, tables, **rules)))
    return str(told.value)


@pytest.mark.parametrize(
    ("ruleset", "tables", "where", "said"),
    [(ruleset, *row) for ruleset, several in TABLES.items() for row in several],
)
def test_a_fault_in_the_tables(ruleset: str, tables: dict[str, Any], where: str, said: str) -> None:
    found = fault(ruleset, tables=tables)
    assert found.startswith(f"tables of the ruleset {ruleset}: {where}")
    assert said in found
    assert "\n" not in found


@pytest.mark.parametrize("ruleset", sorted(TABLES))
def test_a_clause_or_an_option_that_there_is_none_of(ruleset: str) -> None:
    assert f"X-9 is not a clause of the ruleset {ruleset}" in fault(ruleset, off=("X-9",))
    assert "no option typo" in fault(ruleset, options={"typo": 1})


@pytest.mark.parametrize(
    ("ruleset", "option", "said"),
    [
        ("valor-and-victory", "leader_counts_stacking", "expected one of open, yes, no"),
        ("wacht-am-rhein", "fatigue", "options.fatigue: expected one of undecided"),
        ("zoc-classes", "half_R", "options.half_R: expected one of any, keep, down, up"),
    ],
)
def test_a_value_that_an_option_does_not_have(ruleset: str, option: str, said: str) -> None:
    assert said in fault(ruleset, options={option: "sideways"})
