"""One error planted in a legal game is found, and its clause named."""

from __future__ import annotations

import pytest
from play.detection import PAGE, checked, page, row, section, sections, table
from play.kit import FULL, Kit, kits
from vassal_umpire.model.finding import Clause

GAMES = 1
"""The number of games for each clause; the page is made with more."""
PAIRS = [
    pytest.param(kit, clause, id=clause.id)
    for kit in kits().values()
    for clause in checked(kit)
    if clause.id not in kit.unbreakable
]
PLANTED = [pair for i, pair in enumerate(PAIRS) if FULL or i % (3 * pair.values[0].slow) == 0]
"""Looking for an occasion takes seconds: every third clause by default (fewer of a slow kit), all in a full
proof."""


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_every_clause_that_is_checked_is_broken_or_cannot_be(kit: Kit) -> None:
    told = [*kit.clauses, *kit.planted, *kit.unbreakable]
    assert sorted(told) == sorted(clause.id for clause in checked(kit))


@pytest.mark.parametrize(("kit", "clause"), PLANTED)
def test_a_planted_error_is_found_and_nothing_else(kit: Kit, clause: Clause) -> None:
    found = row(kit, clause, GAMES)
    assert found.planted, "there was no occasion for the error"
    assert (found.found, found.strays) == (found.planted, 0), found.missed


def told_of(clause: str) -> tuple[int, int, int, int]:
    """What the page says of a clause: errors, found, named, strays."""
    line = next(li for li in PAGE.read_text(encoding="utf-8").splitlines() if f"| {clause} |" in li)
    planted, found, named, strays = (int(cell) for cell in line.split("|")[4:8])
    return planted, found, named, strays


@pytest.mark.parametrize(("kit", "clause"), PAIRS)
def test_the_page_tells_of_a_clause_that_is_found_and_named(kit: Kit, clause: Clause) -> None:
    planted, found, named, strays = told_of(clause.id)
    assert planted
    assert (found, strays) == (planted, 0)
    assert named


@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_seven_of_eight_errors_are_named(kit: Kit) -> None:
    """Four errors of a clause are too few to ask for a share of them; of all there are enough."""
    told = [told_of(clause.id) for clause in checked(kit) if clause.id not in kit.unbreakable]
    assert 8 * sum(named for _, _, named, _ in told) >= 7 * sum(planted for planted, *_ in told)


@pytest.mark.skipif(not FULL, reason="takes minutes; set UMPIRE_FULL_PROOF=1")
@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
def test_the_page_is_what_the_script_writes(kit: Kit) -> None:
    assert sections()[kit.name] == section(kit, table(kit))


def test_the_page_tells_of_every_ruleset_that_has_a_kit() -> None:
    assert set(sections()) == set(kits())
    assert PAGE.read_text(encoding="utf-8") == page(sections())
