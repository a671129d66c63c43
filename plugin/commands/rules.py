"""``umpire rules``: the rulesets, their clauses, and details of each clause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ... import __version__
from ...importers.cases.case import Case
from ...importers.cases.load import read_cases
from ...model.finding import Clause
from ...model.problem import UmpireError
from ...validators import checks
from ...validators.rulebook import Rulebook, folder_of, read_bases
from ...validators.ruleset import Ruleset
from ..coverage import STATUSES, cases_beside, own_clauses, page_of
from ..enforcing import places
from ..json_text import document_text, picked
from ..options import OutputPath, argument, declared, form_option, option
from ..output import print_text
from ..output_folder import empty_place, new_folder
from ..printable import printable, say_problems
from ..registry import Registry, rulesets
from ..skeleton import names_of, skeleton
from ..text_writer import TextWriter, terminal_width, wants_colour

NEW_EPILOG = """\b
Examples:
  umpire rules new my-game
  umpire rules new my-game -o ~/rulesets/my-game
"""


@declared("new", epilog=NEW_EPILOG, short_help="Begin your own ruleset.")
def new(
    name: str = argument(),
    output: Path | None = option(
        "The new folder; by default NAME.", "-o", "--output", type=OutputPath(), metavar="DIR"
    ),
) -> None:
    """Write a small distribution with a ruleset called NAME: its manifest, one clause, cases, a page.

    It installs as it is (pip install -e DIR), and its cases pass. No file is overwritten.
    """
    names = names_of(name, frozenset(rulesets().parts))
    folder = output or Path(name)
    target = empty_place(folder)
    with new_folder(target, folder) as part:
        for path, text in skeleton(names, __version__).items():
            file = part / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    for line in (
        f"{folder}: the ruleset {name}, begun",
        f"  pip install -e {folder}",
        f"  umpire check-cases --ruleset {name}",
    ):
        click.echo(printable(line))


EPILOG = """\b
Examples:
  umpire rules                        the rulesets there are
  umpire rules generic                the clauses of one, with their status
  umpire rules GEN-STACKING           all there is to know of one clause
  umpire rules WAR-5.3.2              the clauses of one section of the rules
  umpire rules 6.2d                   the same, in whichever ruleset has it
  umpire rules generic --format json
  umpire rules generic --format markdown   its page: what a pack has to supply

\b
  umpire rules new my-game            begin a ruleset of your own

