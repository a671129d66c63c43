"""``umpire rules``: the rulesets, their clauses, and what is to be known of each clause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from ...importers.cases.case import Case
from ...importers.cases.load import read_cases
from ...model.finding import Clause
from ...model.problem import UmpireError
from ...validators.checks import CLAUSES as CHECKS
from ...validators.ruleset import Ruleset
from ..coverage import STATUSES, own_clauses
from ..json_text import document_text
from ..output import print_text
from ..problems import say_problems
from ..registry import Registry, rulesets
from ..ruleset_parts import cases_beside, page_of
from ..text_writer import TextWriter, terminal_width, wants_colour
from . import rules_new

EPILOG = """\b
Examples:
  umpire rules                        the rulesets there are
  umpire rules generic                the clauses of one, with their status
  umpire rules GEN-STACKING           all there is to know of one clause
  umpire rules WAR-5.3.2              the clauses of one section of the rules
  umpire rules generic --format json
  umpire rules generic --format markdown   its page: what a pack has to supply

\b
  umpire rules new my-game            begin a ruleset of your own

\b
Status: enforced; declared (checked where a player or a facts file says so);
not-observable (a log cannot show it); definition (nothing to break).
"""

_SHORT = {"not-observable": "not observ."}
"""For a table that is to fit 80 columns."""


class RulesCommand(click.Command):
    """The command, of which ``new`` is another."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """That of ``umpire rules new`` where the first argument says so."""
        if args[:1] == ["new"]:
            return rules_new.command.make_context(f"{info_name} new", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    "rules", cls=RulesCommand, epilog=EPILOG, short_help="List rulesets, their clauses, one clause."
)
@click.argument("name", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="markdown: the page of one ruleset, with what it covers.",
)
@click.option(
    "--cases",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Where to look for cases of a clause: files or folders.",
)
def command(name: str | None, form: str, cases: tuple[Path, ...]) -> None:
    """List the rulesets; or the clauses of the ruleset NAME; or tell of the clause NAME what it says
    in our words, what is needed to check it, what leaves it open, and which cases prove it.
    """
    known = rulesets()
    say_problems(known.problems)
    if form == "markdown":
        print_text([_page(name, known, cases)])
        return
    writer = TextWriter(terminal_width(), colour=wants_colour())
    if name is None:
        plain: Any = [_ruleset(known.get(n)) for n in sorted(known.parts)]
        _list_rulesets(writer, plain)
    elif name in known.parts:
        clauses = known.get(name).clauses().values()
        plain = [_clause(clause) for clause in clauses]
        _list_clauses(writer, known.get(name), list(clauses))
    else:
        group = find_group(name, known)
        if group:
            read = _read(cases or _beside(group[0][0], known))
            plain = [_in_full(owner, c, cases_of(c, read)) for owner, c in group]
            _tell_group(writer, name, [clause for _, clause in group])
        else:
            owner, clause = find_clause(name, known)
            found = cases_of(clause, _read(cases or _beside(owner, known)))
            plain = _in_full(owner, clause, found)
            _tell(writer, owner, clause, found)
    print_text([document_text(plain) if form == "json" else writer.text()])


def _page(name: str | None, known: Registry[Ruleset], paths: tuple[Path, ...]) -> str:
    if name not in known.parts:
        raise UmpireError(
            "--format markdown tells of one ruleset",
            expected=f"one of {', '.join(sorted(known.parts))}",
            hint="'umpire rules generic --format markdown'",
        )
    read = _read(paths or _beside(name, known))
    found = None if read is None else [case for case in read if case.ruleset == name]
    return page_of(known.get(name), found)


def find_group(name: str, known: Registry[Ruleset]) -> list[tuple[str, Clause]]:
    """The clauses whose ids begin with ``name`` as a whole (``WAR-5.3.2`` has ``WAR-5.3.2-a``), each with
    its ruleset; none if ``name`` is itself the id of one."""
    whole = re.compile(re.escape(name) + r"(?![a-z0-9])", re.IGNORECASE)
    found = [
        (owner, clause)
        for owner, ruleset in sorted(known.parts.items())
        for clause in own_clauses(ruleset)
        if whole.match(clause.id)
    ]
    return [] if any(c.id.upper() == name.upper() for _, c in found) else found


def find_clause(name: str, known: Registry[Ruleset]) -> tuple[str, Clause]:
    """The clause called ``name`` with the ruleset it is of ('' for the checks that need none)."""
    everywhere: Mapping[str, Mapping[str, Clause]] = {
        "": CHECKS,
        **{n: {c.id: c for c in own_clauses(r)} for n, r in sorted(known.parts.items())},
    }
    wanted = name.upper()
    for owner, clauses in everywhere.items():
        for key, clause in clauses.items():
            if key.upper() == wanted:
                return owner, clause
    raise UmpireError(
        f"there is no ruleset and no clause {name!r}",
        expected=f"one of {', '.join(sorted(known.parts))}, or a clause's id",
        hint="'umpire rules RULESET' lists the clauses",
    )


def _beside(name: str, known: Registry[Ruleset]) -> tuple[Path, ...]:
    return cases_beside(name, known.parts.get(name))


def _read(paths: tuple[Path, ...]) -> list[Case] | None:
    """The cases there; None if there is nowhere to look."""
    return list(read_cases(paths)) if paths else None


def cases_of(clause: Clause, cases: list[Case] | None) -> list[Case] | None:
    """Those of ``cases`` that are about ``clause``."""
    return None if cases is None else [case for case in cases if clause.id in case.clauses]


def _ruleset(ruleset: Ruleset) -> dict[str, Any]:
    clauses = own_clauses(ruleset)
    counts = Counter(clause.status for clause in clauses)
    by_status = {status: counts[status] for status in STATUSES}
    return {
        "name": ruleset.name,
        "version": ruleset.version,
        "clauses": len(clauses),
        "status": by_status,
    }


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "title": clause.title,
        "kind": clause.kind,
        "status": clause.status,
        "reason": clause.reason,
    }


def _in_full(owner: str, clause: Clause, cases: list[Case] | None) -> dict[str, Any]:
    return {
        **_clause(clause),
        "ruleset": owner or None,
        "text": clause.text,
        "needs": list(clause.needs),
        "unverifiable": list(clause.unverifiable),
        "readings": [
            {
                "option": reading.option,
                "question": reading.question,
                "choices": list(reading.choices),
                "default": reading.default,
            }
            for reading in clause.readings
        ],
        "cases": None if cases is None else [case.id for case in cases],
    }


def _list_rulesets(writer: TextWriter, plain: list[dict[str, Any]]) -> None:
    rows = [
        (r["name"], r["version"], str(r["clauses"]), *(str(r["status"][s]) for s in STATUSES))
        for r in plain
    ]
    heads = [_SHORT.get(status, status) for status in STATUSES]
    writer.table(("ruleset", "version", "clauses", *heads), rows, right=range(2, 7))


def _list_clauses(writer: TextWriter, ruleset: Ruleset, clauses: list[Clause]) -> None:
    writer.title(f"{ruleset.name} {ruleset.version}")
    counts = Counter(clause.status for clause in clauses)
    writer.line(", ".join(f"{counts[s]} {s}" for s in STATUSES if counts[s]))
    writer.blank()
    writer.table(
        ("clause", "title", "kind", "status"),
        [(c.id, c.title, c.kind, c.status) for c in clauses],
    )
    below = [c for c in clauses if c.reason]
    if below:
        writer.heading("Why not enforced")
        for clause in below:
            writer.line(f"{clause.id}: {clause.reason}", indent=2, hang=2)


def _tell_group(writer: TextWriter, name: str, clauses: list[Clause]) -> None:
    writer.title(f"{name.upper()}: {len(clauses)} clauses")
    for clause in clauses:
        writer.blank()
        status = f"  ({clause.kind}, {clause.status})"
        writer.spans((clause.id, "bold"), (f"  {clause.title}", ""), (status, "dim"), hang=2)
        writer.line(clause.text, indent=2)
        if clause.reason:
            writer.line(clause.reason, indent=2, style="dim")
    writer.blank()
    writer.line(f"'umpire rules {clauses[0].id}' tells all there is to know of one.")


def _tell(writer: TextWriter, owner: str, clause: Clause, cases: list[Case] | None) -> None:
    writer.title(f"{clause.id}  {clause.title}")
    writer.labelled("ruleset", owner or "any: a check that needs no ruleset", width=8)
    writer.labelled("kind", clause.kind, width=8)
    status = clause.status + (f": {clause.reason}" if clause.reason else "")
    writer.labelled("status", status, width=8)
    writer.blank()
    writer.line(clause.text)
    _listed(writer, "What is needed to check it", clause.needs)
    _listed(writer, "What leaves it open", clause.unverifiable)
    readings = [
        f"{r.question} {' or '.join(r.choices)} ({r.option}); without a word {r.default}"
        for r in clause.readings
    ]
    _listed(writer, "Open readings", readings)
    if cases is None:
        writer.heading("Cases")
        writer.line(
            "None are at hand: those of the project lie in its tests/conformance; name them with --cases.",
            indent=2,
        )
    elif not cases:
        writer.heading("Cases")
        writer.line("None of the cases found is about this clause.", indent=2)
    else:
        writer.heading(f"Cases ({len(cases)})")
        rows = [(case.id, case.expectation.verdict, case.title) for case in cases]
        writer.table(("case", "verdict", "what it shows"), rows, indent=2)


def _listed(writer: TextWriter, heading: str, rows: Iterable[str]) -> None:
    told = list(rows)
    if told:
        writer.heading(heading)
    for row in told:
        writer.line(f"- {row}", indent=2, hang=2)
