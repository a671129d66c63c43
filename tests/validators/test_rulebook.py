"""What a pack may say of the rules: the same for every ruleset."""

from __future__ import annotations

import pytest
from vassal_umpire.model.game import Rules
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.rulebook import Rulebook

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
