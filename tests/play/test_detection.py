"""One error planted in a legal game is found, and its clause named."""

from __future__ import annotations

from functools import cache

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
EACH = 20
PLANTED = [
    pair
    for i, pair in enumerate(PAIRS)
    if PROOF or i % (slow := EACH * pair.values[0].slow) == SEED % slow
]
"""Looking for an occasion takes seconds: another twentieth of the clauses each day (fewer of a slow kit), all
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


@cache
def page_lines() -> list[str]:
    return PAGE.read_text(encoding="utf-8").splitlines()


def told_of(clause: str) -> tuple[int, int, int, int]:
    """What the page says of a clause: errors, found, named, strays."""
    line = next(li for li in page_lines() if f"| {clause} |" in li)
    planted, found, named, strays = (int(cell) for cell in line.split("|")[4:8])
    return planted, found, named, strays


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_the_page_tells_of_clauses_that_are_found_and_mostly_named(kit: Kit) -> None:
    """Each is found without strays and named once at least; of all, seven of eight errors are named."""
    clauses = [clause.id for clause in checked(kit) if clause.id not in kit.unbreakable]
    told = {clause: told_of(clause) for clause in clauses}
    bad = [
        c
        for c, (all_, found, named, stray) in told.items()
        if not (found == all_ and named) or stray
    ]
    assert bad == []
    assert 8 * sum(row[2] for row in told.values()) >= 7 * sum(row[0] for row in told.values()) > 0


@pytest.mark.proof
@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_the_page_is_what_the_script_writes(kit: Kit) -> None:
    assert sections()[kit.name] == section(kit, table(kit))


def test_the_page_tells_of_every_ruleset_that_has_a_kit() -> None:
    assert set(sections()) == set(kits())
    assert PAGE.read_text(encoding="utf-8") == page(sections())
