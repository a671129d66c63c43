"""The ruleset generic: its tables, its faults as lines, and that every enforced clause matters."""

from __future__ import annotations

import re
import textwrap
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import drawn
import pytest
from vassal_umpire.importers.cases.load import read_case_file
from vassal_umpire.model.board import Board, Line
from vassal_umpire.model.game import Rules
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.rulesets import generic
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.rulesets.generic.reading import read_tables


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
    assert tables.stacking is not None
    assert [limit.bounds for limit in tables.stacking.limits] == [((3,),), ((2,),)]


@pytest.mark.parametrize(
    ("place", "change", "said"),
    [
        ("terrain.costs.clear", {"terrain": {"costs": {"clear": 0.5}}}, "0.5"),
        ("steps[1]", {"steps": [{"into": ["forest"]}]}, "cost, instead_of or stop"),
        (
            "steps[1]",
            {"steps": [{"cost": 1, "friends": True, "along": ["road"]}]},
            "friends without",
        ),
        (
            "terrain.costs.clear",
            {"terrain": {"costs": {"clear": {"from": 3, "to": "1/2"}}}},
            "in their order; found from 3 to 1/2",
        ),
        ("steps[1].along", {"steps": [{"cost": 1, "along": ["raod"]}]}, "(road); found raod"),
        ("terrain.costs.clear", {"terrain": {"costs": {"clear": {"foto": 1}}}}, "foto"),
        ("zoc", {"zoc": {"entr": 1}}, "entr"),
        (
            "stacking.exempt[1]",
            {"stacking": {"limit": 1, "exempt": [{"form": True, "is": ["rail"]}]}},
            "form",
        ),
        (
            "steps[1]",
            {"steps": [{"cost": 1, "friend": [{"side": True, "is": ["Red"]}]}]},
            "friends",
        ),
        ("roads.road.cost", {"roads": {"road": {"cost": -1}}}, "-1"),
    ],
)
def test_a_fault_in_the_tables_is_one_line_with_its_place(
    place: str, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(WrongPack) as caught:
        read_tables({**drawn.TABLES, **change})
    (problem,) = caught.value.problems
    assert problem.where.startswith(f"rules.{place}")
    assert said in problem.message
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rules", [{"off": ("GEN-TYPO",)}, {"options": {"typo": 1}}])
def test_unknown_clauses_and_options_are_faults(rules: dict[str, Any]) -> None:
    played = drawn.game(drawn.board("."), {"0101": drawn.unit("a")})
    with pytest.raises(WrongPack):
        RULESET.in_force(
            type(played)(**{**vars(played), "rules": Rules("generic", drawn.TABLES, **rules)})
        )


WHEELS = {"class": "wheels"}
E = drawn.unit("e", "Blue")
ROAD = ("0101 0201 0301",)


def _path_roads() -> Board:
    where = drawn.board("....")
    lines = (
        Line("road", ("0101", "0201"), junctions=False),
        Line("road", ("0201", "0301"), junctions=False),
    )
    return Board("crossing", where.hexes, lines=lines)


def _hill(level: int) -> Board:
    where = drawn.board("..")
    high = {
        **where.hexes,
        "0201": type(where.hexes["0201"])("0201", where.hexes["0201"].at, ("clear",), level),
    }
    return Board("hill", high)


CASES: dict[str, tuple[Board, dict[str, Any], dict[str, Any], tuple[str, ...], bool]] = {
    # clause: board, tables, facts of the mover, hexes of its move, whether an enemy stands in 0301
    "GEN-ALLOWANCE": (drawn.board("...."), {}, {"ma": 2}, ("0101", "0401"), False),
    "GEN-MODIFIER": (
        drawn.board("...."),
        {
            "allowance": {
                "attribute": "ma",
                "modifiers": [{"op": "multiply", "value": "1/2", "round": "up"}],
            }
        },
        {"ma": 3},
        ("0101", "0401"),
        False,
    ),
    "GEN-IMMOBILE": (
        drawn.board(".."),
        {
            "allowance": {
                "attribute": "ma",
                "immobile": [{"if": [{"attribute": "class", "is": ["wheels"]}]}],
            }
        },
        WHEELS,
        ("0101", "0201"),
        False,
    ),
    "GEN-MINIMUM": (
        drawn.board(".f"),
        {"allowance": {"attribute": "ma", "minimum_move": True}},
        {"ma": 1},
        ("0101", "0201"),
        False,
    ),
    "GEN-HEXES": (
        drawn.board(".f."),
        {"allowance": {"attribute": "ma", "counts": "hexes"}},
        {"ma": 2},
        ("0101", "0301"),
        False,
    ),
    "GEN-TERRAIN": (drawn.board(".ff"), {}, {"ma": 3}, ("0101", "0301"), False),
    "GEN-TERRAIN-PROHIBITED": (drawn.board(".#"), {}, {}, ("0101", "0201"), False),
    "GEN-WHOLE": (drawn.board("..m"), {}, {}, ("0101", "0301"), False),
    "GEN-HEXSIDE": (
        drawn.board("..", sides={"0101-0201": "river"}),
        {},
        {"ma": 2},
        ("0101", "0201"),
        False,
    ),
    "GEN-HEXSIDE-PROHIBITED": (
        drawn.board("..", sides={"0101-0201": "river"}),
        {},
        WHEELS,
        ("0101", "0201"),
        False,
    ),
    "GEN-BRIDGE": (
        drawn.board("..", sides={"0101-0201": "river bridge"}),
        {},
        WHEELS,
        ("0101", "0201"),
        False,
    ),
    "GEN-ROAD": (drawn.board("...", roads=ROAD), {}, {"ma": 1}, ("0101", "0301"), False),
    "GEN-ROAD-PATH": (
        _path_roads(),
        {"roads": {"road": {"cost": "1/2", "continuity": "path"}}},
        {"ma": 1},
        ("0101", "0301"),
        False,
    ),
    "GEN-LEVEL": (_hill(1), {"levels": {"up": 4}}, {}, ("0101", "0201"), False),
    "GEN-LEVEL-MOST": (_hill(2), {"levels": {"most": 1}}, {}, ("0101", "0201"), False),
    "GEN-SURCHARGE": (
        drawn.board("..."),
        {"surcharges": [{"cost": 2, "if": [{"attribute": "class", "is": ["foot"]}]}]},
        {},
        ("0101", "0301"),
        False,
    ),
    "GEN-STEP": (
        drawn.board("..f"),
        {"steps": [{"into": ["forest"], "cost": 2}]},
        {},
        ("0101", "0301"),
        False,
    ),
    "GEN-STEP-PROHIBITED": (
        drawn.board("..f"),
        {"steps": [{"into": ["forest"], "cost": "prohibited"}]},
        {},
        ("0101", "0301"),
        False,
    ),
    "GEN-STEP-STOP": (
        drawn.board(".f."),
        {"steps": [{"into": ["forest"], "stop": True}]},
        {},
        ("0101", "0301"),
        False,
    ),
    "GEN-ZOC-ENTER": (drawn.board("...."), {"zoc": {"enter": 4}}, {}, ("0101", "0201"), True),
    "GEN-ZOC-LEAVE": (drawn.board("...."), {"zoc": {"leave": 4}}, {}, ("0201", "0101"), True),
    "GEN-ZOC-WITHIN": (
        drawn.board("...", "..."),
        {"zoc": {"within": "prohibited"}},
        {"ma": 1},
        ("0201", "0302"),
        True,
    ),
    "GEN-ZOC-STOP": (
        drawn.board("...."),
        {"zoc": {"stop": True}},
        {},
        ("0101", "0201", "0101"),
        True,
    ),
    "GEN-ZOC-NEGATED": (
        drawn.board("...."),
        {"zoc": {"enter": 4, "negated_by_friends": True}},
        {},
        ("0101", "0201"),
        True,
    ),
    "GEN-ENEMY": (drawn.board("..."), {}, {}, ("0101", "0301"), True),
}


def _verdict(clause: str, off: tuple[str, ...]) -> str:
    where, tables, facts, hexes, enemy = CASES[clause]
    units = {hexes[0]: drawn.unit("a", **facts)}
    if enemy:
        units["0301 e"] = E
    if clause == "GEN-ZOC-NEGATED":
        units["0201 b"] = drawn.unit("b")
    return drawn.judge(
        drawn.game(where, units, tables, off=off), drawn.move("a", *hexes)
    ).judged.verdict


ELSEWHERE = {"GEN-STACKING", "GEN-ORDER", "GEN-ENTERING"}
"""Enforced by other checks than the judge, or by what happened before; see their tests and the conformance
cases for the clause switched off."""


@pytest.mark.parametrize(
    "clause",
    sorted(
        c.id for c in RULESET.clauses().values() if c.status == "enforced" and c.id not in ELSEWHERE
    ),
)
def test_switching_an_enforced_clause_off_changes_a_verdict(clause: str) -> None:
    assert {_verdict(clause, ()), _verdict(clause, (clause,))} == {"legal", "illegal"}


def test_stacking_order_and_declarations_can_be_switched_off() -> None:
    tables = {**drawn.TABLES, "stacking": {"limit": 2}, "order": {"resume": False}}
    assert read_tables(tables).stacking is not None
    assert read_tables(tables, ["GEN-STACKING"]).stacking is None
    assert not read_tables(tables).order.resume
    assert read_tables(tables, ["GEN-ORDER"]).order.resume


def test_clauses_are_complete_and_cited() -> None:
    for clause in RULESET.clauses().values():
        assert clause.title
        assert clause.text.endswith(".")
        assert re.fullmatch(r"GEN(-[A-Z]+)+", clause.id)


def test_reports_can_say_which_clauses_are_off() -> None:
    played = drawn.game(drawn.board("."), {"0101": drawn.unit("a")}, off=("GEN-ZOC-STOP",))
    assert RULESET.in_force(played).readings == {"GEN-ZOC-STOP": "switched off"}


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
    tmp_path: Path, complete: list[str], verdict: str
) -> None:
    """Where the tables name no attribute, every unit is of the first class; of an unfinished list of classes
    nobody has said so."""
    file = tmp_path / "came.toml"
    file.write_text(
        f"""ruleset = "generic"
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
moves = ["a: [Reserve] 0101", "a: 0101 0401"]
expect = {{ verdict = "{verdict}" }}
""",
        "utf-8",
    )
    (case,) = read_case_file(file)
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
