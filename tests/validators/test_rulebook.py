"""What a pack may say of the rules, the same for every ruleset; and the readings that are told."""

from __future__ import annotations

import pytest
from vassal_umpire.model.finding import Clause, Reading
from vassal_umpire.model.game import Rules
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.rulebook import Rulebook, readings_in_force

BOOKS = {name: book for name, book in rulesets().parts.items() if isinstance(book, Rulebook)}
IN_TABLES = [
    (name, reading.option)
    for name, book in BOOKS.items()
    for clause in book.clauses().values()
    for reading in clause.readings
    if reading.option.startswith("rules.")
]


def test_there_are_readings_that_a_pack_settles_in_its_tables() -> None:
    assert ("tide-of-iron", "rules.hills.combine") in IN_TABLES


@pytest.mark.parametrize(("name", "option"), IN_TABLES)
def test_what_is_settled_in_the_tables_is_no_option(name: str, option: str) -> None:
    """As an option it would do nothing, and nobody would say so."""
    with pytest.raises(WrongPack, match="has no option"):
        BOOKS[name].check(Rules(name, options={option: "unknown"}))


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_clauses_there_are_none_of_cannot_be_switched_off(name: str) -> None:
    with pytest.raises(WrongPack, match=f"X-9 is no clause of the ruleset {name}"):
        BOOKS[name].check(Rules(name, off=("X-9",)))


# -- readings in force ------------------------------------------------------------------------------


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
