"""Every reading in force is told, also where the pack says nothing."""

from __future__ import annotations

from vassal_umpire.model.finding import Clause, Reading
from vassal_umpire.model.game import Rules
from vassal_umpire.validators.readings import readings_in_force


def a_clause(name: str, option: str, default: str) -> dict[str, Clause]:
    return {name: Clause(name, "", "", readings=(Reading(option, "?", (default,), default),))}


CLAUSES = {
    **a_clause("A", "half", "any"),
    **a_clause("B", "rules.terrain.combine", "dearest"),
    **a_clause("C", "rules.roads.*.continuity", "edge"),
    **a_clause("D", "rules.order.resume", "true"),
}


def test_what_nobody_settled_is_read_by_default() -> None:
    expected = {"half": "any", "rules.terrain.combine": "dearest", "rules.order.resume": "true"}
    assert readings_in_force(CLAUSES, Rules("x"), {}) == expected


def test_what_the_pack_settles_is_told_with_its_value() -> None:
    roads = {"track": {"cost": 1}, "highway": {"continuity": "path"}}
    tables = {"terrain": {"combine": "sum"}, "roads": roads, "order": {"resume": False}}
    found = readings_in_force(CLAUSES, Rules("x", tables, {"half": "up"}), {})
    assert found == {
        "half": "up",
        "rules.terrain.combine": "sum",
        "rules.roads.track.continuity": "edge",
        "rules.roads.highway.continuity": "path",
        "rules.order.resume": "false",
    }


def test_clauses_switched_off_have_no_readings_and_the_ruleset_has_the_last_word() -> None:
    rules = Rules("x", off=("A", "C", "D"))
    told = {"A": "switched off", "rules.terrain.combine": "sum"}
    assert readings_in_force(CLAUSES, rules, told) == told
