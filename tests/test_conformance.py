"""Every case of every ruleset, and that the cases cover every clause that is enforced."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from cases import FOLDER, RULESETS, cases, every_case, outcome
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.finding import Clause, Finding
from vassal_umpire.plugin.conformance import differences
from vassal_umpire.validators.rulebook import Rulebook

BOOKS = {name: one for name, one in RULESETS.items() if isinstance(one, Rulebook)}
CHECKED = {
    name: [c for c in book.own_clauses.values() if c.status in ("enforced", "declared")]
    for name, book in sorted(BOOKS.items())
}
"""Every clause that a move can be held against, but those that a ruleset has from what it builds on."""

BREAKS = ("prohibition", "must-stop", "stacking", "order", "allowance")
CHARGED = ("cost",)
"""Kinds of clause that findings are about, and that bills name. Others change what these say."""

each_ruleset = pytest.mark.parametrize("ruleset", CHECKED)


@cache
def by_clause() -> Mapping[str, Sequence[Case]]:
    """The cases of each clause, those that break one first; ids of clauses are unique over all rulesets."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in sorted(every_case(), key=lambda case: case.expectation.verdict != "illegal"):
        for name in case.clauses:
            found[name].append(case)
    return found


def about(clause: Clause) -> Sequence[Case]:
    return by_clause()[clause.id]


def verdicts(clause: Clause) -> list[str | None]:
    return [case.expectation.verdict for case in about(clause)]


MORE = re.compile(
    r"costs ([\d/]+) \w+, ([\d/]+) more than the allowance of ([\d/]+)(?!.* on credit)"
)
ENOUGH = re.compile(r"legal with an allowance of ([\d/]+)")


def miscounted(finding: Finding) -> str:
    """An explanation in which what is lacking is not the total less the allowance; '' for any other."""
    said, bill = MORE.search(finding.explanation), finding.bill
    if bill is not None and not bill.total.is_exact and ENOUGH.match(finding.remedy):
        return finding.remedy  # perhaps it costs more
    if said is None or bill is None:
        return ""
    total, more, allowance = map(Fraction, said.groups())
    told = ENOUGH.search(finding.remedy)
    enough = total if told is None else Fraction(told[1])
    right = total - allowance == more == bill.shortfall and enough == total
    return "" if right else f"{finding.explanation}; {finding.remedy}"


FILES = sorted(file for file in FOLDER.glob("*/*.toml") if file.stem != "shared")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_cases_of(file: Path) -> None:
    every = [case for case in cases(file.parent.name).values() if Path(case.file) == file]
    told = [
        f"umpire check-cases {case.file} --only {case.id}: {line}"
        for case in every
        for line in faults(case)
    ]
    assert told == []
    assert every


def faults(case: Case) -> list[str]:
    """Whatever an audit says of a case that is not expected, or is miscounted."""
    found = outcome(case)
    told = [
        f"{d.what}: expected {d.expected}; found {d.found}"
        for d in differences(case.expectation, found)
    ]
    return told + [line for f in found.audit.findings if (line := miscounted(f))]


def test_every_ruleset_has_cases_in_the_folder_of_its_name() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert folders == set(BOOKS) == set(RULESETS)
    homes = {(Path(case.file).parent.name, case.ruleset) for case in every_case()}
    assert homes == {(name, name) for name in BOOKS}


def test_illegal_cases_name_clauses_and_open_ones_facts() -> None:
    """Cases that others write may state a verdict alone; ours say why."""
    bare = [
        case.id
        for case in every_case()
        if (case.expectation.verdict == "illegal" and not case.expectation.codes)
        or (case.expectation.verdict == "unverifiable" and not case.expectation.unknowns)
    ]
    assert bare == []


def test_every_case_says_what_it_shows() -> None:
    assert [case.where for case in every_case() if not case.title] == []


def test_cases_name_clauses_that_there_are() -> None:
    strange = [
        (case.id, name)
        for case in every_case()
        for name in case.clauses
        if name not in BOOKS[case.ruleset].clauses() and not name.startswith("CHK-")
    ]
    assert strange == []


def without(ruleset: str, shown: Callable[[Clause], bool]) -> list[str]:
    """The clauses of a ruleset of which no case shows something."""
    return [clause.id for clause in CHECKED[ruleset] if not shown(clause)]


@each_ruleset
def test_every_clause_has_a_passing_case(ruleset: str) -> None:
    assert not without(ruleset, lambda c: any(v == "legal" for v in verdicts(c)))


@pytest.mark.ci
@each_ruleset
def test_every_clause_has_a_breaking_case(ruleset: str) -> None:
    """A permission is broken by taking it away: a legal case turns illegal."""

    def broken(clause: Clause) -> bool:
        if clause.kind != "permission":
            return "illegal" in verdicts(clause)
        legal = [case for case in about(clause) if case.expectation.verdict == "legal"]
        return any(outcome(case, clause.id).verdict == "illegal" for case in legal)

    assert not without(ruleset, broken)


@pytest.mark.ci
@each_ruleset
def test_switching_a_clause_off_changes_the_verdict_of_a_case(ruleset: str) -> None:
    def changes(clause: Clause) -> bool:
        return any(outcome(c).verdict != outcome(c, clause.id).verdict for c in about(clause))

    assert not without(ruleset, changes)


@pytest.fixture
def audited(ruleset: str) -> None:
    """The audits of the cases of a ruleset."""
    for case in cases(ruleset).values():
        outcome(case)


@pytest.mark.usefixtures("audited")
@each_ruleset
@pytest.mark.parametrize(
    ("named_in", "kinds"),
    [("codes", BREAKS), ("cited", CHARGED)],
    ids=["that can be broken, as the code of a finding", "that costs, in a bill or finding"],
)
def test_a_clause_is_named(ruleset: str, named_in: str, kinds: Collection[str]) -> None:
    def named(clause: Clause) -> bool:
        return any(clause.id in getattr(outcome(case), named_in) for case in about(clause))

    assert not without(ruleset, lambda c: c.kind not in kinds or named(c))


def test_clauses_below_enforced_say_why() -> None:
    bare = [
        clause.id
        for ruleset in BOOKS.values()
        for clause in ruleset.clauses().values()
        if clause.status != "enforced" and not clause.reason
    ]
    assert bare == []
