"""Writes the parts of the pages that can be worked out: ``python docs/build.py``.

In docs/rulesets/NAME.md everything below the mark is what ``umpire rules NAME --format markdown`` says;
what stands above it is written by hand. In the README the table of rulesets stands between two marks.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.plugin.coverage import STATUSES, coverage
from vassal_umpire.plugin.registry import rulesets

DOCS = Path(__file__).resolve().parent
PROJECT = DOCS.parent
MARK = "<!-- All below is written by docs/build.py. -->\n"
TABLE = ("<!-- rulesets: written by docs/build.py -->\n", "<!-- rulesets end -->\n")


def pages() -> dict[Path, str]:
    """Each page that has a generated part, as it ought to be."""
    known = rulesets()
    cases = read_cases([PROJECT / "tests" / "conformance"])
    found = {}
    for name in sorted(known.parts):
        page = DOCS / "rulesets" / f"{name}.md"
        written = page.read_text("utf-8") if page.is_file() else f"# The ruleset `{name}`\n\n"
        by_hand = written.split(MARK)[0].rstrip("\n")
        own = [case for case in cases if case.ruleset == name]
        found[page] = f"{by_hand}\n\n{MARK}\n{coverage(known.get(name), own)}"
    readme = PROJECT / "README.md"
    before, rest = readme.read_text("utf-8").split(TABLE[0])
    after = rest.split(TABLE[1])[1]
    counts = Counter(case.ruleset for case in cases)
    found[readme] = f"{before}{TABLE[0]}{_table(counts)}{TABLE[1]}{after}"
    return found


def _table(cases: Counter[str]) -> str:
    columns = ["ruleset", "clauses", *STATUSES, "cases"]
    rows = [columns, ["---", *["--:"] * (len(columns) - 1)]]
    for name, ruleset in sorted(rulesets().parts.items()):
        counts = Counter(clause.status for clause in ruleset.clauses().values())
        numbers = [counts.total(), *(counts[status] for status in STATUSES), cases[name]]
        rows.append([f"[`{name}`](docs/rulesets/{name}.md)", *map(str, numbers)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    for path, text in pages().items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(PROJECT)}")
