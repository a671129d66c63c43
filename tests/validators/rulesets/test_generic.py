"""The ruleset generic: its tables, and its faults as lines."""

from __future__ import annotations

import re
import textwrap
import tomllib
from dataclasses import replace
from typing import Any

import drawn
import pytest
import told
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
    assert [limit.bounds for limit in tables.stacking.limits] == [((3,),), ((2,),)]


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
