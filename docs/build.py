"""Writes the pages that can be worked out: ``python docs/build.py``.

docs/rulesets/NAME.md is what ``umpire rules NAME --format markdown`` says: the text by hand in the folder of
the ruleset (``page.md``), then what it covers. In the README the table of rulesets stands between two marks.
docs/how-to-read-a-report.md is the text that the HTML report has in its head.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.plugin.coverage import STATUSES, own_clauses
from vassal_umpire.plugin.registry import RULESETS, rulesets, shipped
from vassal_umpire.plugin.reports.how_to_read import how_to_read
from vassal_umpire.plugin.ruleset_parts import page_of
from vassal_umpire.validators.ruleset import Ruleset

DOCS = Path(__file__).resolve().parent
PROJECT = DOCS.parent
TABLE = ("<!-- rulesets: written by docs/build.py -->\n", "<!-- rulesets end -->\n")


def pages() -> dict[Path, str]:
    """Each page that has a generated part, as it ought to be."""
    known = _shipped()
    cases = read_cases([PROJECT / "tests" / "conformance"])
    found = {}
    for name, ruleset in known.items():
        own = [case for case in cases if case.ruleset == name]
        found[DOCS / "rulesets" / f"{name}.md"] = page_of(ruleset, own)
    found[DOCS / "how-to-read-a-report.md"] = how_to_read()
    readme = PROJECT / "README.md"
    before, rest = readme.read_text("utf-8").split(TABLE[0])
    after = rest.split(TABLE[1])[1]
    counts = Counter(case.ruleset for case in cases)
    found[readme] = f"{before}{TABLE[0]}{_table(counts)}{TABLE[1]}{after}"
    return found


def _shipped() -> dict[str, Ruleset]:
    """The rulesets of this project, by name, not others that may be installed."""
    known = rulesets()
    return {name: known.get(name) for name in sorted(one.name for one in shipped(RULESETS))}


def _table(cases: Counter[str]) -> str:
    columns = ["ruleset", "clauses", *STATUSES, "cases"]
    rows = [columns, ["---", *["--:"] * (len(columns) - 1)]]
    for name, ruleset in _shipped().items():
        counts = Counter(clause.status for clause in own_clauses(ruleset))
        numbers = [counts.total(), *(counts[status] for status in STATUSES), cases[name]]
        rows.append([f"[`{name}`](docs/rulesets/{name}.md)", *map(str, numbers)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    for path, text in pages().items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(PROJECT)}")
