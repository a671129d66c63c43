"""The tables of the ruleset ocs. What it judges, tests/conformance/ocs and tests/play show."""

from __future__ import annotations

import tomllib
from types import SimpleNamespace
from typing import Any

import pytest
from vassal_umpire.model.board import Board, Exceptions, Hex, edge
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.game import Game, Place, Rules
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.validators.engine.asking import Log, Run
from vassal_umpire.validators.engine.in_phase import Spot
from vassal_umpire.validators.engine.subject import Subject
from vassal_umpire.validators.rulesets.ocs import RULESET

EMPTY = Board("none", {})


def in_force(tables: dict[str, Any], board: Board = EMPTY, complete: tuple[str, ...] = ()) -> Any:
    rules = Rules("ocs", tables=tables, complete=frozenset(complete))
    return RULESET.in_force(Game("a game", board, ("A", "B"), {}, {}, (), rules=rules))


def test_the_chart_that_ships_names_no_cost() -> None:
    shipped = RULESET.printed()
    cells = [*shipped["terrain"].values(), *shipped["roads"].values()]
    cells += [side["cost"] for side in shipped["hexsides"].values()]
    assert set(cells) == {"unknown"}
    assert in_force({}).scale == 1


@pytest.mark.parametrize("path", [("dg",), ("reserve", "movement"), ("reserve", "reaction")])
def test_the_line_to_write_for_a_factor_is_one_a_pack_may_hold(path: tuple[str, ...]) -> None:
    log = Log()
    Subject(Run({}, log), in_force({})).number(("factors", *path), "a factor", "what is it?")
    (asked,) = log.open
    assert isinstance(asked, MissingFact)
    (amendment,) = tomllib.loads(asked.stanza.replace("?", "1/3"))["pack"]
    told = in_force(amendment["rules"]).tables["factors"]
    shipped = RULESET.printed()["factors"]
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
