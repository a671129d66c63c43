"""One error planted in a legal game is found, and its clause named."""

from __future__ import annotations

import re

import pytest
from play.detection import PAGE, checked, page, row, section, sections, table
from play.kit import Kit, kits
from tiers import PROOF, SEED
from vassal_umpire.model.finding import Clause

GAMES = 1
"""The number of games for each clause; the page is made with more."""
PAIRS = [
    pytest.param(kit, clause, id=clause.id)
    for kit in kits().values()
    for clause in checked(kit)
    if clause.id not in kit.unbreakable
]
EACH = 40
PLANTED = [
    pair
    for i, pair in enumerate(PAIRS)
    if PROOF or i % (slow := EACH * pair.values[0].slow) == SEED % slow
]
"""Looking for an occasion takes seconds: another fortieth of the clauses each day (fewer of a slow kit), all
in a proof."""


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_every_clause_that_is_checked_is_broken_or_cannot_be(kit: Kit) -> None:
    told = [*kit.clauses, *kit.planted, *kit.unbreakable]
    assert sorted(told) == sorted(clause.id for clause in checked(kit))


@pytest.mark.ci
@pytest.mark.parametrize(("kit", "clause"), PLANTED)
def test_a_planted_error_is_found_and_nothing_else(kit: Kit, clause: Clause) -> None:
    found = row(kit, clause, GAMES)
    assert found.planted, "there was no occasion for the error"
    assert (found.found, found.strays) == (found.planted, 0), found.missed


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_the_page_tells_of_errors_that_are_found_and_mostly_named(kit: Kit) -> None:
    """Each clause is found without strays and named at least once; seven of eight errors are named."""
    clauses = [clause.id for clause in checked(kit) if clause.id not in kit.unbreakable]
    number = r"(\d+)"
    told = sections()[kit.name]
    whole = re.search(
        f"{number} clauses: {number} errors, {number} found, {number} named, {number} strays", told
    )
    assert whole is not None
    count, errors, found, named, strays = map(int, whole.groups())
    assert (count, found, strays) == (len(clauses), errors, 0)
    assert 8 * named >= 7 * errors > 0
    rows = re.findall(rf"^\| (\S+) \| {number} \| {number} \| {number} \| 0 \|$", told, re.M)
    assert {clause for clause, *_ in rows} <= set(clauses)
    assert [row for row in rows if row[1] != row[2] or row[3] == "0"] == []


@pytest.mark.proof
@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_the_page_is_what_the_script_writes(kit: Kit) -> None:
    assert sections()[kit.name] == section(kit, table(kit))


def test_the_page_tells_of_every_ruleset_that_has_a_kit() -> None:
    assert set(sections()) == set(kits())
    assert PAGE.read_text(encoding="utf-8") == page(sections())
