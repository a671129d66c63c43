"""Every case of every ruleset, and that the cases cover every clause that is enforced."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model.finding import Clause
from vassal_umpire.plugin.conformance import Outcome, differences, run_case
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.rulebook import Rulebook

FOLDER = Path(__file__).parent / "conformance"
RULESETS = {name: one for name, one in rulesets().parts.items() if isinstance(one, Rulebook)}
ALL = read_cases([FOLDER])
CASES = [case for case in ALL if not case.ignore]
CHECKED = [
    clause
    for _, ruleset in sorted(RULESETS.items())
    for clause in ruleset.own_clauses.values()
    if clause.status in ("enforced", "declared")
]
"""Every clause that a move can be held against, but those that a ruleset has from what it builds on."""

BREAKS = ("prohibition", "must-stop", "stacking", "order", "allowance")
CHARGED = ("cost",)
"""Kinds of clause that findings are about, and that bills name. Others change what these say."""

each_clause = pytest.mark.parametrize("clause", CHECKED, ids=lambda clause: clause.id)


def outcome(case: Case, *off: str) -> Outcome:
    return run_case(case, RULESETS[case.ruleset], off)


def about(clause: Clause) -> list[Case]:
    """The cases of a clause; ids of clauses are unique over all rulesets."""
    return [case for case in CASES if clause.id in case.clauses]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.ruleset}/{case.id}")
def test_case(case: Case) -> None:
    told = [
        f"{d.what}: expected {d.expected}; found {d.found}"
        for d in differences(case.expectation, outcome(case))
    ]
    assert told == [], f"{case.where} (umpire check-cases {case.file} --only {case.id})"


def test_every_ruleset_has_cases_in_the_folder_of_its_name() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert folders == set(RULESETS)
    assert {(Path(case.file).parent.name, case.ruleset) for case in ALL} == {
        (name, name) for name in RULESETS
    }


def test_illegal_cases_name_clauses_and_open_ones_facts() -> None:
    """Cases that others write may state a verdict alone; ours say why."""
    bare = [
        case.id
        for case in ALL
        if (case.expectation.verdict == "illegal" and not case.expectation.codes)
        or (case.expectation.verdict == "unverifiable" and not case.expectation.unknowns)
    ]
    assert bare == []


def test_every_case_has_an_id_of_its_own_and_says_what_it_shows() -> None:
    counts = Counter((case.ruleset, case.id) for case in ALL)
    assert [key for key, times in counts.items() if times > 1] == []
    assert [case.where for case in ALL if not case.title] == []


def test_cases_name_clauses_that_there_are() -> None:
    strange = [
        (case.id, name)
        for case in ALL
        for name in case.clauses
        if name not in RULESETS[case.ruleset].clauses() and not name.startswith("CHK-")
    ]
    assert strange == []


@each_clause
def test_every_clause_has_a_passing_case(clause: Clause) -> None:
    assert any(case.expectation.verdict == "legal" for case in about(clause))


@each_clause
def test_every_clause_has_a_breaking_case(clause: Clause) -> None:
    """A permission is broken by taking it away: a legal case turns illegal."""
    if clause.kind == "permission":
        legal = [case for case in about(clause) if case.expectation.verdict == "legal"]
        assert any(outcome(case, clause.id).verdict == "illegal" for case in legal)
    else:
        assert any(case.expectation.verdict == "illegal" for case in about(clause))


@each_clause
def test_switching_a_clause_off_changes_the_verdict_of_a_case(clause: Clause) -> None:
    assert any(outcome(case).verdict != outcome(case, clause.id).verdict for case in about(clause))


@pytest.mark.parametrize(
    "clause", [c for c in CHECKED if c.kind in BREAKS], ids=lambda clause: clause.id
)
def test_every_clause_that_can_be_broken_is_the_code_of_a_finding(clause: Clause) -> None:
    assert any(clause.id in outcome(case).codes for case in about(clause))


@pytest.mark.parametrize(
    "clause", [c for c in CHECKED if c.kind in CHARGED], ids=lambda clause: clause.id
)
def test_every_clause_that_costs_is_named_in_a_bill_or_finding(clause: Clause) -> None:
    assert any(clause.id in outcome(case).cited for case in about(clause))


def test_clauses_below_enforced_say_why() -> None:
    bare = [
        clause.id
        for ruleset in RULESETS.values()
        for clause in ruleset.clauses().values()
        if clause.status != "enforced" and not clause.reason
    ]
    assert bare == []
