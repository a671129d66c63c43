"""What is wrong with what a pack says of the rules is told in one line with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import drawn
import pytest
from cases import RULESETS
from vassal_umpire.model.game import Rules
from vassal_umpire.model.problem import WrongPack

CLEAR, STEPS = "rules.terrain.costs.clear", "rules.steps[1]"
TABLES: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    # by ruleset: tables, where they are wrong, and what is said of it
    "generic": [
        ({"terrain": {"costs": {"clear": 0.5}}}, CLEAR, "0.5"),
        ({"terrain": {"costs": {"clear": {"from": 3, "to": "1/2"}}}}, CLEAR, "found from 3 to 1/2"),
        ({"terrain": {"costs": {"clear": {"foto": 1}}}}, CLEAR, "foto"),
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
    assert f"X-9 is no clause of the ruleset {ruleset}" in fault(ruleset, off=("X-9",))
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
