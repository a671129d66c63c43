"""What a ruleset covers, clause by clause, as Markdown; where its cases lie; its page in docs/rulesets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..importers.cases.case import Case
from ..model.finding import Clause, ClauseStatus
from ..validators.rulebook import Rulebook, folder_of
from ..validators.ruleset import Ruleset
from .printable import markdown, printable
from .reports.report import VERDICTS

STATUSES: tuple[ClauseStatus, ...] = ("enforced", "declared", "not-observable", "definition")
_TOLD = {"not-observable": "not observable", "definition": "definitions"}
CHECKED = ("enforced", "declared")
"""Statuses of clauses by which moves are judged."""


def counted(clauses: Iterable[Clause]) -> str:
    """``67 clauses: 39 enforced, 1 declared, 3 not observable, 24 definitions``."""
    counts = Counter(clause.status for clause in clauses)
    parts = [f"{counts[status]} {_TOLD.get(status, status)}" for status in STATUSES]
    return f"{counts.total()} clauses: {', '.join(parts)}"


def own_clauses(ruleset: Ruleset) -> list[Clause]:
    """The clauses of a ruleset's own text, without those of the ruleset that it builds on."""
    own = ruleset.own_clauses if isinstance(ruleset, Rulebook) else ruleset.clauses()
    return list(own.values())


def coverage(ruleset: Ruleset, cases: Sequence[Case] | None) -> str:
    """Every clause with its status, how many ``cases`` test it by verdict (None: not available), why some are
    not enforced, and where the text can be read in more than one way."""
    clauses = own_clauses(ruleset)
    run = f"`umpire check-cases --ruleset {ruleset.name}`"
    told = "" if cases is None else f" {len(cases)} cases ({run})."
    parts = [
        "## Coverage",
        f"{ruleset.name} {ruleset.version}: {counted(clauses)}.{told}",
        *_checked([c for c in clauses if c.status in CHECKED], cases),
        *_below([c for c in clauses if c.status not in CHECKED or c.reason]),
        *_readings(clauses),
        *_built_on([c for c in ruleset.clauses().values() if c not in clauses]),
    ]
    return "\n\n".join(parts) + "\n"


def _checked(clauses: Sequence[Clause], cases: Sequence[Case] | None) -> Iterator[str]:
    yield "### What is checked"
    columns = ["clause", "title", "kind", "status"]
    if cases is not None:
        columns += VERDICTS
        yield "The last columns count the cases about a clause by the verdict they must get."
    yield _table(columns, ([*_row(clause), *_counts(clause, cases)] for clause in clauses))


def _row(clause: Clause) -> list[str]:
    return [f"`{clause.id}`", clause.title, clause.kind, clause.status]


def _counts(clause: Clause, cases: Sequence[Case] | None) -> list[str]:
    if cases is None:
        return []
    about = Counter(case.expectation.verdict for case in cases if clause.id in case.clauses)
    return [str(about[verdict]) for verdict in VERDICTS]


def _below(clauses: Sequence[Clause]) -> Iterator[str]:
    if clauses:
        yield "### What is not enforced, and why"
        rows = ([f"`{c.id}`", c.title, c.status, c.reason] for c in clauses)
        yield _table(["clause", "title", "status", "why"], rows)


def _readings(clauses: Sequence[Clause]) -> Iterator[str]:
    rows = [
        [f"`{c.id}`", r.question, f"`{r.option}`: {' or '.join(r.choices)}", r.default]
        for c in clauses
        for r in c.readings
    ]
    if rows:
        yield "### Where the text can be read in more than one way"
        yield _table(["clause", "question", "option", "without a word"], rows)


def _built_on(clauses: Sequence[Clause]) -> Iterator[str]:
    if clauses:
        yield "### What it builds on"
        yield "Where its own clauses say nothing else, these of `generic` hold as well:"
        rows = ([f"`{c.id}`", c.title, c.text] for c in clauses if c.status in CHECKED)
        yield _table(["clause", "title", "what it says"], rows)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    plain = printable(text).replace("\n", " ")
    if plain.startswith("`"):
        return plain.replace("|", "\\|")
    return markdown(plain)


CONFORMANCE = Path("tests") / "conformance"
"""The folder of the project's own cases in its checkout; an installed program has none."""

MARK = (
    "<!-- All below is written by the program; all above is page.md of the ruleset's folder. -->\n"
)


def cases_beside(name: str, ruleset: Ruleset | None = None) -> tuple[Path, ...]:
    """The cases of a ruleset: in its folder, or among the project's own, below the working folder or in the
    checkout that the program runs from. ``name`` empty: all of the project's own. Empty if none are found."""
    checkout = Path(__file__).resolve().parents[1]
    folders = [home / CONFORMANCE / name for home in (Path(), checkout)]
    if isinstance(ruleset, Rulebook):
        folders.insert(0, Path(str(folder_of(ruleset.module) / "cases")))
    return tuple(folder for folder in folders if folder.is_dir())[:1]


def page_of(ruleset: Ruleset, cases: Sequence[Case] | None) -> str:
    """The page of a ruleset: the handwritten text from its folder, then its coverage. ``cases``: its own;
    None: not available."""
    by_hand = _by_hand(ruleset)
    covered = coverage(ruleset, cases)
    return f"{by_hand}\n{MARK}\n{covered}" if by_hand else covered


def _by_hand(ruleset: Ruleset) -> str:
    if isinstance(ruleset, Rulebook):
        file = folder_of(ruleset.module) / "page.md"
        if file.is_file():
            return file.read_text(encoding="utf-8").rstrip("\n") + "\n"
    return ""
