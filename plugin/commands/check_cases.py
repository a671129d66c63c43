"""``umpire check-cases``: run conformance cases."""

from __future__ import annotations

from pathlib import Path

import click

from ...importers.cases.case import Case
from ...importers.cases.load import read_cases
from ...model.problem import Problem, UmpireError, WrongPack
from ...validators.ruleset import Ruleset
from ..conformance import Outcome, differences, plain_outcomes, run_case, show_case
from ..coverage import cases_beside
from ..json_text import document_text
from ..options import argument, declared, form_option, option
from ..output import print_text
from ..registry import Registry, rulesets
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire check-cases tests/conformance
  umpire check-cases tests/conformance/generic/terrain.toml --verbose
  umpire check-cases my-cases --only ROAD-3
  umpire check-cases --ruleset my-game       the cases that a ruleset brings

\b
How to write a case: docs/cases.md. 'umpire schema case' prints the schema.
Exit codes: 0 all passed, 1 some failed, 2 a case file is wrong.
"""


@declared("check-cases", epilog=EPILOG, short_help="Run conformance cases of rulesets.")
def command(
    ctx: click.Context,
    paths: tuple[Path, ...] = argument(required=False),
    ruleset: str | None = option("Run the cases that this ruleset brings.", metavar="NAME"),
    only: tuple[str, ...] = option("Run only the case with this id.", metavar="ID"),
    verbose: bool = option("Also show the cases that passed.", "-v", "--verbose"),
    form: str = form_option("The form of the result; json holds every case."),
) -> None:
    """Run the cases in PATHS, files or folders, and those that a ruleset brings.

    A case is a small board, a few moves and what an audit must say of them. A failed case is shown with its
    board, path, bill and clause, and with what was expected and what was found. An invalid file is reported
    with file, line, case and key, and nothing is run.
    """
    known = rulesets()
    every = paths if ruleset is None else (*paths, *_brought(ruleset, known))
    if not every:
        raise UmpireError("no cases are named", expected="files, folders or --ruleset NAME")
    cases = _chosen(read_cases(every), only)
    results = run_all([case for case in cases if not case.ignore], known)
    compared = [(c, found, differences(c.expectation, found)) for c, found in results]
    failed = sum(bool(differing) for _, _, differing in compared)
    ignored = [case for case in cases if case.ignore]
    if form == "json":
        print_text([document_text(plain_outcomes(compared, ignored))])
        ctx.exit(int(failed > 0))
    writer = TextWriter(terminal_width(), colour=wants_colour())
    for case, outcome, differing in compared:
        if differing or verbose:
            show_case(writer, case, outcome, differing, known.get(case.ruleset).clauses())
    if failed or verbose:
        writer.blank()
    for case in ignored:
        writer.line(f"ignored  {case.id} ({case.where}): {case.ignore}", hang=9)
    if ignored:
        writer.line(f"{len(ignored):,} ignored")
    writer.line(f"{len(results) - failed:,} passed, {failed:,} failed")
    print_text([writer.text()])
    ctx.exit(int(failed > 0))


def _brought(name: str, known: Registry[Ruleset]) -> tuple[Path, ...]:
    found = cases_beside(name, known.get(name))
    if not found:
        raise UmpireError(
            f"the ruleset {name} brings no cases", expected="a folder cases in its own"
        )
    return found


def _chosen(cases: tuple[Case, ...], only: tuple[str, ...]) -> list[Case]:
    unknown = set(only).difference(case.id for case in cases)
    if unknown:
        raise UmpireError(f"there is no case {min(unknown)!r} in the files named")
    return [case for case in cases if not only or case.id in only]


def run_all(cases: list[Case], known: Registry[Ruleset]) -> list[tuple[Case, Outcome]]:
    """Every case with its outcome. Raises :class:`WrongPack`, with the names of the cases, if their ruleset
    is not installed, lacks their clauses, or does not fit their tables."""
    results: list[tuple[Case, Outcome]] = []
    problems: list[Problem] = []
    for case in cases:
        found = list(_misfits(case, known))
        if not found:
            try:
                results.append((case, run_case(case, known.get(case.ruleset))))
            except WrongPack as error:
                told = error.problems or (Problem("rules", str(error)),)
                found = [_problem(case, str(problem)) for problem in told]
        problems += found
    if problems:
        raise WrongPack.of(problems)
    return results


def _misfits(case: Case, known: Registry[Ruleset]) -> list[Problem]:
    ruleset = known.parts.get(case.ruleset)
    if ruleset is None:
        there = ", ".join(sorted(known.parts))
        return [_problem(case, f"ruleset: expected one of {there}; found {case.ruleset}")]
    clauses = ruleset.clauses()
    return [
        _problem(case, f"clauses: expected clauses of {case.ruleset}; found {name}")
        for name in case.clauses
        if name not in clauses and not name.startswith("CHK-")
    ]


def _problem(case: Case, message: str) -> Problem:
    return Problem("case", f"case {case.id}, {message}", case.where, "error")