\b
Status: enforced; declared (checked where a player or a facts file says so);
not-observable (a log cannot show it); definition (nothing to break).
"""

CHECKS_HOME = checks.__name__, "CHK-"
_SHORT = {"not-observable": "not observ."}
"""Short titles for a table of 80 columns."""


class RulesCommand(click.Command):
    """The command, with ``new`` as a second command."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context of ``umpire rules new`` if the first argument is ``new``."""
        if args[:1] == ["new"]:
            return new.make_context(f"{info_name} new", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@declared(
    "rules", cls=RulesCommand, epilog=EPILOG, short_help="List rulesets, their clauses, one clause."
)
def command(
    name: str | None = argument(required=False),
    form: str = form_option(
        "markdown: the page of one ruleset, with what it covers.",
        choices=["text", "json", "markdown"],
    ),
    cases: tuple[Path, ...] = option("Where to look for cases of a clause: files or folders."),
) -> None:
    """List the rulesets; or the clauses of the ruleset NAME; or explain the clause NAME: a paraphrase, what
    is needed to check it, what leaves it open, the functions that enforce it, and the cases that prove it.
    The prefix of a clause may be left out."""
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
        found = find_clauses(name, known)
        read = {owner: _read(cases or _beside(owner, known)) for owner, _ in found}
        full = [_in_full(owner, c, cases_of(c, read[owner]), known) for owner, c in found]
        plain = full
        if len(found) > 1 or not found[0][1].id.upper().endswith(name.upper()):
            _tell_group(writer, name, [clause for _, clause in found])
        else:
            (plain,) = full
            owner, clause = found[0]
            _tell(writer, plain, clause, cases_of(clause, read[owner]))
    print_text([document_text(plain) if form == "json" else writer.text()])


def _page(name: str | None, known: Registry[Ruleset], paths: tuple[Path, ...]) -> str:
    if name not in known.parts:
        raise UmpireError(
            "--format markdown is for one ruleset",
            expected=f"one of {', '.join(sorted(known.parts))}",
            hint="'umpire rules generic --format markdown'",
        )
    read = _read(paths or _beside(name, known))
    found = None if read is None else [case for case in read if case.ruleset == name]
    return page_of(known.get(name), found)


def find_clauses(name: str, known: Registry[Ruleset]) -> list[tuple[str, Clause]]:
    """The clause called ``name`` with its ruleset ("": a check without one), else the clauses whose ids begin
    with it (``WAR-5.3.2`` has ``WAR-5.3.2-a``). Without the prefix of a ruleset they may be of several.
    Raises :class:`UmpireError` if there is none."""
    everywhere: dict[str, Iterable[Clause]] = {"": checks.CLAUSES.values()}
    everywhere.update((owner, own_clauses(one)) for owner, one in sorted(known.parts.items()))
    every = [(owner, clause) for owner, clauses in everywhere.items() for clause in clauses]
    exact = [one for one in every if one[1].id.upper() == name.upper()]
    whole = re.compile(re.escape(name) + r"(?![a-z0-9])", re.IGNORECASE)
    found = exact or [
        (owner, clause)
        for owner, clause in every
        if any(map(whole.match, (clause.id, clause.id.removeprefix(_home(owner, known)[1]))))
    ]
    if found:
        return found
    raise UmpireError(
        f"there is no ruleset and no clause {name!r}",
        expected=f"one of {', '.join(sorted(known.parts))}, or a clause's id",
        hint="'umpire rules RULESET' lists the clauses",
    )


def _home(owner: str, known: Registry[Ruleset]) -> tuple[str, str]:
    """The package of a ruleset and the prefix of its clauses; both empty if it does not say where it is."""
    if not owner:
        return CHECKS_HOME
    ruleset = known.get(owner)
    return (ruleset.module, ruleset.manifest.prefix) if isinstance(ruleset, Rulebook) else ("", "")


def enforcing(owner: str, clause: Clause, known: Registry[Ruleset]) -> list[dict[str, Any]]:
    """The places that enforce a clause: in its ruleset, and in the ruleset that it builds on."""
    module, prefix = _home(owner, known)
    found = [(clause.id, place) for place in places(module, prefix, clause.id)] if module else []
    ruleset = known.get(owner) if owner else None
    if isinstance(ruleset, Rulebook) and ruleset.manifest.extends:
        base, base_prefix = _home(ruleset.manifest.extends, known)
        bases = read_bases(folder_of(module) / "clauses.toml").get(clause.id, ())
        found += [(one, place) for one in bases for place in places(base, base_prefix, one)]
    return [{"clause": one, **asdict(place)} for one, place in found]


def _beside(name: str, known: Registry[Ruleset]) -> tuple[Path, ...]:
    return cases_beside(name, known.parts.get(name))


def _read(paths: tuple[Path, ...]) -> list[Case] | None:
    """The cases in a folder; None if there is no folder."""
    return list(read_cases(paths)) if paths else None


def cases_of(clause: Clause, cases: list[Case] | None) -> list[Case] | None:
    """Those of ``cases`` that test ``clause``."""
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
    return picked(clause, "id title kind status reason")


def _in_full(
    owner: str, clause: Clause, cases: list[Case] | None, known: Registry[Ruleset]
) -> dict[str, Any]:
    return {
        **_clause(clause),
        "ruleset": owner or None,
        **picked(clause, "text needs unverifiable"),
        "readings": [picked(one, "option question choices default") for one in clause.readings],
        "code": enforcing(owner, clause, known),
        "cases": None if cases is None else [case.id for case in cases],
        "case_files": None if cases is None else list(dict.fromkeys(c.file for c in cases)),
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
    writer.line(f"'umpire rules {clauses[0].id}' shows everything about one.")


def _tell(
    writer: TextWriter, full: dict[str, Any], clause: Clause, cases: list[Case] | None
) -> None:
    writer.title(f"{clause.id}  {clause.title}")
    writer.labelled("ruleset", full["ruleset"] or "any: a check that needs no ruleset", width=8)
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
    writer.heading("Enforced by")
    rows = [
        (c["function"] or "a row of its tables", c["clause"], f"{c['file']}:{c['line']}")
        for c in full["code"]
    ]
    if rows:
        writer.table(("function", "for", "where"), rows, indent=2)
    else:
        writer.line("Not enforced by code.", indent=2)
    if cases is None:
        writer.heading("Cases")
        writer.line(
            "No cases were found: the project's are in its tests/conformance; name them with --cases.",
            indent=2,
        )
    elif not cases:
        writer.heading("Cases")
        writer.line("None of the cases found is about this clause.", indent=2)
    else:
        writer.heading(f"Cases ({len(cases)})")
        rows = [(case.id, case.expectation.verdict, case.title) for case in cases]
        writer.table(("case", "verdict", "what it shows"), rows, indent=2)
        _listed(writer, "Case files", full["case_files"])


def _listed(writer: TextWriter, heading: str, rows: Iterable[str]) -> None:
    told = list(rows)
    if told:
        writer.heading(heading)
    for row in told:
        writer.line(f"- {row}", indent=2, hang=2)
