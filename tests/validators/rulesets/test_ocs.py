"""The tables of the ruleset ocs. What it judges, tests/conformance/ocs and tests/play show."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.validators.rulesets.ocs.ruleset_facts import factor
from vassal_umpire.validators.rulesets.ocs.tables import defaults, read_tables


def test_the_chart_that_ships_names_no_cost() -> None:
    shipped = defaults()
    cells = [*shipped["terrain"].values(), *shipped["roads"].values()]
    cells += [side["cost"] for side in shipped["hexsides"].values()]
    assert set(cells) == {"unknown"}
    assert read_tables({}).scale == 1


@pytest.mark.parametrize(
    ("place", "tables"),
    [
        ("terrain.open", {"terrain": {"open": 0.5}}),
        ("terrain.open", {"terrain": {"open": {"foot": 1}}}),
        ("factors.dg", {"factors": {"dg": "half"}}),
        ("hexsides.river", {"hexsides": {"river": 2}}),
    ],
)
def test_a_fault_in_the_tables_is_one_line_with_its_place(
    place: str, tables: dict[str, Any]
) -> None:
    with pytest.raises(WrongPack) as caught:
        read_tables(tables)
    assert caught.value.problems[0].where.startswith(f"rules.{place}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "segment"), [("DG", ""), ("reserve", "movement"), ("released", "reaction")]
)
def test_the_line_to_write_for_a_factor_is_one_a_pack_may_hold(mode: str, segment: str) -> None:
    stanza = factor(mode, segment).stanza.replace("?", "1/3")
    (amendment,) = tomllib.loads(stanza)["pack"]
    shipped, told = read_tables({}), read_tables(amendment["rules"])
    assert (told.dg, told.factors) != (shipped.dg, shipped.factors)
